/* SPDX-License-Identifier: MIT */
/* What is seen of a handle: pages, lines that match, values of JSON, headings of Markdown. */
#include <string.h>

#include "bind/artifacts.h"
#include "bind/fs.h"
#include "bind/regex_box.h"

static uint64_t read_count(lua_State *L, int options, const char *name, uint64_t fallback,
                           lua_Integer least)
{
    lua_Integer value = bind_field_integer(L, options, name, (lua_Integer)fallback);

    if (value < least)
        luaL_error(L, "field '%s' is out of range", name);
    return (uint64_t)value;
}

static int raise_failure(lua_State *L, struct handle_use *use, const croft_error *err)
{
    bind_tick(L, 0); /* a breach ends the call here */
    return artifacts_raise(L, use, err, "artifact", 2);
}

static void set_bytes(lua_State *L, const char *name, const struct bytes *bytes)
{
    bind_set_text(L, name, bytes->size == 0 ? "" : bytes->data, bytes->size);
}

/* What is known of the number of lines: absent where nobody has counted them. */
static void set_total(lua_State *L, uint64_t total)
{
    if (total != UINT64_MAX)
        bind_set_integer(L, "total", total);
}

/* ---- pages ------------------------------------------------------------------------------------- */

static void push_page(lua_State *L, const struct artifact_page *found)
{
    static const char *const ends[] = {
        [PAGE_FILE_END] = "end",      [PAGE_LIMIT] = "limit",
        [PAGE_BYTES] = "bytes",       [PAGE_LONG_LINE] = "long_line",
        [PAGE_PAST_END] = "past_end", [PAGE_PAST_LINE] = "past_line"};
    const struct page *page = &found->page;
    const char *word = found->is_short ? "short" : ends[page->end];

    lua_createtable(L, 0, 18);
    set_bytes(L, "text", &page->text);
    bind_set_text(L, "head", page->head, page->head_size);
    bind_set_text(L, "stop", word, strlen(word));
    if (found->is_short)
        bind_set_short_of(L);
    bind_set_integer(L, "first", page->first);
    bind_set_integer(L, "last", page->last);
    set_total(L, page->total);
    bind_set_integer(L, "size", page->size);
    bind_set_integer(L, "invalid", page->invalid);
    bind_set_integer(L, "line_bytes", page->line_bytes);
    bind_set_integer(L, "last_byte", page->last_byte);
    bind_set_boolean(L, "binary", page->binary);
    bind_set_boolean(L, "bom", page->bom);
    bind_set_integer(L, "counted_lines", found->counted_lines);
    bind_set_integer(L, "counted_bytes", found->counted_bytes);
    artifacts_set_change(L, found->change);
}

/* artifacts:page(handle, {first, limit, column, bytes}) -> page */
int artifacts_page(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    struct page_options options = {.budget = &host->budget};
    struct handle_use *use;
    croft_error err;

    (void)artifacts_may_write(L);
    options.first = bind_field_integer(L, 3, "first", 1);
    options.limit = read_count(L, 3, "limit", 0, 0);
    options.column = read_count(L, 3, "column", 1, 1);
    options.bytes = read_count(L, 3, "bytes", host->limits->result_bytes, 64);
    use = artifacts_use(L, "artifact");
    if (artifact_page_read(host->artifacts, use->artifact, &options, &use->page, &err) != CROFT_OK)
        return raise_failure(L, use, &err);
    bind_note_bytes(L, use->page.page.text.size);
    push_page(L, &use->page);
    artifacts_done(use);
    return 1;
}

/* ---- lines that match -------------------------------------------------------------------------- */

static void push_found(lua_State *L, const struct artifact_found *found)
{
    lua_createtable(L, 0, 10);
    set_bytes(L, "text", &found->text);
    bind_set_integer(L, "matches", found->matches);
    bind_set_integer(L, "lines", found->lines);
    bind_set_integer(L, "long_lines", found->long_lines);
    bind_set_boolean(L, "short", found->is_short);
    if (found->is_short)
        bind_set_short_of(L);
    bind_set_boolean(L, "too_expensive", found->too_expensive);
    bind_set_boolean(L, "past_end", found->is_past_end);
    if (found->next != 0)
        bind_set_integer(L, "next", found->next);
    artifacts_set_change(L, found->change);
}

