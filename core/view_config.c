/* SPDX-License-Identifier: MIT */
#include "view_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "view_fields.h"

/* ---- texts ------------------------------------------------------------------------------------- */

bool texts_add(struct texts *texts, const char *text, size_t size)
{
    char **items = realloc(texts->items, (texts->count + 1) * sizeof *items);

    if (items == NULL)
        return false;
    texts->items = items;
    items[texts->count] = strndup(text, size);
    return items[texts->count] != NULL && ++texts->count > 0;
}

void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    memset(texts, 0, sizeof *texts);
}

/* ---- the keys of one map ----------------------------------------------------------------------- */

static void read_src(struct reading_view *r, const char *where, struct json_slice value)
{
    field_host_path(r, where, value, true, &r->map->src);
}

static void read_dst(struct reading_view *r, const char *where, struct json_slice value)
{
    const char *fault;

    field_relative(r, where, value, &r->map->dst);
    if (r->map->dst == NULL)
        return;
    fault = mount_name_fault(r->map->dst);
    if (fault == NULL)
        return;
    problems_add_format(r->problems, "%s: \"%.100s\" %s", where, r->map->dst, fault);
    free(r->map->dst);
    r->map->dst = NULL;
}

static void read_mode(struct reading_view *r, const char *where, struct json_slice value)
{
    static const char *const words[] = {"ro", "rw", NULL};

    r->map->writable = field_word(r, where, value, words) == 1;
}

static const struct view_key map_keys[] = {
    {"src", read_src}, {"dst", read_dst}, {"mode", read_mode}, {NULL, NULL}};

static bool add_map(struct reading_view *r)
{
    struct view_config *config = r->config;
    struct view_map *maps = realloc(config->maps, (config->map_count + 1) * sizeof *maps);

    if (maps == NULL)
        return false;
    config->maps = maps;
    r->map = &maps[config->map_count++];
    memset(r->map, 0, sizeof *r->map);
    return true;
}

static void read_map(struct reading_view *r, const char *where, struct json_slice value)
{
    if (!add_map(r)) {
        r->out_of_memory = true;
        return;
    }
    if (!fields_read(r, where, value, map_keys))
        return;
    if (json_member(value, "src").data == NULL)
        problems_add_format(r->problems, "%s: src is missing", where);
    if (json_member(value, "dst").data == NULL)
        problems_add_format(r->problems, "%s: dst is missing", where);
}

/* ---- the keys of a view ------------------------------------------------------------------------ */

static void read_root(struct reading_view *r, const char *where, struct json_slice value)
{
    field_host_path(r, where, value, true, &r->config->root);
}

static void read_global(struct reading_view *r, const char *where, struct json_slice value)
{
    field_host_path(r, where, value, true, &r->config->global);
}

static void read_tenants(struct reading_view *r, const char *where, struct json_slice value)
{
    field_host_path(r, where, value, false, &r->config->tenants);
    if (r->config->tenants == NULL || strcmp(r->config->tenants, "/") != 0)
        return;
    problems_add_format(r->problems, "%s: it is \"/\", and all of the host would be hidden", where);
}

static void read_secret(struct reading_view *r, const char *where, struct json_slice value)
{
    char *text = NULL;

    field_relative(r, where, value, &text);
    field_keep(r, &r->config->secret_files, text);
}

static void read_secrets(struct reading_view *r, const char *where, struct json_slice value)
{
    fields_list(r, where, value, read_secret);
}

static void read_path_into(struct reading_view *r, const char *where, struct json_slice value)
{
    char *text = NULL;

    field_host_path(r, where, value, true, &text);
    field_keep(r, r->into, text);
}

static void read_hide(struct reading_view *r, const char *where, struct json_slice value)
{
    r->into = &r->config->hide;
    fields_list(r, where, value, read_path_into);
}

static void read_ro_binds(struct reading_view *r, const char *where, struct json_slice value)
{
    r->into = &r->config->ro_binds;
    fields_list(r, where, value, read_path_into);
}

static void read_rw_binds(struct reading_view *r, const char *where, struct json_slice value)
{
    r->into = &r->config->rw_binds;
    fields_list(r, where, value, read_path_into);
}

static void read_system_binds(struct reading_view *r, const char *where, struct json_slice value)
{
    r->into = &r->config->system_binds;
    r->config->has_system_binds = true;
    fields_list(r, where, value, read_path_into);
}

static void read_variable(struct reading_view *r, const char *where, struct json_slice value)
{
    char *text = NULL;

    if (!field_text(r, where, value, &text))
        return;
    if (text[0] == '\0' || strpbrk(text, "= \t\r\n") != NULL) {
        problems_add_format(r->problems, "%s: \"%.100s\" is no name of a variable", where, text);
        free(text);
        text = NULL;
    }
    field_keep(r, &r->config->env, text);
}

