/* SPDX-License-Identifier: MIT */
/* Three links, each with every text of a list: where the kernel's own way comes to, the walk comes to, and a
 * "/" at the end of a text asks for a directory, however many links lie behind it. S0-34 S0-35 S0-37 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include "check.h"
#include "resolve_openat2.h"
#include "resolve_walk.h"
#include "tree_fixture.h"

static const char set_up[] = "cd ws && mkdir d && echo hello > f && echo low > d/f";

static const char *const texts[] = {
    "f", "f/", "f/.", "d", "d/", "d/..", "d/f/", "./f",  "d//", "none", "none/",
    "a", "b/", "b",   "c", "c/", "c//",  "c/.",  "c/..", "c/f", "c/f/",
};

enum { TEXTS = sizeof texts / sizeof texts[0] };

static unsigned alike, refused;

static void set_link(int ws, const char *name, const char *text)
{
    unlinkat(ws, name, 0);
    if (symlinkat(text, ws, name) != 0)
        abort();
}

/* EAGAIN: somebody renamed something, anywhere on this machine, while a ".." was resolved. */
static int open_surely(int ws, const char *text)
{
    int fd;

    do
        fd = sys_kernel.openat2(ws, text, O_PATH, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
    while (fd < 0 && errno == EAGAIN);
    return fd;
}

/* Whether the quick way gets there; it gives up after some EAGAIN, and is asked again here. */
static bool gets_there(const struct root *root, const struct path *path)
{
    enum { TRIES = 1000 };
    struct place place;

    for (int i = 0; i < TRIES; i++) {
        errno = 0;
        if (resolve_openat2(root, path, &place)) {
            place_close(&place);
            return true;
        }
        if (errno != EAGAIN)
            return false;
    }
    return false;
}

static croft_status kernel_says(int ws, const struct path *path, struct node *node)
{
    char text[PATH_BYTES + 2];
    croft_status status = CROFT_OK;
    int fd;

    snprintf(text, sizeof text, "%s%s", path->text, path->must_be_directory ? "/" : "");
    fd = open_surely(ws, text);
    if (fd < 0)
        return errno == EXDEV ? CROFT_OUTSIDE : status_of_errno(errno);
    if (sys_kernel.node(fd, node) != 0)
        abort();
    close(fd);
    return status;
}

static bool is_alike(const struct root *root, int ws, const char *text)
{
    struct path path;
    struct place place;
    struct node node;
    croft_status wanted, status;
    bool same;

    if (path_parse(text, strlen(text), &path, NULL) != CROFT_OK)
        abort();
    wanted = kernel_says(ws, &path, &node);
    status = resolve_walk(root, &path, RESOLVE_STACK, &place, NULL);
    same = status == wanted && (status != CROFT_OK || node_same(&node, &place.node));
    refused += status == CROFT_NOT_A_DIRECTORY;
    if (status == CROFT_OK)
        place_close(&place);
    return same && gets_there(root, &path) == (wanted == CROFT_OK);
}

static void look_at(const struct root *root, int ws, const char *a, const char *b, const char *c)
{
    static const char *const paths[] = {"a", "a/", "a/f", "d/../a"};

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (is_alike(root, ws, paths[i]))
            alike++;
        else
            fprintf(stderr, "a -> %s, b -> %s, c -> %s: %s\n", a, b, c, paths[i]);
    }
}

static unsigned compare_all(const struct root *root, int ws)
{
    unsigned count = 0;

    for (size_t a = 0; a < TEXTS; a++) {
        set_link(ws, "a", texts[a]);
        for (size_t b = 0; b < TEXTS; b++) {
            set_link(ws, "b", texts[b]);
            for (size_t c = 0; c < TEXTS; c++, count += 4) {
                set_link(ws, "c", texts[c]);
                look_at(root, ws, texts[a], texts[b], texts[c]);
            }
        }
    }
    return count;
}

/* A name that is to be made and must be a directory is no file's. */
static void looks_at_targets(const struct root *root, int ws)
{
    struct path path;
    struct place place;

    set_link(ws, "a", "b/");
    set_link(ws, "b", "none");
    CHECK(path_parse("a", 1, &path, NULL) == CROFT_OK);
    CHECK(resolve_walk(root, &path, RESOLVE_TARGET, &place, NULL) == CROFT_OK);
    CHECK_TEXT(place.leaf, "none");
    CHECK(place.fd < 0 && place.must_be_directory);
    place_close(&place);
}

int main(void)
{
    struct root *root;
    char path[128];
    int ws;

    fixture_make(set_up);
    root = fixture_root(CROFT_RESOLVER_AUTO);
    snprintf(path, sizeof path, "%s/ws", fixture_base);
    ws = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root->use_openat2) {
        unsigned count = compare_all(root, ws);

        CHECK(count == alike && count > 30000);
        CHECK(refused > 1000 && refused < alike);
    }
    looks_at_targets(root, ws);
    close(ws);
    root_close(root);
    fixture_remove();
    return check_report("resolve_links");
}
