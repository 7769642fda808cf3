/* SPDX-License-Identifier: MIT */
/* Which tools a session offers, and what holds for those that stage what they change. */
#ifndef CROFT_STAGING_H
#define CROFT_STAGING_H

#include "error.h"
#include "path.h"

enum { TRUST_TIER_BYTES = 32 };

struct staging {
    const char *toolset;    /* "workspace" or "staged": a constant */
    struct path write_root; /* media are saved below it; "" is the root */
    char trust_tier[TRUST_TIER_BYTES + 1];
};

/* Takes what the options say. CROFT_BAD_ARGUMENT for a tool set that there is not, a write root that is no
 * path inside, a tier that is not 1 to 32 small letters, digits and "-". */
croft_status staging_init(struct staging *staging, const croft_session_options *options,
                          croft_error *err);

bool staging_is_staged(const struct staging *staging);

/* Whether `path` lies below the write root. */
bool staging_covers(const struct staging *staging, const struct path *path);

#endif
