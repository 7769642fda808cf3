/* SPDX-License-Identifier: MIT */
/* What a session may be and do, by its options and by the manifests of its tool sets. Only where it is opened. */
#ifndef CROFT_SESSION_MANIFEST_H
#define CROFT_SESSION_MANIFEST_H

#include "session.h"

/* Sets the limits that the options have. */
croft_status session_set_limits(struct limits *limits, const croft_session_options *options,
                                croft_error *err);

/* Who decides may be said by a policy alone, which is read later. */
bool session_is_gated(const croft_session *session, const croft_session_options *options);

/* A set of tools that asks for a gate does without one at nobody's risk. `who` is that set. */
croft_status session_demand_gate(const croft_session *session, const char *who,
                                 const croft_session_options *options, croft_error *err);

/* The file that could not be loaded within the limits is left out from now on, so that the others are looked at.
 * False: it is not known. */
bool session_leave_out_culprit(croft_session *session);

/* Reads the manifests among the sources and does what they say, as far as the options do not say otherwise. */
croft_status session_apply_manifests(croft_session *session, struct sandbox_options *shared,
                                     const croft_session_options *options, croft_error *err);

#endif