/* artifacts:search(handle, regex, {first, max, bytes}) -> found */
int artifacts_search(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    struct artifact_search search = {.budget = &host->budget};
    struct handle_use *use;
    croft_error err;

    (void)artifacts_may_write(L);
    search.regex = regex_check(L, 3);
    search.first = read_count(L, 4, "first", 1, 1);
    search.match_ceiling = read_count(L, 4, "max", host->limits->grep_matches, 1);
    search.byte_ceiling = read_count(L, 4, "bytes", host->limits->result_bytes, 64);
    use = artifacts_use(L, "artifact");
    if (artifact_search(host->artifacts, use->artifact, &search, &use->found, &err) != CROFT_OK)
        return raise_failure(L, use, &err);
    bind_note_bytes(L, use->found.text.size);
    push_found(L, &use->found);
    artifacts_done(use);
    return 1;
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void push_json(lua_State *L, const struct artifact_json *json)
{
    static const char *const types[] = {
        [JSON_NONE] = "none",    [JSON_NULL] = "null",     [JSON_FALSE] = "boolean",
        [JSON_TRUE] = "boolean", [JSON_NUMBER] = "number", [JSON_STRING] = "string",
        [JSON_ARRAY] = "array",  [JSON_OBJECT] = "object"};

    lua_createtable(L, 0, 12);
    bind_set_text(L, "type", types[json->type], strlen(types[json->type]));
    set_bytes(L, "text", &json->text);
    bind_set_boolean(L, "is_whole", json->is_whole);
    bind_set_integer(L, "size", json->size);
    bind_set_integer(L, "children", json->children);
    bind_set_integer(L, "shown", json->shown);
    bind_set_boolean(L, "missing", json->is_missing);
    bind_set_integer(L, "found", json->found);
    artifacts_set_change(L, json->change);
    if (json->fault == NULL)
        return;
    bind_set_text(L, "fault", json->fault, strlen(json->fault));
    bind_set_integer(L, "fault_at", json->fault_at + 1);
}

/* artifacts:json(handle, pointer, {first, bytes}) -> json */
int artifacts_json(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    struct artifact_json_options options = {.budget = &host->budget};
    struct handle_use *use;
    croft_error err;

    (void)artifacts_may_write(L);
    options.pointer.data = luaL_checklstring(L, 3, &options.pointer.size);
    options.first = read_count(L, 4, "first", 0, 0);
    options.bytes = read_count(L, 4, "bytes", host->limits->result_bytes, 256);
    use = artifacts_use(L, "artifact");
    if (artifact_json_find(host->artifacts, use->artifact, &options, &use->json, &err) != CROFT_OK)
        return raise_failure(L, use, &err);
    bind_note_bytes(L, use->json.text.size);
    push_json(L, &use->json);
    artifacts_done(use);
    return 1;
}

/* ---- headings ---------------------------------------------------------------------------------- */

/* artifacts:outline(handle, {first, bytes}) -> outline */
int artifacts_outline(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    struct artifact_outline_options options = {.budget = &host->budget};
    struct handle_use *use;
    croft_error err;

    (void)artifacts_may_write(L);
    options.first = read_count(L, 3, "first", 1, 1);
    options.bytes = read_count(L, 3, "bytes", host->limits->result_bytes, 256);
    use = artifacts_use(L, "artifact");
    if (artifact_outline_read(host->artifacts, use->artifact, &options, &use->outline, &err) !=
        CROFT_OK)
        return raise_failure(L, use, &err);
    bind_note_bytes(L, use->outline.text.size);
    lua_createtable(L, 0, 6);
    set_bytes(L, "text", &use->outline.text);
    bind_set_integer(L, "headings", use->outline.headings);
    bind_set_integer(L, "lines", use->outline.lines);
    bind_set_boolean(L, "short", use->outline.is_short);
    if (use->outline.next != 0)
        bind_set_integer(L, "next", use->outline.next);
    artifacts_set_change(L, use->outline.change);
    artifacts_done(use);
    return 1;
}
