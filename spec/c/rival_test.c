/* SPDX-License-Identifier: MIT */
/*
 * Somebody else acts before each call of a write, and before each two of them: what the rival put there is never
 * lost to an edit, an append or a file made anew, and no act leads a write outside. S0-39 S0-60
 */
#include <dirent.h>
#include <fcntl.h>

#include "check.h"
#include "inject.h"
#include "replace.h"
#include "tree_fixture.h"

#define OLD "the old text\n"
#define NEW "new\n"
#define ADDED "added\n"

static struct root *root;
static int base = -1, ws = -1;
static struct node outside;

struct writing {
    const char *name, *path;
    const char *old; /* NULL: there is none */
    const char *data;
    enum replace_mode mode;
    bool expect;
};

static const struct writing writings[] = {
    {"a new file", "d/t", NULL, NEW, REPLACE_CREATE, false},
    {"an append", "d/t", OLD, ADDED, REPLACE_APPEND, false},
    {"an edit", "d/t", OLD, NEW, REPLACE_OVERWRITE, true},
    {"an overwrite", "d/t", OLD, NEW, REPLACE_OVERWRITE, false},
    {"a file in new directories", "d/new/er/t", NULL, NEW, REPLACE_OVERWRITE, false},
};

/* ---- rivals -------------------------------------------------------------------------------------- */

static void make(const char *name, const char *text)
{
    int fd = openat(ws, name, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644);

    if (fd < 0)
        return; /* another rival's link or directory */
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    close(fd);
}

static void replaces(int turn)
{
    make("d/hers", turn == 1 ? "rival 1\n" : "rival 2\n");
    renameat(ws, "d/hers", ws, "d/t");
}

static void writes_in_place(int turn)
{
    make("d/t", turn == 1 ? "rival 1\n" : "rival 2\n");
}

static void removes(int turn)
{
    (void)turn;
    unlinkat(ws, "d/t", 0);
}

static void links_out(int turn)
{
    (void)turn;
    unlinkat(ws, "d/hers", 0);
    if (symlinkat("../../outside/secret.txt", ws, "d/hers") == 0)
        renameat(ws, "d/hers", ws, "d/t");
}

static void makes_a_directory(int turn)
{
    (void)turn;
    unlinkat(ws, "d/t", 0);
    mkdirat(ws, "d/t", 0777);
}

/* The directory itself becomes a link, once. */
static void swaps_the_directory(int turn)
{
    (void)turn;
    if (renameat2(ws, "d", ws, "moved", RENAME_NOREPLACE) == 0)
        (void)!symlinkat("../outside", ws, "d");
}

/* A directory that has just been made becomes one. */
static void swaps_a_new_directory(int turn)
{
    const char *name = turn == 1 ? "d/new" : "d/new/er";

    if (renameat2(ws, name, ws, turn == 1 ? "gone1" : "gone2", RENAME_NOREPLACE) == 0)
        (void)!symlinkat(turn == 1 ? "../../outside" : "../../../outside", ws, name);
}

static const struct rival {
    const char *name;
    void (*act)(int turn);
    bool leaves_text; /* the name then leads to a file of hers */
} rivals[] = {
    {"replaces it", replaces, true},
    {"writes in place", writes_in_place, true},
    {"removes it", removes, false},
    {"puts a link there", links_out, false},
    {"makes a directory", makes_a_directory, false},
    {"swaps the directory", swaps_the_directory, false},
    {"swaps a new directory", swaps_a_new_directory, false},
};

/* ---- one run ------------------------------------------------------------------------------------- */

static const char *held(const char *name)
{
    static char text[256];
    int fd = openat(ws, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t size;

    if (fd < 0)
        return "";
    size = read(fd, text, sizeof text - 1);
    close(fd);
    text[size < 0 ? 0 : size] = '\0';
    return text;
}

static int count_temporary(const char *name)
{
    int fd = openat(ws, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), count = 0;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (dir == NULL)
        return 0;
    while ((entry = readdir(dir)) != NULL) {
        if (name_is_reserved(entry->d_name, strlen(entry->d_name)))
            count +=
                unlinkat(dirfd(dir), entry->d_name, 0) == 0; /* not a directory of two rivals' */
    }
    closedir(dir);
    return count;
}

static void remove_tree(const char *top)
{
    static const char *const below[] = {"/er/t", "/er", "/t", ""};
    char name[64];

    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        snprintf(name, sizeof name, "%s%s", top, below[i]);
        if (unlinkat(ws, name, 0) != 0)
            unlinkat(ws, name, AT_REMOVEDIR);
    }
}

