/* SPDX-License-Identifier: MIT */
/* A write is a new file and a rename, in the directory that is held. S0-36 S0-43 S0-60 S0-63 */
#include "replace.h"

#include <sys/xattr.h>

#include "check.h"
#include "file.h"
#include "tree_fixture.h"

static const char set_up[] =
    "cd ws && mkdir -p d skills && printf 'old\\n' > f && ln -s d/t link && printf 'x\\n' > d/t && "
    "ln -s ../outside/new out && printf 's\\n' > skills/s && ln -s skills/s to_skill && "
    "printf 'h\\n' > h1 && ln h1 h2 && mkfifo p && printf '#!/bin/sh\\n' > run.sh && chmod 4755 "
    "run.sh && "
    "ln -s docs docs_link && printf 'a\\r\\nb\\r\\n' > crlf";

static struct replace_info info;
static croft_error err;

static croft_status put(const struct root *root, const char *text, const char *data,
                        enum replace_mode mode, const struct stamp *expect)
{
    struct replace_options options = {
        .mode = mode, .limit = 1000, .compare_limit = 1000, .expect = expect};
    struct path path;

    memset(&err, 0, sizeof err);
    CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
    return replace_file(root, &path, data, strlen(data), &options, &info, &err);
}

/* What `name` in the base directory holds. */
static const char *held(const char *name)
{
    static char text[256];
    char path[128];
    size_t size;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", fixture_base, name);
    file = fopen(path, "r");
    if (file == NULL)
        return "(none)";
    size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

static void writes(const struct root *root)
{
    CHECK(put(root, "new", "hi\n", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(info.created && info.lines == 1 && info.size == 3);
    CHECK_TEXT(held("ws/new"), "hi\n");
    CHECK(put(root, "f", "newer\nb", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(!info.created && info.old_known && info.old_lines == 1 && info.lines == 2);
    CHECK_TEXT(held("ws/f"), "newer\nb");
    CHECK(put(root, "f", "newer\nb", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(info.same);
    CHECK(put(root, "f", "c\n", REPLACE_APPEND, NULL) == CROFT_OK);
    CHECK(!info.old_ends_in_newline && info.size == 9);
    CHECK_TEXT(held("ws/f"), "newer\nbc\n");
    CHECK(put(root, "crlf", "a\n", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(info.old_crlf && !info.new_crlf);
}

static void makes_directories(const struct root *root)
{
    CHECK(put(root, "n/a/b/file", "x", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(info.made == 3);
    CHECK_TEXT(info.first_made, "n");
    CHECK(put(root, "d/q/file", "x", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK_TEXT(info.first_made, "d/q");
}

static void keeps_links_and_breaks_hard_ones(const struct root *root)
{
    CHECK(put(root, "link", "through\n", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK_TEXT(held("ws/d/t"), "through\n");
    CHECK(fixture_says("test -L ws/link"));
    CHECK(put(root, "h1", "mine\n", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(info.links == 2);
    CHECK_TEXT(held("ws/h2"), "h\n");
}

static void keeps_the_mode_without_set_id(const struct root *root)
{
    char path[128];
    struct stat st;

    CHECK(put(root, "run.sh", "#!/bin/sh\necho\n", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    snprintf(path, sizeof path, "%s/ws/run.sh", fixture_base);
    CHECK(stat(path, &st) == 0 && (st.st_mode & 07777) == 0755);
}

static void refuses(const struct root *root)
{
    static const struct {
        const char *path;
        croft_status status;
        const char *detail;
    } table[] = {
        {"out", CROFT_OUTSIDE, "link"},
        {"skills/new", CROFT_READ_ONLY, "skills"},
        {"SKILLS/new", CROFT_READ_ONLY, "skills"},
        {"to_skill", CROFT_READ_ONLY, "skills"},
        {"docs_link", CROFT_READ_ONLY, "docs"},
        {"context", CROFT_READ_ONLY, "context"},
        {"d", CROFT_NOT_A_FILE, ""},
        {".", CROFT_NOT_A_FILE, ""},
        {"p", CROFT_NOT_REGULAR, "fifo"},
        {"f/x", CROFT_NOT_A_DIRECTORY, ""},
        {"fresh/", CROFT_BAD_ARGUMENT, "slash"},
        {".~croft-abc", CROFT_BAD_ARGUMENT, "reserved"},
        {".~croft-d/x", CROFT_BAD_ARGUMENT, "reserved"},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        CHECK(put(root, table[i].path, "x", REPLACE_OVERWRITE, NULL) == table[i].status);
        CHECK_TEXT(err.detail, table[i].detail);
    }
    CHECK(put(root, "f", "x", REPLACE_CREATE, NULL) == CROFT_ALREADY_EXISTS);
    CHECK_TEXT(held("outside/new"), "(none)");
    CHECK_TEXT(held("outside/secret.txt"), "TOPSECRET\n");
}

/* A name of croft's own is one wherever the path leads through it, and nothing is made on the way. */
static void refuses_reserved_names_behind_links(const struct root *root)
{
    static const char *const paths[] = {"own_dir/x", "own_dir/n/x", "own_leaf",
                                        "own_deep",  "own_new/x",   "own_new"};

    fixture_run(
        "cd ws && mkdir .~croft-d && ln -s .~croft-d own_dir && ln -s d/.~croft-f own_leaf && "
        "ln -s d/.~croft-m/x own_deep && ln -s d/.~croft-n own_new");
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        CHECK(put(root, paths[i], "x", REPLACE_OVERWRITE, NULL) == CROFT_BAD_ARGUMENT);
        CHECK_TEXT(err.detail, "reserved_link");
    }
    CHECK(fixture_says(
        "rmdir ws/.~croft-d && rm ws/own_* && test -z \"$(ls -A ws/d | grep croft)\""));
}

/* The name as it is spelled is refused, also where it leads to a place that may be written. */
static void refuses_by_spelling(const struct root *root)
{
    fixture_run("ln -s n ws/context");
    CHECK(put(root, "context/x", "x", REPLACE_OVERWRITE, NULL) == CROFT_READ_ONLY);
    CHECK_TEXT(err.detail, "context");
    CHECK(err.at == PROTECTED_BY_SPELLING);
    CHECK_TEXT(held("ws/n/x"), "(none)");
}

static void compares_and_swaps(const struct root *root)
{
    struct stamp stamp = {.has_no_digest = false};
    struct path path;
    int fd;

    CHECK(path_parse("new", 3, &path, &err) == CROFT_OK);
    CHECK(file_open(root, &path, &fd, &stamp.node, &err) == CROFT_OK);
    stamp.digest = file_digest(held("ws/new"), stamp.node.size);
    root->sys->close(fd);
    CHECK(put(root, "new", "1\n", REPLACE_OVERWRITE, &stamp) == CROFT_OK);
    CHECK(put(root, "new", "2\n", REPLACE_OVERWRITE, &stamp) == CROFT_CHANGED);
    CHECK_TEXT(held("ws/new"), "1\n");
}

static void keeps_the_ceiling(const struct root *root)
{
    char text[1002];

    memset(text, 'x', sizeof text);
    text[1001] = '\0';
    CHECK(put(root, "big", text, REPLACE_OVERWRITE, NULL) == CROFT_TOO_LARGE);
    text[1000] = '\0';
    CHECK(put(root, "big", text, REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(put(root, "big", "y", REPLACE_APPEND, NULL) == CROFT_TOO_LARGE);
    CHECK(info.old_size == 1000);
}

static void keeps_attributes(const struct root *root)
{
    char path[128], value[8] = "";

    snprintf(path, sizeof path, "%s/ws/f", fixture_base);
    if (setxattr(path, "user.k", "v", 1, 0) != 0)
        return; /* a file system without them */
    CHECK(put(root, "f", "attr\n", REPLACE_OVERWRITE, NULL) == CROFT_OK);
    CHECK(getxattr(path, "user.k", value, sizeof value) == 1 && value[0] == 'v');
}

static void works_by(croft_resolver resolver)
{
    struct root *root;

    fixture_make(set_up);
    root = fixture_root(resolver);
    writes(root);
    makes_directories(root);
    keeps_links_and_breaks_hard_ones(root);
    keeps_the_mode_without_set_id(root);
    refuses(root);
    refuses_reserved_names_behind_links(root);
    refuses_by_spelling(root);
    compares_and_swaps(root);
    keeps_the_ceiling(root);
    keeps_attributes(root);
    CHECK(fixture_says("! find ws -name '.~croft-*' | grep -q ."));
    root_close(root);
    fixture_remove();
}

int main(void)
{
    works_by(CROFT_RESOLVER_AUTO);
    works_by(CROFT_RESOLVER_WALK);
    return check_report("replace");
}
