/* SPDX-License-Identifier: MIT */
#include "passage.h"

#include <string.h>

/* ---- records ----------------------------------------------------------------------------------- */

static bool tell(const struct passage *p, croft_record *record)
{
    const struct sandbox_options *options = &p->session->shared;

    if (options->audit == NULL)
        return true;
    record->call_id = p->id;
    record->tool = p->task->tool;
    if (record->rule == NULL)
        record->rule = "";
    return options->audit(options->audit_user, record);
}

bool passage_begin(const struct passage *p)
{
    return tell(p, &(croft_record){.time = p->start.time,
                                   .operation = "call",
                                   .verdict = "ok",
                                   .bytes = p->task->size});
}

void passage_end(const struct passage *p, const char *verdict)
{
    (void)tell(p, &(croft_record){.time = p->start.time,
                                  .operation = "end",
                                  .verdict = verdict,
                                  .bytes = p->reply->text.size,
                                  .microseconds = (clock_ns() - p->start.ns) / 1000});
}

/* A question, or what came of it. */
bool passage_tell(struct passage *p, const char *operation, const char *verdict, const char *rule,
                  const char *decider, const char *note)
{
    if (p->session->shared.audit == NULL)
        return true;
    if (!question_hash(&p->question))
        return false;
    return tell(p, &(croft_record){.time = call_start_now().time,
                                   .operation = operation,
                                   .path = p->path,
                                   .path_size = p->path == NULL ? 0 : strlen(p->path),
                                   .verdict = verdict,
                                   .rule = rule,
                                   .decider = decider,
                                   .digest = p->question.digest,
                                   .note = note != NULL && *note == '\0' ? NULL : note});
}

/* ---- how it ends ------------------------------------------------------------------------------- */

struct sandbox *passage_take(struct passage *p)
{
    croft_error err;

    return session_take(p->session, &p->running->cancelled, &err);
}

croft_status passage_give_up(struct passage *p)
{
    bool is_cancelled = atomic_load(&p->running->cancelled);

    passage_end(p, is_cancelled ? "cancelled" : "internal");
    return is_cancelled ? CROFT_CANCELLED : CROFT_INTERNAL;
}

croft_status passage_refuse(struct passage *p, const char *kind, const char *note)
{
    const struct refusal refusal = {kind, p->path, note};
    struct sandbox *sandbox = passage_take(p);

    if (sandbox == NULL)
        return passage_give_up(p);
    sandbox_refuse(sandbox, p->task->tool, &refusal, p->reply);
    pool_give(&p->session->pool, sandbox, p->reply->breach != BREACH_NONE);
    passage_end(p, p->reply->code);
    return CROFT_OK;
}

struct call_task passage_task(const struct passage *p, const struct permit *permit)
{
    return (struct call_task){.id = p->id,
                              .tool = p->task->tool,
                              .args = p->task->args,
                              .size = p->task->size,
                              .cancelled = &p->running->cancelled,
                              .listener = p->task->listener,
                              .permit = permit,
                              .start = &p->start};
}

croft_status passage_run(struct passage *p, const struct permit *permit)
{
    const struct call_task task = passage_task(p, permit);

    return session_run(p->session, &task, p->reply);
}

/* Records a verdict; false when that cannot be: then the call is refused already. */
static bool decide(struct passage *p, const char *verdict, const char *rule, const char *decider,
                   const char *note, croft_status *status)
{
    if (passage_tell(p, "verdict", verdict, rule, decider, note))
        return true;
    *status = passage_refuse(p, "record", "");
    return false;
}

croft_status passage_unavailable(struct passage *p, const char *cause, const char *decider)
{
    croft_status status;

    return decide(p, "gate_unavailable", cause, decider, NULL, &status)
               ? passage_refuse(p, cause, "")
               : status;
}

croft_status passage_deny(struct passage *p, const char *kind, const char *rule,
                          const char *decider, const char *note)
{
    croft_status status;

    return decide(p, "denied", rule, decider, note, &status) ? passage_refuse(p, kind, note)
                                                             : status;
}

/* What asked is answered from here on. */
croft_status passage_allow(struct passage *p, const char *rule, const char *decider,
                           const char *note)
{
    croft_status status;

    p->permit.question = &p->question;
    p->permit.answered = p->asking;
    p->permit.allows = p->session->gate.kind == CROFT_GATE_ALLOW;
    return decide(p, "ok", rule, decider, note, &status) ? passage_run(p, &p->permit) : status;
}
