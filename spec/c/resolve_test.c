/* SPDX-License-Identifier: MIT */
/* Both resolvers give the same file or the same kind of refusal. S0-30 S0-31 S0-32 S0-33 S0-34 S0-35 S0-37 */
#include "resolve.h"

#include <dirent.h>

#include "check.h"
#include "tree_fixture.h"

static const char set_up[] =
    "cd ws && mkdir -p d/e skills s && echo hello > f && echo low > d/t && echo in > d/e/u && "
    "ln -s f to_file && ln -s d to_dir && ln -s ../outside out && ln -s /etc/passwd abs && "
    "ln -s nowhere dangling && ln -s loop2 loop1 && ln -s loop1 loop2 && ln -s .. d/up && "
    "ln -s ../../../outside/secret.txt d/e/far && ln -s f/ slash_file && ln -s d/ slash_dir && "
    "ln -s d/e/../t dots && ln -s . self && ln -s d/e/../../../outside/secret.txt trap && "
    "ln -s to_file/ slash_link && ln -s slash_link slash_far && ln -s to_dir/ slash_link_dir && "
    "ln -s slash_file to_slash && "
    "mkfifo p && ln -s \"$PWD/f\" abs_in && ln -s ../ws/f reenter && ln -s skills k && ln -s "
    "d/up/f deep && "
    "mkdir ../ws-beside real && echo out > ../ws-beside/t && ln -s ../ws-beside/t beside && ln -s "
    "real templates && "
    "ln -s f l0 && for i in $(seq 1 45); do ln -s l$((i-1)) l$i; done";

struct expectation {
    const char *path;
    croft_status status;
    const char *text; /* resolved, "" where it is the root; NULL: not looked at */
    unsigned at;
};

static const struct expectation table[] = {
    {"f", CROFT_OK, "f", 0},
    {".", CROFT_OK, "", 0},
    {"d/e/u", CROFT_OK, "d/e/u", 0},
    {"d/", CROFT_OK, "d", 0},
    {"to_file", CROFT_OK, "f", 0},
    {"to_dir/t", CROFT_OK, "d/t", 0},
    {"dots", CROFT_OK, "d/t", 0},
    {"self/self/f", CROFT_OK, "f", 0},
    {"d/up/f", CROFT_OK, "f", 0},
    {"d/up", CROFT_OK, "", 0},
    {"deep", CROFT_OK, "f", 0},
    {"slash_dir", CROFT_OK, "d", 0},
    {"p", CROFT_OK, "p", 0},
    {"l39", CROFT_OK, "f", 0},
    {"l40", CROFT_LOOP, NULL, 0},
    {"l45", CROFT_LOOP, NULL, 0},
    {"out", CROFT_OUTSIDE, NULL, 0},
    {"out/secret.txt", CROFT_OUTSIDE, NULL, 0},
    {"abs", CROFT_OUTSIDE, NULL, 0},
    {"abs_in", CROFT_OUTSIDE, NULL, 0},
    {"reenter", CROFT_OUTSIDE, NULL, 0},
    {"d/e/far", CROFT_OUTSIDE, NULL, 2},
    {"trap", CROFT_OUTSIDE, NULL, 0},
    {"d/up/out", CROFT_OUTSIDE, NULL, 2},
    {"beside", CROFT_OUTSIDE, NULL, 0},
    {"loop1", CROFT_LOOP, NULL, 0},
    {"dangling", CROFT_MISSING, NULL, 0},
    {"d/none", CROFT_MISSING, NULL, 1},
    {"none/x/y", CROFT_MISSING, NULL, 0},
    {"f/x", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"d/t/x/y", CROFT_NOT_A_DIRECTORY, NULL, 1},
    {"f/", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"to_file/", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"slash_file", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"slash_link", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"slash_far", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"to_slash", CROFT_NOT_A_DIRECTORY, NULL, 0},
    {"slash_link_dir", CROFT_OK, "d", 0},
    {"slash_link_dir/t", CROFT_OK, "d/t", 0},
};

static void resolves(const struct root *root, const struct expectation *wanted,
                     enum resolve_how how)
{
    struct path path;
    struct place place;
    croft_error err;
    croft_status status;

    memset(&err, 0, sizeof err);
    CHECK(path_parse(wanted->path, strlen(wanted->path), &path, &err) == CROFT_OK);
    status = resolve(root, &path, how, &place, &err);
    if (status != wanted->status)
        fprintf(stderr, "%s: %s\n", wanted->path, croft_status_word(status));
    CHECK(status == wanted->status);
    if (status != CROFT_OK) {
        CHECK(err.at == wanted->at);
        return;
    }
    if (place.has_stack)
        CHECK_TEXT(place.text, wanted->text);
    place_close(&place);
}

