/* SPDX-License-Identifier: MIT */
/* A checkout is refused when a link in it cannot be trusted. S0-72 S0-73 S0-74 S0-75 S0-76 S0-77 */
#include "links.h"

#include <dirent.h>
#include <errno.h>

#include "check.h"
#include "tree_fixture.h"

static char report[16 * 1024];
static croft_status last_kind;

static void add_fault(void *user, const croft_link_fault *fault)
{
    size_t used = strlen(report);

    (void)user;
    snprintf(report + used, sizeof report - used, "%s: %s\n", fault->shown, fault->reason);
    last_kind = fault->kind;
}

static croft_status verify_with(const char *const *names, size_t count, const struct sys *sys,
                                croft_error *err)
{
    char path[128];

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    report[0] = '\0';
    memset(err, 0, sizeof *err);
    if (sys != NULL)
        return links_verify(path, names, count, sys, add_fault, NULL, err);
    return croft_verify_links(path, names, count, add_fault, NULL, err);
}

/* With the usual names. */
static croft_status verify(croft_error *err)
{
    return verify_with(NULL, 0, NULL, err);
}

static int count_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* ---- the table --------------------------------------------------------------------------------- */

struct checkout {
    const char *what;
    const char *lines; /* run in the checkout, which has the file f and the directories d/e and x */
    const char *wanted; /* "" when it can be trusted */
};

