/* SPDX-License-Identifier: MIT */
/*
 * One instruction of Lua that would take minutes is ended by the time limit and by croft_cancel, wherever it
 * stands; and wherever a call is when the signal comes, again and again, nothing is left open, taken or broken.
 * CROFT_STORMS: how many calls are (default 20); CROFT_SEED: of when. S0-6
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "bind/overrun.h"
#include "check.h"
#include "memory.h"
#include "sandbox_parts.h"
#include "session.h"
#include "tree_fixture.h"

/* `full` gives a table whose keys fill it, and all collide once it grows; a key that makes it. */
static const char set_up[] =
    "mkdir tools ws/d && seq 5000 > ws/f && cat > tools/long.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "local function full(bits)\n"
    "  local t, apart, count = {}, (2 << bits) - 1, 1 << bits\n"
    "  for i = 1, count do t[i * apart] = i end\n"
    "  return t, (count + 1) * apart\n"
    "end\n"
    "local function grow(bits)\n"
    "  local t, key = full(bits)\n"
    "  t[key] = 1\n"
    "  return t\n"
    "end\n"
    "local way, MOST = {}, 18\n"
    "function way.instruction() grow(MOST) end\n"
    "function way.pcall() pcall(grow, MOST) end\n"
    "function way.callback() ('x'):gsub('x', function() grow(MOST) end) end\n"
    "function way.comparator() table.sort({ 2, 1 }, function() grow(MOST) end) end\n"
    "function way.coroutine() coroutine.wrap(grow)(MOST) end\n"
    "function way.metamethod()\n"
    "  tostring(setmetatable({}, { __tostring = function() grow(MOST) return '' end }))\n"
    "end\n"
    "function way.move()\n"
    "  local t, key = full(MOST)\n"
    "  table.move({ 1 }, 1, 1, key, t)\n"
    "end\n"
    "function way.called()\n"
    "  local meta = {}\n"
    "  meta.__call = setmetatable({}, meta)\n"
    "  meta.__call()\n"
    "end\n"
    "function way.load()\n"
    "  local t = {}\n"
    "  for i = 1, 23000 do t[i] = i * 32767 end\n"
    "  local text = 'return {' .. table.concat(t, ',') .. '}'\n"
    "  while true do load(text) end\n"
    "end\n"
    "local big = ('b'):rep(140000)\n"
    "local function lines(ctx)\n"
    "  for line in ctx.fs:open('f'):lines() do\n"
    "    if #line > 3 then coroutine.yield(big .. line) end\n"
    "  end\n"
    "end\n"
    "local function round(ctx, regex, shown)\n"
    "  local text = ctx.fs:read('f', 65536)\n"
    "  coroutine.wrap(lines)(ctx)\n"
    "  pcall(function() return {} .. (big .. 'x') end)\n"
    "  pcall(coroutine.wrap(function() return {} .. (big .. 'x') end))\n"
    "  local x = big .. 'x'\n"
    "  x = x:rep(2)\n"
    "  text:gsub('999', function(found)\n"
    "    local x = big .. found\n"
    "    return regex:test(text) and 'y'\n"
    "  end)\n"
    "  text = ('%s%s%s'):format(shown, shown, shown)\n"
    "  for path in ctx.fs:walk('.') do\n"
    "    local x = big .. tostring(path)\n"
    "    ctx.fs:read('f', 65536)\n"
    "  end\n"
    "  table.sort({ 3, 1, 2 }, function(a, b) return #(big .. a) < #(big .. b) + a - b end)\n"
    "  for _ = 1, 20 do ctx.fs:open('f') end\n"
    "  x = big .. 'x'\n"
    "  for _ = 1, 3000 do x = {} end\n"
    "  ctx.host.echo({ x = big .. 'x' })\n"
    "  ctx.fs:replace('d/w', text)\n"
    "  load('return ' .. ('{1},'):rep(20000))\n"
    "end\n"
    "function way.rounds(ctx, count)\n"
    "  local regex, long = ctx.regex('[0-9]+(?=9)'), ('z'):rep(3000)\n"
    "  local shown = setmetatable({}, { __tostring = function()\n"
    "    local x = big .. 'x'\n"
    "    return long\n"
    "  end })\n"
    "  for _ = 1, count or 2 do round(ctx, regex, shown) end\n"
    "end\n"
    "function way.storm(ctx) way.rounds(ctx, math.maxinteger) end\n"
    "return tool.define { name = 'long', description = 'Takes long.', access = 'write',\n"
    "  input = { type = 'object', properties = { way = { type = 'string', description = 'w' } } "
    "},\n"
    "  run = function(args, ctx)\n"
    "    ctx.host.echo({})\n"
    "    way[args.way](ctx)\n"
    "    return 'done'\n"
    "  end }\n"
    "END";

