/* SPDX-License-Identifier: MIT */
/* A call that comes to a gate: judged by the rules, asked about where they say so, refused or let pass. No
 * interpreter is held while a question is open. */
#include <stdio.h>
#include <string.h>

#include "passage.h"

/* ---- asking ------------------------------------------------------------------------------------ */

/* What the rules that ask give as the reason: the first of them that has one. */
static const char *why_asked(const struct passage *p)
{
    const struct policy *policy = p->session->gate.policy;

    for (size_t i = 0; policy != NULL && i < policy->count; i++)
        if (rule_set_has(&p->asking.rules, i) && policy->rules[i].why[0] != '\0')
            return policy->rules[i].why;
    return "";
}

static bool looks_at_arguments(const struct passage *p)
{
    const struct policy *policy = p->session->gate.policy;

    for (size_t i = 0; policy != NULL && i < policy->count; i++)
        if (rule_set_has(&p->asking.rules, i) && policy->rules[i].like != NULL)
            return true;
    return false;
}

/* The verdict of somebody who was asked. */
static croft_status obey(struct passage *p, const croft_verdict *verdict, uint64_t deadline_ns)
{
    struct gate *gate = &p->session->gate;
    const char *fault = gate_fault(verdict, deadline_ns);
    const char *rule = "once";

    if (atomic_load(&p->running->cancelled)) {
        (void)passage_tell(p, "verdict", "cancelled", "", gate->decider, NULL);
        return passage_give_up(p);
    }
    if (fault != NULL)
        return passage_unavailable(p, fault, gate->decider);
    if (verdict->decision == CROFT_DENY)
        return passage_deny(p, "declined", "declined", gate->decider, verdict->note);
    if (verdict->scope == CROFT_SESSION && gate_grant(gate, p->scope))
        rule = "session";
    return passage_allow(p, rule, gate->decider, verdict->note);
}

static void set_question(struct passage *p, uint64_t id)
{
    (void)pthread_mutex_lock(&p->session->list);
    p->running->question = id;
    (void)pthread_mutex_unlock(&p->session->list);
}

static croft_status call_back(struct passage *p, struct asked *asked)
{
    const struct gate *gate = &p->session->gate;
    croft_verdict verdict = {.decision = CROFT_UNDECIDED};
    uint64_t deadline_ns = asked->deadline_ns;

    set_question(p, asked->request.id);
    if (!atomic_load(&p->running->cancelled))
        gate->ask(gate->user, &asked->request, &verdict);
    set_question(p, 0);
    gate_forget(asked);
    return obey(p, &verdict, deadline_ns);
}

/* The host gets the question with the result. */
static croft_status leave(struct passage *p, struct asked *asked)
{
    croft_status status;

    gate_leave_open(&p->session->gate, asked);
    status = passage_refuse(p, "needs_input", "");
    if (status == CROFT_OK)
        *p->asked = asked;
    else
        gate_forget(asked);
    return status;
}

/* Whether the arguments are such that the tool would run: nobody is asked about a call that is refused
 * anyway. *status is what came of one that is. */
static bool check(struct passage *p, croft_status *status)
{
    const struct call_task task = passage_task(p, NULL);
    struct sandbox *sandbox = passage_take(p);
    bool is_broken;

    if (sandbox == NULL) {
        *status = passage_give_up(p);
        return false;
    }
    sandbox_check(sandbox, &task, p->reply);
    is_broken = p->reply->breach != BREACH_NONE;
    pool_give(&p->session->pool, sandbox, is_broken);
    if (!is_broken && !p->reply->is_error) {
        reply_free(p->reply);
        memset(p->reply, 0, sizeof *p->reply);
        return true;
    }
    *status = CROFT_OK;
    if (is_broken) {
        memset(p->reply, 0, sizeof *p->reply);
        *status = passage_refuse(p, "error", "");
    } else {
        passage_end(p, p->reply->code);
    }
    return false;
}

static croft_status ask(struct passage *p)
{
    struct gate *gate = &p->session->gate;
    struct asked *asked;
    croft_status status;

    if (!check(p, &status))
        return status;
    asked = gate_question(gate, &p->question, p->task->id, why_asked(p));
    if (asked == NULL)
        return passage_give_up(p);
    if (!passage_tell(p, "question", "ok", p->rule, gate->decider, NULL)) {
        gate_forget(asked);
        return passage_refuse(p, "record", "");
    }
    return gate->kind == CROFT_GATE_CALLBACK ? call_back(p, asked) : leave(p, asked);
}

/* Whoever chose that nobody is asked is told of each call. */
static void log_unasked(const struct passage *p)
{
    const struct sandbox_options *options = &p->session->shared;
    struct bytes line = {0};

    if (options->log == NULL)
        return;
    bytes_add(&line, p->task->tool, strnlen(p->task->tool, 100));
    if (p->path != NULL) {
        bytes_add_text(&line, " of ");
        json_quote(&line, p->path, strlen(p->path));
    }
    bytes_add_text(&line, ": allowed, nobody was asked (");
    bytes_add_text(&line, p->question.digest);
    bytes_add_char(&line, ')');
    options->log(options->log_user, bytes_end(&line), line.size);
    bytes_free(&line);
}

