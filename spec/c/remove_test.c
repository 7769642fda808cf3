/* SPDX-License-Identifier: MIT */
/* Removing takes one name out of the directory that is held, never what it leads to; and making directories
 * enters each that it makes. */
#include "remove.h"

#include <sys/stat.h>

#include "check.h"
#include "inject.h"
#include "make_dir.h"
#include "tree_fixture.h"

static const char set_up[] =
    "cd ws && mkdir -p d/e skills real/docs '.~croft-mine' && printf 'one\\n' > f && printf 'x' > "
    "d/t && "
    "ln -s f link && ln -s d dir_link && ln -s ../outside out && ln -s nowhere dangling && "
    "ln -s ../outside/secret.txt secret && ln f hard && mkfifo p && mkdir empty && "
    "ln -s real/docs docs && ln -s real to_real && ln -s skills to_skills && printf s > skills/s "
    "&& "
    "ln -s docs to_docs && mkdir templates && ln -s x x && printf r > ro && chmod 444 ro";

static struct remove_info info;
static struct make_dir_info made;
static croft_error err;

static croft_status take(const struct root *root, const char *text)
{
    struct path path;

    memset(&err, 0, sizeof err);
    if (path_parse(text, strlen(text), &path, &err) != CROFT_OK)
        return err.kind;
    return remove_name(root, &path, &info, &err);
}

static croft_status make(const struct root *root, const char *text)
{
    struct path path;

    memset(&err, 0, sizeof err);
    if (path_parse(text, strlen(text), &path, &err) != CROFT_OK)
        return err.kind;
    return make_dir(root, &path, &made, &err);
}

static void removes_files_links_and_empty_directories(const struct root *root)
{
    CHECK(take(root, "d/t") == CROFT_OK && S_ISREG(info.mode) && info.size == 1);
    CHECK(take(root, "dir_link/e") == CROFT_OK &&
          S_ISDIR(info.mode)); /* a link on the way is followed */
    CHECK(take(root, "d/") == CROFT_OK);
    CHECK(take(root, "link") == CROFT_OK && S_ISLNK(info.mode));
    CHECK(take(root, "out") == CROFT_OK); /* of the link, not of what it leads to */
    CHECK(take(root, "secret") == CROFT_OK);
    CHECK(take(root, "dangling") == CROFT_OK);
    CHECK(take(root, "x") == CROFT_OK); /* leads to itself */
    CHECK(take(root, "p") == CROFT_OK && S_ISFIFO(info.mode));
    CHECK(take(root, "./empty/../hard") == CROFT_OK && info.links == 2);
    CHECK(fixture_says(
        "test -f ws/f && test -f outside/secret.txt && test ! -e ws/d && test ! -L ws/link "
        "&& test ! -L ws/out && test -d ws/empty"));
}

static void refuses(const struct root *root)
{
    CHECK(take(root, ".") == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "root");
    CHECK(take(root, "..") == CROFT_OUTSIDE);
    CHECK(take(root, "out/secret.txt") == CROFT_OUTSIDE);
    CHECK(take(root, "none") == CROFT_MISSING && err.at == 0);
    CHECK(take(root, "none/x") == CROFT_MISSING && err.at == 0);
    CHECK(take(root, "d/none") == CROFT_MISSING && err.at == 1);
    CHECK(take(root, "f/x") == CROFT_NOT_A_DIRECTORY);
    CHECK(take(root, "f/") == CROFT_NOT_A_DIRECTORY);
    CHECK(take(root, "dir_link/") ==
          CROFT_NOT_A_DIRECTORY); /* neither the link nor what it leads to */
    CHECK(take(root, "d") == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "not_empty");
    CHECK(take(root, ".~croft-mine") == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "reserved");
    CHECK(fixture_says("test -d ws/d/e && test -L ws/dir_link && test -d 'ws/.~croft-mine'"));
}

static void keeps_read_only_trees(const struct root *root)
{
    static const char *const kept[] = {
        "skills", "skills/s",  "to_skills/s", "SKILLS",       "templates", "docs/a",
        "docs",   "real/docs", "real",        "to_real/docs", "context",   "skills./s",
    };

    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        CHECK(take(root, kept[i]) == CROFT_READ_ONLY);
        CHECK(err.detail[0] != '\0');
    }
    CHECK(take(root, "to_docs") == CROFT_READ_ONLY); /* a link to what a link stands for */
    CHECK(take(root, "to_real") == CROFT_READ_ONLY); /* `docs` could lead through it */
    CHECK(take(root, "to_skills") == CROFT_OK);      /* a plain link to a plain directory */
    CHECK(fixture_says("test -f ws/skills/s && test -d ws/real/docs && test -L ws/docs && "
                       "test -d ws/templates"));
}

static void asks_for_the_right_to_write(const struct root *root)
{
    if (geteuid() != 0)
        CHECK(take(root, "ro") == CROFT_UNREADABLE);
}

