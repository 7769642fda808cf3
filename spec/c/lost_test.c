/* SPDX-License-Identifier: MIT */
/* The directory that a change is made in, or the root itself, is removed before each of its calls: nothing that
 * was there when the path was resolved is said not to exist. S0-33 S0-71 */
#include <fcntl.h>
#include <ftw.h>

#include "check.h"
#include "inject.h"
#include "make_dir.h"
#include "move.h"
#include "remove.h"
#include "replace.h"
#include "tree_fixture.h"

static const struct root *root;
static croft_error err;
static bool is_root; /* what is removed */

/* ---- the tree: not by a shell, as it is made anew some hundred times ----------------------------- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void remove_tree(const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", fixture_base, name);
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void make_tree(void)
{
    /* one with a "/" at its end is a file's */
    static const char *const names[] = {"ws", "ws/d", "ws/d/e", "ws/f", "ws/d/t/", "ws/f/g/"};
    int base = open(fixture_base, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
    char name[16];

    remove_tree("ws");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t size = strlen(names[i]);

        if (names[i][size - 1] != '/' && mkdirat(base, names[i], 0777) != 0)
            abort();
        if (names[i][size - 1] != '/')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)size - 1, names[i]);
        fd = openat(base, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
        if (write(fd, "old", 3) != 3 || close(fd) != 0)
            abort();
    }
    close(base);
}

static void rival(int turn)
{
    (void)turn;
    remove_tree(is_root ? "ws" : "ws/d");
}

/* ---- the acts ------------------------------------------------------------------------------------ */

static void parse(const char *text, struct path *path)
{
    if (path_parse(text, strlen(text), path, NULL) != CROFT_OK)
        abort();
}

static croft_status put(const char *text, enum replace_mode mode)
{
    struct replace_options options = {.mode = mode, .limit = 100, .compare_limit = 100};
    struct replace_info info;
    struct path path;

    parse(text, &path);
    return replace_file(root, &path, "new", 3, &options, &info, &err);
}

static croft_status overwrite(void)
{
    return put("d/t", REPLACE_OVERWRITE);
}

static croft_status append(void)
{
    return put("d/t", REPLACE_APPEND);
}

static croft_status create(void)
{
    return put("d/new", REPLACE_CREATE);
}

static croft_status create_deep(void)
{
    return put("d/e/x/y/new", REPLACE_CREATE);
}

static croft_status create_at_top(void)
{
    return put("new", REPLACE_CREATE);
}

static croft_status make(void)
{
    struct make_dir_info info;
    struct path path;

    parse("d/x/y", &path);
    return make_dir(root, &path, &info, &err);
}

static croft_status move(const char *from, const char *to)
{
    struct move_options options = {.replace = true};
    struct move_info info;
    struct path a, b;

    parse(from, &a);
    parse(to, &b);
    return move_name(root, &a, &b, &options, &info, &err);
}

static croft_status move_in(void)
{
    return move("f/g", "d/x/g");
}

static croft_status move_out(void)
{
    return move("d/t", "f/t");
}

static croft_status take(void)
{
    struct remove_info info;
    struct path path;

    parse("d/t", &path);
    return remove_name(root, &path, &info, &err);
}

/* ---- what is said -------------------------------------------------------------------------------- */

static const struct act {
    const char *name;
    croft_status (*run)(void);
    bool needs_it; /* it does not exist when it is removed before it was looked for */
} acts[] = {
    {"overwrite", overwrite, false},
    {"append", append, false},
    {"create", create, false},
    {"create deep", create_deep, false},
    {"create at the top", create_at_top, false},
    {"mkdir", make, false},
    {"move in", move_in, false},
    {"move out", move_out, true},
    {"remove", take, true},
};

static bool is_true(const struct act *act, croft_status status, bool was_found)
{
    if (status == CROFT_OK)
        return true;
    if (is_root)
        return status == CROFT_GONE;
    if (status == CROFT_MISSING)
        return act->needs_it && !was_found;
    return status == CROFT_CHANGED &&
           (err.sys_errno != ENOENT || err.detail[0] != '\0' ||
            strstr(err.message, "removed") != NULL || strstr(err.message, "replaced") != NULL);
}

static void judge(const struct act *act, croft_resolver resolver, unsigned *told)
{
    bool met = true, was_found = false;

    for (unsigned at = 1; met && at < 200; at++) {
        struct root *opened;
        croft_status status;
        bool is_good;

        make_tree();
        root = opened = fixture_root(resolver);
        memset(&err, 0, sizeof err);
        inject_start(INJECT_RIVAL, at, 0);
        status = act->run();
        met = inject.hit;
        inject_start(INJECT_NOTHING, 0, 0);
        was_found |= status == CROFT_OK || status == CROFT_CHANGED;
        is_good = is_true(act, status, was_found);
        CHECK(is_good);
        if (!is_good)
            fprintf(stderr, "    %s, call %u: %s, %s\n", act->name, at, croft_status_word(status),
                    err.message);
        *told += status == (is_root ? CROFT_GONE : CROFT_CHANGED);
        CHECK(status == CROFT_OK || met);
        root_close(opened);
    }
    CHECK(!met);
}

static void judge_all(croft_resolver resolver)
{
    unsigned told = 0;

    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        judge(&acts[i], resolver, &told);
    CHECK(told > 10);
}

/* What was gone already. */
static void knows_a_root_that_is_gone(croft_resolver resolver)
{
    struct root *opened;

    make_tree();
    root = opened = fixture_root(resolver);
    remove_tree("ws");
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        CHECK(acts[i].run() == CROFT_GONE);
    root_close(opened);
}

int main(void)
{
    inject_init();
    fixture_disk = "/dev/shm";
    fixture_make("true");
    fixture_sys = &inject_sys;
    inject.rival = rival;
    for (int i = 0; i < 2; i++) {
        is_root = i == 1;
        judge_all(CROFT_RESOLVER_AUTO);
        judge_all(CROFT_RESOLVER_WALK);
    }
    knows_a_root_that_is_gone(CROFT_RESOLVER_AUTO);
    knows_a_root_that_is_gone(CROFT_RESOLVER_WALK);
    fixture_remove();
    return check_report("lost");
}
