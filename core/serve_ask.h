/* SPDX-License-Identifier: MIT */
/* Questions of the gate as messages of MCP, and the state that goes to a client and comes back. */
#ifndef CROFT_SERVE_ASK_H
#define CROFT_SERVE_ASK_H

#include "bytes.h"
#include "croft.h"

enum { ASK_KEY_BYTES = 32, ASK_STATE_BYTES = 256 };

/* Of the process; made once, before the first question. */
struct ask_key {
    unsigned char bytes[ASK_KEY_BYTES];
};
bool ask_key_make(struct ask_key *key); /* false: the kernel gives no random bytes */

/* The legacy era: a request of the server's own, whose id is that of the question; and the notice that its
 * answer is not waited for any more. */
void ask_add_request(struct bytes *out, const croft_gate_request *request);
void ask_add_withdrawal(struct bytes *out, uint64_t request_id);

/* The modern era: what follows `"result":{"resultType":"input_required",` up to the end of the line. */
void ask_add_result(struct bytes *out, const struct ask_key *key,
                    const croft_gate_request *request);

/*
 * The question that `state` came from; 0 when it is not ours, was changed, is over its time, or is about
 * another tool. Whether it was answered before, and whether the arguments are those that were asked about,
 * is for the session to say.
 */
uint64_t ask_read_state(const struct ask_key *key, const char *state, const char *tool);

#endif
