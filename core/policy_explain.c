/* SPDX-License-Identifier: MIT */
#include "policy_explain.h"

#include <errno.h>
#include <string.h>

#include "ceilings.h"

static void add_text(struct bytes *out, const char *key, const char *text)
{
    bytes_add_text(out, key);
    json_quote(out, text, strlen(text));
}

/* The glob of the rule that fits; "" for a rule without globs. */
static const char *glob_of(const struct policy_rule *rule, const char *path, size_t size)
{
    for (size_t i = 0; path != NULL && i < rule->path_count; i++)
        if (policy_glob_matches(&rule->paths[i], path, size, PATH_EITHER,
                                rule->decision != DECISION_ALLOW))
            return rule->paths[i].text;
    return "";
}

static void add_rule(struct bytes *out, const struct policy_rule *rule, const char *path,
                     size_t size, bool decides)
{
    add_text(out, "{\"decision\":", decision_words[rule->decision]);
    add_text(out, ",\"file\":", rule->file);
    bytes_add_text(out, ",\"line\":");
    bytes_add_number(out, (uint64_t)rule->line);
    add_text(out, ",\"glob\":", glob_of(rule, path, size));
    if (rule->like != NULL)
        add_text(out, ",\"regex_like\":", rule->like_text);
    add_text(out, ",\"why\":", rule->why);
    bytes_add_text(out, decides ? ",\"decides\":true}" : ",\"decides\":false}");
}

/* One path, or the call as a whole where `path` is NULL; the strictest decision so far is in *decision. */
static void add_path(struct bytes *out, const struct policy_call *call, const char *path,
                     enum decision *decision)
{
    size_t size = path == NULL || strcmp(path, ".") == 0 ? 0 : strlen(path);
    bool failed, is_first = true;
    struct judgement judged = policy_judge(call, path, size, PATH_EITHER, NULL, NULL, &failed);

    add_text(out, "{\"verdict\":", decision_words[judged.decision]);
    if (path != NULL)
        add_text(out, ",\"path\":", path);
    bytes_add_text(out, judged.by_rule ? ",\"by\":\"rule\"" : ",\"by\":\"default\"");
    bytes_add_text(out, ",\"rules\":[");
    for (size_t i = 0; i < call->list->count; i++) {
        size_t number = call->list->rules[i];
        const struct policy_rule *rule = &call->policy->rules[number];

        if (!policy_rule_matches(call, number, path, size, PATH_EITHER))
            continue;
        if (!is_first)
            bytes_add_char(out, ',');
        is_first = false;
        add_rule(out, rule, path, size, judged.by_rule && rule->decision == judged.decision);
    }
    bytes_add_text(out, "]}");
    if (judged.decision > *decision)
        *decision = judged.decision;
}

static void add_call(struct bytes *out, const struct policy_call *call,
                     const struct question *question)
{
    enum decision decision = DECISION_ALLOW;

    add_text(out, "{\"tool\":", question->name);
    bytes_add_text(out, ",\"paths\":[");
    if (question->path_count == 0)
        add_path(out, call, NULL, &decision);
    for (size_t i = 0; i < question->path_count; i++) {
        if (i > 0)
            bytes_add_char(out, ',');
        add_path(out, call, question->paths[i], &decision);
    }
    add_text(out, "],\"verdict\":", decision_words[decision]);
    add_text(out, ",\"default\":", decision_words[call->policy->otherwise]);
    bytes_add_char(out, '}');
}

croft_status policy_explain(const struct policy *policy, const struct gate_tool *tool,
                            struct json_slice args, struct bytes *out, croft_error *err)
{
    struct question question = {0};
    struct policy_call call = {0};
    croft_status status;

    if (!json_check(args, JSON_DEPTH, NULL) || json_type(args) != JSON_OBJECT)
        return fail(err, CROFT_BAD_JSON, 0, "the arguments are no JSON object");
    status = question_read(&question, tool, tool->name, args, err);
    if (status == CROFT_OK && !policy_call_begin(&call, policy, tool->name, args))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (status == CROFT_OK)
        add_call(out, &call, &question);
    if (status == CROFT_OK && out->failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    policy_call_end(&call);
    question_free(&question);
    return status;
}
