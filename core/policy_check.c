/* SPDX-License-Identifier: MIT */
/* Rules that are well-formed and yet wrong: they name what there is not, or can never decide anything. */
#include <string.h>

#include "policy_load.h"

/* ---- tools ------------------------------------------------------------------------------------- */

static void check_tools(const struct policy_rule *rule, const struct gate_tools *tools,
                        struct problems *problems)
{
    bool has_paths = rule->tools == NULL;

    for (size_t i = 0; rule->tools != NULL && i < rule->tool_count; i++) {
        const struct gate_tool *tool = gate_tools_find(tools, rule->tools[i]);

        if (tool == NULL)
            problems_add_format(problems, "%s:%d: there is no tool \"%.100s\"", rule->given,
                                rule->line, rule->tools[i]);
        has_paths |= tool == NULL || tool->arguments.size > 0;
    }
    if (rule->path_count > 0 && !has_paths)
        problems_add_format(problems, "%s:%d: it can never match: none of its tools takes a path",
                            rule->given, rule->line);
}

/* Whether an allow would let any path be written. A tool that takes none has its own say about what it writes. */
static bool writes_paths(const struct policy_rule *rule, const struct gate_tools *tools)
{
    if (rule->tools == NULL)
        return true;
    for (size_t i = 0; i < rule->tool_count; i++) {
        const struct gate_tool *tool = gate_tools_find(tools, rule->tools[i]);

        if (tool != NULL && tool->effect == CROFT_WRITES && tool->arguments.size > 0)
            return true;
    }
    return false;
}

/* ---- what one rule leaves to another ----------------------------------------------------------- */

static bool is_literal(const char *text)
{
    return strpbrk(text, "*?[{\\") == NULL;
}

static bool begins_with(const char *text, const char *head, size_t size)
{
    return strncmp(text, head, size) == 0;
}

/* Whether all that `inner` fits is fitted by `outer`; false where that is not plain to see. `above`: what
 * lies below counts too. */
static bool glob_covers(const struct policy_glob *outer, const struct policy_glob *inner,
                        bool above)
{
    size_t size = strlen(outer->text);

    if (outer->is_all || strcmp(outer->text, inner->text) == 0)
        return true;
    if (size > 3 && strcmp(outer->text + size - 3, "/**") == 0) {
        const char *special = strpbrk(outer->text, "*?[{\\");

        if (special == outer->text + size - 2 && begins_with(inner->text, outer->text, size - 2) &&
            inner->text[size - 2] != '\0')
            return true;
    }
    if (above && is_literal(outer->text) && begins_with(inner->text, outer->text, size) &&
        inner->text[size] == '/' && inner->text[size + 1] != '\0')
        return true;
    return is_literal(inner->text) && strchr(inner->text, '/') != NULL &&
           inner->text[strlen(inner->text) - 1] != '/' && *inner->text != '/' &&
           strncmp(inner->text, "./", 2) != 0 &&
           glob_fits(outer->glob, inner->text, strlen(inner->text), false) &&
           glob_fits(outer->glob, inner->text, strlen(inner->text), true);
}

static bool paths_cover(const struct policy_rule *outer, const struct policy_rule *inner)
{
    bool above = outer->decision != DECISION_ALLOW;

    if (outer->path_count == 0)
        return true;
    for (size_t i = 0; i < inner->path_count; i++) {
        bool covered = false;

        for (size_t j = 0; j < outer->path_count && !covered; j++)
            covered = glob_covers(&outer->paths[j], &inner->paths[i], above);
        if (!covered)
            return false;
    }
    return inner->path_count > 0;
}

static bool tools_cover(const struct policy_rule *outer, const struct policy_rule *inner)
{
    if (outer->tools == NULL)
        return true;
    for (size_t i = 0; i < inner->tool_count; i++)
        if (!policy_names_tool(outer, inner->tools[i]))
            return false;
    return inner->tools != NULL;
}

/* The rule that leaves rule number `at` nothing to decide; NULL when there is none. */
static const struct policy_rule *find_cover(const struct policy *policy, size_t at)
{
    const struct policy_rule *inner = &policy->rules[at];

    for (size_t i = 0; i < policy->count; i++) {
        const struct policy_rule *outer = &policy->rules[i];
        bool comes_first =
            outer->decision > inner->decision ||
            (i < at && outer->decision == DECISION_DENY && inner->decision == DECISION_DENY);

        if (comes_first && !outer->is_broken && outer->file == inner->file && outer->like == NULL &&
            tools_cover(outer, inner) && paths_cover(outer, inner))
            return outer;
    }
    return NULL;
}

void policy_check_rules(const struct policy *policy, const struct gate_tools *tools,
                        struct problems *problems)
{
    for (size_t i = 0; i < policy->count; i++) {
        const struct policy_rule *rule = &policy->rules[i], *cover;

        if (rule->is_broken)
            continue;
        cover = find_cover(policy, i);
        check_tools(rule, tools, problems);
        if (rule->decision == DECISION_ALLOW && rule->path_count == 0 && writes_paths(rule, tools))
            problems_add_format(problems,
                                "%s:%d: an allow for a tool that writes needs paths, such as "
                                "{ \"notes/**\" }",
                                rule->given, rule->line);
        if (cover != NULL)
            problems_add_format(problems, "%s:%d: it can never decide: the %s in line %d covers it",
                                rule->given, rule->line, decision_words[cover->decision],
                                cover->line);
    }
}
