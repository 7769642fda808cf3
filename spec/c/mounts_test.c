/* SPDX-License-Identifier: MIT */
/* Mounts that are opened on demand, by many threads; names that are hidden; and the wall around them all. */
#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>

#include "check.h"
#include "croft.h"
#include "file.h"
#include "tree_fixture.h"
#include "view.h"

enum { MANY = 200, THREADS = 8, ROUNDS = 4000 };

static int count_open(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static char *path_of(const char *name)
{
    static _Thread_local char path[256];

    snprintf(path, sizeof path, "%s/%s", fixture_base, name);
    return path;
}

static struct mounts *mounts;
static struct mount *many[MANY];

static void open_many(const struct sys *sys)
{
    croft_view_options options = {.size = sizeof options};
    char name[32];

    mounts = mounts_new();
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "m/%d", i);
        CHECK(mounts_add(mounts, path_of(name), "name", &options, sys, &many[i], NULL) == CROFT_OK);
    }
}

/* ---- on demand --------------------------------------------------------------------------------- */

/* Whether the root is the directory number `i`: it has a file of that name. */
static bool is_own(const struct root *root, int i)
{
    char name[16];
    struct node node;

    snprintf(name, sizeof name, "f%d", i);
    return root->sys->node_at(root->fd, name, &node) == 0;
}

static void holds_few(void)
{
    int before = count_open();
    const struct root *root;

    open_many(&sys_kernel);
    CHECK(count_open() == before + HELD_MOUNTS);
    for (int i = 0; i < MANY; i++) {
        CHECK(mount_hold(many[i], &root, NULL) == CROFT_OK && is_own(root, i));
        CHECK(count_open() <= before + HELD_MOUNTS);
        mount_release(many[i]);
    }
    for (int i = 0; i < MANY; i++) /* all at once: more than are kept */
        CHECK(mount_hold(many[i], &root, NULL) == CROFT_OK && is_own(root, i));
    CHECK(count_open() == before + MANY);
    for (int i = 0; i < MANY; i++)
        mount_release(many[i]);
    CHECK(count_open() == before + HELD_MOUNTS);
    mounts_free(mounts);
    CHECK(count_open() == before);
}

static void *hold_and_release(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed;
    const struct root *root;

    for (int i = 0; i < ROUNDS; i++) {
        int number;

        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        number = (int)((random >> 33) % MANY);
        CHECK(mount_hold(many[number], &root, NULL) == CROFT_OK);
        CHECK(is_own(root, number));
        mount_share(many[number]);
        mount_release(many[number]);
        CHECK(is_own(root, number));
        mount_release(many[number]);
    }
    return NULL;
}

static void serves_threads(void) /* S1-22 */
{
    int before = count_open();
    pthread_t threads[THREADS];

    open_many(&sys_kernel);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, hold_and_release, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(count_open() <= before + HELD_MOUNTS);
    mounts_free(mounts);
    CHECK(count_open() == before);
}

/* ---- another directory ------------------------------------------------------------------------- */

static int refused;

static int refuse_open(const char *path)
{
    (void)path;
    errno = refused;
    return -1;
}

/* Gives up number 0: the others take its place. */
static void give_up_first(void)
{
    const struct root *root;

    for (int i = 1; i < MANY; i++) {
        CHECK(mount_hold(many[i], &root, NULL) == CROFT_OK);
        mount_release(many[i]);
    }
    CHECK(many[0]->root->fd < 0);
}

