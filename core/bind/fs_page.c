/* SPDX-License-Identifier: MIT */
#include "page_store.h"

#include <string.h>

#include "bind/fs.h"
#include "file.h"

struct paging {
    const struct sys *sys;
    int fd;
    struct page page;
};

static void close_paging(void *payload)
{
    struct paging *paging = payload;

    if (paging->sys != NULL && paging->fd >= 0)
        paging->sys->close(paging->fd);
    page_free(&paging->page);
}

static const char *end_word(enum page_end end)
{
    switch (end) {
    case PAGE_FILE_END: return "end";
    case PAGE_LIMIT: return "limit";
    case PAGE_BYTES: return "bytes";
    case PAGE_LONG_LINE: return "long_line";
    case PAGE_PAST_END: return "past_end";
    default: return "past_line";
    }
}

/* `changed`: since a page of it was shown before. */
static void push_page(lua_State *L, const struct page *page, bool changed)
{
    const char *word = end_word(page->end);

    lua_createtable(L, 0, 20);
    lua_pushlstring(L, page->text.size == 0 ? "" : page->text.data, page->text.size);
    bind_keep_valid(L);
    lua_setfield(L, -2, "text");
    bind_set_text(L, "head", page->head, page->head_size);
    bind_set_text(L, "stop", word, strlen(word));
    bind_set_integer(L, "first", page->first);
    bind_set_integer(L, "last", page->last);
    bind_set_integer(L, "total", page->total);
    bind_set_integer(L, "size", page->size);
    bind_set_integer(L, "crlf", page->crlf);
    bind_set_integer(L, "lf", page->lf);
    bind_set_integer(L, "invalid", page->invalid);
    bind_set_integer(L, "line_bytes", page->line_bytes);
    bind_set_integer(L, "last_byte", page->last_byte);
    bind_set_boolean(L, "bom", page->bom);
    bind_set_boolean(L, "final_newline", page->final_newline);
    bind_set_boolean(L, "binary", page->binary);
    bind_set_boolean(L, "unsettled", page->unsettled);
    bind_set_boolean(L, "changed", changed);
}

static struct page_options read_options(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    lua_Integer limit = bind_field_integer(L, 3, "limit", 0);
    lua_Integer column = bind_field_integer(L, 3, "column", 1);
    lua_Integer bytes = bind_field_integer(L, 3, "bytes", (lua_Integer)host->limits->result_bytes);

    luaL_argcheck(L, limit >= 0 && column >= 1 && bytes >= 64, 3, "a field is out of range");
    return (struct page_options){.first = bind_field_integer(L, 3, "first", 1),
                                 .limit = (uint64_t)limit,
                                 .column = (uint64_t)column,
                                 .bytes = (uint64_t)bytes,
                                 .store = host->pages,
                                 .budget = &host->budget};
}

/* fs:page(path, {first, limit, column, bytes}) -> page */
int fs_page(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 3, "read");
    struct page_options options = read_options(L);
    struct paging *paging = bind_own(L, sizeof *paging, close_paging);
    int box = lua_gettop(L);
    struct node node;
    croft_error err;
    croft_status status;
    bool changed = false;

    bind_tick(L, 100);
    paging->fd = -1;
    paging->sys = route->root->sys;
    options.node = &node;
    status = file_open(route->root, route->path, &paging->fd, &node, &err);
    status = fs_of_file(route, status, &err);
    if (status == CROFT_OK)
        status = path_blame_last(
            route->path, page_read(paging->sys, paging->fd, &options, &paging->page, &err), &err);
    if (status == CROFT_OK && options.store != NULL)
        changed = page_store_note(options.store, route->spelled->text, &node);
    if (paging->fd >= 0)
        fs_note_opened(L, route, &node);
    bind_tick(L, 0); /* a breach inside ends the call here */
    if (status != CROFT_OK)
        return fs_raise(L, route, &err, "read", 2);
    bind_note_bytes(L, paging->page.text.size);
    push_page(L, &paging->page, changed);
    bind_release(L, box);
    return 1;
}
