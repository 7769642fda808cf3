/* SPDX-License-Identifier: MIT */
#include "policy.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets -------------------------------------------------------------------------------------- */

bool rule_set_has(const struct rule_set *set, size_t rule)
{
    return set->words != NULL && (set->words[rule / 64] >> rule % 64 & 1) != 0;
}

bool rule_set_add(struct rule_set *set, const struct policy *policy, size_t rule)
{
    if (set->words == NULL)
        set->words = calloc(policy->count / 64 + 1, sizeof *set->words);
    if (set->words == NULL)
        return false;
    set->words[rule / 64] |= UINT64_C(1) << rule % 64;
    return true;
}

void rule_set_free(struct rule_set *set)
{
    free(set->words);
    set->words = NULL;
}

/* ---- one glob ---------------------------------------------------------------------------------- */

static bool fits_here(const struct policy_glob *glob, const char *path, size_t size,
                      enum path_kind kind)
{
    if (size == 0)
        return glob->is_all;
    if (glob->tail > size || memcmp(path + size - glob->tail,
                                    glob->text + strlen(glob->text) - glob->tail, glob->tail) != 0)
        return false;
    return (kind != PATH_FILE && glob_fits(glob->glob, path, size, true)) ||
           (kind != PATH_DIRECTORY && glob_fits(glob->glob, path, size, false));
}

bool policy_glob_matches(const struct policy_glob *glob, const char *path, size_t size,
                         enum path_kind kind, bool above)
{
    if (glob->is_all)
        return true;
    if (glob->head > size || memcmp(path, glob->text, glob->head) != 0)
        return false;
    if (fits_here(glob, path, size, kind))
        return true;
    for (size_t end = above ? size : 0; end > glob->head && end > 1; end--)
        if (path[end - 1] == '/' && fits_here(glob, path, end - 1, PATH_DIRECTORY))
            return true;
    return false;
}

/* ---- judging ----------------------------------------------------------------------------------- */

static bool matches(const struct policy_call *call, size_t number, const char *path, size_t size,
                    enum path_kind kind)
{
    const struct policy_rule *rule = &call->policy->rules[number];

    if (rule->like != NULL && !rule_set_has(&call->holds, number))
        return false;
    if (rule->path_count == 0)
        return true;
    for (size_t i = 0; path != NULL && i < rule->path_count; i++)
        if (policy_glob_matches(&rule->paths[i], path, size, kind,
                                rule->decision != DECISION_ALLOW))
            return true;
    return false;
}

bool policy_rule_matches(const struct policy_call *call, size_t rule, const char *path, size_t size,
                         enum path_kind kind)
{
    return policy_names_tool(&call->policy->rules[rule], call->list->tool) &&
           matches(call, rule, path, size, kind);
}

static bool is_answered(const struct answered *answered, size_t rule)
{
    return answered != NULL && rule_set_has(&answered->rules, rule);
}

/* The rules of the list from `from` to `to`: the first that matches. */
static bool find(const struct policy_call *call, size_t from, size_t to, const char *path,
                 size_t size, enum path_kind kind, size_t *rule)
{
    for (size_t i = from; i < to; i++) {
        *rule = call->list->rules[i];
        if (matches(call, *rule, path, size, kind))
            return true;
    }
    return false;
}

/* Whether a rule asks; *allows when one did that was answered. */
static bool find_asking(const struct policy_call *call, const char *path, size_t size,
                        enum path_kind kind, const struct answered *answered,
                        struct judgement *judgement, struct answered *asking, bool *failed,
                        bool *allows)
{
    const struct policy_list *list = call->list;
    bool found = false;

    for (size_t i = list->deny; i < list->deny + list->ask; i++) {
        size_t rule = list->rules[i];

        if (!matches(call, rule, path, size, kind))
            continue;
        if (is_answered(answered, rule)) {
            *allows = true;
            continue;
        }
        if (!found)
            *judgement = (struct judgement){DECISION_ASK, rule, true};
        found = true;
        if (asking == NULL)
            return true;
        if (!rule_set_add(&asking->rules, call->policy, rule))
            *failed = true;
    }
    return found;
}

