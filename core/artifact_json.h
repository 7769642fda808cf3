/* SPDX-License-Identifier: MIT */
/* A value of an artifact that holds JSON, found by its JSON Pointer (RFC 6901) without reading the text into
 * memory. What is passed on the way is checked to be JSON; what is behind is not looked at. */
#ifndef CROFT_ARTIFACT_JSON_H
#define CROFT_ARTIFACT_JSON_H

#include "artifact.h"
#include "json_scan.h"

struct artifact_json_options {
    struct json_slice pointer; /* "" is the whole */
    uint64_t first;            /* child with which the rows begin, from 0 */
    uint64_t bytes;            /* of the text; at least 256 */
    struct budget *budget;     /* a step for each 64 bytes */
};

struct artifact_json {
    enum json_type type;
    /* The value as it stands; or, when that does not fit or `first` is not 0, a row for each child: its
     * pointer as a JSON string, ": ", and the value if it is short, else `object, 1234 bytes`. Of a long
     * string or number the beginning. */
    struct bytes text;
    bool is_whole;     /* text is the value */
    uint64_t size;     /* of the value in bytes */
    uint64_t children; /* of an object or array */
    uint64_t shown;    /* rows */
    bool is_missing;   /* there is no such value; type and children are of the last that is there */
    size_t found;      /* bytes of the pointer up to that */
    const char *fault; /* why the text is no JSON, a constant; NULL: as far as it was read it is */
    uint64_t fault_at; /* byte, from 0 */
    enum artifact_change change;
};

void artifact_json_free(struct artifact_json *json);

/* CROFT_BAD_ARGUMENT (detail "pointer") for what is no pointer. */
croft_status artifact_json_find(struct artifacts *artifacts, struct artifact *artifact,
                                const struct artifact_json_options *options,
                                struct artifact_json *json, croft_error *err);

#endif
