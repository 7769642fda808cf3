/* SPDX-License-Identifier: MIT */
/* Many threads say what one says. */
#include "search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ceilings.h"
#include "check.h"
#include "tree_fixture.h"

enum { DIRS = 30, FILES = 14, ROUNDS = 160 };

static struct root *root;
static struct search_result alone, together;
static croft_error err;
static uint32_t random_state = 99;

static unsigned any(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static size_t open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* ---- a tree ---- */

static void put_file(unsigned dir, unsigned number)
{
    static const char *const words[] = {"hit", "miss", "x", "", "a line with a hit in it", "\r"};
    char path[512];
    FILE *file;
    unsigned lines = any(10) == 0 ? 200 : any(9);

    snprintf(path, sizeof path, "%s/ws/d%02u/%s%02u", fixture_base, dir, number % 3 ? "f" : "s/g",
             number);
    file = fopen(path, "wb");
    if (file == NULL)
        abort();
    if (any(25) == 0)
        fputc('\0', file);
    if (any(40) == 0) { /* longer than a window */
        for (unsigned i = 0; i < 70000; i++)
            fputs(any(60000) == 0 ? "hit\n" : "none\n", file);
        for (unsigned i = 0; any(2) == 0 && i < 400000; i++)
            fputc('y', file);
    }
    for (unsigned i = 0; i < lines; i++)
        fprintf(file, "%s\n", words[any(6)]);
    fclose(file);
}

static void begin(void)
{
    fixture_make(
        "cd ws && for d in $(seq -w 0 29); do mkdir -p d$d/s; done; mkdir -p skip/a deep/a/b/c "
        "&& echo hit | tee skip/a/f deep/a/b/c/f > deep/f; ln -s d00/f01 link; mkfifo d05/pipe");
    root = fixture_root(CROFT_RESOLVER_AUTO);
    for (unsigned dir = 0; dir < DIRS; dir++) {
        for (unsigned file = 0; file < FILES; file++)
            put_file(dir, file);
    }
}

static void end(void)
{
    root_close(root);
    fixture_remove();
}

/* ---- one search ---- */

static croft_status search(struct search_options options, unsigned threads, uint64_t steps,
                           const atomic_bool *cancelled, struct search_result *result)
{
    struct budget budget = {0};
    size_t before = open_descriptors();
    int fd = openat(root->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    croft_status status;

    budget_start(&budget, steps, 60000, cancelled);
    options.tree.budget = &budget;
    options.threads = threads;
    status = search_tree(root, fd, &options, result, &err);
    CHECK(cancelled != NULL || budget.done > 0);
    CHECK(steps < 10000000 || budget.steps_left < steps);
    close(fd);
    CHECK(open_descriptors() == before);
    return status;
}

static bool same_notes(const struct tree_notes *a, const struct tree_notes *b)
{
    return a->unreadable == b->unreadable && a->deep == b->deep &&
           a->other_mounts == b->other_mounts && a->excluded == b->excluded &&
           a->stopped == b->stopped && strcmp(a->first_unreadable, b->first_unreadable) == 0 &&
           strcmp(a->first_deep, b->first_deep) == 0 &&
           strcmp(a->excluded_names, b->excluded_names) == 0;
}

static bool same(const struct search_result *a, const struct search_result *b)
{
    return a->text.size == b->text.size &&
           (a->text.size == 0 || memcmp(a->text.data, b->text.data, a->text.size) == 0) &&
           a->matches == b->matches && a->files_matched == b->files_matched &&
           a->files_searched == b->files_searched && a->files_seen == b->files_seen &&
           a->binary == b->binary && a->large == b->large && a->unreadable == b->unreadable &&
           a->unsendable == b->unsendable && a->end == b->end &&
           a->too_expensive == b->too_expensive && a->expensive_line == b->expensive_line &&
           a->expensive_bytes == b->expensive_bytes &&
           strcmp(a->expensive_file, b->expensive_file) == 0 &&
           strcmp(a->first_escaped, b->first_escaped) == 0 &&
           strcmp(a->first_large, b->first_large) == 0 &&
           strcmp(a->first_binary, b->first_binary) == 0 && same_notes(&a->notes, &b->notes);
}

static void agree(const struct search_options *options, const char *what)
{
    CHECK(search(*options, 1, UINT64_MAX / 4, NULL, &alone) == CROFT_OK);
    for (unsigned threads = 2; threads <= SEARCH_THREADS; threads *= 2) {
        bool agreed;

        CHECK(search(*options, threads, UINT64_MAX / 4, NULL, &together) == CROFT_OK);
        agreed = same(&alone, &together);
        CHECK(agreed);
        if (!agreed)
            fprintf(stderr, "    %s, %u threads: %zu and %zu bytes, %u and %u matches\n", what,
                    threads, alone.text.size, together.text.size, (unsigned)alone.matches,
                    (unsigned)together.matches);
        search_result_free(&together);
    }
    search_result_free(&alone);
}

static struct regex *compile(const char *pattern)
{
    struct regex *regex = NULL;
    struct regex_fault fault;

    CHECK(regex_new(pattern, strlen(pattern), 0, &regex, &fault, &err) == CROFT_OK);
    return regex;
}

static struct search_options options_for(const struct regex *regex)
{
    return (struct search_options){.regex = regex,
                                   .match_ceiling = 1000000,
                                   .byte_ceiling = 4 * MIB,
                                   .file_ceiling = 300000,
                                   .prefix = "p/",
                                   .tree.depth_ceiling = 3};
}

/* ---- what is tried ---- */

static void finds_what_one_thread_finds_under_any_ceiling(void)
{
    static const char *const patterns[] = {"hit",  "i",       "^$",        "x|hit",
                                           "none", "nowhere", "[a-z]+ hit"};
    struct glob_fault fault;
    struct glob *skip = glob_new("skip", 4, &fault), *only = glob_new("f*", 2, &fault);
    const struct glob *const exclude[] = {skip};

    begin();
    for (unsigned i = 0; i < ROUNDS; i++) {
        const char *pattern = patterns[any(7)];
        struct regex *regex = compile(pattern);
        struct search_options options = options_for(regex);

        options.output = (enum search_output)any(3);
        options.context = any(3) == 0 ? 1 + any(3) : 0;
        if (any(2) == 0)
            options.match_ceiling = 1 + any(400);
        if (any(3) == 0)
            options.byte_ceiling = 10 + any(8000);
        if (any(2) == 0)
            options.only = only;
        if (any(2) == 0) {
            options.tree.exclude = exclude;
            options.tree.exclude_count = 1;
        }
        agree(&options, pattern);
        regex_free(regex);
    }
    end();
    glob_free(skip);
    glob_free(only);
}

static void names_the_same_expensive_line(void)
{
    struct regex *regex = compile("(a+)+$|hit");
    struct search_options options = options_for(regex);
    char path[512];
    FILE *file;

    begin();
    snprintf(path, sizeof path, "%s/ws/d20/f01", fixture_base);
    file = fopen(path, "wb");
    fputs("fine\n", file);
    for (unsigned i = 0; i < 5000; i++)
        fputc('a', file);
    fputs("!\n", file);
    fclose(file);
    agree(&options, "expensive");
    end();
    regex_free(regex);
}

static struct sys odd;

static int odd_openat(int dir, const char *name, int flags, mode_t mode)
{
    if (strcmp(name, "f05") == 0 || strcmp(name, "d13") == 0) {
        errno = EACCES;
        return -1;
    }
    return sys_kernel.openat(dir, name, flags, mode);
}

static int no_dup(int fd)
{
    (void)fd;
    errno = EMFILE;
    return -1;
}

static void counts_what_cannot_be_read(void)
{
    struct regex *regex = compile("hit");
    struct search_options options = options_for(regex);

    begin();
    odd = sys_kernel;
    odd.openat = odd_openat;
    root->sys = &odd;
    agree(&options, "unreadable");
    options.match_ceiling = 30;
    agree(&options, "unreadable, with a ceiling");
    options.match_ceiling = 1000000;
    odd = sys_kernel;
    odd.dup = no_dup; /* none is left for the helpers: what is not searched is counted */
    CHECK(search(options, 4, UINT64_MAX / 4, NULL, &together) == CROFT_OK);
    CHECK(together.unreadable > 0);
    search_result_free(&together);
    CHECK(search(options, 1, UINT64_MAX / 4, NULL, &alone) == CROFT_OK);
    CHECK(together.unreadable + together.files_searched + together.binary + together.large ==
          alone.files_searched + alone.binary + alone.large);
    search_result_free(&alone);
    end();
    regex_free(regex);
}

static void ends_with_its_budget(void)
{
    struct regex *regex = compile("hit");
    struct search_options options = options_for(regex);
    atomic_bool cancelled = true;
    croft_status status;

    begin();
    for (uint64_t steps = 100; steps < 60000; steps = steps * 5 / 4) {
        status = search(options, 4, steps, NULL, &together);
        CHECK(status == CROFT_STOPPED || (status == CROFT_OK && (together.end == SEARCH_TIME ||
                                                                 together.end == SEARCH_COMPLETE)));
        search_result_free(&together);
    }
    CHECK(search(options, 4, UINT64_MAX / 4, &cancelled, &together) == CROFT_CANCELLED);
    search_result_free(&together);
    end();
    regex_free(regex);
}

/* Cancelled from the middle of it, by the listener, who is told by the calling thread only. */
static atomic_bool called_off;

static ssize_t cancelling_pread(int fd, void *buffer, size_t size, off_t offset)
{
    static atomic_uint count;

    if (atomic_fetch_add(&count, 1) == 500)
        atomic_store(&called_off, true);
    return sys_kernel.pread(fd, buffer, size, offset);
}

static void can_be_called_off(void)
{
    struct regex *regex = compile("nowhere");
    struct search_options options = options_for(regex);

    begin();
    odd = sys_kernel;
    odd.pread = cancelling_pread;
    root->sys = &odd;
    CHECK(search(options, 4, UINT64_MAX / 4, &called_off, &together) == CROFT_CANCELLED);
    search_result_free(&together);
    end();
    regex_free(regex);
}

/* ---- memory ---- */

static atomic_size_t held, most_held; /* of what the program maps itself */

void *mmap(void *at, size_t size, int protection, int flags, int fd,
           off_t offset) /* the system's */
{
    size_t now = atomic_fetch_add(&held, size) + size, before = atomic_load(&most_held);

    while (now > before && !atomic_compare_exchange_weak(&most_held, &before, now))
        continue;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

int munmap(void *at, size_t size)
{
    atomic_fetch_sub(&held, size);
    return (int)syscall(SYS_munmap, at, size);
}

/* Each of the lines wants some 15 MiB to be matched in, and the half of that before. */
static void takes_much_memory_for_one_line_at_a_time(void)
{
    struct regex *regex = compile("^(?:a|b| )*$");
    struct search_options options = options_for(regex);
    size_t before;

    fixture_make("cd ws && yes ab | head -20000 | tr '\\n' ' ' > b && echo >> b &&"
                 " for i in $(seq 10 69); do echo x > a$i; cp b b$i; done");
    before = atomic_load(&held);
    root = fixture_root(CROFT_RESOLVER_AUTO);
    options.output = SEARCH_COUNT;
    atomic_store(&most_held, 0);
    CHECK(search(options, 8, UINT64_MAX / 4, NULL, &together) == CROFT_OK);
    CHECK(together.files_matched == 61 && together.matches == 61);
    CHECK(atomic_load(&held) == before);
    CHECK(atomic_load(&most_held) > 0 && atomic_load(&most_held) < 32 * MIB);
    search_result_free(&together);
    end();
    regex_free(regex);
}

int main(void)
{
    takes_much_memory_for_one_line_at_a_time();
    finds_what_one_thread_finds_under_any_ceiling();
    names_the_same_expensive_line();
    counts_what_cannot_be_read();
    ends_with_its_budget();
    can_be_called_off();
    return check_report("search_crew");
}