static void read_env(struct reading_view *r, const char *where, struct json_slice value)
{
    fields_list(r, where, value, read_variable);
}

static void read_maps(struct reading_view *r, const char *where, struct json_slice value)
{
    fields_list(r, where, value, read_map);
}

static void read_net(struct reading_view *r, const char *where, struct json_slice value)
{
    static const char *const words[] = {"none", "host", NULL};

    r->config->host_net = field_word(r, where, value, words) == 1;
}

static const struct view_key view_keys[] = {
    {"root", read_root},         {"global", read_global},
    {"tenants", read_tenants},   {"secret_files", read_secrets},
    {"hide", read_hide},         {"ro_binds", read_ro_binds},
    {"rw_binds", read_rw_binds}, {"maps", read_maps},
    {"net", read_net},           {"system_binds", read_system_binds},
    {"env", read_env},           {NULL, NULL},
};

/* ---- the whole --------------------------------------------------------------------------------- */

static bool has(struct json_slice object, const char *name)
{
    return json_member(object, name).data != NULL;
}

/* The first before `index` of the same name, or `index`. */
static size_t find_namesake(const struct view_config *config, size_t index)
{
    const struct view_map *maps = config->maps;
    size_t at = 0;

    while (at < index && (maps[at].dst == NULL || maps[index].dst == NULL ||
                          strcmp(maps[at].dst, maps[index].dst) != 0))
        at++;
    return at;
}

static void check_names(const struct view_config *config, struct problems *problems)
{
    for (size_t i = 0; i < config->map_count; i++) {
        size_t other = find_namesake(config, i);

        if (other == i)
            continue;
        if (config->is_of_options)
            problems_add_format(problems, "mount %.100s is given twice", config->maps[i].dst);
        else
            problems_add_format(problems, "maps %zu: dst: \"%.100s\" is that of maps %zu too",
                                i + 1, config->maps[i].dst, other + 1);
    }
}

static void check_together(struct reading_view *r, struct json_slice object)
{
    if (!has(object, "root") && !has(object, "tenants"))
        problems_add_format(r->problems, "root is missing");
    if (has(object, "secret_files") && !has(object, "global"))
        problems_add_format(r->problems,
                            "secret_files: they lie below global, and there is no global");
    check_names(r->config, r->problems);
}

/* With `tenants` alone the root is the tenant's directory in it. */
static bool fill_root(struct view_config *config, struct json_slice object)
{
    size_t size;

    if (has(object, "root") || config->tenants == NULL)
        return true;
    size = strlen(config->tenants) + sizeof "/" TENANT_PLACEHOLDER;
    config->root = malloc(size);
    if (config->root == NULL)
        return false;
    strcpy(config->root, config->tenants);
    strcat(config->root, "/" TENANT_PLACEHOLDER);
    config->is_template = true;
    return true;
}

bool view_config_parse(struct json_slice text, struct view_config **out, struct problems *problems)
{
    enum { DEPTH = 8 };
    struct reading_view r = {.problems = problems};
    struct json_fault fault;

    *out = NULL;
    if (!json_check(text, DEPTH, &fault)) {
        problems_add_format(problems, "it is no JSON: %s at byte %zu", fault.reason, fault.at + 1);
        return true;
    }
    if (json_type(text) != JSON_OBJECT) {
        problems_add_format(problems, "it is %s, and must be an object",
                            field_type_word(json_type(text)));
        return true;
    }
    r.config = *out = calloc(1, sizeof *r.config);
    if (r.config == NULL)
        return false;
    fields_read(&r, "", text, view_keys);
    check_together(&r, text);
    return fill_root(r.config, text) && !r.out_of_memory && !problems->lines.failed;
}

bool view_config_check_options(struct view_config *config, struct problems *problems)
{
    struct reading_view r = {.config = config, .problems = problems};

    for (size_t i = 0; i < config->map_count; i++) {
        char where[64];

        snprintf(where, sizeof where, "mount %.48s", config->maps[i].dst);
        field_clean_name(&r, where, &config->maps[i].dst);
    }
    for (size_t i = 0; i < config->hide.count; i++)
        field_clean_path(&r, "hide", config->hide.items[i]);
    check_names(config, problems);
    return !problems->lines.failed;
}

void view_config_free(struct view_config *config)
{
    if (config == NULL)
        return;
    for (size_t i = 0; i < config->map_count; i++) {
        free(config->maps[i].src);
        free(config->maps[i].dst);
    }
    free(config->maps);
    free(config->root);
    free(config->global);
    free(config->tenants);
    texts_free(&config->secret_files);
    texts_free(&config->hide);
    texts_free(&config->ro_binds);
    texts_free(&config->rw_binds);
    texts_free(&config->system_binds);
    texts_free(&config->env);
    free(config);
}
