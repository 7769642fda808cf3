/* SPDX-License-Identifier: MIT */
/* Filling a root and harvesting one, whatever fails or ends on the way: there is all of it or nothing, and the
 * next run makes it whole. S0-47 S0-48 */
#include "fill.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "check.h"
#include "inject.h"
#include "links.h"
#include "tree_fixture.h"

static char report[16 * 1024];
static char from[128], to[128];

static void add_fault(void *user, const croft_link_fault *fault)
{
    size_t used = strlen(report);

    (void)user;
    snprintf(report + used, sizeof report - used, "%s: %s\n", fault->shown, fault->reason);
}

typedef croft_status transfer(const char *, const char *, const croft_copy_options *,
                              const struct sys *, croft_copied *, croft_error *);

static croft_status run(transfer *function, const char *skip, croft_copied *copied,
                        croft_error *err)
{
    croft_copy_options options;

    croft_copy_options_init(&options);
    options.skip = &skip;
    options.skip_count = skip != NULL;
    options.report = add_fault;
    report[0] = '\0';
    memset(err, 0, sizeof *err);
    return function(from, to, &options, &inject_sys, copied, err);
}

static void make(const char *lines)
{
    char all[1536];

    snprintf(all, sizeof all, "cd ws && mkdir -p d/e skills/a docs && echo f > f && %s", lines);
    fixture_make(all);
    snprintf(from, sizeof from, "%s/ws", fixture_base);
    snprintf(to, sizeof to, "%s/made", fixture_base);
    inject_start(INJECT_NOTHING, 0, 0);
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

/* ---- filling ----------------------------------------------------------------------------------- */

#define TREE                                                                                       \
    "printf 'some text\\nthat is longer\\n' > skills/a/t && chmod 750 skills/a/t && "              \
    "ln -s ../skills/a/t d/l && ln -s . here && : > docs/empty && mkdir d/e/g && "                 \
    "truncate -s 3M docs/hole && printf end >> docs/hole"

static void fills(void)
{
    croft_copied copied;
    croft_error err;
    int before = count_open();

    make(TREE);
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_OK);
    CHECK_TEXT(report, "");
    CHECK(copied.files == 4 && copied.directories == 6 && copied.links == 2);
    CHECK(copied.kept == 0 && copied.left_out == 0);
    CHECK(fixture_says("diff -r --no-dereference ws made"));
    CHECK(fixture_says("test -x made/skills/a/t && test $(readlink made/here) = ."));
    CHECK(fixture_says("test $(du -k made/docs/hole | cut -f1) -lt 100"));
    CHECK(fixture_says("test $(ls -A | wc -l) = 3")); /* ws, outside, made */
    CHECK(count_open() == before);
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_ALREADY_EXISTS);
    CHECK_TEXT(err.message, "it exists already, and is not empty");
    fixture_remove();
}

static void takes_the_place_of_an_empty_directory(void)
{
    croft_copied copied;
    croft_error err;

    make("mkdir -m 2710 ../made");
    CHECK(run(fill_root, "docs", &copied, &err) == CROFT_OK);
    CHECK_TEXT(report, "docs: is to be left out: \"docs\"\n");
    CHECK(fixture_says("test $(stat -c %a made) = 2710 && test -d made/skills/a"));
    CHECK(fixture_says("! test -e made/docs"));
    fixture_remove();
}

static void refuses(const char *lines, croft_status wanted, const char *what)
{
    croft_copied copied;
    croft_error err;
    croft_status status;

    make(lines);
    status = run(fill_root, NULL, &copied, &err);
    if (status != wanted)
        fprintf(stderr, "%s: %s %s\n", lines, croft_status_word(status), err.message);
    CHECK(status == wanted && err.kind == wanted);
    CHECK(strstr(err.message, what) != NULL);
    CHECK(strstr(err.message, fixture_base) == NULL);
    CHECK(fixture_says("! test -e made || test -e made/mine || test -h made || ! test -d made"));
    fixture_remove();
}

