/* SPDX-License-Identifier: MIT */
/*
 * A small tree and some paths, both made of the input: openat2 and the walk lead to the same file or give the
 * same kind of error, and nothing outside is reached or changed, by a write either.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replace.h"
#include "resolve_openat2.h"
#include "resolve_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRIES = 24, PATHS = 8, PIECES = 7 };

static char base[64];
static int base_fd = -1, ws = -1;
static struct root *root;
static struct node outside_node, secret_node;

static void require(bool good)
{
    if (!good)
        abort();
}

/* ---- the input ----------------------------------------------------------------------------------- */

struct input {
    const uint8_t *next;
    size_t left;
};

static unsigned take(struct input *input, unsigned below)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->next++ % below;
}

/* Some pieces with "/" between them. */
static void take_text(struct input *input, char *text, size_t size)
{
    static const char *const pieces[] = {"a", "b", "c", "d", "..", "a", "b", ".", "", "outside"};
    unsigned count = 1 + take(input, PIECES);
    size_t used = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "/" : "",
                                 pieces[take(input, sizeof pieces / sizeof pieces[0])]);
}

/* ---- the tree ------------------------------------------------------------------------------------ */

static void empty(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), below;
    DIR *entries = fdopendir(fd);
    const struct dirent *entry;

    require(entries != NULL);
    while ((entry = readdir(entries)) != NULL) { /* NOLINT(concurrency-mt-unsafe): one thread */
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dir, entry->d_name, 0) == 0)
            continue;
        below = openat(dir, entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        empty(below);
        close(below);
        require(unlinkat(dir, entry->d_name, AT_REMOVEDIR) == 0);
    }
    closedir(entries);
}

/* A link, to another as often as not; `is_directory`: its text says that it leads to a directory. */
static void make_link(struct input *input, int dir, const char *name, bool is_directory)
{
    char text[128];

    take_text(input, text, sizeof text - 1);
    if (is_directory)
        strcat(text, "/");
    (void)!symlinkat(text, dir, name);
}

/* One entry in the directory `dir`; a new directory is the next one's. */
static int make_entry(struct input *input, int dir)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const char *name = names[take(input, 4)];
    unsigned kind = take(input, 8);
    int fd = -1;

    switch (kind % 4) {
    case 0:
        mkdirat(dir, name, 0777);
        fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        break;
    case 1: close(openat(dir, name, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0666)); break;
    default: make_link(input, dir, name, kind >= 4);
    }
    return fd;
}

static void make_tree(struct input *input)
{
    unsigned count = take(input, ENTRIES);
    int dir = dup(ws), next;

    for (unsigned i = 0; i < count; i++) {
        next = make_entry(input, dir);
        if (next < 0 && take(input, 4) == 0) /* back to the top */
            next = dup(ws);
        if (next >= 0) {
            close(dir);
            dir = next;
        }
    }
    close(dir);
}

/* ---- set-up -------------------------------------------------------------------------------------- */

static void remove_all(void)
{
    int parent;

    root_close(root);
    empty(base_fd);
    close(ws);
    close(base_fd);
    parent = rmdir(base);
    require(parent == 0);
}

static void set_up(void)
{
    croft_view_options options = {.size = sizeof options, .no_fsync = true};
    char path[128];

    strcpy(base, "/dev/shm/croft-fuzz.XXXXXX");
    if (mkdtemp(base) == NULL) {
        strcpy(base, "/tmp/croft-fuzz.XXXXXX");
        require(mkdtemp(base) != NULL);
    }
    base_fd = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    require(mkdirat(base_fd, "ws", 0777) == 0 && mkdirat(base_fd, "outside", 0777) == 0);
    close(openat(base_fd, "outside/a", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    ws = openat(base_fd, "ws", O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/ws", base);
    require(root_open(path, &options, &sys_kernel, &root, NULL) == CROFT_OK);
    require(sys_kernel.node_at(base_fd, "outside", &outside_node) == 0);
    require(sys_kernel.node_at(base_fd, "outside/a", &secret_node) == 0);
    atexit(remove_all);
}

/* ---- comparison ---------------------------------------------------------------------------------- */

static void require_inside(const struct node *node)
{
    require(!node_same(node, &outside_node) && !node_same(node, &secret_node));
}

/* What the kernel alone makes of it. */
static croft_status kernel_says(const struct path *path)
{
    char text[PATH_BYTES + 2];
    int fd;

    snprintf(text, sizeof text, "%s%s", path->count == 0 ? "." : path->text,
             path->must_be_directory ? "/" : "");
    do /* EAGAIN: somebody renamed something, anywhere on this machine, while a ".." was resolved */
        fd = sys_kernel.openat2(ws, text, O_PATH, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
    while (fd < 0 && errno == EAGAIN);
    if (fd < 0)
        return errno == EXDEV ? CROFT_OUTSIDE : status_of_errno(errno);
    close(fd);
    return CROFT_OK;
}

static void compare(const struct path *path)
{
    struct place quick, slow;
    croft_error err;
    bool found = root->use_openat2 && resolve_openat2(root, path, &quick);
    croft_status status = resolve_walk(root, path, RESOLVE_STACK, &slow, &err);

    if (status == CROFT_OK)
        require_inside(&slow.node);
    if (found)
        require(status == CROFT_OK && node_same(&quick.node, &slow.node));
    else if (root->use_openat2)
        require(status != CROFT_OK && status == kernel_says(path));
    if (status == CROFT_OK)
        place_close(&slow);
    if (found)
        place_close(&quick);
}

/* A target is the file that is there, or a name in a directory that is inside. */
static void check_target(const struct path *path)
{
    struct place place;

    if (resolve_walk(root, path, RESOLVE_TARGET, &place, NULL) != CROFT_OK)
        return;
    require_inside(&place_parent(&place)->node);
    require(strchr(place.leaf, '/') == NULL && strcmp(place.leaf, "..") != 0);
    if (place.fd >= 0)
        require_inside(&place.node);
    place_close(&place);
}

static void write_there(const struct path *path)
{
    struct replace_options options = {.limit = 100, .compare_limit = 100};
    struct replace_info info;
    struct node outside, secret;

    replace_file(root, path, "x", 1, &options, &info, NULL);
    require(sys_kernel.node_at(base_fd, "outside", &outside) == 0);
    require(sys_kernel.node_at(base_fd, "outside/a", &secret) == 0);
    require(node_unchanged(&outside, &outside_node) && node_unchanged(&secret, &secret_node));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct path path;
    char text[128];

    if (root == NULL)
        set_up();
    make_tree(&input);
    for (int i = 0; i < PATHS && input.left > 0; i++) {
        take_text(&input, text, sizeof text);
        if (path_parse(text, strlen(text), &path, NULL) != CROFT_OK)
            continue;
        compare(&path);
        check_target(&path);
        if (take(&input, 2) == 1)
            write_there(&path);
    }
    empty(ws);
    return 0;
}
