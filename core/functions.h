/* SPDX-License-Identifier: MIT */
/* The functions that a host gives to tools, and what one of them replied. */
#ifndef CROFT_FUNCTIONS_H
#define CROFT_FUNCTIONS_H

#include <stdatomic.h>

#include "bytes.h"
#include "error.h"

enum { FUNCTION_DEPTH = 64 }; /* nesting of what it is given and of what it replies */

/* {0} is the empty state. */
struct functions {
    croft_function *items; /* with texts of our own */
    size_t count;
};

/* Copies what the host gave. CROFT_BAD_ARGUMENT names the function that is wrong. */
croft_status functions_copy(struct functions *functions, const croft_function *given, size_t count,
                            croft_error *err);
void functions_free(struct functions *functions);

/* {0} is a reply that was not given yet. */
struct croft_reply {
    enum { REPLY_NONE, REPLY_JSON, REPLY_ERROR } kind;
    struct bytes json, message;
    croft_status code;
    bool is_too_large;
    bool takes_time;              /* of its own, not the call's */
    const atomic_bool *cancelled; /* set by who calls the function; may be NULL */
};

/* What croft_reply_json and croft_reply_error do. */
void functions_reply_json(struct croft_reply *reply, const char *json, size_t size);
void functions_reply_error(struct croft_reply *reply, croft_status code, const char *message);

/* CROFT_OK when there is JSON that can be decoded. Else the kind of the error, CROFT_INTERNAL where the
 * reply is none that it may give, and what went wrong in reply->message. */
croft_status functions_check_reply(struct croft_reply *reply);
void functions_free_reply(struct croft_reply *reply);

#endif