static void refuses_what_cannot_be_filled(void)
{
    refuses("ln -s none bad", CROFT_DENIED, "1 entry cannot be trusted");
    refuses("ln -s /etc/passwd d/p", CROFT_DENIED, "1 entry cannot be trusted");
    refuses("ln -s d templates", CROFT_DENIED, "1 entry cannot be trusted");
    refuses("mkfifo p", CROFT_NOT_REGULAR, "\"p\" is no file, directory or link");
    refuses("mkdir ../made && touch ../made/mine", CROFT_ALREADY_EXISTS, "not empty");
    refuses("touch ../made", CROFT_ALREADY_EXISTS, "no directory");
    refuses("ln -s ws ../made", CROFT_ALREADY_EXISTS, "no directory");
}

static void needs_a_place(void)
{
    croft_copied copied;
    croft_error err;

    make("true");
    snprintf(to, sizeof to, "%s/none/made", fixture_base);
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_MISSING);
    snprintf(to, sizeof to, "%s/ws/d/made", fixture_base);
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.message, "it lies inside of what is copied");
    snprintf(to, sizeof to, "%s/ws/d/..", fixture_base);
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_BAD_ARGUMENT);
    CHECK(run(harvest_root, "a/b", &copied, &err) == CROFT_BAD_ARGUMENT);
    CHECK(fixture_says("test -z \"$(find . -name '.~*')\""));
    fixture_remove();
}

/* ---- harvesting -------------------------------------------------------------------------------- */

struct harvest {
    const char *what, *lines, *wanted;
    const char *then; /* of what was made */
    unsigned unreadable;
};

static const struct harvest harvests[] = {
    {"what sessions make", "mkdir notes && echo n > notes/n && ln -s ../f notes/l",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n",
     "test $(cat notes/l) = f && ! test -e skills", 0},
    {"links out, absolute ones, and those that lead through them",
     "ln -s ../outside o && ln -s o/secret.txt p && ln -s /etc/passwd q && ln -s q r && ln -s r s "
     "&& "
     "ln -s ../ws/f back",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\nback: leads outside\n"
     "o: leads outside\np: leads to nothing\nq: has an absolute target\nr: leads to nothing\n"
     "s: leads to nothing\n",
     "test \"$(ls)\" = \"$(printf 'd\\nf')\"", 0},
    {"links into what is left out", "echo t > docs/t && ln -s docs/t t && ln -s t u",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\nt: leads to nothing\n"
     "u: leads to nothing\n",
     "test ! -h t", 0},
    {"names of other letters, and trees that read-only names lead to",
     "mkdir Templates vendor && ln -s vendor context && touch vendor/v Templates/t",
     "Templates: is read-only: \"templates\"\ncontext: is read-only: \"context\"\n"
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n"
     "vendor: is read-only: \"context\"\n",
     "test ! -e Templates -a ! -e vendor", 0},
    {"what has no content", "mkfifo p && mkdir -p a/.~croft-x",
     "a/.~croft-x: has a name of croft's own\ndocs: is read-only: \"docs\"\n"
     "p: is no file, directory or link\nskills: is read-only: \"skills\"\n",
     "test ! -e p", 0},
    {"a file of several names once for each", "ln f g && ln ../outside/secret.txt h",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n",
     "test $(stat -c %h g) = 1 && test $(stat -c %h h) = 1", 0},
    {"special modes", "chmod 6755 f && chmod 1777 d",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n",
     "test $(stat -c %a f) = 755 && test $(stat -c %a d) = 755", 0},
    {"names of any bytes", "touch \"$(printf 'a\\nb')\" \"$(printf 'c\\377')\" 'C:' '\\'",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n",
     "test -e \"$(printf 'a\\nb')\" -a -e \"$(printf 'c\\377')\" -a -e 'C:' -a -e '\\'", 0},
    {"links whose names look like drives",
     "mkdir C: && ln -s /etc C:/l && ln -s none 'D:\\\\x' && touch C:/t",
     "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n"
     "C:/l: has an absolute target\nD:\\\\x: leads to nothing\n",
     "test -e C:/t && test $(find . -type l | wc -l) = 0", 0},
    {"what lies too deep", "p=$(printf 'n/%.0s' $(seq 103)) && mkdir -p $p && touch $p/t", NULL,
     "test -d $(printf 'n/%.0s' $(seq 100))", 1},
};

