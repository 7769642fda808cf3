/* SPDX-License-Identifier: MIT */
#include "policy_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "policy_file.h"

/* ---- judging by arguments ---------------------------------------------------------------------- */

static enum decision strictest(const struct policy_call *call, const struct question *question)
{
    enum decision decision = DECISION_ALLOW;
    bool failed;

    if (question->path_count == 0)
        return policy_judge(call, NULL, 0, PATH_EITHER, NULL, NULL, &failed).decision;
    for (size_t i = 0; i < question->path_count; i++) {
        const char *path = question->paths[i];
        size_t size = strcmp(path, ".") == 0 ? 0 : strlen(path);
        struct judgement judged = policy_judge(call, path, size, PATH_EITHER, NULL, NULL, &failed);

        if (judged.decision > decision)
            decision = judged.decision;
    }
    return decision;
}

bool policy_judge_args(const struct policy *policy, const struct gate_tool *tool, const char *args,
                       enum decision *decision)
{
    struct json_slice slice = {args, strlen(args)};
    struct question question = {0};
    struct policy_call call = {0};
    croft_error err;
    bool good = json_check(slice, JSON_DEPTH, NULL) && json_type(slice) == JSON_OBJECT &&
                question_read(&question, tool, tool->name, slice, &err) == CROFT_OK &&
                policy_call_begin(&call, policy, tool->name, slice);

    if (good)
        *decision = strictest(&call, &question);
    policy_call_end(&call);
    question_free(&question);
    return good;
}

/* ---- expectations ------------------------------------------------------------------------------ */

static void check_expect(const struct policy *policy, const struct policy_expect *expect,
                         const struct gate_tools *tools, struct problems *problems)
{
    const struct gate_tool *tool = gate_tools_find(tools, expect->tool);
    enum decision decision;

    if (tool == NULL)
        problems_add_format(problems, "%s: expect[%d]: there is no tool \"%.100s\"", expect->file,
                            expect->number, expect->tool);
    else if (!policy_judge_args(policy, tool, expect->args, &decision))
        problems_add_format(problems, "%s: expect[%d]: %.200s are no arguments of %s", expect->file,
                            expect->number, expect->args, expect->tool);
    else if (decision != expect->decision)
        problems_add_format(problems, "%s: expect[%d]: %s of %.200s is \"%s\", not \"%s\"",
                            expect->file, expect->number, expect->tool, expect->args,
                            decision_words[decision], decision_words[expect->decision]);
}

static void free_expects(struct policy_expects *expects)
{
    for (size_t i = 0; i < expects->count; i++) {
        free(expects->items[i].tool);
        free(expects->items[i].args);
    }
    free(expects->items);
}

/* ---- files ------------------------------------------------------------------------------------- */

/* Whether the file lies where tools could change it. */
static bool is_in_view(const char *file, const croft_view *view)
{
    const struct mounts *mounts;

    if (view == NULL || view->root == NULL)
        return false;
    if (policy_file_is_below(&sys_kernel, file, view->root))
        return true;
    mounts = view->layout == NULL ? NULL : view->layout->mounts;
    for (size_t i = 0; mounts != NULL && i < mounts->count; i++)
        if (policy_file_is_below(&sys_kernel, file, mounts->items[i]->root))
            return true;
    return false;
}

static bool read_one(struct policy *policy, struct policy_expects *expects, const char *file,
                     const croft_view *view, bool is_first, struct problems *problems)
{
    struct bytes text = {0};
    croft_error err;
    bool good = true;

    if (policy_file_read(&sys_kernel, file, &text, &err) != CROFT_OK)
        problems_add_format(problems, "%s: %s", file, err.message);
    else if (is_in_view(file, view))
        problems_add_format(problems, "%s: it lies in ROOT, where tools could change it", file);
    else
        good = policy_run(policy, expects, file, &text, is_first, problems);
    bytes_free(&text);
    return good;
}

croft_status policy_load(struct policy *policy, const char *const *files, size_t count,
                         const croft_view *view, const struct gate_tools *tools,
                         struct problems *problems, croft_error *err)
{
    struct policy_expects expects = {0};
    bool good = true, is_whole;

    memset(policy, 0, sizeof *policy);
    policy->otherwise = DECISION_ASK;
    for (size_t i = 0; i < count && good; i++)
        good = read_one(policy, &expects, files[i], view, i == 0, problems);
    if (good)
        policy_check_rules(policy, tools, problems);
    good = good && policy_prepare(policy);
    is_whole = problems->count == 0; /* else what is expected says little */
    for (size_t i = 0; i < expects.count && good && is_whole; i++)
        check_expect(policy, &expects.items[i], tools, problems);
    free_expects(&expects);
    if (!good || problems->lines.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return problems->count == 0 ? CROFT_OK : problems_fail(problems, err);
}
