/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sys.h"
#include "utf8.h"

static croft_status no_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

croft_status gate_init(struct gate *gate, const croft_session_options *options, croft_error *err)
{
    gate->kind = options->gate_kind;
    if (gate->kind == CROFT_GATE_NONE && options->gate != NULL)
        gate->kind = CROFT_GATE_CALLBACK;
    gate->ask = options->gate;
    gate->withdraw = options->gate_withdraw;
    gate->user = options->gate_user;
    gate->milliseconds = options->gate_milliseconds;
    gate->decider = strdup(options->decider == NULL ? "host" : options->decider);
    if (gate->decider == NULL)
        return no_memory(err);
    if (gate->kind == CROFT_GATE_CALLBACK && gate->ask == NULL)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "a gate that is a callback has none");
    if (gate->kind == CROFT_GATE_POLICY && options->policy_count == 0)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "a gate of rules alone has no policy");
    return CROFT_OK;
}

croft_status gate_settle(struct gate *gate, croft_error *err)
{
    const struct policy *policy = gate->policy;

    if (gate->kind == CROFT_GATE_NONE && policy != NULL)
        gate->kind = policy->decider;
    if (gate->kind == CROFT_GATE_NONE && policy != NULL)
        return fail(err, CROFT_GATE_UNAVAILABLE, 0,
                    "the policy asks, and nobody was chosen to be asked");
    if (gate->milliseconds == 0 && policy != NULL)
        gate->milliseconds = policy->milliseconds;
    if (gate->milliseconds == 0)
        gate->milliseconds = GATE_MILLISECONDS;
    return CROFT_OK;
}

void gate_free(struct gate *gate)
{
    gate_tools_free(&gate->tools);
    free(gate->decider);
    free(gate->grants);
    if (gate->policy != NULL)
        policy_free(gate->policy);
    free(gate->policy);
}

/* ---- questions --------------------------------------------------------------------------------- */

static uint64_t next_id(struct gate *gate)
{
    uint64_t id;

    (void)pthread_mutex_lock(&gate->lock);
    id = ++gate->last_id;
    (void)pthread_mutex_unlock(&gate->lock);
    return id;
}

static uint64_t microseconds_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/* Copies what the request is to keep. */
static bool copy(struct asked *asked, const struct question *from, const char *why)
{
    croft_error err;

    bytes_add(&asked->args, from->args.data, from->args.size);
    (void)bytes_end(&asked->args);
    bytes_add(&asked->texts, from->name, strlen(from->name) + 1);
    bytes_add(&asked->texts, why, strlen(why) + 1);
    if (asked->args.failed || asked->texts.failed)
        return false;
    if (question_read(&asked->question, from->tool, asked->texts.data,
                      (struct json_slice){asked->args.data, asked->args.size}, &err) != CROFT_OK)
        return false;
    memcpy(asked->question.digest, from->digest, sizeof from->digest);
    memcpy(asked->question.content_digest, from->content_digest, sizeof from->content_digest);
    asked->question.content_size = from->content_size;
    return true;
}

static void fill(struct asked *asked, const struct gate *gate, uint64_t id, uint64_t call_id)
{
    const struct question *question = &asked->question;

    asked->deadline_ns = clock_ns() + gate->milliseconds * 1000000;
    asked->request = (croft_gate_request){
        .id = id,
        .call_id = call_id,
        .tool = question->name,
        .args = asked->args.data,
        .args_size = asked->args.size,
        .effect = question->tool->effect,
        .paths = question->paths,
        .path_count = question->path_count,
        .content_size = question->content_size,
        .content_sha256 = question->content_digest[0] == '\0' ? NULL : question->content_digest,
        .digest = question->digest,
        .why = question->name + strlen(question->name) + 1,
        .deadline = microseconds_now() + gate->milliseconds * 1000,
        .milliseconds = gate->milliseconds,
    };
}

struct asked *gate_question(struct gate *gate, const struct question *from, uint64_t call_id,
                            const char *why)
{
    struct asked *asked = calloc(1, sizeof *asked);

    if (asked == NULL || !copy(asked, from, why)) {
        gate_forget(asked);
        return NULL;
    }
    fill(asked, gate, next_id(gate), call_id);
    return asked;
}