static struct judgement judge_otherwise(enum decision otherwise, const struct answered *answered,
                                        struct answered *asking)
{
    struct judgement judgement = {otherwise, 0, false};

    if (otherwise != DECISION_ASK)
        return judgement;
    if (answered != NULL && answered->otherwise)
        judgement.decision = DECISION_ALLOW;
    else if (asking != NULL)
        asking->otherwise = true;
    return judgement;
}

struct judgement policy_judge(const struct policy_call *call, const char *path, size_t size,
                              enum path_kind kind, const struct answered *answered,
                              struct answered *asking, bool *failed)
{
    const struct policy_list *list = call->list;
    struct judgement judgement = {DECISION_ALLOW, 0, true};
    bool allows = false;

    if (call->policy == NULL)
        return judge_otherwise(DECISION_ASK, answered, asking);
    if (find(call, 0, list->deny, path, size, kind, &judgement.rule)) {
        judgement.decision = DECISION_DENY;
        return judgement;
    }
    if (find_asking(call, path, size, kind, answered, &judgement, asking, failed, &allows))
        return judgement;
    if (allows ||
        find(call, list->deny + list->ask, list->count, path, size, kind, &judgement.rule))
        return judgement;
    return judge_otherwise(call->policy->otherwise, answered, asking);
}

/* ---- a call ------------------------------------------------------------------------------------ */

/* A text among the arguments, however deep, keys aside. */
static bool any_text(struct json_slice value, struct matcher *matcher, struct budget *budget,
                     bool *gave_up);

static bool text_matches(struct json_slice string, struct matcher *matcher, struct budget *budget,
                         bool *gave_up)
{
    struct bytes text = {0};
    size_t start, end, match_start, match_end;
    enum regex_answer answer;

    (void)json_text(string, &text);
    answer = text.failed ? REGEX_STOPPED
                         : matcher_find_line(matcher, bytes_end(&text), text.size, 0, budget,
                                             &start, &end, &match_start, &match_end);
    bytes_free(&text);
    *gave_up |= answer == REGEX_TOO_EXPENSIVE || answer == REGEX_STOPPED;
    return answer == REGEX_MATCH;
}

static bool any_text(struct json_slice value, struct matcher *matcher, struct budget *budget,
                     bool *gave_up)
{
    struct json_steps state = {0};
    struct json_slice key, inner;

    if (json_type(value) == JSON_STRING)
        return text_matches(value, matcher, budget, gave_up);
    while (json_next(value, &state, &key, &inner))
        if (any_text(inner, matcher, budget, gave_up))
            return true;
    return false;
}

/* What cannot be told counts against the call. */
static bool holds(const struct policy_rule *rule, struct json_slice args, struct budget *budget)
{
    struct matcher *matcher = matcher_new(rule->like);
    bool gave_up = matcher == NULL, found = false;

    if (matcher != NULL)
        found = any_text(args, matcher, budget, &gave_up);
    matcher_free(matcher);
    return gave_up ? rule->decision != DECISION_ALLOW : found;
}

static const struct policy_list *list_of(const struct policy *policy, const char *tool)
{
    for (size_t i = 1; i < policy->list_count; i++)
        if (strcmp(policy->lists[i].tool, tool) == 0)
            return &policy->lists[i];
    return &policy->lists[0];
}

bool policy_call_begin(struct policy_call *call, const struct policy *policy, const char *tool,
                       struct json_slice args)
{
    enum { STEPS = 2 * 1000 * 1000, MILLISECONDS = 200 };
    struct budget budget = {0};

    *call = (struct policy_call){.policy = policy};
    if (policy == NULL)
        return true;
    call->list = list_of(policy, tool);
    if (!call->list->looks)
        return true;
    budget_start(&budget, STEPS, MILLISECONDS, NULL);
    for (size_t i = 0; i < call->list->count; i++) {
        size_t number = call->list->rules[i];
        const struct policy_rule *rule = &policy->rules[number];

        if (rule->like != NULL && holds(rule, args, &budget) &&
            !rule_set_add(&call->holds, policy, number))
            return false;
    }
    return true;
}

void policy_call_end(struct policy_call *call)
{
    rule_set_free(&call->holds);
}