static void harvests_it(const struct harvest *harvest)
{
    char line[512];
    croft_copied copied;
    croft_error err;
    int before = count_open();
    croft_status status;

    make(harvest->lines);
    fixture_run("umask 022; ls -lR ws outside > before");
    status = run(harvest_root, NULL, &copied, &err);
    if (status != CROFT_OK)
        fprintf(stderr, "%s: %s\n", harvest->what, err.message);
    CHECK(status == CROFT_OK);
    if (harvest->wanted != NULL)
        CHECK_TEXT(report, harvest->wanted);
    CHECK(copied.unreadable == harvest->unreadable);
    snprintf(line, sizeof line, "cd made && %s", harvest->then);
    CHECK(fixture_says(line));
    CHECK(fixture_says("ls -lR ws outside | cmp - before"));
    CHECK(fixture_says("! grep -rs SECRET made | grep -v ^made/h:"));
    CHECK(count_open() == before);
    fixture_remove();
}

/* Nobody can say by a path where it is, so nobody could remove it from the copy. */
static void leaves_out_links_that_cannot_be_named(void)
{
    char root[128], name[250] = "";
    int dir;
    croft_copied copied;
    croft_error err;

    make("true");
    memset(name, 'n', sizeof name - 1);
    (void)snprintf(root, sizeof root, "%s/ws", fixture_base);
    dir = open(root, O_PATH);
    for (int i = 0; i < 17; i++) {
        int inner = mkdirat(dir, name, 0755) == 0 ? openat(dir, name, O_PATH) : -1;

        close(dir);
        dir = inner;
    }
    CHECK(symlinkat("none", dir, "link") == 0);
    close(dir);
    CHECK(run(harvest_root, NULL, &copied, &err) == CROFT_OK);
    CHECK(strstr(report, "/link: is a link that lies too deep\n") != NULL);
    CHECK(
        fixture_says("test $(find made -name 'nnn*' | wc -l) = 17 -a -z \"$(find made -type l)\""));
    fixture_remove();
}

/* ---- what an earlier run left ------------------------------------------------------------------ */

