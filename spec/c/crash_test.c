/* SPDX-License-Identifier: MIT */
/* The process is killed before or behind each call of a write: the file is the old one or the new one, what is
 * left behind has a temporary name, and the next write works, and clears that away when it is old. S0-60 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "check.h"
#include "inject.h"
#include "replace.h"
#include "tree_fixture.h"

#define OLD "the old text, of one line\n"
#define NEW "a new text\nof two lines\n"
#define ADDED "and more\n"

static struct root *root;
static int ws = -1;

struct writing {
    const char *name, *path;
    const char *old; /* NULL: there is none */
    const char *data, *new;
    enum replace_mode mode;
    bool expect;
};

static const struct writing writings[] = {
    {"a new file", "d/t", NULL, NEW, NEW, REPLACE_CREATE, false},
    {"a file in new directories", "n/a/t", NULL, NEW, NEW, REPLACE_OVERWRITE, false},
    {"an overwrite", "d/t", OLD, NEW, NEW, REPLACE_OVERWRITE, false},
    {"an append", "d/t", OLD, ADDED, OLD ADDED, REPLACE_APPEND, false},
    {"an edit", "d/t", OLD, NEW, NEW, REPLACE_OVERWRITE, true},
};

static bool holds(const char *name, const char *wanted)
{
    char text[256];
    int fd = openat(ws, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t size;

    if (fd < 0)
        return wanted == NULL;
    size = read(fd, text, sizeof text);
    close(fd);
    return wanted != NULL && size == (ssize_t)strlen(wanted) &&
           memcmp(text, wanted, strlen(wanted)) == 0;
}

/* The entries of a directory but for `name`: `last` is one of them. */
static int count_others(const char *directory, const char *name, char *last, size_t size)
{
    int fd = openat(ws, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = 0;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (dir == NULL)
        return 0;
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            strcmp(entry->d_name, name) == 0)
            continue;
        count++;
        snprintf(last, size, "%s", entry->d_name);
    }
    closedir(dir);
    return count;
}

static void prepare(const struct writing *w)
{
    int fd;

    fixture_run("rm -rf ws/d ws/n && mkdir ws/d");
    if (w->old == NULL)
        return;
    fd = openat(ws, w->path, O_CREAT | O_WRONLY | O_CLOEXEC, 0640);
    if (write(fd, w->old, strlen(w->old)) != (ssize_t)strlen(w->old))
        abort();
    close(fd);
}

static croft_status write_it(const struct writing *w)
{
    struct replace_options options = {.mode = w->mode, .limit = 1000, .compare_limit = 1000};
    struct replace_info info;
    struct stamp stamp = {.has_no_digest = false};
    struct path path;
    croft_error err;
    int fd;

    if (path_parse(w->path, strlen(w->path), &path, &err) != CROFT_OK)
        abort();
    if (w->expect) {
        fd = openat(ws, w->path, O_PATH | O_CLOEXEC);
        if (sys_kernel.node(fd, &stamp.node) != 0)
            abort();
        close(fd);
        stamp.digest = file_digest(w->old, strlen(w->old));
        options.expect = &stamp;
    }
    return replace_file(root, &path, w->data, strlen(w->data), &options, &info, &err);
}

/* False when the writing ended before the call was reached. */
static bool is_killed(const struct writing *w, enum inject_mode mode, unsigned at)
{
    pid_t child = fork();
    int status = 0;

    if (child < 0)
        abort();
    if (child == 0) {
        inject_start(mode, at, 0);
        _exit(write_it(w) == CROFT_OK ? 0 : 1);
    }
    if (waitpid(child, &status, 0) != child)
        abort();
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return true;
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return false;
}

/* Two hours later, somebody writes there again. */
static void write_later(const struct writing *w, const char *directory, char *leftover)
{
    static const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
    struct writing again = {w->name, w->path, NULL, "again\n", "again\n", REPLACE_OVERWRITE, false};
    char other[NAME_BYTES + 1];

    inject_start(INJECT_NOTHING, 0, 0);
    CHECK(write_it(&again) == CROFT_OK);
    CHECK(holds(w->path, again.new));
    if (leftover[0] == '\0')
        return;
    utimensat(ws, directory, long_ago, 0);
    fake.old = leftover;
    again.data = again.new = "and again\n";
    CHECK(write_it(&again) == CROFT_OK);
    fake.old = NULL;
    CHECK(count_others(directory, "t", other, sizeof other) == 0);
}

static void judge(const struct writing *w)
{
    char leftover[NAME_BYTES + 1] = "", none[NAME_BYTES + 1];
    const char *directory = w->path[0] == 'n' ? "n/a" : "d";
    int others = count_others(directory, "t", leftover, sizeof leftover);

    CHECK(holds(w->path, w->old) || holds(w->path, w->new));
    CHECK(others <= 1);
    CHECK(others == 0 || (name_is_reserved(leftover, strlen(leftover)) &&
                          strlen(leftover) == strlen(RESERVED_PREFIX) + 32));
    CHECK(count_others("n", "a", none, sizeof none) == 0);
    write_later(w, directory, leftover);
}

static void kill_everywhere(const struct writing *w, enum inject_mode mode)
{
    int failed = check_failed;
    unsigned at = 0;
    bool killed = true;

    while (killed) {
        prepare(w);
        killed = is_killed(w, mode, ++at);
        judge(w);
        if (check_failed > failed)
            fprintf(stderr, "    in %s, killed at call %u\n", w->name, at);
        failed = check_failed;
    }
    CHECK(holds(w->path, "again\n"));
    CHECK(at > 15); /* it was a writing indeed */
}

static void open_it(bool no_fsync)
{
    croft_view_options options = {.size = sizeof options, .no_fsync = no_fsync};
    char path[128];
    croft_error err;

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    inject_start(INJECT_NOTHING, 0, 0);
    if (root_open(path, &options, &inject_sys, &root, &err) != CROFT_OK)
        abort();
    ws = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int main(void)
{
    inject_init();
    fixture_disk = "/dev/shm";
    fixture_make("true");
    fake.no_disk = true; /* a killed process is not a power cut */
    fake.most = 7;       /* so that it can be killed in the middle of the text */
    for (int no_fsync = 0; no_fsync < 2; no_fsync++) {
        open_it(no_fsync);
        for (size_t i = 0; i < sizeof writings / sizeof writings[0]; i++) {
            kill_everywhere(&writings[i], INJECT_KILL_BEFORE);
            kill_everywhere(&writings[i], INJECT_KILL_AFTER);
        }
        root_close(root);
        close(ws);
    }
    fixture_remove();
    return check_report("crash");
}
