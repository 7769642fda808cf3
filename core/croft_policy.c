/* SPDX-License-Identifier: MIT */
/* Policies at the door: for those who look through one without calling anything. */
#include <errno.h>
#include <stdlib.h>

#include "policy_explain.h"
#include "session.h"

struct croft_policy {
    struct policy policy;
    struct gate_tools tools;
};

static croft_status no_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

static croft_status open_policy(croft_policy *policy, croft_session *session,
                                const char *const *files, size_t count, struct problems *problems,
                                croft_error *err)
{
    croft_status status =
        session == NULL ? CROFT_OK : session_list_tools(session, &policy->tools, err);

    if (status == CROFT_OK && !gate_tools_add_built_in(&policy->tools))
        status = no_memory(err);
    if (status != CROFT_OK)
        return status;
    return policy_load(&policy->policy, files, count, session == NULL ? NULL : session->view,
                       &policy->tools, problems, err);
}

CROFT_API croft_status croft_policy_open(croft_session *session, const char *const *files,
                                         size_t count, croft_problem_function *problem, void *user,
                                         croft_policy **policy, croft_error *err)
{
    croft_policy *made = calloc(1, sizeof *made);
    struct problems problems = {0};
    croft_status status;

    if (made == NULL)
        return no_memory(err);
    status = open_policy(made, session, files, count, &problems, err);
    if (problem != NULL)
        problems_tell(&problems, problem, user);
    problems_free(&problems);
    if (status != CROFT_OK)
        croft_policy_close(made);
    else
        *policy = made;
    return status;
}

CROFT_API void croft_policy_close(croft_policy *policy)
{
    if (policy == NULL)
        return;
    policy_free(&policy->policy);
    gate_tools_free(&policy->tools);
    free(policy);
}

CROFT_API const char *croft_policy_decider(const croft_policy *policy)
{
    return policy->policy.decider_word;
}

CROFT_API size_t croft_policy_rules(const croft_policy *policy)
{
    return policy->policy.count;
}

CROFT_API uint64_t croft_policy_milliseconds(const croft_policy *policy)
{
    return policy->policy.milliseconds;
}

CROFT_API croft_status croft_policy_explain(const croft_policy *policy, const char *tool,
                                            const char *args, size_t size, char **text,
                                            croft_error *err)
{
    const struct gate_tool *known = gate_tools_find(&policy->tools, tool);
    struct json_slice slice = {size == 0 ? "{}" : args, size == 0 ? 2 : size};
    struct bytes out = {0};
    croft_status status;

    if (known == NULL)
        return fail(err, CROFT_UNKNOWN_TOOL, 0, "there is no such tool");
    status = policy_explain(&policy->policy, known, slice, &out, err);
    (void)bytes_end(&out);
    if (status == CROFT_OK && out.failed)
        status = no_memory(err);
    if (status == CROFT_OK)
        *text = out.data;
    else
        bytes_free(&out);
    return status;
}
