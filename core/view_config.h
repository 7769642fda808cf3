/* SPDX-License-Identifier: MIT */
/*
 * The configuration of a view as it is written: JSON with a closed set of keys, checked as far as that can
 * be done without looking at the host. `{tenant}` in a path stands for the tenant that a view is made for.
 */
#ifndef CROFT_VIEW_CONFIG_H
#define CROFT_VIEW_CONFIG_H

#include "json_scan.h"
#include "problems.h"

#define TENANT_PLACEHOLDER "{tenant}"

/* Texts, each ended by NUL. */
struct texts {
    char **items;
    size_t count;
};

bool texts_add(struct texts *texts, const char *text, size_t size); /* false: out of memory */
void texts_free(struct texts *texts);

/* One of `maps`: a directory of the host under a name of its own. */
struct view_map {
    char *src; /* NULL: it was not well formed */
    char *dst; /* cleaned: one or more components, no "." or ".."; NULL likewise */
    bool writable;
};

/* All host paths are absolute, without "." and ".." and doubled "/"; NULL: not given, or not well
 * formed. */
struct view_config {
    char *root, *global, *tenants;
    struct texts secret_files; /* relative to `global`, cleaned as `dst` is */
    struct texts hide;
    struct texts ro_binds, rw_binds;
    struct texts system_binds; /* for a subprocess; a host need not have all of them */
    bool has_system_binds;     /* false: the default */
    struct texts env;          /* names of variables that a subprocess is given */
    struct view_map *maps;
    size_t map_count;
    bool host_net; /* net = "host" */

    /* no keys */
    bool
        is_of_options; /* it comes from croft_view_options: there is no tenant, and no subprocess */
    bool is_read_only; /* the root too may only be read */
    bool is_template;  /* `{tenant}` occurs */
};

/*
 * Reads `text`. Adds a sentence for each thing that is wrong to `problems`; what is well formed is in *out
 * all the same, so that it too can be looked at. False only when memory is out. The caller frees *out,
 * which may be NULL when `text` is no JSON object.
 */
bool view_config_parse(struct json_slice text, struct view_config **out, struct problems *problems);
void view_config_free(struct view_config *config); /* NULL is fine */

/* The same for one that was filled in from options: its maps and `hide`, which are cleaned. */
bool view_config_check_options(struct view_config *config, struct problems *problems);

/* Whether `tenant` can be part of a path: one component, UTF-8 without control characters. */
bool tenant_is_name(const char *tenant);

/* The path with each `{tenant}` replaced, for the caller to free; NULL when memory is out. */
char *tenant_expand(const char *path, const char *tenant);

/* Whether the cleaned name `dst` may be a mount's; if not, why. */
const char *mount_name_fault(const char *dst);

#endif
