/* SPDX-License-Identifier: MIT */
#include "view_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "utf8.h"

enum { WHERE = 160 };

const char *field_type_word(enum json_type type)
{
    switch (type) {
    case JSON_NULL: return "null";
    case JSON_FALSE:
    case JSON_TRUE: return "a boolean";
    case JSON_NUMBER: return "a number";
    case JSON_STRING: return "a text";
    case JSON_ARRAY: return "a list";
    default: return "an object";
    }
}

static bool is_type(struct reading_view *r, const char *where, struct json_slice value,
                    enum json_type type)
{
    if (json_type(value) == type)
        return true;
    problems_add_format(r->problems, "%s is %s, and must be %s", *where == '\0' ? "it" : where,
                        field_type_word(json_type(value)), field_type_word(type));
    return false;
}

/* ---- objects and lists ------------------------------------------------------------------------- */

static void refuse_key(struct reading_view *r, const char *where, const char *name,
                       const struct view_key *keys)
{
    struct bytes known = {0};

    for (const struct view_key *key = keys; key->name != NULL; key++) {
        bytes_add_text(&known, key == keys ? "" : ", ");
        bytes_add_text(&known, key->name);
    }
    problems_add_format(r->problems, "%s%sthere is no key \"%.60s\" (there are %s)", where,
                        *where == '\0' ? "" : ": ", name, bytes_end(&known));
    bytes_free(&known);
}

static void read_member(struct reading_view *r, const char *where, const char *name,
                        struct json_slice value, const struct view_key *keys, unsigned *seen)
{
    char inner[WHERE];
    const struct view_key *key = keys;

    while (key->name != NULL && strcmp(key->name, name) != 0)
        key++;
    if (key->name == NULL) {
        refuse_key(r, where, name, keys);
        return;
    }
    snprintf(inner, sizeof inner, "%s%s%s", where, *where == '\0' ? "" : ": ", name);
    if ((*seen & 1u << (key - keys)) != 0)
        problems_add_format(r->problems, "%s is given twice", inner);
    else
        key->read(r, inner, value);
    *seen |= 1u << (key - keys);
}

bool fields_read(struct reading_view *r, const char *where, struct json_slice object,
                 const struct view_key *keys)
{
    struct json_steps steps = {0};
    struct json_slice key, value;
    unsigned seen = 0;

    if (!is_type(r, where, object, JSON_OBJECT))
        return false;
    while (json_next(object, &steps, &key, &value)) {
        struct bytes name = {0};

        json_text(key, &name);
        read_member(r, where, bytes_end(&name), value, keys, &seen);
        r->out_of_memory |= name.failed;
        bytes_free(&name);
    }
    return true;
}

void fields_list(struct reading_view *r, const char *where, struct json_slice list,
                 field_reader *reader)
{
    struct json_steps steps = {0};
    struct json_slice key, value;
    char inner[WHERE];

    if (!is_type(r, where, list, JSON_ARRAY))
        return;
    for (size_t i = 1; json_next(list, &steps, &key, &value); i++) {
        snprintf(inner, sizeof inner, "%s %zu", where, i);
        reader(r, inner, value);
    }
}

/* ---- texts ------------------------------------------------------------------------------------- */

bool field_text(struct reading_view *r, const char *where, struct json_slice value, char **out)
{
    struct bytes text = {0};
    bool good = is_type(r, where, value, JSON_STRING);
    bool whole = good && json_text(value, &text);

    *out = NULL;
    if (good && (!whole || memchr(bytes_end(&text), '\0', text.size) != NULL)) {
        problems_add_format(r->problems, "%s holds a NUL, or half of a character", where);
        good = false;
    }
    if (good) {
        *out = strndup(bytes_end(&text), text.size);
        r->out_of_memory |= *out == NULL || text.failed;
    }
    bytes_free(&text);
    return *out != NULL;
}

int field_word(struct reading_view *r, const char *where, struct json_slice value,
               const char *const *words)
{
    char *text;
    int at = 0;

    if (!field_text(r, where, value, &text))
        return 0;
    while (words[at] != NULL && strcmp(words[at], text) != 0)
        at++;
    if (words[at] == NULL) {
        problems_add_format(r->problems, "%s: \"%.60s\" is neither \"%s\" nor \"%s\"", where, text,
                            words[0], words[1]);
        at = 0;
    }
    free(text);
    return at;
}

void field_keep(struct reading_view *r, struct texts *texts, char *text)
{
    if (text != NULL && !texts_add(texts, text, strlen(text)))
        r->out_of_memory = true;
    free(text);
}

/* ---- paths ------------------------------------------------------------------------------------- */

/* Braces are for the name of the tenant alone, so that a misspelt one is no directory's name. */
static const char *brace_fault(struct reading_view *r, const char *text, bool may_have_tenant)
{
    size_t size = sizeof TENANT_PLACEHOLDER - 1;

    for (; (text = strpbrk(text, "{}")) != NULL; text += size) {
        if (strncmp(text, TENANT_PLACEHOLDER, size) != 0)
            return "has a brace that is none of " TENANT_PLACEHOLDER;
        if (!may_have_tenant)
            return "cannot have " TENANT_PLACEHOLDER " in it";
        r->config->is_template = true;
    }
    return NULL;
}

