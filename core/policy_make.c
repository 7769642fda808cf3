/* SPDX-License-Identifier: MIT */
/* Making a policy: its rules, and which of them concern which tool. */
#include <stdlib.h>
#include <string.h>

#include "policy.h"

/* ---- freeing ----------------------------------------------------------------------------------- */

void policy_glob_free(struct policy_glob *glob)
{
    free(glob->text);
    glob_free(glob->glob);
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void free_rule(struct policy_rule *rule)
{
    free_texts(rule->tools, rule->tool_count);
    for (size_t i = 0; i < rule->path_count; i++)
        policy_glob_free(&rule->paths[i]);
    free(rule->paths);
    regex_free(rule->like);
    free(rule->like_text);
    free(rule->why);
}

void policy_free(struct policy *policy)
{
    for (size_t i = 0; i < policy->count; i++)
        free_rule(&policy->rules[i]);
    for (size_t i = 0; i < policy->list_count; i++) {
        free(policy->lists[i].tool);
        free(policy->lists[i].rules);
        free(policy->lists[i].entries);
    }
    free(policy->rules);
    free(policy->lists);
    free_texts(policy->files, policy->file_count);
    memset(policy, 0, sizeof *policy);
}

/* ---- rules ------------------------------------------------------------------------------------- */

struct policy_rule *policy_add(struct policy *policy)
{
    if (policy->count == policy->capacity) {
        size_t capacity = policy->capacity == 0 ? 16 : policy->capacity * 2;
        struct policy_rule *rules = realloc(policy->rules, capacity * sizeof *rules);

        if (rules == NULL)
            return NULL;
        policy->rules = rules;
        policy->capacity = capacity;
    }
    memset(&policy->rules[policy->count], 0, sizeof *policy->rules);
    return &policy->rules[policy->count++];
}

bool policy_names_tool(const struct policy_rule *rule, const char *tool)
{
    if (rule->tools == NULL)
        return true;
    for (size_t i = 0; tool != NULL && i < rule->tool_count; i++)
        if (strcmp(rule->tools[i], tool) == 0)
            return true;
    return false;
}

static uint64_t pair(char first, char second)
{
    return UINT64_C(1) << (((unsigned char)first * 37u + (unsigned char)second * 11u) >> 1 & 63);
}

uint64_t policy_pairs(const char *text, size_t size)
{
    uint64_t pairs = 0;

    for (size_t i = 1; i < size; i++)
        pairs |= pair(text[i - 1], text[i]);
    return pairs;
}

/* Of "[...]" at the start of a glob that parses: a "]" that comes first is no end. */
static size_t bracket_size(const char *text)
{
    size_t at = text[1] == '!' || text[1] == '^' ? 2 : 1;

    return at + 1 + strcspn(text + at + 1, "]") + 1;
}

/* The pairs that stand for themselves: outside of braces and brackets, not across a "/", which "**" may
 * swallow. */
static uint64_t pairs_needed(const char *text)
{
    uint64_t pairs = 0;
    int braces = 0;

    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] == '[')
            i += bracket_size(text + i) - 1;
        else if (text[i] == '{' || text[i] == '}')
            braces += text[i] == '{' ? 1 : -1;
        else if (braces == 0 && strchr("*?/", text[i]) == NULL && text[i + 1] != '\0' &&
                 strchr("*?/[{", text[i + 1]) == NULL)
            pairs |= pair(text[i], text[i + 1]);
    }
    return pairs;
}

/* Whether it spells a component that is none, "" or ".", so that what it fits has other neighbours than its text:
 * "a//b", "a/./b", "a/.", and "{a/,b}.". */
static bool spells_nothing(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '/' && text[1] == '/')
            return true;
        if ((*text == '/' || *text == '}') && text[1] == '.' && (text[2] == '/' || text[2] == '\0'))
            return true;
    }
    return false;
}

/* Where the text of a glob stands for itself alone: up to the first special character, and behind the
 * last. A pattern without "/" may fit anywhere in a path. */
