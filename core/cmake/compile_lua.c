/* SPDX-License-Identifier: MIT */
/*
 * compile_lua FILE CHUNK OUT: compiles a Lua file while croft is built, with the very Lua that is linked into the
 * program. CHUNK is what errors call it. Lines and names of variables are kept.
 */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

static int write_piece(lua_State *L, const void *piece, size_t size, void *out)
{
    (void)L;
    return fwrite(piece, 1, size, out) == size ? 0 : 1;
}

/* Reads the whole of a small file; its size is *size. NULL when that cannot be done. */
static char *read_file(const char *path, size_t *size)
{
    enum { MOST = 1024 * 1024 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST);

    *size = 0;
    if (file != NULL && text != NULL)
        *size = fread(text, 1, MOST, file);
    if (file == NULL || ferror(file) || *size == MOST) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* What is wrong, or NULL. */
static const char *compile(lua_State *L, const char *path, const char *chunk, const char *to)
{
    size_t size;
    char *text = read_file(path, &size);
    FILE *out;
    const char *fault = NULL;

    if (text == NULL)
        return "it cannot be read";
    if (luaL_loadbufferx(L, text, size, chunk, "t") != LUA_OK)
        fault = lua_tostring(L, -1);
    free(text);
    if (fault != NULL)
        return fault;
    out = fopen(to, "wb");
    if (out == NULL)
        return "the output cannot be opened";
    if (lua_dump(L, write_piece, out, 0) != 0)
        fault = "the output cannot be written";
    if (fclose(out) != 0)
        fault = "the output cannot be written";
    return fault;
}

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    const char *fault;

    if (argc != 4 || L == NULL) {
        fputs("usage: compile_lua FILE CHUNK OUT\n", stderr);
        return EXIT_FAILURE;
    }
    fault = compile(L, argv[1], argv[2], argv[3]);
    if (fault != NULL)
        fprintf(stderr, "%s: %s\n", argv[1], fault);
    lua_close(L);
    return fault == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}
