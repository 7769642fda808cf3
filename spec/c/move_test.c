/* SPDX-License-Identifier: MIT */
/* Moving gives a name another name, both in directories that are held; it never leaves the root, never enters or
 * leaves a read-only tree, and takes nobody's file away. */
#include "move.h"

#include "check.h"
#include "inject.h"
#include "tree_fixture.h"

static const char set_up[] =
    "cd ws && mkdir -p d/e d2 skills real/docs && printf 'one\\n' > f && printf 'x' > d/t && "
    "printf 'two' > g && ln -s f link && ln -s d dir_link && ln -s ../outside out && ln f hard && "
    "ln -s real/docs docs && ln -s real to_real && ln -s skills to_skills && printf s > skills/s "
    "&& "
    "mkfifo p && ln -s nowhere dangling && mkdir -p full/in";

static struct move_info info;
static croft_error err;

static croft_status move(const struct root *root, const char *from, const char *to, bool replace)
{
    struct move_options options = {0};
    struct path a, b;

    memset(&err, 0, sizeof err);
    if (path_parse(from, strlen(from), &a, &err) != CROFT_OK ||
        path_parse(to, strlen(to), &b, &err) != CROFT_OK)
        return err.kind;
    options.replace = replace;
    return move_name(root, &a, &b, &options, &info, &err);
}

static void moves(const struct root *root)
{
    CHECK(move(root, "f", "f2", false) == CROFT_OK && S_ISREG(info.mode) && info.size == 4);
    CHECK(move(root, "f2", "n/m/f3", false) == CROFT_OK && info.made == 2 && !info.replaced);
    CHECK_TEXT(info.first_made, "n");
    CHECK_TEXT(info.moved_to, "n/m/f3");
    CHECK(move(root, "d", "n/d", false) == CROFT_OK && S_ISDIR(info.mode));
    CHECK(move(root, "n/d", "d3/", false) == CROFT_OK); /* a directory may be spelled so */
    CHECK(move(root, "link", "d2/link", false) == CROFT_OK && S_ISLNK(info.mode));
    CHECK(move(root, "dangling", "d2/dangling", false) == CROFT_OK);
    CHECK(move(root, "out", "d2/out", false) == CROFT_OK); /* the link itself, wherever it leads */
    CHECK(move(root, "p", "d2/p", false) == CROFT_OK);
    CHECK(move(root, "g", "n/./m/f3", true) == CROFT_OK && info.replaced && info.old_size == 4);
    CHECK_TEXT(info.moved_to, "n/m/f3");
    CHECK(
        fixture_says("cd ws && test \"$(cat n/m/f3)\" = two && test -f d3/t && test -L d2/link && "
                     "test ! -e f2 && test ! -e n/d && test -L d2/out && test -p d2/p && "
                     "test -f ../outside/secret.txt"));
}

static void refuses(const struct root *root)
{
    CHECK(move(root, "none", "x", false) == CROFT_MISSING && !info.at_target);
    CHECK(move(root, "f", "g", false) == CROFT_ALREADY_EXISTS && info.at_target &&
          info.old_size == 3);
    CHECK_TEXT(err.detail, "file");
    CHECK(move(root, "f", "d", true) == CROFT_ALREADY_EXISTS);
    CHECK_TEXT(err.detail, "directory");
    CHECK(move(root, "d", "f", true) == CROFT_ALREADY_EXISTS);
    CHECK(move(root, "d", "full", true) == CROFT_ALREADY_EXISTS);
    CHECK(move(root, "f", "p", true) == CROFT_ALREADY_EXISTS);
    CHECK_TEXT(err.detail, "fifo");
    CHECK(move(root, "f", "f", true) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "same_file");
    CHECK(move(root, "f", "hard", true) == CROFT_BAD_ARGUMENT); /* rename(2) would do nothing */
    CHECK_TEXT(err.detail, "same_file");
    CHECK(move(root, "d", "d/e/d", false) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "into_itself");
    CHECK(move(root, "d", "dir_link/x/y", false) == CROFT_BAD_ARGUMENT);
    CHECK(move(root, "f", "new/", false) == CROFT_BAD_ARGUMENT && info.at_target);
    CHECK_TEXT(err.detail, "slash");
    CHECK(move(root, "f", "g/x", false) == CROFT_NOT_A_DIRECTORY && info.at_target);
    CHECK(move(root, "f", "out/x", false) == CROFT_OUTSIDE && info.at_target);
    CHECK(move(root, "out/secret.txt", "x", false) == CROFT_OUTSIDE && !info.at_target);
    CHECK(move(root, "f", "../x", false) == CROFT_OUTSIDE);
    CHECK(move(root, ".", "x", false) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "root");
    CHECK(move(root, "f", ".", false) == CROFT_BAD_ARGUMENT && info.at_target);
    CHECK(move(root, "f", ".~croft-f", false) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "reserved");
    CHECK(fixture_says("cd ws && test -f f && test -f g && test ! -e d/x && test ! -e d/e/d && "
                       "test ! -e ../outside/x && test -f ../outside/secret.txt"));
}

