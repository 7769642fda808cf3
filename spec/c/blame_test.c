/* SPDX-License-Identifier: MIT */
/* What an error says of where and why: the component of the path that is at fault, what a file system's errno
 * means, and which directories were made all the same. S0-71 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "check.h"
#include "file.h"
#include "inject.h"
#include "make_dir.h"
#include "move.h"
#include "remove.h"
#include "replace.h"
#include "tree_fixture.h"

static const char set_up[] =
    "cd ws && mkdir -p d/e d2 skills && printf 'one' > d/e/t && printf 'two' > d2/t && "
    "ln -s gone/deeper dangling && ln -s d linked";

enum act { READ, LIST, WRITE, MAKE, REMOVE, MOVE };

/* One failure. `call` fails with `number`, but for the first `spared`; number 0: nothing is injected. */
struct row {
    enum act act;
    const char *path, *to;
    enum inject_call call;
    unsigned spared;
    int number;
    croft_status status;
    const char *detail;
    unsigned at;
    size_t made;
    const char *first_made;
};

static const struct row rows[] = {
    {READ, "d/e/t", NULL, CALL_openat, 0, EACCES, CROFT_UNREADABLE, "", 0, 0, ""},
    {READ, "d/e/t", NULL, CALL_openat, 1, EACCES, CROFT_UNREADABLE, "", 1, 0, ""},
    {READ, "d/e/t", NULL, CALL_openat, 3, EACCES, CROFT_UNREADABLE, "", 2, 0, ""},
    {READ, "d/e/t", NULL, CALL_openat, 1, ENAMETOOLONG, CROFT_BAD_ARGUMENT, "long", 1, 0, ""},
    {READ, "d/e/t", NULL, CALL_openat, 1, EMFILE, CROFT_EXHAUSTED, "", 1, 0, ""},
    {READ, "d/e/t", NULL, CALL_openat, 3, ENFILE, CROFT_EXHAUSTED, "", 2, 0, ""},
    {READ, "d/e/t", NULL, CALL_node, 1, ENOMEM, CROFT_EXHAUSTED, "", 1, 0, ""},
    {READ, "d/e", NULL, CALL_COUNT, 0, 0, CROFT_NOT_A_FILE, "", 1, 0, ""},
    {READ, "d/e/t/x", NULL, CALL_COUNT, 0, 0, CROFT_NOT_A_DIRECTORY, "", 2, 0, ""},
    {READ, "d/none/t", NULL, CALL_COUNT, 0, 0, CROFT_MISSING, "", 1, 0, ""},
    {READ, "linked/none/t", NULL, CALL_COUNT, 0, 0, CROFT_MISSING, "", 1, 0, ""},
    {READ, "dangling/t", NULL, CALL_COUNT, 0, 0, CROFT_MISSING, "", 0, 0, ""},
    {LIST, "d/e", NULL, CALL_openat, 2, EIO, CROFT_IO, "", 1, 0, ""},
    {LIST, "d/e", NULL, CALL_openat, 2, EMFILE, CROFT_EXHAUSTED, "", 1, 0, ""},
    {LIST, "d/e/t", NULL, CALL_COUNT, 0, 0, CROFT_NOT_A_DIRECTORY, "", 2, 0, ""},
    {WRITE, "d/e/new", NULL, CALL_openat, 3, ENOSPC, CROFT_NO_SPACE, "", 2, 0, ""},
    {WRITE, "d/e/new", NULL, CALL_openat, 3, EMFILE, CROFT_EXHAUSTED, "", 2, 0, ""},
    {WRITE, "d/e/new", NULL, CALL_openat, 2, ENAMETOOLONG, CROFT_BAD_ARGUMENT, "long", 2, 0, ""},
    {WRITE, "d/e/t", NULL, CALL_write, 0, EIO, CROFT_IO, "", 2, 0, ""},
    {WRITE, "d/e/t", NULL, CALL_rename, 0, EBUSY, CROFT_BUSY, "", 2, 0, ""},
    {WRITE, "d/e/t", NULL, CALL_rename, 0, EXDEV, CROFT_CROSSES_MOUNT, "", 2, 0, ""},
    {WRITE, "d/e/t", NULL, CALL_writable, 0, EROFS, CROFT_UNREADABLE, "", 2, 0, ""},
    {WRITE, "d/e", NULL, CALL_COUNT, 0, 0, CROFT_NOT_A_FILE, "", 1, 0, ""},
    {WRITE, "d/.~croft-x/y", NULL, CALL_COUNT, 0, 0, CROFT_BAD_ARGUMENT, "reserved", 1, 0, ""},
    {WRITE, "d/n/a/f", NULL, CALL_mkdir, 0, EACCES, CROFT_UNREADABLE, "", 1, 0, ""},
    {WRITE, "d/n/a/f", NULL, CALL_mkdir, 1, ENOSPC, CROFT_NO_SPACE, "", 2, 1, "d/n"},
    {WRITE, "d/n/a/f", NULL, CALL_write, 0, ENOSPC, CROFT_NO_SPACE, "", 3, 2, "d/n"},
    {WRITE, "n/f", NULL, CALL_rename, 0, EDQUOT, CROFT_NO_SPACE, "", 1, 1, "n"},
    {WRITE, "n/f", NULL, CALL_node, 0, ENOMEM, CROFT_EXHAUSTED, "", 0, 1, "n"},
    {WRITE, "dangling/x/f", NULL, CALL_mkdir, 1, ENOSPC, CROFT_NO_SPACE, "", 0, 1, "gone"},
    {WRITE, "dangling/x/f", NULL, CALL_mkdir, 2, ENOSPC, CROFT_NO_SPACE, "", 1, 2, "gone"},
    {WRITE, "dangling/x/f", NULL, CALL_write, 0, ENOSPC, CROFT_NO_SPACE, "", 2, 3, "gone"},
    {MAKE, "d/n/a/b", NULL, CALL_mkdir, 2, ENOSPC, CROFT_NO_SPACE, "", 3, 2, "d/n"},
    {MAKE, "d/n/a/b", NULL, CALL_mkdir, 0, ENAMETOOLONG, CROFT_BAD_ARGUMENT, "long", 1, 0, ""},
    {MAKE, "d/e/t", NULL, CALL_COUNT, 0, 0, CROFT_ALREADY_EXISTS, "file", 2, 0, ""},
    {REMOVE, "d/e/t", NULL, CALL_unlink, 0, EBUSY, CROFT_BUSY, "", 2, 0, ""},
    {REMOVE, "d/e/t", NULL, CALL_unlink, 0, ENOMEM, CROFT_EXHAUSTED, "", 2, 0, ""},
    {REMOVE, "d/e", NULL, CALL_COUNT, 0, 0, CROFT_BAD_ARGUMENT, "not_empty", 1, 0, ""},
    {REMOVE, "d/none", NULL, CALL_COUNT, 0, 0, CROFT_MISSING, "", 1, 0, ""},
    {MOVE, "d/e/t", "d2/x", CALL_move, 0, EBUSY, CROFT_BUSY, "", 2, 0, ""},
    {MOVE, "d/e/t", "d2/x", CALL_move, 0, ENOSPC, CROFT_NO_SPACE, "", 2, 0, ""},
    {MOVE, "d/e/t", "d2/t", CALL_COUNT, 0, 0, CROFT_ALREADY_EXISTS, "file", 1, 0, ""},
    {MOVE, "d/e/t", "d2/n/a/b", CALL_mkdir, 1, EMFILE, CROFT_EXHAUSTED, "", 2, 1, "d2/n"},
    {MOVE, "d/e/t", "d2/n/a", CALL_move, 0, ENOSPC, CROFT_NO_SPACE, "", 2, 1, "d2/n"},
    {MOVE, "d/e", "d/e2", CALL_move, 0, EXDEV, CROFT_CROSSES_MOUNT, "whole", 1, 0, ""},
    {MOVE, "d/e/t", "d/e/t2", CALL_move, 0, EXDEV, CROFT_IO, "", 2, 0, ""},
};

