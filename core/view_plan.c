/* SPDX-License-Identifier: MIT */
#include "view_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_parts.h"

bool path_is_within(const char *path, const char *above)
{
    size_t size = strlen(above);

    if (strcmp(above, "/") == 0)
        return true;
    return strncmp(path, above, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/* ---- what it is made of ------------------------------------------------------------------------ */

static char *copy(struct planning *p, const char *text)
{
    char *copied = strdup(text);

    p->out_of_memory |= copied == NULL;
    return copied;
}

/* The path for this tenant, which the caller frees; NULL when it cannot be told, or memory is out. */
static char *expand(struct planning *p, const char *path)
{
    char *text;

    if (path != NULL && p->config->is_of_options)
        return copy(p, path);
    if (path == NULL || (p->tenant == NULL && strstr(path, TENANT_PLACEHOLDER) != NULL))
        return NULL;
    text = tenant_expand(path, p->tenant == NULL ? "" : p->tenant);
    p->out_of_memory |= text == NULL;
    return text;
}

static struct plan_mount *new_mount(struct planning *p)
{
    struct view_plan *plan = p->plan;
    struct plan_mount *mounts = realloc(plan->mounts, (plan->mount_count + 1) * sizeof *mounts);

    if (mounts == NULL) {
        p->out_of_memory = true;
        return NULL;
    }
    plan->mounts = mounts;
    memset(&mounts[plan->mount_count], 0, sizeof *mounts);
    return &mounts[plan->mount_count++];
}

/* "/" and the name; the root's is a word of its own. */
static char *inside_of(struct planning *p, const char *name)
{
    char *text = *name == '\0' ? strdup("/workspace") : malloc(strlen(name) + 2);

    if (text != NULL && *name != '\0') {
        text[0] = '/';
        strcpy(text + 1, name);
    }
    p->out_of_memory |= text == NULL;
    return text;
}

/* One tree. `where` is its key in the configuration, `name` NULL for a bind. */
static void add_mount(struct planning *p, const char *where, const char *configured,
                      struct plan_mount wanted, const char *name)
{
    char *spelled = expand(p, configured), *real = NULL;
    struct plan_mount *mount = NULL;

    if (spelled != NULL)
        real = find_tree(p, where, spelled, name != NULL, &wanted.is_directory);
    if (real != NULL)
        mount = new_mount(p);
    if (mount == NULL) {
        free(spelled);
        free(real);
        return;
    }
    *mount = wanted;
    mount->where = copy(p, where);
    mount->path = real;
    mount->spelled = spelled;
    mount->name = name == NULL ? NULL : copy(p, name);
    mount->inside = name == NULL ? copy(p, spelled) : inside_of(p, name);
}

/* What has no good name is looked at all the same, to say all that is wrong. */
static void look_at(struct planning *p, const char *where, const char *configured)
{
    char *spelled = expand(p, configured);
    bool is_directory;

    if (spelled != NULL)
        free(find_tree(p, where, spelled, true, &is_directory));
    free(spelled);
}

static void add_binds(struct planning *p, const char *key, const struct texts *binds, bool writable)
{
    char where[WHERE_BYTES];

    for (size_t i = 0; i < binds->count; i++) {
        write_where(where, key, i);
        add_mount(p, where, binds->items[i],
                  (struct plan_mount){.kind = PLAN_BIND, .writable = writable}, NULL);
    }
}

static void add_mounts(struct planning *p)
{
    const struct view_config *config = p->config;
    char where[WHERE_BYTES];

    add_mount(p, "root", config->root,
              (struct plan_mount){.kind = PLAN_ROOT, .writable = !config->is_read_only}, "");
    add_mount(p, "global", config->global, (struct plan_mount){.kind = PLAN_GLOBAL}, "global");
    for (size_t i = 0; i < config->map_count; i++) {
        const struct view_map *map = &config->maps[i];

        if (config->is_of_options)
            snprintf(where, sizeof where, "mount %.48s", map->dst == NULL ? "" : map->dst);
        else
            write_where(where, "maps", i);
        if (map->dst == NULL)
            look_at(p, where, map->src);
        else
            add_mount(p, where, map->src,
                      (struct plan_mount){.kind = PLAN_MAP, .writable = map->writable}, map->dst);
    }
    add_binds(p, "ro_binds", &config->ro_binds, false);
    add_binds(p, "rw_binds", &config->rw_binds, true);
}

/* ---- masks ------------------------------------------------------------------------------------- */

/* Takes `path` over; NULL is fine. */
static void add_mask(struct planning *p, const char *where, enum plan_mask_kind kind, char *path)
{
    struct view_plan *plan = p->plan;
    struct plan_mask *masks;

    if (path == NULL)
        return;
    masks = realloc(plan->masks, (plan->mask_count + 1) * sizeof *masks);
    if (masks == NULL) {
        p->out_of_memory = true;
        free(path);
        return;
    }
    plan->masks = masks;
    masks[plan->mask_count].where = copy(p, where);
    masks[plan->mask_count].kind = kind;
    masks[plan->mask_count++].path = path;
}

/* The name itself, and what it leads to now. */
static void add_hidden(struct planning *p, const char *where, enum plan_mask_kind kind,
                       const char *spelled)
{
    char *name = NULL, *target = NULL;

    if (!find_name(p, where, spelled, &name, &target))
        return;
    add_mask(p, where, kind, name);
    add_mask(p, where, kind, target);
}

static void add_hide(struct planning *p)
{
    char where[WHERE_BYTES];

    for (size_t i = 0; i < p->config->hide.count; i++) {
        char *spelled = expand(p, p->config->hide.items[i]);

        write_where(where, "hide", i);
        if (spelled != NULL)
            add_hidden(p, where, PLAN_HIDE, spelled);
        free(spelled);
    }
}

static void add_secrets(struct planning *p)
{
    const struct texts *secrets = &p->config->secret_files;
    char *global = expand(p, p->config->global);
    char where[WHERE_BYTES];

    for (size_t i = 0; global != NULL && i < secrets->count; i++) {
        char *path = join_paths(p, global, secrets->items[i]);

        write_where(where, "secret_files", i);
        if (path != NULL)
            add_hidden(p, where, PLAN_SECRET, path);
        free(path);
    }
    free(global);
}

static void add_tenants(struct planning *p)
{
    bool is_directory;

    if (p->config->tenants == NULL)
        return;
    p->plan->tenants = find_tree(p, "tenants", p->config->tenants, true, &is_directory);
    if (p->plan->tenants != NULL)
        add_mask(p, "tenants", PLAN_NEIGHBOURS, copy(p, p->plan->tenants));
}

/* ---- for a subprocess -------------------------------------------------------------------------- */

const char *const plan_usual_system[] = {"/usr",
                                         "/bin",
                                         "/lib",
                                         "/lib64",
                                         "/sbin",
                                         "/etc/ld.so.cache",
                                         "/etc/alternatives",
                                         "/etc/ssl",
                                         "/etc/ca-certificates",
                                         "/etc/nsswitch.conf",
                                         "/etc/passwd",
                                         "/etc/group",
                                         "/etc/hosts",
                                         "/etc/resolv.conf",
                                         "/etc/localtime",
                                         NULL};

static void add_system_binds(struct planning *p)
{
    const struct texts *given = &p->config->system_binds;
    size_t count = p->config->has_system_binds
                       ? given->count
                       : sizeof plan_usual_system / sizeof *plan_usual_system - 1;

    for (size_t i = 0; i < count; i++) {
        const char *path = p->config->has_system_binds ? given->items[i] : plan_usual_system[i];

        if (path_exists(p, path) && !texts_add(&p->plan->system_binds, path, strlen(path)))
            p->out_of_memory = true;
    }
    for (size_t i = 0; i < p->config->env.count; i++)
        if (!texts_add(&p->plan->env, p->config->env.items[i], strlen(p->config->env.items[i])))
            p->out_of_memory = true;
    p->plan->host_net = p->config->host_net;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static void check_tenant(struct planning *p)
{
    const char *root = p->config->root;

    if (p->tenant == NULL)
        return;
    if (!tenant_is_name(p->tenant))
        problems_add_format(p->problems,
                            "the tenant \"%.100s\" is no name: one component of a path is needed",
                            p->tenant);
    else if (root != NULL && strstr(root, TENANT_PLACEHOLDER) == NULL)
        problems_add_format(p->problems,
                            "root has no " TENANT_PLACEHOLDER " in it: all tenants would share it");
}

bool view_plan_make(const struct view_config *config, const char *tenant, const struct sys *sys,
                    struct view_plan **out, struct problems *problems)
{
    struct planning p = {.config = config, .tenant = tenant, .sys = sys, .problems = problems};
    size_t before = problems->count;
    bool is_whole;

    *out = NULL;
    p.plan = calloc(1, sizeof *p.plan);
    if (p.plan == NULL)
        return false;
    check_tenant(&p);
    is_whole = problems->count == before && !(config->is_template && tenant == NULL);
    if (problems->count == before) { /* with a tenant that is none nothing is looked at */
        add_mounts(&p);
        add_tenants(&p);
        add_hide(&p);
        add_secrets(&p);
        add_system_binds(&p);
        if (!p.out_of_memory)
            plan_check(&p);
    }
    if (is_whole && problems->count == before && !p.out_of_memory)
        *out = p.plan;
    else
        view_plan_free(p.plan);
    return !p.out_of_memory && !problems->lines.failed;
}

struct view_plan *view_plan_of_root(const char *real, const char *spelled, bool writable)
{
    struct planning p = {.plan = calloc(1, sizeof *p.plan)};
    struct plan_mount *mount = p.plan == NULL ? NULL : new_mount(&p);

    if (mount != NULL)
        *mount = (struct plan_mount){.kind = PLAN_ROOT,
                                     .where = copy(&p, "root"),
                                     .name = copy(&p, ""),
                                     .inside = inside_of(&p, ""),
                                     .path = copy(&p, real),
                                     .spelled = copy(&p, spelled),
                                     .writable = writable,
                                     .is_directory = true};
    if (mount != NULL && !p.out_of_memory) {
        p.plan->has_usual_system = true;
        return p.plan;
    }
    view_plan_free(p.plan);
    return NULL;
}

void view_plan_free(struct view_plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->mount_count; i++) {
        free(plan->mounts[i].where);
        free(plan->mounts[i].name);
        free(plan->mounts[i].inside);
        free(plan->mounts[i].path);
        free(plan->mounts[i].spelled);
    }
    for (size_t i = 0; i < plan->mask_count; i++) {
        free(plan->masks[i].where);
        free(plan->masks[i].path);
    }
    free(plan->mounts);
    free(plan->masks);
    free(plan->tenants);
    texts_free(&plan->system_binds);
    texts_free(&plan->env);
    free(plan);
}
