/* SPDX-License-Identifier: MIT */
#include "manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"
#include "sandbox_parts.h"

void manifest_free(struct manifest *manifest)
{
    bytes_free(&manifest->text);
    free(manifest->entries);
    memset(manifest, 0, sizeof *manifest);
}

/* ---- asking ------------------------------------------------------------------------------------ */

struct manifest_job {
    const struct sources *sources;
    struct bytes *text;
};

static int gather(lua_State *L)
{
    const struct manifest_job *job = lua_touserdata(L, 1);
    size_t size;
    const char *text;

    environment_make(L, job->sources);
    require_module(L, "croft.toolset");
    lua_getfield(L, -1, "gather");
    sandbox_push_modules(L, job->sources);
    lua_call(L, 2, 1);
    text = luaL_checklstring(L, -1, &size);
    bytes_add(job->text, text, size);
    return 0;
}

static bool has_manifest(const struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        if (!sources->items[i].is_left_out && source_is_manifest(&sources->items[i]))
            return true;
    return false;
}

static croft_status ask(const struct sandbox_options *options, struct bytes *text, croft_error *err)
{
    struct sandbox *sandbox;
    struct manifest_job job = {options->sources, text};
    struct bytes message = {0};
    croft_status status = sandbox_make(options, &sandbox, err);

    if (status != CROFT_OK)
        return status;
    status = sandbox_load_status(sandbox, sandbox_run(sandbox, gather, &job, &message), true,
                                 &message, err);
    if (status == CROFT_OK && text->failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    bytes_free(&message);
    sandbox_free(sandbox);
    return status;
}

/* ---- reading the answer ------------------------------------------------------------------------ */

/* Cuts the field at *rest off. */
static const char *take_field(char **rest)
{
    char *field = *rest;

    *rest += strcspn(field, "\t\n");
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return field;
}

static void read_entry(char **rest, struct manifest_entry *entry)
{
    const char *kind = take_field(rest);

    entry->is_limit = strcmp(kind, "limit") == 0;
    entry->is_gate = strcmp(kind, "gate") == 0;
    entry->place = take_field(rest);
    entry->name = take_field(rest);
    if (entry->is_limit)
        entry->limit = strtoull(take_field(rest), NULL, 10);
}

static size_t count_lines(const char *text)
{
    size_t lines = *text == '\0' ? 0 : 1;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static croft_status read_entries(struct manifest *manifest, croft_error *err)
{
    size_t count = count_lines(bytes_end(&manifest->text));
    char *rest = manifest->text.data;

    manifest->entries = calloc(count + 1, sizeof *manifest->entries);
    if (manifest->entries == NULL || manifest->text.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    while (manifest->count < count)
        read_entry(&rest, &manifest->entries[manifest->count++]);
    return CROFT_OK;
}

croft_status manifest_read(const struct sandbox_options *options, struct manifest *manifest,
                           croft_error *err)
{
    croft_status status;

    memset(manifest, 0, sizeof *manifest);
    if (!has_manifest(options->sources))
        return CROFT_OK;
    status = ask(options, &manifest->text, err);
    return status == CROFT_OK ? read_entries(manifest, err) : status;
}
