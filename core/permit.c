/* SPDX-License-Identifier: MIT */
#include "permit.h"

#include <stdio.h>
#include <string.h>

static struct judgement judge(const struct permit *permit, const char *path, size_t size,
                              enum path_kind kind, const struct answered *answered)
{
    bool failed;
    struct judgement judgement =
        policy_judge(&permit->call, path, size, kind, answered, NULL, &failed);

    if (judgement.decision == DECISION_ASK && permit->allows)
        judgement.decision = DECISION_ALLOW;
    return judgement;
}

static croft_status refuse(struct judgement judgement, const char *path, size_t size,
                           croft_error *err)
{
    if (judgement.decision == DECISION_ALLOW)
        return CROFT_OK;
    if (judgement.decision == DECISION_DENY)
        return fail(err, CROFT_DENIED, 0, "a rule denies it");
    (void)fail_format(err, CROFT_DENIED, 0, "%.*s", (int)(size > 1000 ? 1000 : size), path);
    if (err != NULL)
        strcpy(err->detail, "elsewhere");
    return CROFT_DENIED;
}

static bool was_asked(const struct permit *permit, const struct path *path)
{
    const char *text = path->size == 0 ? "." : path->text;

    for (size_t i = 0; i < permit->question->path_count; i++)
        if (strcmp(permit->question->paths[i], text) == 0)
            return true;
    return false;
}

croft_status permit_check_spelled(const struct permit *permit, const struct path *path,
                                  croft_error *err)
{
    const struct answered *answered;

    if (permit->question == NULL)
        return fail(err, CROFT_DENIED, 0, "the call was not approved");
    if (was_asked(permit, path))
        return CROFT_OK;
    answered = permit->question->path_count == 0 ? &permit->answered : NULL;
    return refuse(judge(permit, path->text, path->size, PATH_EITHER, answered), path->text,
                  path->size, err);
}

croft_status permit_check_resolved(const struct permit *permit, const struct path *path,
                                   const char *resolved, size_t size, enum path_kind kind,
                                   croft_error *err)
{
    bool is_spelled = size == path->size && memcmp(resolved, path->text, size) == 0;
    const struct answered *answered = is_spelled ? &permit->answered : NULL;

    return refuse(judge(permit, resolved, size, kind, answered), resolved, size, err);
}

enum permit_entry permit_entry(const struct permit *permit, const char *base, const char *path,
                               size_t size, enum path_kind kind)
{
    char full[2 * PATH_BYTES + NAME_BYTES + 4];
    size_t used = (size_t)snprintf(full, sizeof full, "%s%s", base, base[0] == '\0' ? "" : "/");
    struct judgement judgement;

    if (used + size + 2 > sizeof full)
        return ENTRY_CLOSED;
    memcpy(full + used, path, size);
    judgement = judge(permit, full, used + size, kind, &permit->answered);
    if (judgement.decision == DECISION_ALLOW)
        return ENTRY_SHOWN;
    return judgement.by_rule && judgement.decision == DECISION_DENY ? ENTRY_CLOSED : ENTRY_HIDDEN;
}

bool permit_tells(const struct permit *permit, const char *resolved, size_t size, bool is_directory)
{
    enum path_kind kind = is_directory ? PATH_DIRECTORY : PATH_FILE;

    return judge(permit, resolved, size, kind, &permit->answered).decision != DECISION_DENY;
}