static const struct checkout table[] = {
    {"no links", "true", ""},
    {"links inside",
     "ln -s f file && ln -s d dir && ln -s ../../f d/e/up && ln -s dir/t through && ln -s d/ slash "
     "&& "
     "ln -s d/e/../t dots && mkfifo p && ln -s p fifo && ln -s d/./e//u doubled",
     ""},
    {"the checkout itself", "ln -s . here && ln -s ../.. d/e/top && ln -s here/here/f again", ""},

    /* S0-72 */
    {"a read-only name", "ln -s x skills", "skills: has the read-only name \"skills\"\n"},
    {"a read-only name that leads nowhere", "ln -s none docs",
     "docs: has the read-only name \"docs\"\n"},
    {"a read-only name in other letters", "ln -s x Skills",
     "Skills: has the read-only name \"skills\"\n"},
    {"a read-only name with what is not compared",
     "ln -s x docs. && ln -s x 'context ' && ln -s x TEMPLA~1",
     "TEMPLA~1: has the read-only name \"templates\"\n"
     "context : has the read-only name \"context\"\n"
     "docs.: has the read-only name \"docs\"\n"},
    {"inside a read-only tree, to the inside",
     "mkdir -p docs/a && echo t > docs/t && ln -s t docs/u && ln -s ../t docs/a/v",
     "docs/a/v: lies in the read-only \"docs\"\ndocs/u: lies in the read-only \"docs\"\n"},
    {"inside a read-only tree in other letters", "mkdir DOCS && ln -s ../f DOCS/l",
     "DOCS/l: lies in the read-only \"docs\"\n"},
    {"from elsewhere into a read-only tree",
     "mkdir docs && echo t > docs/t && ln -s docs/t t && ln -s ../docs d/docs", ""},
    {"a read-only name that is not at the top",
     "mkdir d/docs && ln -s ../t d/docs/t && ln -s e d/skills", ""},
    {"one line for two faults", "ln -s /etc context",
     "context: has the read-only name \"context\"\n"},

    /* S0-73 */
    {"an absolute target", "ln -s /etc/passwd abs", "abs: has an absolute target\n"},
    {"an absolute target inside", "ln -s \"$PWD/f\" abs", "abs: has an absolute target\n"},
    {"an absolute target that is not there", "ln -s /none/such abs",
     "abs: has an absolute target\n"},
    {"a way over an absolute target", "ln -s b a && ln -s /etc b && ln -s b/passwd c",
     "a: leads outside\nb: has an absolute target\nc: leads outside\n"},

    /* S0-74 */
    {"outside", "ln -s ../outside out && ln -s ../../../outside/secret.txt d/e/far && ln -s .. up",
     "d/e/far: leads outside\nout: leads outside\nup: leads outside\n"},
    {"outside where nothing is", "ln -s ../none out", "out: leads outside\n"},
    {"outside and back", "ln -s ../ws/f back", "back: leads outside\n"},

    /* S0-75 */
    {"nothing", "ln -s none a && ln -s d/none b && ln -s a c",
     "a: leads to nothing\nb: leads to nothing\nc: leads to nothing\n"},
    {"through a file", "ln -s f/t a && ln -s f/ b && ln -s f/.. c",
     "a: leads to nothing: a file is taken for a directory\n"
     "b: leads to nothing: a file is taken for a directory\n"
     "c: leads to nothing: a file is taken for a directory\n"},
    {"a circle", "ln -s b a && ln -s a b && ln -s me me && ln -s you/f you",
     "a: leads through too many links\nb: leads through too many links\n"
     "me: leads through too many links\nyou: leads through too many links\n"},
    {"forty links", "ln -s f l1 && for i in $(seq 2 40); do ln -s l$((i-1)) l$i; done", ""},
    {"forty-one links", "ln -s f l1 && for i in $(seq 2 41); do ln -s l$((i-1)) l$i; done",
     "l41: leads through too many links\n"},

    /* S0-77: the texts alone say the contrary */
    {"a text that stays inside and a link that does not",
     "ln -s . d/e/dot && ln -s d/e/dot/../../.. trap", "trap: leads outside\n"},
    {"a text that goes outside and a link that does not",
     "mkdir d/e/g && ln -s d/e/g deep && ln -s deep/../../t in", ""},
    {"a text with a file and a link without", "ln -s d/e deep && ln -s deep/../f lost",
     "lost: leads to nothing\n"},
    {"two links upwards", "ln -s .. d/up && ln -s d/up/.. out && ln -s d/up/d/up/f in",
     "out: leads outside\n"},

    /* all of them */
    {"hidden ones", "mkdir -p .git/hooks && ln -s /bin/true .git/hooks/post && ln -s none .a",
     ".a: leads to nothing\n.git/hooks/post: has an absolute target\n"},
    {"names that croft hides",
     "mkdir .~croft-d && ln -s ../.. .~croft-d/up && ln -s none .~croft-f",
     ".~croft-d/up: leads outside\n.~croft-f: leads to nothing\n"},
    {"names of any bytes",
     "ln -s none \"$(printf 'a\\nb')\" && ln -s none \"$(printf 'c\\377d')\" && "
     "ln -s f \"$(printf 'e\\377f')\" && ln -s none 'g \\ h'",
     "a\\x0ab: leads to nothing\nc\\xffd: leads to nothing\ng \\ h: leads to nothing\n"},
    {"a directory called as a drive is", "mkdir C: && ln -s ../f C:/f && ln -s ../.. C:/up",
     "C:/up: leads outside\n"},
    {"the order of the bytes", "mkdir a && ln -s n a/b && ln -s n a-b && ln -s n a0 && ln -s n B",
     "B: leads to nothing\na-b: leads to nothing\na/b: leads to nothing\na0: leads to nothing\n"},
    {"nothing below a link twice", "ln -s none d/bad && ln -s d again && ln -s . here",
     "d/bad: leads to nothing\n"},
};

static void make(const char *lines)
{
    char all[1536];

    snprintf(all, sizeof all,
             "cd ws && mkdir -p d/e x && echo f > f && echo t > d/t && echo u > d/e/u && %s",
             lines);
    fixture_make(all);
}

static void judges(const struct checkout *checkout)
{
    croft_error err;
    int before = count_open();
    croft_status status, wanted = checkout->wanted[0] == '\0' ? CROFT_OK : CROFT_DENIED;

    make(checkout->lines);
    status = verify(&err);
    if (status != wanted || strcmp(report, checkout->wanted) != 0)
        fprintf(stderr, "%s: %s %s\n", checkout->what, croft_status_word(status), err.message);
    CHECK(status == wanted);
    CHECK(status == CROFT_OK || err.kind == CROFT_DENIED);
    CHECK_TEXT(report, checkout->wanted);
    CHECK(count_open() == before);
    fixture_remove();
}

/* ---- what does not fit into it ----------------------------------------------------------------- */