/* Asking is what the rules want. */
static croft_status consult(struct passage *p)
{
    struct gate *gate = &p->session->gate;
    const croft_answer *answer = p->task->answer;

    if (!question_hash(&p->question) ||
        !question_scope(&p->question, looks_at_arguments(p), p->scope))
        return passage_give_up(p);
    if (gate->kind == CROFT_GATE_ALLOW) {
        log_unasked(p);
        return passage_allow(p, p->rule, "allow", NULL);
    }
    if (gate->kind == CROFT_GATE_DENY)
        return passage_deny(p, "nobody", p->rule, "deny", "");
    if (gate->kind == CROFT_GATE_POLICY)
        return passage_deny(p, "nobody", p->rule, "policy", "");
    if (gate_has_grant(gate, p->scope))
        return passage_allow(p, "session", "session", NULL);
    if (answer == NULL || gate->kind != CROFT_GATE_NEEDS_INPUT)
        return ask(p);
    if (!gate_redeem(gate, answer, p->question.digest))
        return passage_unavailable(p, "answer", gate->decider);
    return obey(p, &answer->verdict, UINT64_MAX);
}

/* ---- judging ----------------------------------------------------------------------------------- */

/* By which rule of which file, as records and explanations have it. */
static void name_rule(struct passage *p)
{
    const struct policy *policy = p->session->gate.policy;
    const struct policy_rule *rule;

    if (!p->judged.by_rule || policy == NULL) {
        strcpy(p->rule, "default");
        return;
    }
    rule = &policy->rules[p->judged.rule];
    (void)snprintf(p->rule, sizeof p->rule, "%.250s:%d", rule->file, rule->line);
}

/* The strictest judgement of all paths. False when memory ran out. */
static bool judge(struct passage *p)
{
    const struct question *question = &p->question;
    bool failed = false;

    if (question->path_count == 0)
        p->judged = policy_judge(&p->permit.call, NULL, 0, PATH_EITHER, NULL, &p->asking, &failed);
    for (size_t i = 0; i < question->path_count; i++) {
        const char *path = question->paths[i];
        size_t size = strcmp(path, ".") == 0 ? 0 : strlen(path);
        struct judgement judged =
            policy_judge(&p->permit.call, path, size, PATH_EITHER, NULL, &p->asking, &failed);

        if (i > 0 && judged.decision <= p->judged.decision)
            continue;
        p->judged = judged;
        p->path = path;
    }
    name_rule(p);
    return !failed;
}

static croft_status judge_and_go(struct passage *p, struct json_slice args)
{
    const struct gate *gate = &p->session->gate;

    if (!policy_call_begin(&p->permit.call, gate->policy, p->name, args) || !judge(p))
        return passage_give_up(p);
    switch (p->judged.decision) {
    case DECISION_DENY:
        return p->judged.by_rule ? passage_deny(p, "rule", p->rule, "policy",
                                                gate->policy->rules[p->judged.rule].why)
                                 : passage_deny(p, "default", p->rule, "policy", "");
    case DECISION_ALLOW: return passage_allow(p, p->rule, "policy", NULL);
    default: return consult(p);
    }
}

/* ---- the call ---------------------------------------------------------------------------------- */

/* Without the prefix that the session puts before it; NULL where it has none. */
static const char *own_name(const croft_session *session, const char *tool)
{
    size_t size = strlen(session->prefix);

    return strncmp(tool, session->prefix, size) == 0 ? tool + size : NULL;
}

static croft_status pass(struct passage *p)
{
    struct json_slice args = {p->task->args, p->task->size};
    const struct gate_tool *tool =
        p->name == NULL ? NULL : gate_tools_find(&p->session->gate.tools, p->name);
    croft_error err;
    croft_status status;

    /* what cannot be called at all is refused by the call itself, which can touch nothing */
    if (tool == NULL || !json_check(args, JSON_DEPTH, NULL) || json_type(args) != JSON_OBJECT)
        return passage_run(p, NULL);
    status = question_read(&p->question, tool, p->task->tool, args, &err);
    if (status == CROFT_INTERNAL)
        return passage_give_up(p);
    if (status == CROFT_OK && tool->effect == CROFT_WRITES &&
        !session_staged_content(p->session, args, &p->question.content, &p->question.has_content))
        return passage_give_up(p);
    if (status != CROFT_OK) /* its words for a path that is none; or there are none */
        return check(p, &status) ? passage_refuse(p, "error", "") : status;
    return judge_and_go(p, args);
}

croft_status session_call_gated(croft_session *session, struct running *running,
                                const struct session_task *task, uint64_t id, struct reply *reply,
                                struct asked **asked)
{
    struct passage p = {.session = session,
                        .running = running,
                        .task = task,
                        .id = id,
                        .name = own_name(session, task->tool),
                        .start = call_start_now(),
                        .reply = reply,
                        .asked = asked};
    croft_status status = passage_begin(&p) ? pass(&p) : passage_refuse(&p, "record", "");

    policy_call_end(&p.permit.call);
    rule_set_free(&p.asking.rules);
    question_free(&p.question);
    return status;
}
