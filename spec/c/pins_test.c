/* SPDX-License-Identifier: MIT */
/* What a read-only name leads to is looked at again for each write: a link of that name may be another by now,
 * or be there since a moment. S0-43 S0-44 S0-45 */
#include "pins.h"

#include "check.h"
#include "inject.h"
#include "make_dir.h"
#include "move.h"
#include "remove.h"
#include "replace.h"
#include "tree_fixture.h"

/* `docs` is a link from the start on, `skills` a directory, `templates` and `context` are not there. */
static const char set_up[] =
    "cd ws && mkdir -p old/in real/in other/deep skills free && ln -s old docs && echo o > old/f "
    "&& "
    "echo r > real/f && echo d > other/deep/f && echo f > free/f && echo n > note.md && "
    "ln -s real to_real && ln -s . self";

static const struct root *root;
static croft_error err;

/* ---- the acts ------------------------------------------------------------------------------------ */

static void parse(const char *text, struct path *path)
{
    if (path_parse(text, strlen(text), path, NULL) != CROFT_OK)
        abort();
    memset(&err, 0, sizeof err);
}

static croft_status put(const char *text)
{
    struct replace_options options = {.limit = 100, .compare_limit = 100};
    struct replace_info info;
    struct path path;

    parse(text, &path);
    return replace_file(root, &path, "new", 3, &options, &info, &err);
}

static croft_status make(const char *text)
{
    struct make_dir_info info;
    struct path path;

    parse(text, &path);
    return make_dir(root, &path, &info, &err);
}

static croft_status take(const char *text)
{
    struct remove_info info;
    struct path path;

    parse(text, &path);
    return remove_name(root, &path, &info, &err);
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

/* ---- what is refused ----------------------------------------------------------------------------- */

static bool is_refused(croft_status status, const char *name, enum protected_by by)
{
    if (status == CROFT_READ_ONLY && strcmp(err.detail, name) == 0 && err.at == (unsigned)by)
        return true;
    fprintf(stderr, "    %s, \"%s\", %u\n", croft_status_word(status), err.detail, err.at);
    return false;
}

/* All that would change the directory `real`, or what is in it. */
static void keeps_real(const char *name)
{
    CHECK(is_refused(put("real/f"), name, PROTECTED_NOW));
    CHECK(is_refused(put("real/new"), name, PROTECTED_NOW));
    CHECK(is_refused(put("real/n/e/w"), name, PROTECTED_NOW));
    CHECK(is_refused(put("to_real/f"), name, PROTECTED_BY_LINK));
    CHECK(is_refused(put("self/real/f"), name, PROTECTED_BY_LINK));
    CHECK(is_refused(make("real/new"), name, PROTECTED_NOW));
    CHECK(is_refused(take("real/f"), name, PROTECTED_NOW));
    CHECK(is_refused(take("real/in"), name, PROTECTED_NOW));
    CHECK(is_refused(take("to_real"), name, PROTECTED_WAY));
    CHECK(is_refused(move("real/f", "free/g"), name, PROTECTED_NOW));
    CHECK(is_refused(move("free/f", "real/f"), name, PROTECTED_NOW));
    CHECK(is_refused(move("free/f", "real/new"), name, PROTECTED_NOW));
    CHECK(is_refused(move("real", "mine"), name, PROTECTED_NOW));
    CHECK(is_refused(move("free/f", "to_real"), name, PROTECTED_WAY));
    CHECK(fixture_says("cd ws && test \"$(cat real/f free/f)\" = 'r\nf' && test \"$(ls real)\" = "
                       "'f\nin'"));
}

static void lets_the_rest_be_written(void)
{
    CHECK(put("free/x") == CROFT_OK && take("free/x") == CROFT_OK);
    CHECK(make("free/d") == CROFT_OK && take("free/d") == CROFT_OK);
    CHECK(move("free/f", "free/g") == CROFT_OK && move("free/g", "free/f") == CROFT_OK);
}

static void sees_a_link_that_was_changed(void)
{
    CHECK(put("real/x") == CROFT_OK && take("real/x") == CROFT_OK);
    CHECK(is_refused(put("old/x"), "docs", PROTECTED_NOW));
    fixture_run("ln -sfn real ws/docs");
    keeps_real("docs");
    CHECK(is_refused(put("old/x"), "docs", PROTECTED_AT_START));
    CHECK(is_refused(move("old/in", "free/in"), "docs", PROTECTED_AT_START));
    lets_the_rest_be_written();
    fixture_run("ln -sfn old ws/docs");
    CHECK(put("real/x") == CROFT_OK && take("real/x") == CROFT_OK);
}

static void sees_a_link_that_was_not_there(void)
{
    fixture_run("ln -s to_real ws/context");
    keeps_real("context");
    lets_the_rest_be_written();
    fixture_run("rm ws/context && mkdir ws/context");
    CHECK(put("real/x") == CROFT_OK && take("real/x") == CROFT_OK);
    fixture_run("rmdir ws/context");
}

static void sees_a_link_in_place_of_a_directory(void)
{
    fixture_run("mv ws/skills ws/moved && ln -s self/real/ ws/skills");
    CHECK(is_refused(put("real/f"), "skills", PROTECTED_NOW));
    CHECK(is_refused(put("moved/x"), "skills", PROTECTED_AT_START));
    CHECK(is_refused(take("self"), "docs", PROTECTED_WAY));
    fixture_run("rm ws/skills && mv ws/moved ws/skills");
}

static void sees_what_lies_deeper(void)
{
    fixture_run("ln -s self/other/deep ws/context");
    CHECK(is_refused(put("other/deep/f"), "context", PROTECTED_NOW));
    CHECK(is_refused(move("other", "mine"), "context", PROTECTED_WAY));
    CHECK(is_refused(take("other/deep/f"), "context", PROTECTED_NOW));
    CHECK(put("other/x") == CROFT_OK && take("other/x") == CROFT_OK);
    fixture_run("rm ws/context && ln -s . ws/context");
    CHECK(is_refused(put("note.md"), "context", PROTECTED_NOW));
    CHECK(is_refused(put("free/x"), "context", PROTECTED_NOW));
    fixture_run("rm ws/context");
}

/* The name of a file, or of what is not there yet. */
static void sees_what_is_no_directory(void)
{
    fixture_run("ln -s note.md ws/context");
    CHECK(is_refused(put("note.md"), "context", PROTECTED_NOW));
    CHECK(is_refused(take("note.md"), "context", PROTECTED_NOW));
    CHECK(is_refused(move("note.md", "free/n"), "context", PROTECTED_NOW));
    CHECK(is_refused(move("free/f", "note.md"), "context", PROTECTED_NOW));
    CHECK(put("note.md2") == CROFT_OK && take("note.md2") == CROFT_OK);
    fixture_run("ln -sfn free/no/where ws/context");
    CHECK(is_refused(put("free/no/where"), "context", PROTECTED_NOW));
    CHECK(is_refused(put("free/no/where/x"), "context", PROTECTED_NOW));
    CHECK(is_refused(make("free/no/where"), "context", PROTECTED_NOW));
    CHECK(is_refused(make("free/no/where/x/y"), "context", PROTECTED_NOW));
    CHECK(is_refused(move("real", "free/no/where"), "context", PROTECTED_NOW));
    CHECK(is_refused(move("other", "free/no"), "context", PROTECTED_WAY));
    CHECK(put("free/no/wherever") == CROFT_OK);
    CHECK(take("free/no/wherever") == CROFT_OK && take("free/no") == CROFT_OK);
    fixture_run("rm ws/context");
}

/* A link that leads nowhere that a write could get to keeps nobody from writing. */
static void minds_no_link_that_leads_nowhere(void)
{
    static const char *const links[] = {"../outside",   "/etc",      "context",
                                        "docs/context", "note.md/x", "none/.."};
    char line[128];

    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        snprintf(line, sizeof line, "ln -sfn %s ws/context", links[i]);
        fixture_run(line);
        lets_the_rest_be_written();
    }
    fixture_run("rm ws/context");
}

