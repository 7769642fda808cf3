/* SPDX-License-Identifier: MIT */
/* Which rules matched a call, and which decided. */
#ifndef CROFT_POLICY_EXPLAIN_H
#define CROFT_POLICY_EXPLAIN_H

#include "policy_load.h"

/* Appends what croft_policy_explain gives. CROFT_BAD_JSON, or as question_read. */
croft_status policy_explain(const struct policy *policy, const struct gate_tool *tool,
                            struct json_slice args, struct bytes *out, croft_error *err);

#endif
