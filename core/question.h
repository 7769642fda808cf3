/* SPDX-License-Identifier: MIT */
/* What a call is about, as far as its arguments tell: read from them alone, nothing is looked at. */
#ifndef CROFT_QUESTION_H
#define CROFT_QUESTION_H

#include "json_scan.h"
#include "path.h"
#include "sha256.h"

/* What has to be known of a tool to ask about its calls. */
struct gate_tool {
    char *name; /* without the prefix of the session */
    croft_effect effect;
    struct bytes
        arguments; /* that name a path, each ended by NUL; where a call without it means the root,
                             * with a "?" before it */
};

struct question {
    const struct gate_tool *tool;
    const char *name; /* of the tool, as it was asked for */
    struct json_slice args;
    struct bytes texts; /* the paths that it names, each ended by NUL */
    const char **paths; /* in `texts`: cleaned, "." for the root */
    size_t path_count;
    char digest[SHA256_HEX];         /* "" until question_hash */
    struct bytes content;            /* what a call sends that is not in its arguments... */
    bool has_content;                /* ...where it is known */
    uint64_t content_size;           /* of what a call that writes sends */
    char content_digest[SHA256_HEX]; /* "" unless it does */
};

/*
 * Reads the arguments, a JSON object that json_check has passed. Fails as path_parse does where one of them
 * names no path, and with CROFT_INTERNAL when memory ran out. Then, too, it is to be freed. What is given
 * stays the caller's, and has to stay.
 */
croft_status question_read(struct question *question, const struct gate_tool *tool,
                           const char *name, struct json_slice args, croft_error *err);

/* Makes the digests. False when memory ran out. */
bool question_hash(struct question *question);

/* What an approval for the session covers, as a digest: the tool and the paths, or with `whole` the call. */
bool question_scope(struct question *question, bool whole, unsigned char digest[SHA256_BYTES]);

void question_free(struct question *question);

#endif