static void notes_what_is_missing(const struct root *root)
{
    struct path path;
    struct place place;
    croft_error err;

    CHECK(path_parse("d/new/deep/x.txt", 16, &path, &err) == CROFT_OK);
    CHECK(resolve(root, &path, RESOLVE_TARGET, &place, &err) == CROFT_OK);
    CHECK(place.fd < 0 && place.missing_count == 2);
    CHECK_TEXT(place.leaf, "x.txt");
    CHECK_TEXT(place.missing.data, "new");
    CHECK_TEXT(place.missing.data + 4, "deep");
    CHECK_TEXT(place.text, "d");
    place_close(&place);
}

/* A dangling link is a name for what it points at. */
static void follows_dangling_links(const struct root *root)
{
    struct path path;
    struct place place;
    croft_error err;

    CHECK(path_parse("dangling", 8, &path, &err) == CROFT_OK);
    CHECK(resolve(root, &path, RESOLVE_TARGET, &place, &err) == CROFT_OK);
    CHECK_TEXT(place.leaf, "nowhere");
    CHECK(place.by_link);
    place_close(&place);
}

static const char *protection(const struct root *root, const char *text)
{
    struct path path;
    struct place place;
    croft_error err;
    const char *name;

    CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
    CHECK(resolve(root, &path, RESOLVE_TARGET, &place, &err) == CROFT_OK);
    name = place_read_only(&place);
    place_close(&place);
    return name == NULL ? "" : name;
}

static void knows_protected_trees(const struct root *root)
{
    CHECK_TEXT(protection(root, "skills/x"), "skills");
    CHECK_TEXT(protection(root, "skills"), "skills");
    CHECK_TEXT(protection(root, "k/x"), "skills");
    CHECK_TEXT(protection(root, "d/up/skills/a/b"), "skills");
    CHECK_TEXT(protection(root, "context/new"), "context");
    CHECK_TEXT(protection(root, "Docs"), "docs");
    CHECK_TEXT(protection(root, "d/skills/x"), "");
    CHECK_TEXT(protection(root, "f"), "");
    CHECK_TEXT(protection(root, "real/x"), "templates");
}

/* The directory that was held at the start is known again by any name, and the name whatever it leads to. */
static void knows_what_was_moved(const struct root *root)
{
    fixture_run("mv ws/skills ws/moved && mkdir ws/skills");
    CHECK_TEXT(protection(root, "moved/x"), "skills");
    CHECK_TEXT(protection(root, "d/up/moved/a/b"), "skills");
    CHECK_TEXT(protection(root, "skills/x"), "skills");
    fixture_run("rmdir ws/skills && mv ws/moved ws/skills");
}

static void opens_only_regular_files(const struct root *root)
{
    static const struct expectation wanted[] = {
        {"f", CROFT_OK, NULL, 0},
        {"to_file", CROFT_OK, NULL, 0},
        {"d", CROFT_NOT_A_FILE, NULL, 0},
        {"p", CROFT_NOT_REGULAR, NULL, 0},
    };
    struct path path;
    struct place place;
    struct node node;
    croft_error err;
    int fd;

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        CHECK(path_parse(wanted[i].path, strlen(wanted[i].path), &path, &err) == CROFT_OK);
        CHECK(resolve(root, &path, RESOLVE_EXISTING, &place, &err) == CROFT_OK);
        CHECK(open_place(&place, &path, S_IFREG, &fd, &node, &err) == wanted[i].status);
        if (wanted[i].status == CROFT_OK)
            root->sys->close(fd);
        place_close(&place);
    }
}

static int count_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

static void works_by(croft_resolver resolver)
{
    int before = count_open();
    struct root *root = fixture_root(resolver);

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        resolves(root, &table[i], RESOLVE_EXISTING);
        resolves(root, &table[i], RESOLVE_STACK);
    }
    notes_what_is_missing(root);
    follows_dangling_links(root);
    knows_protected_trees(root);
    knows_what_was_moved(root);
    opens_only_regular_files(root);
    root_close(root);
    CHECK(count_open() == before);
}

/* A directory that is moved away after the root was opened changes nothing; a removed one is gone. */
static void keeps_to_the_root(void)
{
    struct root *root = fixture_root(CROFT_RESOLVER_AUTO);
    struct path path;
    struct place place;
    croft_error err;

    fixture_run("mv ws moved");
    CHECK(path_parse("f", 1, &path, &err) == CROFT_OK);
    CHECK(resolve(root, &path, RESOLVE_EXISTING, &place, &err) == CROFT_OK);
    place_close(&place);
    fixture_run("rm -r moved");
    CHECK(resolve(root, &path, RESOLVE_EXISTING, &place, &err) == CROFT_GONE);
    CHECK(path_parse(".", 1, &path, &err) == CROFT_OK);
    CHECK(resolve(root, &path, RESOLVE_EXISTING, &place, &err) == CROFT_GONE);
    root_close(root);
}

int main(void)
{
    fixture_make(set_up);
    works_by(CROFT_RESOLVER_AUTO);
    works_by(CROFT_RESOLVER_WALK);
    keeps_to_the_root();
    fixture_remove();
    return check_report("resolve");
}
