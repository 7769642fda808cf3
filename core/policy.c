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
    if (glob->tail > size ||
        memcmp(path + size - glob->tail, glob->text + glob->tail_at, glob->tail) != 0)
        return false;
    if (!glob->minds_kind)
        return glob_fits(glob->glob, path, size, false);
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

/* A path that is judged; text NULL for a call that names none. */
struct subject {
    const char *text;
    size_t size;
    enum path_kind kind;
    uint64_t pairs;
};

static struct subject subject_of(const char *path, size_t size, enum path_kind kind)
{
    return (struct subject){path, size, kind, path == NULL ? 0 : policy_pairs(path, size)};
}

static bool rule_holds(const struct policy_call *call, size_t number)
{
    return call->policy->rules[number].like == NULL || rule_set_has(&call->holds, number);
}

static bool matches(const struct policy_call *call, const struct policy_entry *entry,
                    const struct subject *subject)
{
    const struct policy_rule *rule = &call->policy->rules[entry->rule];

    if (entry->glob == POLICY_NO_GLOB)
        return rule_holds(call, entry->rule);
    return subject->text != NULL &&
           policy_glob_matches(&rule->paths[entry->glob], subject->text, subject->size,
                               subject->kind, rule->decision != DECISION_ALLOW) &&
           rule_holds(call, entry->rule);
}

bool policy_rule_matches(const struct policy_call *call, size_t rule, const char *path, size_t size,
                         enum path_kind kind)
{
    const struct subject subject = subject_of(path, size, kind);

    for (size_t i = 0; i < call->list->entry_count; i++)
        if (call->list->entries[i].rule == rule && matches(call, &call->list->entries[i], &subject))
            return true;
    return false;
}

static bool is_answered(const struct answered *answered, size_t rule)
{
    return answered != NULL && rule_set_has(&answered->rules, rule);
}

/* The first from *at on, before `to`, that matches; *at is then behind it. NULL: there is none. */
static const struct policy_entry *find(const struct policy_call *call, size_t *at, size_t to,
                                       const struct subject *subject)
{
    const struct policy_entry *entries = call->list->entries;

    while (*at < to) {
        const struct policy_entry *entry = &entries[(*at)++];

        if ((entry->needs & ~subject->pairs) == 0 && matches(call, entry, subject))
            return entry;
    }
    return NULL;
}

/* Whether a rule asks; *allows when one did that was answered. */
static bool find_asking(const struct policy_call *call, const struct subject *subject,
                        const struct answered *answered, struct judgement *judgement,
                        struct answered *asking, bool *failed, bool *allows)
{
    const struct policy_list *list = call->list;
    const struct policy_entry *entry;
    size_t at = list->deny;
    bool found = false;

    while ((entry = find(call, &at, list->deny + list->ask, subject)) != NULL) {
        if (is_answered(answered, entry->rule)) {
            *allows = true;
            continue;
        }
        if (!found)
            *judgement = (struct judgement){DECISION_ASK, entry->rule, true};
        found = true;
        if (asking == NULL)
            return true;
        if (!rule_set_add(&asking->rules, call->policy, entry->rule))
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
    const struct subject subject = subject_of(path, size, kind);
    struct judgement judgement = {DECISION_ALLOW, 0, true};
    const struct policy_entry *entry;
    size_t at = 0;
    bool allows = false;

    if (call->policy == NULL)
        return judge_otherwise(DECISION_ASK, answered, asking);
    entry = find(call, &at, list->deny, &subject);
    if (entry != NULL)
        return (struct judgement){DECISION_DENY, entry->rule, true};
    if (find_asking(call, &subject, answered, &judgement, asking, failed, &allows) || allows)
        return judgement;
    at = list->deny + list->ask;
    entry = find(call, &at, list->entry_count, &subject);
    if (entry != NULL)
        return (struct judgement){DECISION_ALLOW, entry->rule, true};
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