/* ---- the acts ---------------------------------------------------------------------------------- */

static bool may_replace; /* a move */
static croft_error err;
static size_t made;
static char first_made[PATH_BYTES + 1];

static croft_status read_file(const struct root *root, const struct path *path)
{
    struct node node;
    int fd;
    croft_status status = file_open(root, path, &fd, &node, &err);

    if (status == CROFT_OK)
        close(fd);
    return status;
}

static croft_status list(const struct root *root, const struct path *path)
{
    struct place place;
    struct node node;
    int fd;
    croft_status status = resolve(root, path, RESOLVE_EXISTING, &place, &err);

    if (status != CROFT_OK)
        return status;
    status = open_place(&place, path, S_IFDIR, &fd, &node, &err);
    if (status == CROFT_OK)
        close(fd);
    place_close(&place);
    return status;
}

static croft_status write_file(const struct root *root, const struct path *path)
{
    static const struct replace_options options = {.limit = 1000, .compare_limit = 1000};
    static struct replace_info info;
    croft_status status = replace_file(root, path, "new", 3, &options, &info, &err);

    made = info.made;
    strcpy(first_made, info.first_made);
    return status;
}

static croft_status make(const struct root *root, const struct path *path)
{
    static struct make_dir_info info;
    croft_status status = make_dir(root, path, &info, &err);

    made = info.made;
    strcpy(first_made, info.first_made);
    return status;
}