/* Ends a run at its call `at`. */
static bool kill_run(transfer *function, enum inject_mode mode, unsigned at)
{
    croft_copied copied;
    croft_error err;
    pid_t child = fork();
    int status = 0;

    if (child < 0)
        abort();
    if (child == 0) {
        inject_start(mode, at, 0);
        _exit(run(function, NULL, &copied, &err) == CROFT_OK ? 0 : 1);
    }
    if (waitpid(child, &status, 0) != child)
        abort();
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* Whether all that belongs there, and nothing else, is in place. */
static bool is_whole(transfer *function)
{
    if (function == fill_root)
        return fixture_says("diff -r --no-dereference ws made >/dev/null");
    return fixture_says("rm -rf x && cp -a ws x && rm -rf x/skills x/docs x/d/l && "
                        "diff -r --no-dereference x made >/dev/null; s=$?; rm -rf x; exit $s");
}

static void kill_everywhere(transfer *function, enum inject_mode mode)
{
    croft_copied copied;
    croft_error err;
    unsigned at = 0, kept = 0;
    bool killed = true;

    while (killed) {
        int failed = check_failed;

        killed = kill_run(function, mode, ++at);
        CHECK(fixture_says("! test -e made") || is_whole(function));
        inject_start(INJECT_NOTHING, 0, 0);
        if (fixture_says("! test -e made")) {
            CHECK(run(function, NULL, &copied, &err) == CROFT_OK);
            kept += copied.kept > 0;
        }
        CHECK(is_whole(function));
        CHECK(fixture_says("test $(ls -A | wc -l) = 3"));
        if (check_failed > failed)
            fprintf(stderr, "    killed at call %u\n", at);
        fixture_run("rm -rf made .~*");
    }
    CHECK(at > 100);
    CHECK(kept > 10);
}

static void survives_every_kill(void)
{
    fake.no_disk = true;
    fake.most = 7; /* a file takes several calls */
    make("printf 'some text\\nthat is longer\\n' > skills/a/t && ln -s ../skills/a/t d/l && "
         "ln -s . here && : > docs/empty && mkdir d/e/g && seq 20 > d/e/n");
    kill_everywhere(fill_root, INJECT_KILL_BEFORE);
    kill_everywhere(harvest_root, INJECT_KILL_AFTER);
    fixture_remove();
    fake.no_disk = false;
    fake.most = 0;
}

/* Whatever is found there is made what it has to be. */
static void mends(const char *lines)
{
    char line[512];
    croft_copied copied;
    croft_error err;

    make("echo t > d/t && ln -s t d/l && mkdir notes && ln -s ../docs notes/o");
    CHECK(kill_run(harvest_root, INJECT_KILL_BEFORE, 120));
    snprintf(line, sizeof line, "cd .~croft-copy-* && %s", lines);
    fixture_run(line);
    CHECK(run(harvest_root, NULL, &copied, &err) == CROFT_OK);
    CHECK(fixture_says("rm -rf x && cp -a ws x && rm -rf x/skills x/docs x/notes/o && "
                       "diff -r --no-dereference x made"));
    CHECK_TEXT(report, "docs: is read-only: \"docs\"\nskills: is read-only: \"skills\"\n"
                       "notes/o: leads to nothing\n");
    CHECK(fixture_says("grep -q TOPSECRET outside/secret.txt && test -d outside"));
    fixture_remove();
}

static void mends_what_it_finds(void)
{
    mends("true");
    mends("echo more >> f");
    mends("printf x > f && mkdir -p d/x/y");
    mends("rm -rf d && ln -s ../outside d");
    mends("rm -f f && ln -s ../outside/secret.txt f");
    mends("rm -f f && mkdir -p f/g && touch f/g/h");
    mends("mkdir -p surplus/of/things && touch surplus/of/things/t");
    mends("rm -rf d && mkdir d && ln ../outside/secret.txt d/t");
    mends("ln -s /etc/passwd notes || rm -rf notes; ln -sfn /etc notes");
}

/* What has been closed since stays closed, and what has not been is not touched. */
static void takes_modes_from_the_source_as_it_is(void)
{
    croft_copied copied;
    croft_error err;

    make("umask 022; mkdir notes shared && echo n > notes/n && echo s > shared/s && "
         "chmod 755 notes && chmod 644 notes/n");
    CHECK(kill_run(harvest_root, INJECT_KILL_BEFORE, 120));
    fixture_run("cd .~croft-copy-* && mkdir -p notes && cp -f ../ws/notes/n notes/ && "
                "chmod 755 notes && chmod 4755 notes/n && cd ../ws && chmod 600 notes/n && "
                "chmod 700 notes");
    CHECK(run(harvest_root, NULL, &copied, &err) == CROFT_OK);
    CHECK(fixture_says("test $(stat -c %a made/notes/n) = 600"));
    CHECK(fixture_says("test $(stat -c %a made/notes) = 700"));
    CHECK(fixture_says("test $(stat -c %a made/shared) = $(stat -c %a ws/shared)"));
    CHECK(copied.kept > 0);
    fixture_remove();
}

static void leaves_to_others_what_is_theirs(void)
{
    croft_copied copied;
    croft_error err;

    if (geteuid() != 0)
        return;
    make("true");
    CHECK(kill_run(fill_root, INJECT_KILL_BEFORE, 150));
    fixture_run("chown 12345 .~croft-copy-*");
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_OWNER);
    CHECK(fixture_says("! test -e made"));
    fixture_remove();
}

/* ---- calls that fail --------------------------------------------------------------------------- */