static const char *const ways[] = {"instruction", "pcall", "callback", "comparator", "coroutine",
                                   "metamethod",  "move",  "called",   "load"};

enum { WAYS = sizeof ways / sizeof ways[0], SIGNAL_OFFSET = 3, WORK_NS = 2 * 1000 * 1000 };

static croft_view *view;
static croft_session *hasty, *patient;
static atomic_uint begun; /* calls that run the tool's own code */
static struct bind_host *looked_at;
static atomic_uint seen; /* times that memory was asked for where a call may be left */

/* ---- what may be left -------------------------------------------------------------------------- */

/* Where the signal may leave a call nothing runs but Lua: seen wherever that asks for memory. */
static void *allocate(void *user, void *pointer, size_t old_size, size_t size)
{
    struct heap *heap = user;

    looked_at = heap->host;
    if (size > (pointer == NULL ? 0 : old_size) && overrun_is_watched(heap->host)) {
        bool good = overrun_holds_nothing(heap->host->running);

        seen += good;
        CHECK(good);
    }
    return heap_allocate(user, pointer, old_size, size);
}

int close(int fd) /* in place of the system's */
{
    CHECK(looked_at == NULL || !overrun_is_watched(looked_at));
    return (int)syscall(SYS_close, fd);
}

static void look_at(croft_session *session)
{
    struct sandbox *sandbox = session->pool.idle[0];

    lua_setallocf(sandbox->L, allocate, &sandbox->heap);
}

/* ---- calls ------------------------------------------------------------------------------------- */

static void echo(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    begun++;
    croft_reply_json(reply, json, size);
}

static void call(croft_session *session, const char *way, uint64_t id, const char *code,
                 const char *piece)
{
    croft_call_options options;
    croft_result result;
    char args[64];

    croft_call_options_init(&options);
    options.call_id = id;
    snprintf(args, sizeof args, "{\"way\":\"%s\"}", way);
    (void)croft_call(session, "long", args, strlen(args), &options, &result);
    CHECK_TEXT(result.code, code);
    CHECK(result.text != NULL && strstr(result.text, piece) != NULL);
    croft_result_free(&result);
}

static void reads(croft_session *session)
{
    static const char args[] = "{\"path\":\"f\",\"limit\":1}";
    croft_result result;

    CHECK(croft_call(session, "read", args, sizeof args - 1, NULL, &result) == CROFT_OK);
    CHECK(strncmp(result.text, "1|1\n", 4) == 0);
    croft_result_free(&result);
}

static void ends_by_the_time_limit(void)
{
    for (int i = 0; i < WAYS; i++)
        call(hasty, ways[i], 0, "stopped", "its time limit");
    reads(hasty);
}

/* ---- another thread ---------------------------------------------------------------------------- */

struct rival {
    pthread_t thread, victim;
    uint64_t id;
    unsigned before;  /* calls that had begun */
    uint64_t work;    /* ns of processor time that the victim has then */
    unsigned signals; /* that it sends, for the timer; with more the victim would do nothing else */
    atomic_bool over;
};

static uint64_t time_worked(pthread_t thread)
{
    struct timespec now;
    clockid_t clock;

    if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &now) != 0)
        abort();
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *cancel_it(void *user)
{
    struct rival *rival = user;
    uint64_t from;

    while (begun == rival->before && !rival->over)
        sched_yield();
    from = time_worked(rival->victim);
    while (time_worked(rival->victim) < from + rival->work && !rival->over)
        sched_yield();
    (void)croft_cancel(patient, rival->id);
    for (unsigned i = 0; i < rival->signals && !rival->over; i++) {
        (void)pthread_kill(rival->victim, SIGRTMIN + SIGNAL_OFFSET);
        sched_yield();
    }
    return NULL;
}

