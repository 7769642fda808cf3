/* SPDX-License-Identifier: MIT */
/*
 * A call is trapped at its first allocation, at its second, and so on to the last, in each of the five tools
 * and in one of an author's, where they succeed and where they refuse: nothing is left open, taken or half
 * done, and the next call is right. The memory of Lua is asked for through a function of this test, which
 * breaches the heap's limit where it likes. S0-6
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "check.h"
#include "memory.h"
#include "sandbox_parts.h"
#include "session.h"
#include "tree_fixture.h"

static const char set_up[] =
    "mkdir tools && cd ws && mkdir -p docs sub/deep && echo doc > docs/d && printf "
    "'one\\ntwo\\none more\\n' "
    "> f.txt && printf 'a one\\r\\n' > sub/deep/g.txt && ln -s ../f.txt sub/l && cat > "
    "../tools/busy.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "return tool.define { name = 'busy', description = 'Does a bit of all.', access = 'write',\n"
    "  input = { type = 'object', required = { 'path' }, properties = {\n"
    "    path = { type = 'string', description = 'p' } } },\n"
    "  run = function(args, ctx)\n"
    "    local file, found, seen = ctx.fs:open(args.path), 0, {}\n"
    "    local regex = ctx.regex('(o)ne', { ignore_case = true })\n"
    "    local lines = coroutine.wrap(function()\n"
    "      for line in file:lines() do coroutine.yield(line) end\n"
    "    end)\n"
    "    for line in lines do found = found + (regex:test(line) and 1 or 0) end\n"
    "    for path in ctx.fs:walk('sub') do seen[#seen + 1] = tostring(path) end\n"
    "    seen[#seen + 1] = tostring(pcall(ctx.fs.read, ctx.fs, 'missing', 10))\n"
    "    seen[#seen + 1] = ctx.fs:read('sub/l', 100):gsub('%w+', string.upper)\n"
    "    seen[#seen + 1] = ctx.host.echo({ n = { found } }).n[1]\n"
    "    print('seen', #seen)\n"
    "    ctx.fs:mkdir('made')\n"
    "    ctx.fs:replace('made/w', 'whole')\n"
    "    ctx.fs:rename('made/w', 'made/v')\n"
    "    ctx.fs:remove('made/v')\n"
    "    ctx.fs:remove('made')\n"
    "    ctx.fs:replace('w.txt', 'new\\n')\n"
    "    return { found = found, seen = seen }\n"
    "  end }\n"
    "END";

struct subject {
    const char *tool, *args;
    bool writes; /* w.txt, from OLD to NEW */
};

static const char OLD[] = "old\n", NEW[] = "new\n";

static const struct subject subjects[] = {
    {"list", "{\"recursive\":true}", false},
    {"list", "{\"path\":\"nowhere\"}", false},
    {"read", "{\"path\":\"f.txt\"}", false},
    {"read", "{\"path\":\"../f.txt\"}", false},
    {"grep", "{\"pattern\":\"on[e]\",\"context\":1}", false},
    {"grep", "{\"pattern\":\"(one\"}", false},
    {"write", "{\"path\":\"w.txt\",\"content\":\"new\\n\"}", true},
    {"write", "{\"path\":\"docs/d\",\"content\":\"new\\n\"}", false},
    {"edit", "{\"path\":\"w.txt\",\"old_string\":\"old\",\"new_string\":\"new\"}", true},
    {"edit", "{\"path\":\"f.txt\",\"old_string\":\"tow\",\"new_string\":\"new\"}", false},
    {"busy", "{\"path\":\"f.txt\"}", true},
    {"busy", "{\"path\":\"sub\"}", false},
    {"nothing", "{}", false},
};

static croft_view *view;
static croft_session *session;
static int ws = -1;
static unsigned begun, ended; /* calls that were recorded */

/* ---- the trap ---------------------------------------------------------------------------------- */

static struct {
    struct sandbox *sandbox;
    unsigned at, count; /* allocations of the call so far */
    bool hit;
} trap;

/* Does what heap_allocate() does when the limit is breached. */
static void *allocate(void *user, void *pointer, size_t old_size, size_t size)
{
    struct heap *heap = user;

    if (heap->host->armed && size > (pointer == NULL ? 0 : old_size) && ++trap.count == trap.at) {
        trap.hit = true;
        bind_trap(heap->host, BREACH_MEMORY);
    }
    return heap_allocate(user, pointer, old_size, size);
}

/* The next call is trapped at that allocation; 0: it is not. */
static void set_trap(unsigned at)
{
    struct sandbox *sandbox = session->pool.idle[0];

    trap.at = at;
    trap.count = 0;
    trap.hit = false;
    lua_setallocf(sandbox->L, allocate, &sandbox->heap);
}

/* ---- what must not change ---------------------------------------------------------------------- */

