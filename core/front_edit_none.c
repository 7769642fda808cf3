/* SPDX-License-Identifier: MIT */
/* Lines as the terminal gives them. */
#include "front_edit.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <lauxlib.h>

#define EDITOR "croft.editor"

/* Forgets what came before anybody waited. */
static void drain(int descriptor)
{
    uint64_t count;
    ssize_t size = read(descriptor, &count, sizeof count);

    (void)size;
}

static int read_line(lua_State *L)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t size = getline(&line, &room, stdin);

    if (size > 0)
        lua_pushlstring(L, line, (size_t)size - (line[size - 1] == '\n'));
    free(line);
    return size > 0;
}

static int editor_read(lua_State *L)
{
    int interrupts = (int)luaL_checkinteger(L, 3);
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = interrupts, .events = POLLIN}};

    luaL_checkudata(L, 1, EDITOR);
    drain(interrupts);
    (void)fputs(luaL_checkstring(L, 2), stdout);
    (void)fflush(stdout);
    while (poll(fds, 2, -1) < 0)
        ;
    if (fds[1].revents == 0)
        return read_line(L);
    (void)fputc('\n', stdout);
    lua_pushboolean(L, 0);
    return 1;
}

static int editor_remember(lua_State *L)
{
    (void)L;
    return 0;
}

int editor_new(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"read", editor_read},
        {"remember", editor_remember},
        {NULL, NULL},
    };

    lua_newuserdatauv(L, 1, 0);
    if (luaL_newmetatable(L, EDITOR)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
    return 1;
}