/* What was made of d/new. */
static void clear_new(const struct writing *w)
{
    struct stat st;

    if (strcmp(w->path, "d/t") == 0)
        return;
    if (fstatat(ws, "d/new", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
        unlinkat(ws, "d/new", 0);
    if (fstatat(ws, "d/new/er", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
        unlinkat(ws, "d/new/er", 0);
    remove_tree("d/new");
    remove_tree("gone1");
    remove_tree("gone2");
}

static void prepare(const struct writing *w)
{
    static const char *const names[] = {"d/t", "d/hers", "moved/t", "moved/hers"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (unlinkat(ws, names[i], 0) != 0)
            unlinkat(ws, names[i], AT_REMOVEDIR);
    }
    if (faccessat(ws, "moved", F_OK, 0) == 0) {
        unlinkat(ws, "d", 0);
        renameat(ws, "moved", ws, "d");
    }
    clear_new(w);
    if (w->old != NULL)
        make("d/t", w->old);
}

static croft_status write_it(const struct writing *w, croft_error *err)
{
    struct replace_options options = {.mode = w->mode, .limit = 1000, .compare_limit = 1000};
    struct replace_info info;
    struct stamp stamp = {.has_no_digest = false};
    struct path path;

    if (path_parse(w->path, strlen(w->path), &path, err) != CROFT_OK)
        abort();
    if (w->expect) {
        int fd = openat(ws, "d/t", O_PATH | O_CLOEXEC);

        if (sys_kernel.node(fd, &stamp.node) != 0)
            abort();
        close(fd);
        stamp.digest = file_digest(w->old, strlen(w->old));
        options.expect = &stamp;
    }
    return replace_file(root, &path, w->data, strlen(w->data), &options, &info, err);
}

/* The last act was the rival's, unless the writing found her text and kept or (unasked) replaced it. */
static void judge_text(const struct writing *w, croft_status status, const char *hers)
{
    const char *text = held("d/t");
    bool kept = strncmp(text, hers, strlen(hers)) == 0;

    if (w->mode == REPLACE_OVERWRITE && !w->expect)
        CHECK(kept || strcmp(text, NEW) == 0);
    else
        CHECK(kept);
    if (w->mode == REPLACE_APPEND && status == CROFT_OK && strcmp(text, hers) != 0)
        CHECK(strcmp(text + strlen(hers), ADDED) == 0);
}

static void run(const struct writing *w, const struct rival *rival, unsigned at, unsigned also)
{
    croft_error err;
    croft_status status;
    struct node now;
    int failed = check_failed;
    bool met;

    prepare(w);
    inject.rival = rival->act;
    inject.also = also;
    inject_start(INJECT_RIVAL, at, 0);
    status = write_it(w, &err);
    met = inject.count >= (also == 0 ? at : also);
    inject_start(INJECT_NOTHING, 0, 0);
    if (rival->leaves_text && met && strcmp(w->path, "d/t") == 0)
        judge_text(w, status, also == 0 ? "rival 1\n" : "rival 2\n");
    CHECK(count_temporary("d") + count_temporary("moved") == 0);
    CHECK(sys_kernel.node_at(base, "outside", &now) == 0 && node_unchanged(&now, &outside));
    if (check_failed > failed)
        fprintf(stderr, "    in %s: somebody %s before call %u and call %u: %s: %s\n", w->name,
                rival->name, at, also, croft_status_word(status), held("d/t"));
}

static unsigned count_calls(const struct writing *w)
{
    croft_error err;

    prepare(w);
    inject_start(INJECT_NOTHING, 0, 0);
    CHECK(write_it(w, &err) == CROFT_OK);
    return inject.count;
}

static void with_every_rival(const struct writing *w)
{
    unsigned count = count_calls(w);

    CHECK(count > 10);
    for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++) {
        for (unsigned at = 1; at <= count; at++) {
            run(w, &rivals[i], at, 0);
            for (unsigned also = at + 1; also <= count + 12; also++)
                run(w, &rivals[i], at, also);
        }
    }
}

int main(void)
{
    inject_init();
    fixture_disk = "/dev/shm";
    fixture_make("mkdir ws/d");
    fixture_sys = &inject_sys;
    root = fixture_root(CROFT_RESOLVER_AUTO);
    base = open(fixture_base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    ws = openat(base, "ws", O_PATH | O_DIRECTORY | O_CLOEXEC);
    CHECK(sys_kernel.node_at(base, "outside", &outside) == 0);
    for (size_t i = 0; i < sizeof writings / sizeof writings[0]; i++)
        with_every_rival(&writings[i]);
    CHECK(fixture_says("test \"$(cat outside/secret.txt)\" = TOPSECRET"));
    close(ws);
    close(base);
    root_close(root);
    fixture_remove();
    return check_report("rival");
}