static void call_cancelled(const char *way, uint64_t work, unsigned signals)
{
    static uint64_t id;
    struct rival rival = {
        .victim = pthread_self(), .id = ++id, .before = begun, .work = work, .signals = signals};

    if (pthread_create(&rival.thread, NULL, cancel_it, &rival) != 0)
        abort();
    call(patient, way, rival.id, "cancelled", "");
    rival.over = true;
    pthread_join(rival.thread, NULL);
}

static void ends_when_it_is_cancelled(void)
{
    for (int i = 0; i < WAYS; i++)
        call_cancelled(ways[i], WORK_NS, 0);
    reads(patient);
}

static unsigned draw(unsigned below)
{
    static uint64_t random;

    if (random == 0)
        random = getenv("CROFT_SEED") == NULL ? 1 : strtoull(getenv("CROFT_SEED"), NULL, 10);
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random >> 33) % below;
}

/* What the storms go through, in peace and to its end. */
static void is_watched_where_nothing_is_held(void)
{
    look_at(patient);
    call(patient, "rounds", 0, "", "done");
    CHECK(seen > 0);
}

static void ends_anywhere(long rounds)
{
    enum { WARM = 10, SIGNALS = 300 };
    size_t used = 0;
    unsigned open_before = 0;

    for (long i = 0; i < rounds; i++) {
        if (i == WARM) {
            used = memory_used();
            open_before = count_descriptors();
        }
        look_at(patient);
        call_cancelled("storm", draw(WORK_NS), SIGNALS);
        reads(patient);
    }
    CHECK(memory_used() < used + MEMORY_SLACK);
    CHECK(count_descriptors() == open_before);
    CHECK(fixture_says("test -z \"$(find ws -name '.croft*')\""));
}

/* ---- sessions ---------------------------------------------------------------------------------- */

static croft_session *open_session(uint64_t milliseconds)
{
    const croft_limit limits[] = {
        {"steps", UINT64_MAX / 4}, {"heap", 64 << 20}, {"time", milliseconds}};
    static const croft_function functions[] = {{.name = "echo", .callback = echo}};
    char tools[128];
    const char *dirs[] = {tools};
    croft_session_options options;
    croft_session *session;
    croft_error err;

    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.limits = limits;
    options.limit_count = sizeof limits / sizeof limits[0];
    options.functions = functions;
    options.function_count = 1;
    if (croft_session_open(view, &options, &session, &err) == CROFT_OK)
        return session;
    fprintf(stderr, "%s\n", err.message);
    abort();
}

static void open_all(void)
{
    char root[128];
    croft_error err;

    snprintf(root, sizeof root, "%s/ws", fixture_base);
    if (croft_view_open(root, NULL, &view, &err) != CROFT_OK)
        abort();
    hasty = open_session(300);
    patient = open_session(600000);
}

static void handle(int number)
{
    (void)number;
}

static void handle_more(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
}

static void takes_only_a_free_signal(void)
{
    const struct sigaction more = {.sa_sigaction = handle_more, .sa_flags = SA_SIGINFO};
    croft_error err;

    CHECK(croft_lend_signal(-1, &err) == CROFT_BAD_ARGUMENT);
    CHECK(croft_lend_signal(SIGKILL, &err) == CROFT_BAD_ARGUMENT);
    (void)signal(SIGUSR1, handle);
    CHECK(croft_lend_signal(SIGUSR1, &err) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.message, "something handles this signal already");
    (void)sigaction(SIGUSR2, &more, NULL);
    CHECK(croft_lend_signal(SIGUSR2, &err) == CROFT_BAD_ARGUMENT);
    CHECK(croft_lend_signal(SIGRTMIN + SIGNAL_OFFSET, &err) == CROFT_OK);
    CHECK(croft_lend_signal(SIGRTMIN + SIGNAL_OFFSET, &err) == CROFT_OK);
}

int main(void)
{
    const char *wanted = getenv("CROFT_STORMS");

    fixture_make(set_up);
    takes_only_a_free_signal();
    open_all();
    ends_by_the_time_limit();
    ends_when_it_is_cancelled();
    is_watched_where_nothing_is_held();
    ends_anywhere(wanted == NULL ? 20 : strtol(wanted, NULL, 10));
    croft_session_close(hasty);
    croft_session_close(patient);
    croft_view_close(view);
    fixture_remove();
    return check_report("overrun");
}
