/* SPDX-License-Identifier: MIT */
/* The second wall: what Landlock is asked for in each of its versions, what it refuses though the resolver
 * is broken on purpose, and that all work goes on behind it. Each wall is put up in a thread of its own,
 * which is also what croft.h promises: the others stay free. S0-38, S0-39 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "check.h"
#include "session.h"
#include "tree_fixture.h"
#include "wall.h"

static const char set_up[] =
    "echo inside > ws/a.txt && chmod 640 ws/a.txt && ln ws/a.txt ws/b.txt && mkdir ws/d &&"
    " ln -s ../outside ws/out && ln -s ../outside/secret.txt ws/secret && ln -s a.txt ws/link";

static int offered; /* the version of Landlock that this kernel has; 0: none */

static int count_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

static void in_thread(void *(*body)(void *), void *user)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, body, user) != 0)
        abort();
    pthread_join(thread, NULL);
}

/* ---- what is asked for ------------------------------------------------------------------------- */

enum stage { PRIVILEGES, VERSION, CREATE, ALLOW, RESTRICT, NOWHERE };

static struct {
    int version;
    enum stage fails;
    int number;
    struct landlock_classes asked;
    size_t size;
    uint64_t rights;
    int restricted;
} kernel;

static int answer(enum stage stage, int good)
{
    if (kernel.fails != stage)
        return good;
    errno = kernel.number;
    return -1;
}

static int fake_no_new_privileges(void)
{
    return answer(PRIVILEGES, 0);
}

static int fake_version(void)
{
    return answer(VERSION, kernel.version);
}

static int fake_create(const struct landlock_classes *handled, size_t size)
{
    kernel.asked = *handled;
    kernel.size = size;
    return kernel.fails == CREATE ? answer(CREATE, 0) : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static int fake_allow(int ruleset, int dir, uint64_t rights)
{
    CHECK(fcntl(ruleset, F_GETFD) >= 0 && fcntl(dir, F_GETFD) >= 0);
    kernel.rights = rights;
    return answer(ALLOW, 0);
}

static int fake_restrict(int ruleset)
{
    CHECK(fcntl(ruleset, F_GETFD) >= 0);
    kernel.restricted++;
    return answer(RESTRICT, 0);
}

static struct sys fake_kernel(void)
{
    struct sys sys = sys_kernel;

    sys.no_new_privileges = fake_no_new_privileges;
    sys.landlock_version = fake_version;
    sys.landlock_create = fake_create;
    sys.landlock_allow = fake_allow;
    sys.landlock_restrict = fake_restrict;
    return sys;
}

static croft_status raise_fake(const struct root *root, croft_wall *wall, croft_error *err)
{
    int before = count_open();
    croft_status status = wall_raise(root, NULL, NULL, 0, wall, err);

    CHECK(count_open() == before);
    return status;
}

/* From the kernel's documentation, by hand. */
static void asks_each_version_for_what_it_knows(const struct root *root)
{
    static const struct {
        int version;
        uint64_t files, ports, scopes;
        size_t size;
        uint64_t
            rights; /* no moves in the first, and from the third on to truncate with to write */
    } wanted[] = {
        {1, 0x1FFF, 0, 0, 8, 0x11BE},  {2, 0x3FFF, 0, 0, 8, 0x31BE},
        {3, 0x7FFF, 0, 0, 8, 0x71BE},  {4, 0x7FFF, 3, 0, 16, 0x71BE},
        {5, 0xFFFF, 3, 0, 16, 0x71BE}, {6, 0xFFFF, 3, 3, 24, 0x71BE},
        {7, 0xFFFF, 3, 3, 24, 0x71BE}, {99, 0xFFFF, 3, 3, 24, 0x71BE},
    };
    croft_wall wall;
    croft_error err;

    kernel.fails = NOWHERE;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        kernel.version = wanted[i].version;
        kernel.restricted = 0;
        CHECK(raise_fake(root, &wall, &err) == CROFT_OK);
        CHECK(kernel.asked.files == wanted[i].files && kernel.asked.ports == wanted[i].ports &&
              kernel.asked.scopes == wanted[i].scopes && kernel.size == wanted[i].size);
        CHECK(kernel.rights == wanted[i].rights);
        CHECK(kernel.restricted == 1);
        CHECK(wall.landlock == wanted[i].version && wall.no_new_privileges);
        CHECK(wall.network == (wanted[i].version >= 4) && wall.scopes == (wanted[i].version >= 6));
    }
}

