/* SPDX-License-Identifier: MIT */
/* Every call of a write fails in every way: the file is the old one or the new one, nothing is left behind,
 * and what failed is not called done. S0-60 */
#include <sys/xattr.h>

#include "inject_run.h"
#include "replace.h"

#define OLD "the old text, of one line\n"
#define NEW "a new text\nof two lines\n"
#define ADDED "and more\n"
#define LEFTOVER RESERVED_PREFIX "00112233445566778899aabbccddeeff"

static const char set_up[] = "cd ws && mkdir -p d/other n skills && printf 'neighbour\\n' > "
                             "d/neighbour && ln -s t d/link && "
                             "printf s > skills/s";

/* One way to write. */
static struct {
    const char *path; /* the argument */
    const char *file; /* what it leads to, below ws/ */
    const char *old;  /* NULL: it does not exist */
    const char *data, *new;
    enum replace_mode mode;
    bool expect, acl, leftover;
} how;

static struct root *root;
static struct replace_info info;
static croft_error err;
static int ws = -1; /* the root, for the tests' own eyes */
static uid_t owner; /* of the file that is there: another one, where that can be made */
static gid_t group;

/* ---- what is there ------------------------------------------------------------------------------- */

static const char *held(const char *name)
{
    static char text[256];
    int fd = openat(ws, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t size;

    if (fd < 0)
        return NULL;
    size = read(fd, text, sizeof text - 1);
    close(fd);
    text[size < 0 ? 0 : size] = '\0';
    return text;
}

static bool holds(const char *name, const char *wanted)
{
    const char *text = held(name);

    return text == NULL ? wanted == NULL : wanted != NULL && strcmp(text, wanted) == 0;
}

static int count_temporary(const char *name)
{
    int fd = openat(ws, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = 0;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (dir == NULL)
        return 0;
    while ((entry = readdir(dir)) != NULL)
        count += name_is_reserved(entry->d_name, strlen(entry->d_name));
    closedir(dir);
    return count;
}

/* ---- before -------------------------------------------------------------------------------------- */

/* u::rw-, u:1::rw-, g::---, m::rw-, o::---: its mode shows 0660, and the group may do nothing. */
static const unsigned char acl[] = {2, 0, 0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  6,
                                    0, 1, 0,   0,   0,   4,   0,  0, 0,   255, 255, 255, 255, 16, 0,
                                    6, 0, 255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};

static void make_old(void)
{
    int fd = openat(ws, how.file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0640);

    if (fd < 0 || write(fd, how.old, strlen(how.old)) != (ssize_t)strlen(how.old))
        abort();
    if (fchmod(fd, 0640) != 0 || fchown(fd, owner, group) != 0)
        abort();
    fsetxattr(fd, "user.k", "v", 1, 0);
    if (how.acl && fsetxattr(fd, "system.posix_acl_access", acl, sizeof acl, 0) != 0)
        how.acl = false; /* a file system without them */
    close(fd);
}

/* A leftover, in a directory where nothing has happened for long. */
static void make_leftover(void)
{
    static const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};

    close(openat(ws, "d/" LEFTOVER, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    utimensat(ws, "d", long_ago, 0);
}

static void clear(void)
{
    static const char *const files[] = {"d/t", "d/new", "n/a/b/c", "top"};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlinkat(ws, files[i], 0);
    unlinkat(ws, "n/a/b", AT_REMOVEDIR);
    unlinkat(ws, "n/a", AT_REMOVEDIR);
    if (count_temporary("d") > 0 || count_temporary(".") > 0 || count_temporary("n/a/b") > 0)
        fixture_run("find ws -name '.~croft-*' -delete; rm -rf ws/n/a");
}

static void prepare(void)
{
    clear();
    if (how.old != NULL)
        make_old();
    if (how.leftover)
        make_leftover();
}

/* ---- the act ------------------------------------------------------------------------------------- */

static croft_status run(void)
{
    struct replace_options options = {.mode = how.mode, .limit = 1000, .compare_limit = 1000};
    struct stamp stamp = {.has_no_digest = false};
    struct path path;

    memset(&err, 0, sizeof err);
    if (path_parse(how.path, strlen(how.path), &path, &err) != CROFT_OK)
        abort();
    if (how.expect) {
        int fd = openat(ws, how.file, O_PATH | O_CLOEXEC);

        if (sys_kernel.node(fd, &stamp.node) != 0)
            abort();
        close(fd);
        stamp.digest = file_digest(how.old, strlen(how.old));
        options.expect = &stamp;
    }
    return replace_file(root, &path, how.data, strlen(how.data), &options, &info, &err);
}

/* ---- what came of it ----------------------------------------------------------------------------- */

static void judge_metadata(void)
{
    char path[32], value[sizeof acl + 1];
    struct stat st;
    bool same;

    snprintf(path, sizeof path, "/proc/self/fd/%d", ws);
    CHECK(fstatat(ws, how.file, &st, AT_SYMLINK_NOFOLLOW) == 0);
    CHECK(st.st_uid == owner && (st.st_mode & (how.acl ? 07117 : 07137)) == 0);
    CHECK(st.st_gid == group);
    if (how.acl) {
        int fd = openat(ws, how.file, O_RDONLY | O_CLOEXEC);

        same = fgetxattr(fd, "system.posix_acl_access", value, sizeof value) == sizeof acl &&
               memcmp(value, acl, sizeof acl) == 0;
        close(fd);
        /* the group got nothing that it had not; unless this file system has no ACLs, it says */
        CHECK(same || (st.st_mode & 070) == 0 || inject.number == ENOTSUP);
        CHECK(same || inject.hit);
    } else {
        CHECK((st.st_mode & 0777) == 0640 || inject.hit);
    }
}

/* A failure that may leave a temporary file: its removal fails, or (with all renames failing from there on)
 * what came out of a swap cannot be put back. */
static bool may_leave_one(void)
{
    return inject.kind == CALL_unlink || (inject_is_sticky() && inject.kind == CALL_node_at);
}

/* The directories that a write had to make, and that are there. */
static size_t count_made(void)
{
    return (size_t)(faccessat(ws, "n/a", F_OK, 0) == 0) + (faccessat(ws, "n/a/b", F_OK, 0) == 0);
}

static void judge(croft_status status)
{
    bool is_old = holds(how.file, how.old), is_new = holds(how.file, how.new);
    int temporary = count_temporary("d") + count_temporary(".") + count_temporary("n/a/b");

    CHECK(is_old || is_new);
    if (status == CROFT_OK)
        CHECK(is_new);
    else
        CHECK(is_old || inject.kind == CALL_node_at); /* it could not be seen that it was done */
    if (status == CROFT_OK && how.old != NULL)
        judge_metadata();
    CHECK(temporary <= how.leftover || (inject.hit && may_leave_one()));
    CHECK(inject.hit || inject.mode != INJECT_NOTHING || (status == CROFT_OK && temporary == 0));
    CHECK(status == CROFT_OK || (err.kind == status && strstr(err.message, fixture_base) == NULL));
    if (status != CROFT_OK && (inject.number == ENOSPC || inject.number == EDQUOT) &&
        (inject.kind == CALL_write || inject.kind == CALL_fsync || inject.kind == CALL_mkdir))
        CHECK(status == CROFT_NO_SPACE);
    if (status != CROFT_OK && is_short_of_something()) /* or the owner cannot be kept for it */
        CHECK(status == CROFT_EXHAUSTED || inject.kind == CALL_fchown);
    if (status != CROFT_OK)
        CHECK(info.made == count_made());
    CHECK(holds("d/neighbour", "neighbour\n") && holds("skills/s", "s"));
    CHECK(faccessat(ws, "d/link", F_OK, AT_SYMLINK_NOFOLLOW) == 0 && held("d/link") == NULL);
    if (inject.hit && inject.kind == CALL_fsync && status == CROFT_OK)
        CHECK(info.not_confirmed);
}

/* ---- all ways ------------------------------------------------------------------------------------ */

static void open_it(bool no_fsync)
{
    static const char *const names[] = {"skills", "docs"};
    croft_view_options options = {.size = sizeof options,
                                  .no_fsync = no_fsync,
                                  .read_only_names = names,
                                  .read_only_count = 2};
    char path[128];

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    inject_start(INJECT_NOTHING, 0, 0);
    if (root_open(path, &options, &inject_sys, &root, &err) != CROFT_OK ||
        pins_hold(root, &options, &err) != CROFT_OK)
        abort();
}

static void every_way(void)
{
    static const struct {
        const char *name, *path, *file, *old, *new;
        enum replace_mode mode;
        bool expect, acl, leftover;
    } ways[] = {
        {"a new file", "d/new", "d/new", NULL, NEW, REPLACE_OVERWRITE, false, false, false},
        {"a new file at the top", "top", "top", NULL, NEW, REPLACE_CREATE, false, false, false},
        {"a file in new directories", "n/a/b/c", "n/a/b/c", NULL, NEW, REPLACE_CREATE, false, false,
         false},
        {"an overwrite", "d/t", "d/t", OLD, NEW, REPLACE_OVERWRITE, false, false, false},
        {"an overwrite by a link", "d/link", "d/t", OLD, NEW, REPLACE_OVERWRITE, false, true,
         false},
        {"an overwrite with a sweep", "d/t", "d/t", OLD, NEW, REPLACE_OVERWRITE, false, false,
         true},
        {"an append", "d/t", "d/t", OLD, OLD ADDED, REPLACE_APPEND, false, false, false},
        {"an append to nothing", "d/new", "d/new", NULL, ADDED, REPLACE_APPEND, false, false,
         false},
        {"an edit", "d/t", "d/t", OLD, NEW, REPLACE_OVERWRITE, true, true, false},
    };
    struct operation op = {.prepare = prepare, .run = run, .judge = judge};

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        op.name = ways[i].name;
        how.path = ways[i].path;
        how.file = ways[i].file;
        how.old = ways[i].old;
        how.new = ways[i].new;
        how.data = ways[i].mode == REPLACE_APPEND ? ADDED : NEW;
        how.mode = ways[i].mode;
        how.expect = ways[i].expect;
        how.acl = ways[i].acl;
        how.leftover = ways[i].leftover;
        inject_everywhere(&op);
    }
}

static void on(const char *what, bool no_fsync)
{
    unsigned long before = injected;

    open_it(no_fsync);
    every_way();
    inject_start(INJECT_NOTHING, 0, 0);
    root_close(root);
    printf("%s: %lu runs\n", what, injected - before);
}

int main(void)
{
    char path[128];

    inject_init();
    fixture_disk = "/dev/shm";
    fake.old = LEFTOVER;
    owner = geteuid() == 0 ? 1 : geteuid();
    group = geteuid() == 0 ? 4 : getegid();
    fixture_make(set_up);
    snprintf(path, sizeof path, "%s/ws", fixture_base);
    ws = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    on("with fsync", false);
    fake.no_flags = true;
    on("renames without flags", true);
    fake.no_flags = false;
    fake.most = 3;
    on("three bytes at a time", true);
    clear();
    close(ws);
    fixture_remove();
    return check_report("inject_write");
}