static croft_status take(const struct root *root, const struct path *path)
{
    struct remove_info info;

    return remove_name(root, path, &info, &err);
}

static croft_status move(const struct root *root, const struct path *path, const char *to)
{
    static struct move_info info;
    struct move_options options = {.replace = may_replace};
    struct path target;
    croft_status status;

    CHECK(path_parse(to, strlen(to), &target, &err) == CROFT_OK);
    status = move_name(root, path, &target, &options, &info, &err);
    made = info.made;
    strcpy(first_made, info.first_made);
    return status;
}

static croft_status act(const struct root *root, enum act act, const char *text, const char *to)
{
    struct path path;

    memset(&err, 0, sizeof err);
    made = 0;
    first_made[0] = '\0';
    CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
    switch (act) {
    case READ: return read_file(root, &path);
    case LIST: return list(root, &path);
    case WRITE: return write_file(root, &path);
    case MAKE: return make(root, &path);
    case REMOVE: return take(root, &path);
    default: return move(root, &path, to);
    }
}

/* ---- what is said ------------------------------------------------------------------------------ */

static void judge(const struct row *row, croft_status status)
{
    int failed = check_failed;

    CHECK(status == row->status && err.kind == row->status);
    CHECK(err.at == row->at);
    CHECK_TEXT(err.detail, row->detail);
    CHECK(made == row->made);
    CHECK_TEXT(first_made, row->first_made);
    if (row->made > 0) {
        char command[128];

        snprintf(command, sizeof command, "test -d 'ws/%s'", row->first_made);
        CHECK(fixture_says(command));
    }
    if (check_failed > failed)
        fprintf(stderr, "    row %zu: %s, %s: %s at %u, made %zu\n", (size_t)(row - rows),
                row->path, croft_status_word(status), err.message, err.at, made);
}

static void each_row(const struct root *root)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        croft_status status;

        fixture_run("rm -rf ws/n ws/gone ws/d/n ws/d2/n");
        inject.kind = row->call;
        inject.spared = row->spared;
        inject_start(row->number == 0 ? INJECT_NOTHING : INJECT_KIND, 0, row->number);
        status = act(root, row->act, row->path, row->to);
        inject_start(INJECT_NOTHING, 0, 0);
        judge(row, status);
    }
}

static void with_injection(void)
{
    struct root *root;

    fixture_make(set_up);
    fixture_sys = &inject_sys;
    root = fixture_root(CROFT_RESOLVER_WALK);
    each_row(root);
    root_close(root);
    fixture_sys = &sys_kernel;
    fixture_remove();
}

/* ---- too deep ------------------------------------------------------------------------------------ */