static void says_why_there_is_none(const struct root *root)
{
    static const struct {
        enum stage fails;
        int number;
        const char *says;
    } cases[] = {
        {PRIVILEGES, EINVAL, "the kernel refuses it (errno 22)"},
        {VERSION, ENOSYS, "the kernel has none"},
        {VERSION, EOPNOTSUPP, "it is switched off in the kernel"},
        {VERSION, EPERM, "the kernel refuses it (errno 1)"},
        {CREATE, EINVAL, "the kernel refuses it (errno 22)"},
        {CREATE, EMFILE, "the kernel refuses it (errno 24)"},
        {ALLOW, EBADFD, "the kernel refuses it (errno 77)"},
        {RESTRICT, EPERM, "the kernel refuses it (errno 1)"},
        {RESTRICT, E2BIG, "the kernel refuses it (errno 7)"}, /* too many walls around each other */
    };
    croft_wall wall;
    croft_error err;

    kernel.version = 7;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kernel.fails = cases[i].fails;
        kernel.number = cases[i].number;
        CHECK(raise_fake(root, &wall, &err) == CROFT_DENIED && err.kind == CROFT_DENIED);
        CHECK_TEXT(err.message, cases[i].says);
        CHECK(wall.landlock == 0 && !wall.network && !wall.scopes);
        CHECK(wall.no_new_privileges == (cases[i].fails != PRIVILEGES));
    }
    kernel.fails = NOWHERE;
    kernel.version = 0;
    CHECK(raise_fake(root, &wall, &err) == CROFT_DENIED);
}

static void asks_in_words(void)
{
    struct sys sys = fake_kernel();
    struct root *root;

    fixture_sys = &sys;
    root = fixture_root(CROFT_RESOLVER_AUTO);
    asks_each_version_for_what_it_knows(root);
    root->read_only = true;
    kernel.version = 7;
    CHECK(wall_raise(root, NULL, NULL, 0, &(croft_wall){0}, NULL) == CROFT_OK);
    CHECK(kernel.rights == 0x0C); /* READ_FILE and READ_DIR */
    root->read_only = false;
    says_why_there_is_none(root);
    root_close(root);
    fixture_sys = &sys_kernel;
}

/* ---- sessions ---------------------------------------------------------------------------------- */

/* A broken resolver: links are followed wherever they lead. */
static int broken_openat(int dir, const char *name, int flags, mode_t mode)
{
    return sys_kernel.openat(dir, name, flags & ~O_NOFOLLOW, mode);
}

static int broken_openat2(int dir, const char *path, int flags, uint64_t resolve)
{
    (void)resolve;
    return sys_kernel.openat2(dir, path, flags, 0);
}

static _Thread_local int pretended; /* the version that the kernel is taken to have */

static int pretended_version(void)
{
    return pretended;
}

struct workshop {
    croft_view *view;
    croft_session *session;
};

static struct workshop open_workshop(const struct sys *sys, bool read_only)
{
    struct workshop shop = {NULL, NULL};
    croft_view_options view_options;
    croft_session_options options;
    char path[128];
    croft_error err;

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    croft_view_options_init(&view_options);
    view_options.read_only = read_only;
    croft_session_options_init(&options);
    if (view_open(path, &view_options, sys, &shop.view, &err) != CROFT_OK ||
        croft_session_open(shop.view, &options, &shop.session, &err) != CROFT_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return shop;
}

static void close_workshop(struct workshop *shop)
{
    croft_session_close(shop->session);
    croft_view_close(shop->view);
}

/* Whether the call is done and its text holds `wanted`. */
static bool says(const struct workshop *shop, const char *tool, const char *args,
                 const char *wanted)
{
    croft_result result;
    bool good;

    croft_call(shop->session, tool, args, strlen(args), NULL, &result);
    good = result.outcome == CROFT_DONE && strstr(result.text, wanted) != NULL;
    croft_result_free(&result);
    return good;
}

/* ---- what is refused --------------------------------------------------------------------------- */

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool opens_below(const char *name, int flags)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", fixture_base, name);
    return opens(path, flags);
}

static bool truncates_below(const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", fixture_base, name);
    return truncate(path, 0) == 0;
}

static bool can_await_connections(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;

    if (fd >= 0)
        close(fd);
    return good;
}

static bool can_start_programs(void)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

static void *look_around(void *user)
{
    bool *is_held = user;

    *is_held = !opens("/etc/passwd", O_RDONLY) && !opens_below("outside/secret.txt", O_RDONLY);
    return NULL;
}