static void takes_other_names(void)
{
    static const char *const vendor[] = {"vendor", "lib"};
    croft_error err;

    make("ln -s x vendor && ln -s x skills && mkdir Lib && ln -s ../f Lib/f");
    CHECK(verify_with(vendor, 2, NULL, &err) == CROFT_DENIED);
    CHECK_TEXT(report, "Lib/f: lies in the read-only \"lib\"\n"
                       "vendor: has the read-only name \"vendor\"\n");
    CHECK_TEXT(err.message, "2 entries cannot be trusted");
    CHECK(verify_with(vendor, 0, NULL, &err) == CROFT_OK);
    fixture_remove();
}

/* A name that could never be met would protect nothing. */
static void refuses_names_that_are_none(void)
{
    static const char *const names[] = {"docs/", "./docs", "a/b", "..", ".", "", "/docs"};
    croft_error err;

    make("ln -s x docs");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(verify_with(&names[i], 1, NULL, &err) == CROFT_BAD_ARGUMENT);
    fixture_remove();
}

static void needs_a_directory(void)
{
    char path[128];
    croft_error err;

    make("true");
    snprintf(path, sizeof path, "%s/none", fixture_base);
    CHECK(croft_verify_links(path, NULL, 0, NULL, NULL, &err) == CROFT_MISSING);
    snprintf(path, sizeof path, "%s/ws/f", fixture_base);
    CHECK(croft_verify_links(path, NULL, 0, NULL, NULL, &err) == CROFT_NOT_A_DIRECTORY);
    CHECK(croft_verify_links("/proc/self", NULL, 0, NULL, NULL, &err) == CROFT_NOT_REGULAR);
    fixture_remove();
}

/* The verdict is about the whole, and nothing is mended. S0-76 */
static void leaves_everything_as_it_is(void)
{
    char path[128];
    croft_error err;

    make("ln -s none bad && ln -s f good && ls -lRi > ../before");
    snprintf(path, sizeof path, "%s/ws", fixture_base);
    CHECK(croft_verify_links(path, NULL, 0, NULL, NULL, &err) == CROFT_DENIED);
    CHECK(croft_verify_links(path, NULL, 0, NULL, NULL, NULL) == CROFT_DENIED);
    CHECK_TEXT(err.message, "1 entry cannot be trusted");
    fixture_run("(cd ws && ls -lRi | cmp -s - ../before) || touch changed");
    snprintf(path, sizeof path, "%s/changed", fixture_base);
    CHECK(access(path, F_OK) != 0);
    fixture_remove();
}

static void looks_deep(void)
{
    croft_error err;

    make("p=$(printf 'n/%.0s' $(seq 100)) && mkdir -p $p && ln -s ../n ${p%/*/}/l");
    CHECK(verify(&err) == CROFT_OK);
    fixture_run("cd ws && p=$(printf 'n/%.0s' $(seq 100)) && ln -s none $p/l");
    CHECK(verify(&err) == CROFT_DENIED && last_kind == CROFT_MISSING);
    fixture_run("cd ws && p=$(printf 'n/%.0s' $(seq 100)) && rm $p/l && mkdir $p/m $p/o");
    CHECK(verify(&err) == CROFT_DENIED && last_kind == CROFT_TOO_MANY);
    CHECK_TEXT(strstr(report, "n/o/"), "n/o/: lies too deep to be looked at\n");
    CHECK_TEXT(err.message, "2 entries cannot be trusted");
    fixture_remove();
}

static void refuses_what_no_path_can_name(void)
{
    croft_error err;

    make("n=$(printf 'n%.0s' $(seq 250)) && p=$(printf \"$n/%.0s\" $(seq 9)) && "
         "mkdir -p $p ../low/$p && ln -s . ../low/$p/l && mv ../low $p");
    CHECK(verify(&err) == CROFT_DENIED && last_kind == CROFT_BAD_ARGUMENT);
    fixture_remove();
}