static void keeps_read_only_trees(const struct root *root)
{
    static const char *const pairs[][2] = {
        {"f", "skills/f"},     {"f", "to_skills/f"}, {"f", "real/docs/f"},  {"f", "docs/new/f"},
        {"skills/s", "s"},     {"skills", "s2"},     {"real/docs", "mine"}, {"real", "mine"},
        {"to_real/docs", "m"}, {"docs", "docs2"},    {"to_real", "x"},      {"d", "context"},
        {"d", "Templates"},    {"d", "docs."},       {"to_skills/s", "s"},  {"d", "skills/d"},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        CHECK(move(root, pairs[i][0], pairs[i][1], true) == CROFT_READ_ONLY);
        CHECK(err.detail[0] != '\0');
    }
    CHECK(move(root, "f", "to_real", true) == CROFT_READ_ONLY); /* the link would give way */
    CHECK(fixture_says(
        "cd ws && test -f skills/s && test -d real/docs && test -L docs && test -f f && "
        "test ! -e context && test -d d && test -L to_real && test ! -e skills/f && "
        "test -z \"$(ls real/docs)\""));
}

/* ---- races ------------------------------------------------------------------------------------- */

static int act_of_rival;

static void rival(int turn)
{
    static const char *const acts[] = {
        "mv ws/d ws/moved && ln -s ../outside ws/d",   /* where it comes from is a link out */
        "mv ws/d2 ws/moved && ln -s ../outside ws/d2", /* where it goes to is */
        "printf hers > ws/d2/t",                       /* the new name is taken */
        "rm -f ws/d/t && ln -s ../../outside/secret.txt ws/d/t", /* the old one is another's */
        "rm -f ws/d/t",
        "mkdir -p ws/d2/t 2>/dev/null",
    };

    if (turn == 1)
        (void)fixture_says(acts[act_of_rival]);
}

static void holds_against(const struct root *root, int act)
{
    bool ended = false;

    for (unsigned at = 1; !ended && at < 200; at++) {
        croft_status status;

        fixture_run("rm -rf ws/d ws/d2 ws/moved && mkdir -p ws/d ws/d2 && printf mine > ws/d/t");
        act_of_rival = act;
        inject.rival = rival;
        inject_start(INJECT_RIVAL, at, 0);
        status = move(root, "d/t", "d2/t", false);
        ended = !inject.hit;
        inject_start(INJECT_NOTHING, 0, 0);
        CHECK(fixture_says("test \"$(ls outside)\" = secret.txt && "
                           "test \"$(cat outside/secret.txt)\" = TOPSECRET"));
        /* her file is there still unless she came after the move; ours is somewhere unless she removed it */
        if (act == 2 && status != CROFT_OK)
            CHECK(fixture_says("test \"$(cat ws/d2/t)\" = hers && test \"$(cat ws/d/t)\" = mine"));
        if (act < 2)
            CHECK(fixture_says("grep -rqx mine ws"));
    }
    CHECK(ended);
}

static void fails_whole(const struct root *root)
{
    bool ended = false;

    for (unsigned at = 1; !ended && at < 200; at++) {
        croft_status status;

        fixture_run("rm -rf ws/d ws/d2 && mkdir -p ws/d && printf mine > ws/d/t");
        inject_start(INJECT_ERROR, at, EIO);
        status = move(root, "d/t", "d2/t", false);
        ended = !inject.hit;
        inject_start(INJECT_NOTHING, 0, 0);
        CHECK(status == CROFT_OK ? fixture_says("test -e ws/d2/t && test ! -e ws/d/t")
                                 : fixture_says("test -e ws/d/t && test ! -e ws/d2/t"));
    }
    CHECK(ended);
}

/* What the kernel says between two mounts, and behind a wall that knows no moves. */
static void tells_mounts_from_the_wall(const struct root *root)
{
    bool met = false;

    for (unsigned at = 1; at < 200 && !met; at++) {
        croft_status status;

        fixture_run("rm -rf ws/d ws/d2 && mkdir -p ws/d ws/d2 && printf mine > ws/d/t");
        inject_start(INJECT_ERROR, at, EXDEV);
        status = move(root, "d/t", "d2/t", false);
        met = inject.hit && inject.kind == CALL_move;
        inject_start(INJECT_NOTHING, 0, 0);
        if (!met)
            continue;
        CHECK(status == CROFT_UNREADABLE);
        CHECK_TEXT(err.detail, "wall");
        CHECK(err.sys_errno == EXDEV);
    }
    CHECK(met);
}

/* A file system that cannot leave alone what is there: it is looked at right before. */
static void does_without_flags(const struct root *root)
{
    fixture_run(
        "rm -rf ws/d ws/d2 && mkdir -p ws/d/s ws/d2 && printf mine > ws/d/t && printf x > ws/d2/x");
    fake.no_flags = true;
    CHECK(move(root, "d/t", "d2/t", false) == CROFT_OK);
    CHECK(move(root, "d2/t", "d2/x", false) == CROFT_ALREADY_EXISTS);
    CHECK(move(root, "d/s", "d2/s", false) == CROFT_OK);
    fake.no_flags = false;
    CHECK(fixture_says("test -f ws/d2/t && test -d ws/d2/s && test \"$(cat ws/d2/x)\" = x"));
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
    for (int act = 0; act < 6; act++)
        holds_against(root, act);
    fails_whole(root);
    tells_mounts_from_the_wall(root);
    does_without_flags(root);
    root_close(root);
    fixture_sys = &sys_kernel;
    fixture_remove();
}

int main(void)
{
    inject_init();
    for (int i = 0; i < 2; i++) {
        croft_resolver resolver = i == 0 ? CROFT_RESOLVER_AUTO : CROFT_RESOLVER_WALK;

        under(resolver, moves);
        under(resolver, refuses);
        under(resolver, keeps_read_only_trees);
        under_rivals(resolver);
    }
    return check_report("move");
}