/* Whatever call fails: all of it, what may be missing told, or nothing. No descriptor is lost. */
static void fails_whole(transfer *function, int number)
{
    croft_copied copied;
    croft_error err;
    unsigned at = 0;
    int before = count_open();

    for (bool hit = true; hit;) {
        int failed = check_failed;
        croft_status status;

        inject_start(INJECT_ERROR, ++at, number);
        status = run(function, NULL, &copied, &err);
        hit = inject.hit;
        inject_start(INJECT_NOTHING, 0, 0);
        CHECK(count_open() == before);
        if (status == CROFT_OK && copied.unreadable == 0)
            CHECK(is_whole(function));
        else if (status != CROFT_OK)
            CHECK(fixture_says("! test -e made") ||
                  (inject.kind == CALL_fsync && is_whole(function)));
        if (fixture_says("! test -e made"))
            CHECK(run(function, NULL, &copied, &err) == CROFT_OK && is_whole(function));
        if (check_failed > failed)
            fprintf(stderr, "    call %u, %s\n", at, inject_name(inject.kind));
        fixture_run("rm -rf made .~*");
    }
    CHECK(at > 100);
}

static void survives_every_failure(void)
{
    make("printf 'some text\\n' > skills/a/t && ln -s ../skills/a/t d/l && ln -s . here && "
         "seq 20 > d/e/n");
    fails_whole(fill_root, ENOSPC);
    fails_whole(harvest_root, EIO);
    fixture_remove();
}

/* A file that grows for ever is not copied half. */
static void grow(int turn)
{
    (void)turn;
    fixture_run("echo more >> ws/f");
}

static void notices_a_writer(void)
{
    croft_copied copied;
    croft_error err;
    unsigned found = 0;

    make("true");
    inject.rival = grow;
    for (unsigned at = 1; at < 250; at += 3) {
        inject_start(INJECT_RIVAL, at, 0);
        inject.also = at;
        CHECK(run(harvest_root, NULL, &copied, &err) == CROFT_OK);
        inject_start(INJECT_NOTHING, 0, 0);
        found += copied.unreadable > 0;
        CHECK(fixture_says("! test -e made/f || test -z \"$(tail -c1 made/f)\""));
        fixture_run("rm -rf made; echo f > ws/f");
    }
    CHECK(found == 0); /* it is tried again */
    fixture_remove();
}

/* ---- a clock that can fly ---------------------------------------------------------------------- */

static bool flies;

int clock_gettime(clockid_t clock, struct timespec *now) /* in place of the system's */
{
    static long seconds;
    long result = syscall(SYS_clock_gettime, clock, now);

    seconds += flies;
    now->tv_sec += seconds;
    return (int)result;
}

/* What is not set is not zero then. */
static __attribute__((noinline)) void soil_the_stack(void)
{
    volatile char dirt[1024 * 1024];

    for (size_t i = 0; i < sizeof dirt; i++)
        dirt[i] = 0x55;
}

static void takes_its_time(void)
{
    croft_copied copied;
    croft_error err;

    make("mkdir ../made && ln -s f l");
    flies = true;
    soil_the_stack();
    CHECK(run(fill_root, NULL, &copied, &err) == CROFT_OK);
    soil_the_stack();
    CHECK(links_verify(from, NULL, 0, &inject_sys, add_fault, NULL, &err) == CROFT_OK);
    flies = false;
    fixture_remove();
}

int main(void)
{
    inject_init();
    fixture_disk = "/dev/shm";
    umask(022);
    fills();
    takes_the_place_of_an_empty_directory();
    refuses_what_cannot_be_filled();
    needs_a_place();
    for (size_t i = 0; i < sizeof harvests / sizeof harvests[0]; i++)
        harvests_it(&harvests[i]);
    leaves_out_links_that_cannot_be_named();
    survives_every_kill();
    mends_what_it_finds();
    takes_modes_from_the_source_as_it_is();
    leaves_to_others_what_is_theirs();
    survives_every_failure();
    notices_a_writer();
    takes_its_time();
    return check_report("fill");
}