/* What is wrong with an absolute path, which is cleaned in place; or NULL. */
static const char *clean_host_path(char *text)
{
    struct path *path;
    const char *fault = NULL, *rest;

    if (text[0] != '/')
        return "is not absolute";
    for (const char *at = text; at != NULL; at = strchr(at, '/')) {
        at++;
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return "has \"..\" in it";
    }
    path = malloc(sizeof *path);
    if (path == NULL)
        return "cannot be looked at: out of memory";
    path->text[0] = '\0';
    rest = text + strspn(text, "/");
    if (*rest != '\0' && path_parse(rest, strlen(rest), path, NULL) != CROFT_OK)
        fault = "is too long, or not UTF-8";
    else
        strcpy(text + 1, path->text);
    free(path);
    return fault;
}

void field_host_path(struct reading_view *r, const char *where, struct json_slice value,
                     bool may_have_tenant, char **out)
{
    const char *fault;
    char *text;

    if (!field_text(r, where, value, &text))
        return;
    fault = brace_fault(r, text, may_have_tenant);
    if (fault == NULL)
        fault = clean_host_path(text);
    if (fault == NULL) {
        *out = text;
        return;
    }
    problems_add_format(r->problems, "%s: \"%.200s\" %s", where, text, fault);
    free(text);
}

void field_clean_path(struct reading_view *r, const char *where, char *path)
{
    const char *fault = clean_host_path(path);

    if (fault != NULL)
        problems_add_format(r->problems, "%s: \"%.200s\" %s", where, path, fault);
}

/* What is wrong with a relative path, which is cleaned in place; or NULL. */
static const char *clean_relative(char *text)
{
    struct path *path;
    const char *fault = NULL;

    if (text[0] == '/')
        return "is absolute, and must be relative";
    path = malloc(sizeof *path);
    if (path == NULL)
        return "cannot be looked at: out of memory";
    if (path_parse(text, strlen(text), path, NULL) != CROFT_OK)
        fault = "is empty, too long, not UTF-8, or climbs with \"..\"";
    else if (path->count == 0)
        fault = "names nothing";
    else
        strcpy(text, path->text); /* cleaned, it is no longer than it was */
    free(path);
    return fault;
}

void field_relative(struct reading_view *r, const char *where, struct json_slice value, char **out)
{
    const char *fault;
    char *text;

    if (!field_text(r, where, value, &text))
        return;
    fault = brace_fault(r, text, false);
    if (fault == NULL)
        fault = clean_relative(text);
    if (fault == NULL) {
        *out = text;
        return;
    }
    problems_add_format(r->problems, "%s: \"%.200s\" %s", where, text, fault);
    free(text);
}

/* ---- names ------------------------------------------------------------------------------------- */

static bool is_plain(const char *text)
{
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            return false;
    return utf8_valid(text, strlen(text)) == strlen(text);
}

bool tenant_is_name(const char *tenant)
{
    size_t size = strlen(tenant);

    return size > 0 && size <= NAME_BYTES && strchr(tenant, '/') == NULL && is_plain(tenant) &&
           strpbrk(tenant, "{}") == NULL && strcmp(tenant, ".") != 0 && strcmp(tenant, "..") != 0;
}

char *tenant_expand(const char *path, const char *tenant)
{
    struct bytes out = {0};
    const char *next;
    char *text;

    while ((next = strstr(path, TENANT_PLACEHOLDER)) != NULL) {
        bytes_add(&out, path, (size_t)(next - path));
        bytes_add_text(&out, tenant);
        path = next + sizeof TENANT_PLACEHOLDER - 1;
    }
    bytes_add_text(&out, path);
    (void)bytes_end(&out);
    text = out.failed ? NULL : strdup(out.data == NULL ? "" : out.data);
    bytes_free(&out);
    return text;
}

/* What a subprocess has at the top of its tree besides mounts. */
static const char *const taken[] = {"bin",   "boot",  "dev",    "etc", "global", "home",     "lib",
                                    "lib32", "lib64", "libx32", "opt", "proc",   "root",     "run",
                                    "sbin",  "sys",   "tmp",    "usr", "var",    "workspace"};

/* What holds for every name. */
static const char *name_fault(const char *dst)
{
    if (!is_plain(dst))
        return "has a control character in it";
    for (const char *at = dst; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (name_is_reserved(at, strcspn(at, "/")))
            return "has a name of croft's own in it";
    }
    return NULL;
}

const char *mount_name_fault(const char *dst)
{
    size_t size = strcspn(dst, "/");
    const char *fault = name_fault(dst);

    if (fault != NULL)
        return fault;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (name_stands_for(dst, size, taken[i]))
            return "would cover a directory that every subprocess has";
    return NULL;
}

void field_clean_name(struct reading_view *r, const char *where, char **name)
{
    const char *fault = clean_relative(*name);

    if (fault == NULL)
        fault = name_fault(*name);
    if (fault == NULL)
        return;
    problems_add_format(r->problems, "%s: the name \"%.100s\" %s", where, *name, fault);
    free(*name);
    *name = NULL;
}