static void knows_another(void)
{
    static const int errnos[] = {ENOENT, ENOTDIR, EACCES, EMFILE, EIO};
    static const croft_status kinds[] = {CROFT_MISSING, CROFT_MISSING, CROFT_UNREADABLE,
                                         CROFT_EXHAUSTED, CROFT_IO};
    struct sys sys = sys_kernel;
    const struct root *root;
    croft_error err;
    int before;

    open_many(&sys);
    give_up_first();
    before = count_open();
    sys.open_root = refuse_open;
    for (size_t i = 0; i < sizeof errnos / sizeof errnos[0]; i++) {
        refused = errnos[i];
        CHECK(mount_hold(many[0], &root, &err) == kinds[i] && err.kind == kinds[i]);
    }
    sys.open_root = sys_kernel.open_root;
    fixture_run("mv m/0 kept && mkdir m/0 && touch m/0/f0");
    CHECK(mount_hold(many[0], &root, &err) == CROFT_MISSING);
    fixture_run("rm -r m/0 && ln -s ../kept m/0"); /* a link to the one that it was */
    CHECK(mount_hold(many[0], &root, &err) == CROFT_OK);
    mount_release(many[0]);
    give_up_first();
    fixture_run("rm m/0 && ln -s ../outside m/0");
    CHECK(mount_hold(many[0], &root, &err) == CROFT_MISSING);
    fixture_run("rm m/0 && mv kept m/0");
    CHECK(mount_hold(many[0], &root, &err) == CROFT_OK);
    mount_release(many[0]);
    CHECK(count_open() <= before + 1);
    mounts_free(mounts);
}

/* ---- names that are hidden --------------------------------------------------------------------- */

static bool is_clear(const struct hidden *top, const char *text)
{
    static struct path path;

    CHECK(path_parse(text, strlen(text), &path, NULL) == CROFT_OK);
    return hidden_is_clear(top, &path);
}

static int node_of_one_inode(int dir, const char *name, struct node *node)
{
    (void)dir;
    if (strcasecmp(name, "billing") != 0) {
        errno = ENOENT;
        return -1;
    }
    memset(node, 0, sizeof *node);
    node->ino = 7;
    return 0;
}

static int node_of_any_name(int dir, const char *name, struct node *node)
{
    (void)name;
    return node_of_one_inode(dir, "billing", node);
}

static void knows_names(void)
{
    struct hidden *top = hidden_new();
    struct sys careless = sys_kernel;
    int dir = open(fixture_base, O_PATH | O_CLOEXEC);

    hidden_add(top, "billing")->is_masked = true;
    hidden_add(top, "a/b/c")->is_masked = true;
    hidden_add(top, "a/b/d")->is_masked = true;
    CHECK(top->count == 2 && hidden_add(top, "a/b")->count == 2);
    CHECK(is_clear(top, "x") && is_clear(top, "a/x/b") && is_clear(top, "a/b/cc"));
    CHECK(!is_clear(top, "billing") && !is_clear(top, "billing/x") && !is_clear(top, "a/b"));
    CHECK(!is_clear(top, "Billing") && !is_clear(top, "BILLIN~1") && !is_clear(top, "a/b/C"));
    CHECK(!is_clear(top, "."));

    /* Where the file system tells them apart, another case is another file. */
    fixture_run("rm -rf billing Billing; mkdir billing Billing");
    CHECK(hidden_covers(hidden_child(top, &sys_kernel, dir, "billing")));
    CHECK(hidden_child(top, &sys_kernel, dir, "Billing") == NULL);
    fixture_run("rmdir billing");
    CHECK(hidden_child(top, &sys_kernel, dir, "Billing") == NULL);
    /* What is to be made may become it. */
    fixture_run("rmdir Billing");
    CHECK(hidden_covers(hidden_child(top, &sys_kernel, dir, "BILLING")));
    CHECK(hidden_covers(hidden_child(top, &sys_kernel, -1, "BILLING.")));
    /* Where it takes them for one, they are. */
    careless.node_at = node_of_one_inode;
    CHECK(hidden_covers(hidden_child(top, &careless, dir, "bILLing")));
    CHECK(hidden_child(top, &careless, dir, "bills") == NULL);
    CHECK(hidden_child(top, &careless, dir, "billing~") == NULL);
    careless.node_at = node_of_any_name;
    CHECK(hidden_covers(hidden_child(top, &careless, dir, "BILLIN~1")));
    CHECK(hidden_child(top, &careless, dir, "BILLIN~x") == NULL);
    close(dir);
    hidden_free(top);
}

/* ---- somebody who swaps ------------------------------------------------------------------------- */

static _Atomic bool over;

/* A directory and a link to one that is masked take each other's name. */
static void *swap(void *unused)
{
    int dir = open(path_of("ws"), O_PATH | O_CLOEXEC);

    (void)unused;
    while (!over)
        CHECK(renameat2(dir, "x", dir, "y", RENAME_EXCHANGE) == 0);
    close(dir);
    return NULL;
}

