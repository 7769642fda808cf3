/* SPDX-License-Identifier: MIT */
/* Lines edited by libedit (BSD-3-clause). */
#include "front_edit.h"

#include <histedit.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#define EDITOR "croft.editor"

enum { REMEMBERED = 1000 };

struct editor {
    EditLine *edit;
    History *history;
    lua_State *L;
    int complete; /* registry reference */
    const char *prompt;
    bool interrupted;
};

static struct editor *editor_of(EditLine *edit)
{
    void *editor = NULL;

    (void)el_get(edit, EL_CLIENTDATA, &editor);
    return editor;
}

static char *give_prompt(EditLine *edit)
{
    union {
        const char *constant;
        char *pointer;
    } prompt = {.constant = editor_of(edit)->prompt}; /* libedit only reads it */

    return prompt.pointer;
}

static unsigned char interrupt(EditLine *edit, int key)
{
    (void)key;
    editor_of(edit)->interrupted = true;
    (void)fputs("^C\r\n", stdout);
    (void)fflush(stdout);
    return CC_NEWLINE;
}

/* What `complete` returned is at the top: what to insert, and what to show. */
static unsigned char use_completion(EditLine *edit, lua_State *L)
{
    unsigned char result = CC_NORM;
    const char *insert = lua_tostring(L, -2), *show = lua_tostring(L, -1);

    if (show != NULL) {
        (void)fprintf(stdout, "\n%s\n", show);
        (void)fflush(stdout);
        result = CC_REDISPLAY;
    }
    if (insert != NULL && *insert != '\0' && el_insertstr(edit, insert) == 0 && show == NULL)
        result = CC_REFRESH;
    return insert == NULL && show == NULL ? CC_REFRESH_BEEP : result;
}

static unsigned char complete(EditLine *edit, int key)
{
    struct editor *editor = editor_of(edit);
    const LineInfo *line = el_line(edit);
    lua_State *L = editor->L;
    int top = lua_gettop(L);
    unsigned char result = CC_ERROR;

    (void)key;
    if (!lua_checkstack(L, 6))
        return result;
    lua_rawgeti(L, LUA_REGISTRYINDEX, editor->complete);
    lua_pushlstring(L, line->buffer, (size_t)(line->cursor - line->buffer));
    if (lua_pcall(L, 1, 2, 0) == LUA_OK)
        result = use_completion(edit, L);
    lua_settop(L, top);
    return result;
}

static struct editor *check(lua_State *L)
{
    return luaL_checkudata(L, 1, EDITOR);
}

static int editor_read(lua_State *L)
{
    struct editor *editor = check(L);
    const char *line;
    int count = 0;

    editor->prompt = luaL_checkstring(L, 2);
    editor->interrupted = false;
    (void)fflush(stdout);
    el_resize(editor->edit);
    (void)el_set(editor->edit, EL_PREP_TERM,
                 1); /* before the prompt: what is typed then is not echoed twice */
    line = el_gets(editor->edit, &count);
    editor->prompt = "";
    if (editor->interrupted) {
        lua_pushboolean(L, false);
        return 1;
    }
    if (line == NULL || count <= 0)
        return 0;
    if (line[count - 1] == '\n')
        count--;
    lua_pushlstring(L, line, (size_t)count);
    return 1;
}

static int editor_remember(lua_State *L)
{
    HistEvent event;

    (void)history(check(L)->history, &event, H_ENTER, luaL_checkstring(L, 2));
    return 0;
}

static int editor_free(lua_State *L)
{
    struct editor *editor = check(L);

    if (editor->edit != NULL)
        el_end(editor->edit);
    if (editor->history != NULL)
        history_end(editor->history);
    editor->edit = NULL;
    editor->history = NULL;
    return 0;
}

static bool start(struct editor *editor)
{
    HistEvent event;

    editor->history = history_init();
    editor->edit = el_init("croft", stdin, stdout, stderr);
    if (editor->history == NULL || editor->edit == NULL)
        return false;
    (void)history(editor->history, &event, H_SETSIZE, REMEMBERED);
    (void)history(editor->history, &event, H_SETUNIQUE, 1);
    (void)el_set(editor->edit, EL_CLIENTDATA, editor);
    (void)el_set(editor->edit, EL_PROMPT, give_prompt);
    (void)el_set(editor->edit, EL_EDITOR, "emacs");
    (void)el_set(editor->edit, EL_HIST, history, editor->history);
    (void)el_wset(editor->edit, EL_ADDFN, L"croft-complete", L"complete the word", complete);
    (void)el_set(editor->edit, EL_BIND, "\t", "croft-complete", NULL);
    (void)el_wset(editor->edit, EL_ADDFN, L"croft-interrupt", L"give the line up", interrupt);
    (void)el_set(editor->edit, EL_SETTY, "-d", "-isig", NULL); /* Ctrl-C is a key like others */
    (void)el_set(editor->edit, EL_BIND, "^C", "croft-interrupt", NULL);
    (void)el_set(editor->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    return true;
}

int editor_new(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"read", editor_read},
        {"remember", editor_remember},
        {NULL, NULL},
    };
    struct editor *editor;

    luaL_checktype(L, 1, LUA_TFUNCTION);
    editor = lua_newuserdatauv(L, sizeof *editor, 0);
    memset(editor, 0, sizeof *editor);
    editor->L = L;
    editor->prompt = "";
    if (luaL_newmetatable(L, EDITOR)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, editor_free);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    lua_pushvalue(L, 1);
    editor->complete = luaL_ref(L, LUA_REGISTRYINDEX);
    if (!start(editor))
        return luaL_error(L, "the terminal cannot be used");
    return 1;
}