void gate_forget(struct asked *asked)
{
    if (asked == NULL)
        return;
    question_free(&asked->question);
    bytes_free(&asked->args);
    bytes_free(&asked->texts);
    free(asked);
}

/* ---- verdicts ---------------------------------------------------------------------------------- */

static bool is_well_formed(const croft_verdict *verdict)
{
    size_t size = strnlen(verdict->note, sizeof verdict->note);

    return size < sizeof verdict->note && utf8_valid(verdict->note, size) == size &&
           (verdict->decision == CROFT_DENY ||
            (verdict->decision == CROFT_ALLOW &&
             (verdict->scope == CROFT_ONCE || verdict->scope == CROFT_SESSION)));
}

const char *gate_fault(const croft_verdict *verdict, uint64_t deadline_ns)
{
    if (verdict->decision == CROFT_UNDECIDED) {
        switch (verdict->cause) {
        case CROFT_UNDECIDED_TIMEOUT: return "timeout";
        case CROFT_UNDECIDED_NO_DECIDER: return "no_decider";
        case CROFT_UNDECIDED_CANCELLED: return "cancelled";
        case CROFT_UNDECIDED_TOO_MANY: return "too_many";
        default: return "error";
        }
    }
    if (!is_well_formed(verdict))
        return "error";
    return clock_ns() > deadline_ns ? "timeout" : NULL;
}

/* ---- questions that wait ----------------------------------------------------------------------- */

static void close_open(struct gate *gate, size_t at)
{
    gate->open_count--;
    memmove(&gate->open[at], &gate->open[at + 1], (gate->open_count - at) * sizeof *gate->open);
}

void gate_leave_open(struct gate *gate, const struct asked *asked)
{
    struct gate_open *open;

    (void)pthread_mutex_lock(&gate->lock);
    if (gate->open_count == GATE_OPEN_MOST)
        close_open(gate, 0);
    open = &gate->open[gate->open_count++];
    open->id = asked->request.id;
    open->deadline_ns = asked->deadline_ns;
    memcpy(open->digest, asked->question.digest, sizeof open->digest);
    (void)pthread_mutex_unlock(&gate->lock);
}

bool gate_redeem(struct gate *gate, const croft_answer *answer, const char *digest)
{
    bool is_none = answer->verdict.decision == CROFT_UNDECIDED;
    bool good = false;

    (void)pthread_mutex_lock(&gate->lock);
    for (size_t i = 0; i < gate->open_count; i++) {
        const struct gate_open *open = &gate->open[i];

        if (open->id != answer->request_id)
            continue;
        good = (is_none || clock_ns() <= open->deadline_ns) && strcmp(open->digest, digest) == 0;
        close_open(gate, i);
        break;
    }
    (void)pthread_mutex_unlock(&gate->lock);
    return good;
}

/* ---- approvals for the session ----------------------------------------------------------------- */

static bool find_grant(const struct gate *gate, const unsigned char *scope)
{
    for (size_t i = 0; i < gate->grant_count; i++)
        if (memcmp(gate->grants[i], scope, SHA256_BYTES) == 0)
            return true;
    return false;
}

bool gate_has_grant(struct gate *gate, const unsigned char scope[SHA256_BYTES])
{
    bool found;

    (void)pthread_mutex_lock(&gate->lock);
    found = find_grant(gate, scope);
    (void)pthread_mutex_unlock(&gate->lock);
    return found;
}

static bool add_grant(struct gate *gate, const unsigned char *scope)
{
    unsigned char(*grants)[SHA256_BYTES];

    if (find_grant(gate, scope))
        return true;
    if (gate->grant_count == GATE_GRANTS_MOST)
        return false;
    grants = realloc(gate->grants, (gate->grant_count + 1) * sizeof *grants);
    if (grants == NULL)
        return false;
    gate->grants = grants;
    memcpy(grants[gate->grant_count++], scope, SHA256_BYTES);
    return true;
}

bool gate_grant(struct gate *gate, const unsigned char scope[SHA256_BYTES])
{
    bool good;

    (void)pthread_mutex_lock(&gate->lock);
    good = add_grant(gate, scope);
    (void)pthread_mutex_unlock(&gate->lock);
    return good;
}