static void makes_directories(const struct root *root)
{
    CHECK(make(root, "a/b/c") == CROFT_OK && made.made == 3);
    CHECK_TEXT(made.first_made, "a");
    CHECK(make(root, "a/b/c/") == CROFT_OK && made.made == 0);
    CHECK(make(root, "dir_link/n/m") == CROFT_OK && made.made == 2);
    CHECK_TEXT(made.first_made, "d/n");
    CHECK(make(root, ".") == CROFT_OK && made.made == 0);
    CHECK(make(root, "f") == CROFT_ALREADY_EXISTS);
    CHECK_TEXT(err.detail, "file");
    CHECK(make(root, "f/x") == CROFT_NOT_A_DIRECTORY);
    CHECK(make(root, "out/x") == CROFT_OUTSIDE);
    CHECK(make(root, "../x") == CROFT_OUTSIDE);
    CHECK(make(root, "docs/x") == CROFT_READ_ONLY);
    CHECK(make(root, "to_docs/x") == CROFT_READ_ONLY);
    CHECK(make(root, "real/docs/x/y") == CROFT_READ_ONLY);
    CHECK(make(root, "context") == CROFT_READ_ONLY);
    CHECK(make(root, ".~croft-x") == CROFT_BAD_ARGUMENT);
    CHECK(make(root, "dangling/x") == CROFT_OK); /* inside, where the link leads */
    CHECK(fixture_says("test -d ws/a/b/c && test -d ws/d/n/m && test -d ws/nowhere/x && "
                       "test ! -e ws/real/docs/x && test ! -e outside/x"));
}

/* ---- races ------------------------------------------------------------------------------------- */

static int step_of_rival; /* which of them acts */

static void rival(int turn)
{
    static const char *const acts[] = {
        "mv ws/d ws/moved && ln -s ../outside ws/d", /* the directory becomes a link out */
        "rm -f ws/d/t && ln -s ../../outside/secret.txt ws/d/t", /* the name does */
        "rm -f ws/d/t && mkdir -p ws/d/t",                       /* and is a directory then */
        "rm -f ws/d/t",
    };

    if (turn == 1)
        (void)fixture_says(acts[step_of_rival]);
}

/* Whatever the moment, nothing outside is touched, and what was not found is not removed. */
static void holds_against(const struct root *root, int act)
{
    bool ended = false;

    for (unsigned at = 1; !ended && at < 100; at++) {
        croft_status status;

        fixture_run("rm -rf ws/d ws/moved && mkdir -p ws/d && printf x > ws/d/t");
        step_of_rival = act;
        inject.rival = rival;
        inject_start(INJECT_RIVAL, at, 0);
        status = take(root, "d/t");
        ended = !inject.hit;
        inject_start(INJECT_NOTHING, 0, 0);
        CHECK(fixture_says("test \"$(cat outside/secret.txt)\" = TOPSECRET"));
        if (status == CROFT_OK)
            CHECK(fixture_says("test ! -f ws/d/t || test -L ws/d/t || test -L ws/d"));
    }
    CHECK(ended);
}

static void each_failure_is_told(const struct root *root)
{
    bool ended = false;

    for (unsigned at = 1; !ended && at < 100; at++) {
        croft_status status;

        fixture_run("rm -rf ws/d && mkdir -p ws/d && printf x > ws/d/t");
        inject_start(INJECT_ERROR, at, EIO);
        status = take(root, "d/t");
        ended = !inject.hit;
        inject_start(INJECT_NOTHING, 0, 0);
        CHECK(status == CROFT_OK ? fixture_says("test ! -e ws/d/t")
                                 : fixture_says("test -e ws/d/t"));
    }
    CHECK(ended);
}

static void under(croft_resolver resolver, void (*check)(const struct root *root))
{
    struct root *root;

    fixture_make(set_up);
    root = fixture_root(resolver);
    check(root);
    root_close(root);
    fixture_remove();
}

static void under_rivals(croft_resolver resolver)
{
    struct root *root;

    fixture_make(set_up);
    fixture_sys = &inject_sys;
    root = fixture_root(resolver);
    for (int act = 0; act < 4; act++)
        holds_against(root, act);
    each_failure_is_told(root);
    root_close(root);
    fixture_sys = &sys_kernel;
    fixture_remove();
}

int main(void)
{
    inject_init();
    for (int i = 0; i < 2; i++) {
        croft_resolver resolver = i == 0 ? CROFT_RESOLVER_AUTO : CROFT_RESOLVER_WALK;

        under(resolver, refuses);
        under(resolver, keeps_read_only_trees);
        under(resolver, asks_for_the_right_to_write);
        under(resolver, makes_directories);
        under(resolver, removes_files_links_and_empty_directories);
        under_rivals(resolver);
    }
    return check_report("remove");
}