/* Needs the right to mount; what the specs run as elsewhere may lack it. */
static void refuses_mounts(void)
{
    char command[256];
    croft_error err;

    make("mkdir m && ln -s m/none to && ln -s m beside && echo g > g");
    snprintf(command, sizeof command,
             "cd %s/ws && mount -t tmpfs none m 2>/dev/null && mount --bind f g", fixture_base);
    if (system(command) == 0) {
        CHECK(verify(&err) == CROFT_DENIED);
        CHECK_TEXT(report, "beside: leads across a mount\ng: is a mount\nm/: is a mount\n"
                           "to: leads across a mount\n");
        CHECK(last_kind == CROFT_CROSSES_MOUNT);
        fixture_run("umount ws/g ws/m");
    }
    fixture_remove();
}

/* ---- calls that fail --------------------------------------------------------------------------- */

static int calls, failing_call; /* the call of that number fails */
static const char *closed_name; /* the directory of that name cannot be opened for reading */

static bool fails(void)
{
    if (++calls != failing_call)
        return false;
    errno = EIO;
    return true;
}

static int open_root_or_fail(const char *path)
{
    return fails() ? -1 : sys_kernel.open_root(path);
}

static int openat_or_fail(int dir, const char *name, int flags, mode_t mode)
{
    if (closed_name != NULL && strcmp(name, closed_name) == 0) {
        errno = EACCES;
        return -1;
    }
    return fails() ? -1 : sys_kernel.openat(dir, name, flags, mode);
}

static int node_or_fail(int fd, struct node *node)
{
    return fails() ? -1 : sys_kernel.node(fd, node);
}

static int node_at_or_fail(int dir, const char *name, struct node *node)
{
    return fails() ? -1 : sys_kernel.node_at(dir, name, node);
}

static int fs_type_or_fail(int fd, int64_t *magic)
{
    return fails() ? -1 : sys_kernel.fs_type(fd, magic);
}

static int dup_or_fail(int fd)
{
    return fails() ? -1 : sys_kernel.dup(fd);
}

static ssize_t readlink_or_fail(int fd, char *text, size_t size)
{
    return fails() ? -1 : sys_kernel.readlink(fd, text, size);
}

static ssize_t getdents_or_fail(int fd, void *buffer, size_t size)
{
    return fails() ? -1 : sys_kernel.getdents(fd, buffer, size);
}

static struct sys failing_sys(void)
{
    struct sys sys = sys_kernel;

    sys.open_root = open_root_or_fail;
    sys.openat = openat_or_fail;
    sys.node = node_or_fail;
    sys.node_at = node_at_or_fail;
    sys.fs_type = fs_type_or_fail;
    sys.dup = dup_or_fail;
    sys.readlink = readlink_or_fail;
    sys.getdents = getdents_or_fail;
    return sys;
}

/* Whatever call fails, a tree that could not be looked at whole is not trusted. */
static void trusts_nothing_unseen(void)
{
    static const char *const names[] = {"docs"};
    const struct sys sys = failing_sys();
    int before = count_open(), all;
    croft_error err;

    make("mkdir docs && ln -s d/e l && ln -s ../l d/up && ln -s . self");
    failing_call = calls = 0;
    CHECK(verify_with(names, 1, &sys, &err) == CROFT_OK);
    all = calls;
    CHECK(all > 40);
    for (failing_call = 1; failing_call <= all; failing_call++) {
        calls = 0;
        CHECK(verify_with(names, 1, &sys, &err) != CROFT_OK);
        CHECK(err.message[0] != '\0');
        CHECK(count_open() == before);
    }
    failing_call = 0;
    fixture_remove();
}

static void names_closed_directories(void)
{
    static const char *const names[] = {"docs"};
    const struct sys sys = failing_sys();
    croft_error err;

    make("mkdir d/closed && ln -s d/closed/t into && ln -s none bad");
    closed_name = "closed";
    CHECK(verify_with(names, 1, &sys, &err) == CROFT_DENIED);
    CHECK_TEXT(report, "bad: leads to nothing\nd/closed/: cannot be read\n"
                       "into: cannot be followed\n");
    CHECK(last_kind == CROFT_UNREADABLE);
    closed_name = NULL;
    fixture_remove();
}

int main(void)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        judges(&table[i]);
    takes_other_names();
    refuses_names_that_are_none();
    needs_a_directory();
    leaves_everything_as_it_is();
    looks_deep();
    refuses_what_no_path_can_name();
    refuses_mounts();
    trusts_nothing_unseen();
    names_closed_directories();
    return check_report("links");
}