static void take_needs(struct policy_glob *glob)
{
    const char *text = glob->text;
    size_t size = strlen(text), tail = 0;

    glob->minds_kind = true;
    if (strchr(text, '\\') != NULL || strncmp(text, "./", 2) == 0 || *text == '/' || size == 0 ||
        spells_nothing(text))
        return;
    glob->needs = pairs_needed(text);
    if (text[size - 1] == '/')
        return;
    glob->minds_kind = strchr(text, '{') != NULL;
    if (strchr(text, '/') != NULL && strchr(text, '{') == NULL)
        glob->head = strcspn(text, "*?[");
    while (tail < size && strchr("*?[]{},/", text[size - 1 - tail]) == NULL)
        tail++;
    glob->tail = tail;
    glob->tail_at = size - tail;
}

bool policy_glob_new(struct policy_glob *glob, const char *text, size_t size,
                     struct glob_fault *fault)
{
    memset(glob, 0, sizeof *glob);
    fault->reason = NULL;
    glob->text = strndup(text, size);
    glob->glob = glob->text == NULL ? NULL : glob_new(text, size, fault);
    if (glob->glob == NULL) {
        free(glob->text);
        memset(glob, 0, sizeof *glob);
        return false;
    }
    glob->is_all = strcmp(glob->text, "**") == 0;
    take_needs(glob);
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------- */

static bool has_list(const struct policy *policy, const char *tool)
{
    for (size_t i = 1; i < policy->list_count; i++)
        if (strcmp(policy->lists[i].tool, tool) == 0)
            return true;
    return false;
}

static void add_entries(struct policy_list *list, const struct policy_rule *rule, size_t number)
{
    if (rule->path_count == 0)
        list->entries[list->entry_count++] =
            (struct policy_entry){0, (uint32_t)number, POLICY_NO_GLOB};
    for (size_t i = 0; i < rule->path_count; i++)
        list->entries[list->entry_count++] =
            (struct policy_entry){rule->paths[i].needs, (uint32_t)number, (uint32_t)i};
}

static void fill(const struct policy *policy, struct policy_list *list)
{
    for (int decision = DECISION_DENY; decision >= DECISION_ALLOW; decision--) {
        size_t before = list->entry_count;

        for (size_t i = 0; i < policy->count; i++) {
            const struct policy_rule *rule = &policy->rules[i];

            if ((int)rule->decision != decision || !policy_names_tool(rule, list->tool))
                continue;
            list->rules[list->count++] = i;
            list->looks |= rule->like != NULL;
            add_entries(list, rule, i);
        }
        if (decision == DECISION_DENY)
            list->deny = list->entry_count - before;
        if (decision == DECISION_ASK)
            list->ask = list->entry_count - before;
    }
}

static size_t count_entries(const struct policy *policy)
{
    size_t count = 0;

    for (size_t i = 0; i < policy->count; i++)
        count += policy->rules[i].path_count + 1;
    return count;
}

/* `tool` NULL: for all that no rule names. */
static bool add_list(struct policy *policy, const char *tool)
{
    struct policy_list *lists =
        realloc(policy->lists, (policy->list_count + 1) * sizeof *policy->lists);
    struct policy_list *list;

    if (lists == NULL)
        return false;
    policy->lists = lists;
    list = &lists[policy->list_count++];
    memset(list, 0, sizeof *list);
    list->tool = tool == NULL ? NULL : strdup(tool);
    list->rules = malloc((policy->count + 1) * sizeof *list->rules);
    list->entries = malloc((count_entries(policy) + 1) * sizeof *list->entries);
    if (list->rules == NULL || list->entries == NULL || (tool != NULL && list->tool == NULL))
        return false;
    fill(policy, list);
    return true;
}

bool policy_prepare(struct policy *policy)
{
    bool good = add_list(policy, NULL);

    for (size_t i = 0; i < policy->count && good; i++) {
        const struct policy_rule *rule = &policy->rules[i];

        for (size_t j = 0; j < rule->tool_count && good; j++)
            if (!has_list(policy, rule->tools[j]))
                good = add_list(policy, rule->tools[j]);
    }
    return good;
}