/* ---- what cannot be told ------------------------------------------------------------------------- */

static void lets_nothing_through(void)
{
    struct root *opened;

    fixture_sys = &inject_sys;
    inject_start(INJECT_NOTHING, 0, 0);
    root = opened = fixture_root(CROFT_RESOLVER_WALK);
    fixture_run("ln -s to_real ws/context"); /* that nothing is held of */
    for (unsigned at = 1, hit = 1; hit; at++) {
        inject_start(INJECT_ERROR, at, EIO);
        CHECK(put("real/x") != CROFT_OK);
        hit = inject.hit;
        inject_start(INJECT_ERROR, at, EIO);
        CHECK(take("to_real") != CROFT_OK);
        hit |= inject.hit;
    }
    inject_start(INJECT_NOTHING, 0, 0);
    root_close(opened);
    fixture_sys = &sys_kernel;
    fixture_run("rm ws/context && test ! -e ws/real/x && test -L ws/to_real");
}

static void works_by(croft_resolver resolver)
{
    struct root *opened;

    fixture_make(set_up);
    root = opened = fixture_root(resolver);
    sees_a_link_that_was_changed();
    sees_a_link_that_was_not_there();
    sees_a_link_in_place_of_a_directory();
    sees_what_lies_deeper();
    sees_what_is_no_directory();
    minds_no_link_that_leads_nowhere();
    root_close(opened);
    lets_nothing_through();
    fixture_remove();
}

int main(void)
{
    inject_init();
    works_by(CROFT_RESOLVER_AUTO);
    works_by(CROFT_RESOLVER_WALK);
    return check_report("pins");
}