static croft_status read_by(const croft_view *view, const char *text)
{
    static struct path path;
    static struct route route;
    struct node node;
    croft_status status;
    int fd = -1;

    CHECK(path_parse(text, strlen(text), &path, NULL) == CROFT_OK);
    status = view_route(view, &path, &route, NULL);
    if (status == CROFT_OK)
        status = file_open(route.root, route.path, &fd, &node, NULL);
    if (fd >= 0)
        close(fd);
    route_end(&route);
    return status;
}

static void withstands_swaps(croft_resolver resolver)
{
    char masked[256], mine_path[256];
    const char *hide[] = {masked};
    croft_mount mine[] = {{"m", mine_path, true}};
    croft_view_options options = {.size = sizeof options,
                                  .resolver = resolver,
                                  .hide = hide,
                                  .hide_count = 1,
                                  .mounts = mine,
                                  .mount_count = 1};
    unsigned shown = 0, missing = 0;
    croft_view *view;
    pthread_t thread;

    strcpy(masked, path_of("ws/masked"));
    strcpy(mine_path, path_of("m/1"));
    CHECK(view_open(path_of("ws"), &options, &sys_kernel, &view, NULL) == CROFT_OK);
    over = false;
    CHECK(pthread_create(&thread, NULL, swap, NULL) == 0);
    for (int i = 0; i < 40000 && (i < 10000 || shown == 0 || missing == 0); i++) {
        CHECK(read_by(view, "x/secret") != CROFT_OK);
        shown += read_by(view, "x/shown") == CROFT_OK;
        missing += read_by(view, "x/shown") == CROFT_MISSING;
    }
    over = true;
    pthread_join(thread, NULL);
    CHECK(shown > 0 && missing > 0); /* both were met */
    view_release(view);
}

/* ---- the wall ---------------------------------------------------------------------------------- */

static bool can_open(const char *name, int flags)
{
    int fd = open(path_of(name), flags | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* In a child: 0 when the wall holds each tree to its mode, 2 when there is no Landlock. */
static int try_wall(void)
{
    char read_only[256], writable[256];
    croft_mount mine[] = {{"ro", read_only, true}, {"rw/deep", writable, false}};
    croft_view_options options;
    croft_view *view;
    croft_wall wall;

    strcpy(read_only, path_of("m/1"));
    strcpy(writable, path_of("m/2"));
    croft_view_options_init(&options);
    options.mounts = mine;
    options.mount_count = 2;
    if (croft_view_open(path_of("ws"), &options, &view, NULL) != CROFT_OK)
        return 1;
    if (croft_confine(view, &wall, NULL) != CROFT_OK)
        return 2;
    if (!can_open("m/1/f1", O_RDONLY) || !can_open("m/2/f2", O_RDONLY) ||
        !can_open("m/2/new", O_WRONLY | O_CREAT) || !can_open("ws/new", O_WRONLY | O_CREAT))
        return 3;
    if (can_open("m/1/new", O_WRONLY | O_CREAT) || can_open("m/1/f1", O_WRONLY))
        return 4;
    return can_open("outside/secret.txt", O_RDONLY) || can_open("m/3/f3", O_RDONLY) ? 5 : 0;
}

static void has_a_wall(void)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0)
        _exit(try_wall());
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2);
    if (WEXITSTATUS(status) != 0)
        fprintf(stderr, "the wall: %d%s\n", WEXITSTATUS(status),
                WEXITSTATUS(status) == 2 ? " (no Landlock here)" : "");
}

int main(void)
{
    fixture_make("for i in $(seq 0 199); do mkdir -p m/$i && touch m/$i/f$i; done && mkdir -p "
                 "ws/masked ws/x && echo s > ws/masked/secret && echo s > ws/x/shown && ln -s "
                 "masked ws/y");
    holds_few();
    serves_threads();
    knows_another();
    knows_names();
    withstands_swaps(CROFT_RESOLVER_AUTO);
    withstands_swaps(CROFT_RESOLVER_WALK);
    has_a_wall();
    fixture_remove();
    return check_report("mounts");
}
