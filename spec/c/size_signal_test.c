/* SPDX-License-Identifier: MIT */
/* A limit on the size of files is an error of the write. The signal that comes with it ends nobody, and of
 * what the host has made of it nothing is changed. S0-60 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"
#include "copy_file.h"
#include "replace.h"
#include "tree_fixture.h"

enum { LIMIT = 4096 };

static const char set_up[] = "cd ws && mkdir d && printf 'old\\n' > d/f";

static volatile sig_atomic_t handled;

static void handle(int number)
{
    (void)number;
    handled++;
}

/* ---- what the host has made of the signal -------------------------------------------------------- */

static void set_limit(rlim_t bytes)
{
    struct rlimit limit;

    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void dispose(void (*how)(int))
{
    struct sigaction action = {.sa_handler = how};

    CHECK(sigaction(SIGXFSZ, &action, NULL) == 0);
}

static void mask(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    CHECK(pthread_sigmask(how, &set, NULL) == 0);
}

static bool is_blocked(void)
{
    sigset_t set;

    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &set) == 0);
    return sigismember(&set, SIGXFSZ) == 1;
}

static bool is_pending(void)
{
    sigset_t set;

    CHECK(sigpending(&set) == 0);
    return sigismember(&set, SIGXFSZ) == 1;
}

/* ---- the acts ------------------------------------------------------------------------------------ */

static croft_status put(const struct root *root, const char *text, size_t size, croft_error *err)
{
    static const char data[3 * LIMIT];
    struct replace_options options = {.limit = sizeof data, .compare_limit = 1000};
    struct replace_info info;
    struct path path;

    CHECK(path_parse(text, strlen(text), &path, err) == CROFT_OK);
    return replace_file(root, &path, data, size, &options, &info, err);
}

static void refuses(const struct root *root)
{
    croft_error err;

    CHECK(put(root, "d/f", 2 * LIMIT, &err) == CROFT_NO_SPACE);
    CHECK_TEXT(err.detail, "limit");
    CHECK(err.sys_errno == EFBIG);
    CHECK(put(root, "d/new", 2 * LIMIT, &err) == CROFT_NO_SPACE);
    CHECK(put(root, "d/small", LIMIT, &err) == CROFT_OK);
    CHECK(fixture_says("cd ws/d && test \"$(cat f)\" = old && test \"$(ls -A)\" = 'f\nsmall' && "
                       "rm small"));
}

/* Nothing is pending that was not: it would end the host when it lets the signal come. */
static void leaves_the_host_alone(const struct root *root)
{
    dispose(handle);
    refuses(root);
    CHECK(handled == 0 && !is_blocked() && !is_pending());
    mask(SIG_BLOCK);
    refuses(root);
    CHECK(handled == 0 && is_blocked() && !is_pending());
    raise(SIGXFSZ);
    refuses(root);
    CHECK(is_pending());
    mask(SIG_UNBLOCK);
    CHECK(handled == 1);
    dispose(SIG_IGN);
    refuses(root);
    dispose(SIG_DFL);
    refuses(root);
    CHECK(!is_blocked() && !is_pending());
}

/* Whatever makes a file larger. */
static void copies(void)
{
    int from = sys_kernel.memory(), to = sys_kernel.memory(), dir = open(fixture_base, O_PATH);
    int disk = openat(dir, "from", O_CREAT | O_RDWR, 0600), other;
    bool shared;
    croft_error err;

    set_limit(RLIM_INFINITY);
    CHECK(ftruncate(from, 3 * LIMIT) == 0 && pwrite(from, "x", 1, 2 * LIMIT) == 1);
    CHECK(ftruncate(disk, 3 * LIMIT) == 0 && pwrite(disk, "x", 1, 2 * LIMIT) == 1);
    set_limit(LIMIT);
    CHECK(copy_file(&sys_kernel, from, to, 3 * LIMIT, &shared, &err) == CROFT_NO_SPACE);
    CHECK(sys_kernel.truncate(to, 2 * LIMIT) != 0 && errno == EFBIG);
    other = openat(dir, "to", O_CREAT | O_RDWR, 0600);
    CHECK(copy_file(&sys_kernel, disk, other, 3 * LIMIT, &shared, &err) == CROFT_NO_SPACE);
    close(from);
    close(to);
    close(disk);
    close(other);
    close(dir);
}

int main(void)
{
    struct root *root;

    fixture_make(set_up);
    root = fixture_root(CROFT_RESOLVER_AUTO);
    set_limit(LIMIT);
    leaves_the_host_alone(root);
    copies();
    set_limit(RLIM_INFINITY);
    root_close(root);
    fixture_remove();
    return check_report("size_signal");
}