static void refuses_what_lies_outside(const croft_wall *wall)
{
    bool child_is_held = false;

    CHECK(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    CHECK(!opens("/etc/passwd", O_RDONLY) && errno == EACCES);
    CHECK(!opens("/", O_RDONLY | O_DIRECTORY) && !opens_below("outside/new", O_WRONLY | O_CREAT));
    CHECK(opens_below("ws/a.txt", O_RDWR));
    if (wall->landlock >= 3)
        CHECK(!truncates_below("outside/secret.txt"));
    CHECK(!can_start_programs());
    if (wall->network)
        CHECK(!can_await_connections());
    if (wall->scopes)
        CHECK(kill(getppid(), 0) != 0 && errno == EPERM);
    in_thread(look_around, &child_is_held);
    CHECK(child_is_held);
}

static bool secret_leaks(const struct workshop *shop)
{
    return says(shop, "read", "{\"path\":\"secret\"}", "TOPSECRET") ||
           says(shop, "grep", "{\"pattern\":\"TOP\",\"path\":\"out\"}", "TOPSECRET");
}

/* The wall behind a resolver that lets everything through. */
static void *breaks_out(void *user)
{
    bool walks = *(const bool *)user;
    struct sys sys = sys_kernel;
    struct workshop shop;
    croft_wall wall;
    croft_error err;

    sys.openat = broken_openat;
    sys.openat2 = broken_openat2;
    shop = open_workshop(&sys, false);
    shop.view->root->use_openat2 &= !walks;
    CHECK(secret_leaks(&shop)); /* a test that cannot fail proves nothing */
    CHECK(says(&shop, "write", "{\"path\":\"out/free\",\"content\":\"x\"}", "Created"));
    CHECK(opens_below("outside/free", O_RDONLY));
    CHECK(croft_confine(shop.view, &wall, &err) == CROFT_OK);
    CHECK(wall.landlock == offered);
    CHECK(!secret_leaks(&shop));
    CHECK(!says(&shop, "write", "{\"path\":\"out/held\",\"content\":\"x\"}", "Created"));
    CHECK(!says(&shop, "write", "{\"path\":\"out/free\",\"content\":\"new\"}", "Replaced"));
    CHECK(says(&shop, "read", "{\"path\":\"link\"}", "1|inside"));
    refuses_what_lies_outside(&wall);
    close_workshop(&shop);
    return NULL;
}

/* ---- what goes on ------------------------------------------------------------------------------ */

static void changes_files(const struct workshop *shop)
{
    CHECK(says(shop, "write", "{\"path\":\"n/m/new\",\"content\":\"1\\n\"}", "Made 2 directories"));
    CHECK(says(shop, "write", "{\"path\":\"n/m/new\",\"content\":\"2\\n\",\"mode\":\"append\"}",
               "Appended"));
    CHECK(says(shop, "write", "{\"path\":\"link\",\"content\":\"inside\\nmore\\n\"}", "Replaced"));
    CHECK(says(shop, "edit", "{\"path\":\"a.txt\",\"old_string\":\"more\",\"new_string\":\"less\"}",
               "Edited"));
    CHECK(says(shop, "list", "{\"recursive\":true}", "n/m/new (4 bytes)"));
    CHECK(says(shop, "grep", "{\"pattern\":\"less\"}", "a.txt:2|less"));
    CHECK(says(shop, "read", "{\"path\":\"b.txt\"}", "1|inside\n"));
}

static void *works(void *user)
{
    struct sys sys = sys_kernel;
    struct workshop shop;
    croft_wall wall;
    croft_error err;

    pretended = *(const int *)user;
    sys.landlock_version = pretended_version;
    shop = open_workshop(&sys, false);
    CHECK(croft_confine(shop.view, &wall, &err) == CROFT_OK && wall.landlock == pretended);
    changes_files(&shop);
    refuses_what_lies_outside(&wall);
    close_workshop(&shop);
    return NULL;
}

static void *reads_only(void *user)
{
    struct workshop shop = open_workshop(&sys_kernel, true);
    croft_error err;

    (void)user;
    CHECK(croft_confine(shop.view, NULL, &err) == CROFT_OK);
    CHECK(says(&shop, "read", "{\"path\":\"a.txt\"}", "inside"));
    CHECK(says(&shop, "list", "{}", "a.txt"));
    CHECK(!opens_below("ws/a.txt", O_WRONLY) && !opens_below("ws/new", O_WRONLY | O_CREAT));
    CHECK(offered < 3 || !truncates_below("ws/a.txt"));
    close_workshop(&shop);
    return NULL;
}

static void renew(void)
{
    fixture_remove();
    fixture_make(set_up);
}

static void holds(void)
{
    bool walks = false;

    in_thread(breaks_out, &walks);
    renew();
    walks = true;
    in_thread(breaks_out, &walks);
    for (int version = 1; version <= offered; version++) {
        renew();
        in_thread(works, &version);
        CHECK(fixture_says("grep -qx less ws/a.txt && test $(stat -c %a ws/a.txt) = 640"));
    }
    in_thread(reads_only, NULL);
    CHECK(opens("/etc/passwd", O_RDONLY)); /* this thread was never held */
}

int main(void)
{
    offered = sys_kernel.landlock_version();
    if (offered < 0)
        offered = 0;
    fixture_make(set_up);
    asks_in_words();
    if (offered > 0)
        holds();
    else
        puts("wall: this kernel has no Landlock; what it refuses is not looked at");
    fixture_remove();
    return check_report("wall");
}