/* What cannot be made whole is refused before any of it is made. */
static void makes_none_of_too_many(void)
{
    char path[2 * WALK_HELD + 8] = "";
    struct root *root;

    for (int i = 0; i < WALK_HELD; i++)
        strcat(path, "n/");
    strcat(path, "f");
    fixture_make(set_up);
    root = fixture_root(CROFT_RESOLVER_AUTO);
    CHECK(act(root, WRITE, path, NULL) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.detail, "deep");
    CHECK(made == 0 && fixture_says("test ! -e ws/n"));
    root_close(root);
    fixture_remove();
}

/* ---- mounts -------------------------------------------------------------------------------------- */

/* In a namespace of its own, where that can be had. */
static bool may_mount(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static void names_mounts(const struct root *root)
{
    static const struct {
        enum act act;
        const char *path, *to;
        unsigned at;
    } cases[] = {
        {WRITE, "d/e/t", NULL, 2},      {REMOVE, "d/e/t", NULL, 2},    {REMOVE, "d2/m", NULL, 1},
        {MOVE, "d/e/t", "d/e/u", 2},    {MOVE, "d2/m", "d2/other", 1}, {MOVE, "d2/t", "d/e/t", 2},
        {WRITE, "linked/e/t", NULL, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(act(root, cases[i].act, cases[i].path, cases[i].to) == CROFT_BUSY);
        CHECK_TEXT(err.detail, "mount");
        CHECK(err.at == cases[i].at && err.sys_errno == EBUSY);
    }
    CHECK(act(root, MOVE, "d2/t", "d2/m/t") == CROFT_CROSSES_MOUNT && err.at == 1);
    CHECK_TEXT(err.detail, "systems");
    CHECK(fixture_says("test \"$(cat ws/d/e/t)\" = three && test \"$(cat ws/d2/t)\" = two"));
    CHECK(fixture_says("test -z \"$(find ws -name '.~croft-*')\""));
}

static void keeps_to_its_own(void)
{
    const char *none = NULL;
    croft_view_options options = {.size = sizeof options,
                                  .one_file_system = true,
                                  .no_fsync = true,
                                  .read_only_names = &none};
    char path[128];
    struct root *root = NULL;

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    CHECK(root_open(path, &options, &sys_kernel, &root, &err) == CROFT_OK);
    CHECK(act(root, READ, "d2/m/f", NULL) == CROFT_CROSSES_MOUNT && err.at == 1);
    CHECK_TEXT(err.detail, "kept");
    CHECK(act(root, MOVE, "d2/t", "d2/m/t") == CROFT_CROSSES_MOUNT && err.at == 1);
    CHECK_TEXT(err.detail, "kept");
    root_close(root);
}

/* A directory of a lower layer is not renamed; its files are. */
static void knows_layers(void)
{
    struct root *root;

    if (!fixture_says("mkdir -p over/low/a/b over/up over/work && echo x > over/low/a/b/f && "
                      "mount -t overlay none -o lowerdir=over/low,upperdir=over/up,workdir=over/"
                      "work,redirect_dir=off ws/d2/m 2>/dev/null"))
        return;
    root = fixture_root(CROFT_RESOLVER_AUTO);
    CHECK(act(root, MOVE, "d2/m/a/b", "d2/m/b") == CROFT_CROSSES_MOUNT && err.at == 3);
    CHECK_TEXT(err.detail, "whole");
    CHECK(act(root, MOVE, "d2/m/a/b/f", "d2/m/f") == CROFT_OK);
    root_close(root);
    fixture_run("umount ws/d2/m");
}

static void with_mounts(void)
{
    struct root *root;

    if (!may_mount())
        return;
    fixture_disk = "/dev/shm";
    fixture_make(set_up);
    fixture_run("mkdir ws/d2/m && printf three > ws/d2/u && mount -t tmpfs none ws/d2/m && mount "
                "--bind ws/d2/u ws/d/e/t");
    root = fixture_root(CROFT_RESOLVER_AUTO);
    may_replace = true;
    names_mounts(root);
    root_close(root);
    keeps_to_its_own();
    fixture_run("umount ws/d2/m ws/d/e/t");
    knows_layers();
    fixture_remove();
}

int main(void)
{
    inject_init();
    with_injection();
    makes_none_of_too_many();
    with_mounts();
    return check_report("blame");
}