static unsigned count_entries(const char *name)
{
    int fd = openat(ws, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    unsigned count = 0;

    if (directory == NULL)
        return 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static void restore(void)
{
    int fd = openat(ws, "w.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    CHECK(write(fd, OLD, sizeof OLD - 1) == (ssize_t)(sizeof OLD - 1));
    close(fd);
    (void)unlinkat(ws, "made/w", 0);
    (void)unlinkat(ws, "made/v", 0);
    (void)unlinkat(ws, "made", AT_REMOVEDIR);
}

static void read_file(const char *name, char *text, size_t size)
{
    int fd = openat(ws, name, O_RDONLY | O_CLOEXEC);
    ssize_t got = read(fd, text, size - 1);

    text[got < 0 ? 0 : got] = '\0';
    close(fd);
}

/* Whether each file is what it was or what it was to become, and no other is there. */
static bool is_whole(const struct subject *subject, unsigned entries)
{
    char text[64];
    bool made = faccessat(ws, "made", F_OK, 0) == 0;
    bool good = count_entries(".") == entries + made && count_entries("sub") == 4;

    read_file("w.txt", text, sizeof text);
    good &= strcmp(text, OLD) == 0 || (subject->writes && strcmp(text, NEW) == 0);
    if (!made)
        return good;
    if (faccessat(ws, "made/w", F_OK, 0) != 0 && faccessat(ws, "made/v", F_OK, 0) != 0)
        return good && count_entries("made") == 2;
    read_file(faccessat(ws, "made/w", F_OK, 0) == 0 ? "made/w" : "made/v", text, sizeof text);
    return good && count_entries("made") == 3 && strcmp(text, "whole") == 0;
}

static bool is_at_rest(void)
{
    const struct pool *pool = &session->pool;

    return session->turns.taken == NULL && session->running == NULL && begun == ended &&
           pool->made == 1 && pool->idle_count == 1;
}

/* ---- a subject --------------------------------------------------------------------------------- */

struct wanted {
    char *text;
    unsigned descriptors, entries;
};

static void call(const struct subject *subject, croft_result *result)
{
    (void)croft_call(session, subject->tool, subject->args, strlen(subject->args), NULL, result);
}

/* False once the call has fewer allocations than `at`. */
static bool trap_at(const struct subject *subject, unsigned at, const struct wanted *wanted)
{
    croft_result result;
    bool good;

    restore();
    set_trap(at);
    call(subject, &result);
    if (trap.hit) {
        good = result.outcome == CROFT_ENDED && strstr(result.text, "memory") != NULL;
        good &= is_whole(subject, wanted->entries) && is_at_rest();
        good &= count_descriptors() == wanted->descriptors;
        CHECK(good);
        if (!good)
            fprintf(stderr, "    %s %s, allocation %u: %s\n", subject->tool, subject->args, at,
                    result.text);
    } else {
        CHECK_TEXT(result.text, wanted->text);
    }
    croft_result_free(&result);
    return trap.hit;
}

static void is_right(const struct subject *subject, const struct wanted *wanted)
{
    croft_result result;

    restore();
    call(subject, &result);
    CHECK_TEXT(result.text, wanted->text);
    CHECK(is_at_rest());
    croft_result_free(&result);
}

/* The next call is made in a new interpreter. */
static void make_new(const struct subject *subject)
{
    croft_result result;

    set_trap(1);
    call(subject, &result);
    CHECK(trap.hit);
    croft_result_free(&result);
}

/* The interpreter is a new one at first, which loads the tool, and has called it before at the second
 * turn; there a call allocates least. Behind that each seventh place in new ones is enough. */
static void trap_everywhere(const struct subject *subject, const struct wanted *wanted)
{
    unsigned at = 0;

    while (trap_at(subject, ++at, wanted)) {
        is_right(subject, wanted);
        (void)trap_at(subject, at, wanted);
    }
    CHECK(at > 10);
    for (make_new(subject); trap_at(subject, at, wanted); make_new(subject))
        at += 7;
    CHECK(at > 20);
}

static void try(const struct subject *subject)
{
    struct wanted wanted;
    croft_result result;

    restore();
    make_new(subject); /* so that all that follow run in interpreters that are made alike */
    wanted = (struct wanted){NULL, count_descriptors(), count_entries(".")};
    call(subject, &result);
    wanted.text = strdup(result.text);
    croft_result_free(&result);
    trap_everywhere(subject, &wanted);
    free(wanted.text);
}

/* ---- the session ------------------------------------------------------------------------------- */

static bool record(void *user, const croft_record *entry)
{
    (void)user;
    begun += strcmp(entry->operation, "call") == 0;
    ended += strcmp(entry->operation, "end") == 0;
    return true;
}

static void echo(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    croft_reply_json(reply, json, size);
}

static void open_session(void)
{
    static const char *const names[] = {"docs"};
    static const croft_function functions[] = {{.name = "echo", .callback = echo}};
    char root[128], tools[128];
    const char *dirs[] = {tools};
    croft_view_options view_options;
    croft_session_options options;
    croft_error err = {0};

    snprintf(root, sizeof root, "%s/ws", fixture_base);
    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_view_options_init(&view_options);
    view_options.no_fsync = true;
    view_options.read_only_names = names;
    view_options.read_only_count = 1;
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.functions = functions;
    options.function_count = 1;
    options.audit = record;
    ws = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (ws < 0 || croft_view_open(root, &view_options, &view, &err) != CROFT_OK ||
        croft_session_open(view, &options, &session, &err) != CROFT_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

int main(void)
{
    fixture_disk = "/dev/shm";
    fixture_make(set_up);
    open_session();
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        try(&subjects[i]);
    croft_session_close(session);
    croft_view_close(view);
    close(ws);
    fixture_remove();
    return check_report("trap");
}
