/* SPDX-License-Identifier: MIT */
#include "serve_ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "ask_text.h"
#include "hmac.h"
#include "json_scan.h"

#define ID "croft-gate-"

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"decision\":{\"type\":\"string\",\"title\":\"Decision\","
    "\"description\":\"Whether this call may run\","
    "\"enum\":[\"allow once\",\"allow for this session\",\"deny\"]},"
    "\"note\":{\"type\":\"string\",\"title\":\"Note\","
    "\"description\":\"What the assistant is to know, if you deny\",\"maxLength\":1000}},"
    "\"required\":[\"decision\"]}";

bool ask_key_make(struct ask_key *key)
{
    return getrandom(key->bytes, sizeof key->bytes, 0) == (ssize_t)sizeof key->bytes;
}

static void add_params(struct bytes *out, const croft_gate_request *request)
{
    struct bytes text = {0};

    ask_text(&text, request);
    bytes_add_text(out, "\"message\":");
    json_quote(out, text.size == 0 ? "" : text.data, text.size);
    bytes_add_text(out, ",\"requestedSchema\":");
    bytes_add_text(out, schema);
    out->failed |= text.failed;
    bytes_free(&text);
}

/* ---- the legacy era ---------------------------------------------------------------------------- */

static void add_id(struct bytes *out, uint64_t request_id)
{
    bytes_add_text(out, "\"" ID);
    bytes_add_number(out, request_id);
    bytes_add_char(out, '"');
}

void ask_add_request(struct bytes *out, const croft_gate_request *request)
{
    bytes_add_text(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    add_id(out, request->id);
    bytes_add_text(out, ",\"method\":\"elicitation/create\",\"params\":{");
    add_params(out, request);
    bytes_add_text(out, "}}");
}

void ask_add_withdrawal(struct bytes *out, uint64_t request_id)
{
    bytes_add_text(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                        "\"requestId\":");
    add_id(out, request_id);
    bytes_add_text(out, ",\"reason\":\"the call does not wait for it any more\"}}");
}

/* ---- the modern era ---------------------------------------------------------------------------- */

/* What the code is made of: the visible part of the state, and the tool. False: no memory. */
static bool make_code(const struct ask_key *key, const char *visible, size_t size, const char *tool,
                      char code[SHA256_HEX])
{
    struct bytes text = {0};
    unsigned char mac[SHA256_BYTES];
    bool good;

    bytes_add(&text, visible, size);
    bytes_add_char(&text, '.');
    bytes_add_text(&text, tool);
    good = !text.failed;
    if (good) {
        hmac_sha256(key->bytes, sizeof key->bytes, text.data, text.size, mac);
        sha256_hex(mac, code);
    }
    bytes_free(&text);
    return good;
}

static void add_state(struct bytes *out, const struct ask_key *key,
                      const croft_gate_request *request)
{
    char visible[ASK_STATE_BYTES], code[SHA256_HEX];
    int size = snprintf(visible, sizeof visible, "%" PRIu64 ".%" PRIu64 ".%s", request->id,
                        request->deadline, request->digest);

    if (!make_code(key, visible, (size_t)size, request->tool, code))
        out->failed = true;
    if (out->failed)
        return;
    bytes_add_text(out, visible);
    bytes_add_char(out, '.');
    bytes_add_text(out, code);
}

void ask_add_result(struct bytes *out, const struct ask_key *key, const croft_gate_request *request)
{
    bytes_add_text(out,
                   "\"inputRequests\":{\"gate\":{\"method\":\"elicitation/create\",\"params\":{"
                   "\"mode\":\"form\",");
    add_params(out, request);
    bytes_add_text(out, "}}},\"requestState\":\"");
    add_state(out, key, request);
    bytes_add_text(out, "\"}}");
}

static bool is_over(uint64_t deadline)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u > deadline;
}

/* The number that ends with a dot at *at, which is moved behind it. False: none does. */
static bool take_number(const char **at, uint64_t *number)
{
    char *end;

    *number = strtoull(*at, &end, 10);
    if (end == *at || *end != '.')
        return false;
    *at = end + 1;
    return true;
}

uint64_t ask_read_state(const struct ask_key *key, const char *state, const char *tool)
{
    const char *dot = strrchr(state, '.');
    char code[SHA256_HEX];
    uint64_t id, deadline;

    if (dot == NULL || dot - state >= ASK_STATE_BYTES || strlen(dot + 1) != SHA256_HEX - 1)
        return 0;
    if (!make_code(key, state, (size_t)(dot - state), tool, code) ||
        !hmac_same(dot + 1, code, SHA256_HEX - 1))
        return 0;
    if (!take_number(&state, &id) || !take_number(&state, &deadline))
        return 0;
    return is_over(deadline) ? 0 : id;
}
