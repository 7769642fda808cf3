/* SPDX-License-Identifier: MIT */
/*
 * Rules about calls, as a policy file has them: deny beats ask beats allow over all that match, whatever
 * their order, and where none matches the default holds. A policy is immutable once it is made, but for
 * policy_prepare; any number of threads may judge by it.
 *
 * A rule matches a path when one of its globs fits it; one that denies or asks also when a glob fits a
 * directory above it. The root, "", is fitted by `**` alone. A rule without globs matches whatever is called.
 */
#ifndef CROFT_POLICY_H
#define CROFT_POLICY_H

#include "bytes.h"
#include "glob.h"
#include "json_scan.h"
#include "question.h"
#include "regex.h"

enum path_kind { PATH_FILE, PATH_DIRECTORY, PATH_EITHER }; /* the last: nobody has looked */

enum decision { DECISION_ALLOW, DECISION_ASK, DECISION_DENY }; /* the stricter, the greater */

struct policy_glob {
    char *text;
    struct glob *glob;
    bool is_all;     /* `**`: the root too */
    bool minds_kind; /* it may fit directories alone */
    /* without which nothing fits, so that most paths need no closer look */
    size_t head;          /* bytes of `text` that the path starts with */
    size_t tail, tail_at; /* and ends with; where these are in `text` */
    uint64_t needs;       /* pairs of letters, as policy_pairs has them */
};

/* The pairs of neighbours in a text, thrown into 64 bits. */
uint64_t policy_pairs(const char *text, size_t size);

struct policy_rule {
    enum decision decision;
    char **tools; /* NULL: all of them */
    size_t tool_count;
    struct policy_glob *paths;
    size_t path_count;
    struct regex *like; /* a text among the arguments has to match; NULL: they do not matter */
    char *like_text;
    char *why;         /* "" for none */
    const char *file;  /* the policy's own, without directories */
    const char *given; /* the same as it was given: what problems call it */
    int line;
    bool is_broken; /* something is wrong with it already */
};

/* A glob of a rule, or a rule without any: close together, as most are only passed by. */
struct policy_entry {
    uint64_t needs;
    uint32_t rule, glob;
};
#define POLICY_NO_GLOB UINT32_MAX

/* The rules that concern one tool, in the order deny, ask, allow. */
struct policy_list {
    char *tool; /* NULL: each tool that no rule names */
    size_t *rules;
    size_t count;
    struct policy_entry *entries;  /* in the same order */
    size_t entry_count, deny, ask; /* of the entries; the rest allows */
    bool looks;                    /* one of the rules looks at the arguments */
};

struct policy {
    struct policy_rule *rules;
    size_t count, capacity;
    enum decision otherwise; /* DECISION_ASK or DECISION_DENY */
    struct policy_list *lists;
    size_t list_count;
    char **files;
    size_t file_count;
    /* what the operator's file says of whoever decides */
    croft_gate_kind decider; /* CROFT_GATE_NONE: nothing, or one that the library does not know */
    char decider_word[16];   /* "elicit", ...; "" */
    uint64_t milliseconds;   /* 0: nothing */
};

void policy_free(struct policy *policy); /* and makes it empty */

/* A new rule with nothing in it; NULL when memory ran out. */
struct policy_rule *policy_add(struct policy *policy);

/* Compiles a glob of a rule. False when it does not parse (fault filled), or memory ran out (reason NULL). */
bool policy_glob_new(struct policy_glob *glob, const char *text, size_t size,
                     struct glob_fault *fault);
void policy_glob_free(struct policy_glob *glob);

/* Sorts the rules by tools. Call it once, when all are there. False when memory ran out. */
bool policy_prepare(struct policy *policy);

bool policy_names_tool(const struct policy_rule *rule, const char *tool);

/* A set of rules, by their numbers. */
struct rule_set {
    uint64_t *words; /* NULL: empty */
};
bool rule_set_has(const struct rule_set *set, size_t rule);
bool rule_set_add(struct rule_set *set, const struct policy *policy,
                  size_t rule); /* false: no memory */
void rule_set_free(struct rule_set *set);

/* A call that is judged. */
struct policy_call {
    const struct policy *policy; /* NULL: all is asked for */
    const struct policy_list *list;
    struct rule_set holds; /* of the rules that look at arguments: those that they fit */
};

/* Begins to judge a call of `tool` (without prefix). Looking at its arguments is bounded: a rule for which it
 * would take too long matches, unless it allows. False when memory ran out. To be ended in any case. */
bool policy_call_begin(struct policy_call *call, const struct policy *policy, const char *tool,
                       struct json_slice args);
void policy_call_end(struct policy_call *call);

struct judgement {
    enum decision decision;
    size_t rule; /* the first of those that decided; with `by_rule` */
    bool by_rule;
};

/* What has been answered already: the rules that asked, and whether the default was it. */
struct answered {
    struct rule_set rules;
    bool otherwise;
};

/*
 * Judges one path; NULL for a call that names none. Asking that is in `answered` (may be NULL) allows. `asking`
 * (may be NULL) is given the rules that ask, or the default, when the judgement is DECISION_ASK; *failed is
 * set when memory ran out for that.
 */
struct judgement policy_judge(const struct policy_call *call, const char *path, size_t size,
                              enum path_kind kind, const struct answered *answered,
                              struct answered *asking, bool *failed);

/* Whether a glob fits the path or, with `above`, a directory in which that lies. */
bool policy_glob_matches(const struct policy_glob *glob, const char *path, size_t size,
                         enum path_kind kind, bool above);

/* Whether rule number `rule` matches; for explaining. */
bool policy_rule_matches(const struct policy_call *call, size_t rule, const char *path, size_t size,
                         enum path_kind kind);

#endif
