/* SPDX-License-Identifier: MIT */
/* Every call of what only looks fails in every way: nothing leaks, and what is given as an answer is the whole
 * answer, or says what it lacks. S0-39 S0-40 */
#include "file.h"
#include "inject_run.h"
#include "page.h"
#include "search.h"

static const char set_up[] =
    "cd ws && mkdir -p d/e/f d/g skills && ln -s d docs && printf 'one\\ntwo\\nthree\\n' > d/t && "
    "ln -s d/../d/t link && ln -s d/e up && ln -s .. d/e/back && ln -s ../outside/secret.txt out "
    "&& "
    "ln -s nowhere dangling && echo two > d/e/two && echo two > d/e/f/deep && echo two > d/g/two "
    "&& "
    "seq 1 100000 > long && mkfifo d/pipe && echo s > skills/s";

static struct root *root;
static struct budget budget;
static croft_error err;
static struct bytes got, wanted; /* what an operation found, as text; wanted: without any failure */
static bool told;                /* it says that something is missing */

/* ---- judgement ----------------------------------------------------------------------------------- */

static void forget(void)
{
    bytes_clear(&got);
    told = false;
}

/* As if it had just been removed, or replaced by a link: that is no news. */
static bool looks_gone(void)
{
    return inject.number == ENOENT || inject.number == ESTALE || inject.number == ELOOP ||
           inject.number == ENOTDIR || inject.number == ENAMETOOLONG;
}

static bool found_the_same(void)
{
    return got.size == wanted.size && memcmp(bytes_end(&got), bytes_end(&wanted), got.size) == 0;
}

/* The first run is the one without a failure. */
static bool is_first(void)
{
    if (inject.mode != INJECT_NOTHING)
        return false;
    bytes_clear(&wanted);
    bytes_add(&wanted, got.data, got.size);
    return true;
}

static void judge_error(croft_status status)
{
    CHECK(status == CROFT_OK || err.kind == status);
    CHECK(status == CROFT_OK || strstr(err.message, fixture_base) == NULL);
    CHECK(status == CROFT_OK || inject.hit || inject.mode == INJECT_NOTHING);
}

/* That the host is short of something is not that a file is missing, or the workspace gone. */
static void judge_shortage(croft_status status)
{
    if (status != CROFT_OK && is_short_of_something())
        CHECK(status == CROFT_EXHAUSTED);
}

/* All of it or an error. */
static void judge_whole(croft_status status)
{
    judge_error(status);
    judge_shortage(status);
    if (is_first())
        CHECK(status == CROFT_OK && got.size > 0);
    else if (status == CROFT_OK)
        CHECK(found_the_same());
}

/* All of it, or an error, or it is told that there is more. */
static void judge_told(croft_status status)
{
    judge_error(status);
    judge_shortage(status);
    if (is_first())
        CHECK(status == CROFT_OK && got.size > 0);
    else if (status == CROFT_OK)
        CHECK(found_the_same() || told || looks_gone());
}

static void parse(const char *text, struct path *path)
{
    if (path_parse(text, strlen(text), path, &err) != CROFT_OK)
        abort();
}

/* ---- the root ------------------------------------------------------------------------------------ */

static croft_status open_root(void)
{
    static const char *const names[] = {"skills", "docs", "templates"};
    croft_view_options options = {
        .size = sizeof options, .read_only_names = names, .read_only_count = 3};
    struct root *opened;
    char path[128];
    croft_status status;

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    status = root_open(path, &options, &inject_sys, &opened, &err);
    if (status != CROFT_OK)
        return status;
    status = pins_hold(opened, &options, &err);
    for (size_t i = 0; i < opened->name_count && status == CROFT_OK; i++)
        bytes_add_number(&got, opened->names[i].fd >= 0 ? opened->names[i].node.ino : 0);
    root_close(opened);
    return status;
}

/* ---- resolving ----------------------------------------------------------------------------------- */

static const char *to_resolve;
static enum resolve_how way;

static croft_status resolve_it(void)
{
    struct path path;
    struct place place;
    croft_status status;

    parse(to_resolve, &path);
    status = resolve(root, &path, way, &place, &err);
    if (status == CROFT_OK) {
        bytes_add_number(&got, place.fd < 0 ? 1 : place.node.ino);
        bytes_add_text(&got, place.fd < 0 ? place.leaf : "");
        place_close(&place);
    }
    bytes_add_text(&got, croft_status_word(status));
    return status;
}

/* A refusal is an answer too: it never turns into another file. A name that is not there now may be a
 * target; nothing else may come of it. */
static void judge_resolved(croft_status status)
{
    judge_error(status);
    if (is_first() || found_the_same())
        return;
    judge_shortage(status);
    CHECK(status != CROFT_OK || (way == RESOLVE_TARGET && looks_gone()));
    CHECK(status != CROFT_OK || got.data[0] == '1'); /* no other file */
}

/* Where openat2 alone fails, the walk gives the very same answer. */
static void judge_fallback(croft_status status)
{
    judge_error(CROFT_OK);
    (void)status;
    CHECK(is_first() || found_the_same());
}

/* ---- reading ------------------------------------------------------------------------------------- */

static const char *to_read;

static croft_status read_it(void)
{
    struct path path;
    struct node node;
    croft_status status;
    int fd;

    parse(to_read, &path);
    status = file_open(root, &path, &fd, &node, &err);
    if (status != CROFT_OK)
        return status;
    status = file_read(root->sys, fd, MIB, &got, &err);
    root->sys->close(fd);
    return status;
}

static int64_t first_line;

static croft_status page_it(void)
{
    struct page_options options = {
        .first = first_line, .limit = 5, .bytes = 4096, .budget = &budget};
    struct path path;
    struct node node;
    struct page page;
    croft_status status;
    int fd;

    parse(to_read, &path);
    status = file_open(root, &path, &fd, &node, &err);
    if (status != CROFT_OK)
        return status;
    status = page_read(root->sys, fd, &options, &page, &err);
    root->sys->close(fd);
    if (status != CROFT_OK)
        return status;
    bytes_add(&got, page.text.data, page.text.size);
    bytes_add_number(&got, page.total);
    bytes_add_number(&got, page.size);
    page_free(&page);
    return CROFT_OK;
}

/* ---- trees --------------------------------------------------------------------------------------- */

static croft_status open_top(int *fd)
{
    struct path path;
    struct place place;
    struct node node;
    croft_status status;

    parse(".", &path);
    status = resolve(root, &path, RESOLVE_EXISTING, &place, &err);
    if (status != CROFT_OK)
        return status;
    status = open_place(&place, &path, S_IFDIR, fd, &node, &err);
    place_close(&place);
    return status;
}

static bool visit(void *user, const struct tree_entry *entry)
{
    (void)user;
    bytes_add(&got, entry->path, entry->path_size);
    bytes_add_number(&got, entry->type);
    bytes_add_char(&got, '\n');
    told |= entry->type == 0;
    return true;
}

static bool are_notes(const struct tree_notes *notes)
{
    return notes->unreadable > 0 || notes->other_mounts > 0 || notes->stopped;
}

static croft_status list_it(void)
{
    struct tree_options options = {.depth_ceiling = 64, .budget = &budget};
    struct tree_notes notes;
    croft_status status;
    int fd;

    status = open_top(&fd);
    if (status != CROFT_OK)
        return status;
    status = tree_walk(root, fd, &options, visit, NULL, &notes, &err);
    root->sys->close(fd);
    told |= status == CROFT_OK && are_notes(&notes);
    return status;
}

static struct regex *regex;

static croft_status search_it(void)
{
    struct search_options options = {.regex = regex,
                                     .match_ceiling = 100,
                                     .byte_ceiling = 10000,
                                     .file_ceiling = MIB,
                                     .tree = {.depth_ceiling = 64, .budget = &budget}};
    struct search_result result;
    croft_status status;
    int fd;

    status = open_top(&fd);
    if (status != CROFT_OK)
        return status;
    status = search_tree(root, fd, &options, &result, &err);
    root->sys->close(fd);
    bytes_add(&got, result.text.data, result.text.size);
    told = are_notes(&result.notes) || result.unreadable > 0;
    search_result_free(&result);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static void with_each_path(struct operation op)
{
    static const char *const paths[] = {"d/t",  "link",  "up/back/t", ".",      "out",  "dangling",
                                        "none", "d/t/x", "d/pipe",    "docs/t", "n/e/w"};

    op.run = resolve_it;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        to_resolve = op.name = paths[i];
        op.judge = judge_resolved;
        for (way = RESOLVE_EXISTING; way <= RESOLVE_TARGET; way++)
            inject_everywhere(&op);
    }
}

/* All calls of openat2, or all but the first `spared`, fail as where there is none. */
static void without_openat2(struct operation op)
{
    static const int numbers[] = {ENOSYS, EPERM, EAGAIN, EINVAL, E2BIG};

    run_once(&op, INJECT_NOTHING, 0, 0);
    op.judge = judge_fallback;
    for (unsigned spared = 0; spared < 3; spared++) {
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            inject.kind = CALL_openat2;
            inject.spared = spared;
            run_once(&op, INJECT_KIND, 0, numbers[i]);
        }
    }
}

static void each_fallback(void)
{
    static const char *const paths[] = {"d/t", "link", "out", "dangling", "d/t/x"};
    struct operation op = {.prepare = forget, .judge = judge_fallback, .run = resolve_it};

    way = RESOLVE_EXISTING;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        to_resolve = op.name = paths[i];
        without_openat2(op);
    }
    op.run = read_it;
    to_read = "link";
    op.name = "a file, without openat2";
    without_openat2(op);
}

static void each_reading(void)
{
    static struct {
        struct operation op;
        const char *path;
        int64_t first;
    } readings[] = {
        {{"the whole of a file", forget, read_it, judge_whole}, "up/back/t", 0},
        {{"the first page", forget, page_it, judge_whole}, "link", 1},
        {{"the last page", forget, page_it, judge_whole}, "long", -5},
        {{"a list", forget, list_it, judge_told}, "", 0},
        {{"a search", forget, search_it, judge_told}, "", 0},
    };

    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        to_read = readings[i].path;
        first_line = readings[i].first;
        inject_everywhere(&readings[i].op);
    }
}

static void by(croft_resolver resolver)
{
    struct operation op = {.prepare = forget};
    croft_view_options options = {.size = sizeof options, .resolver = resolver};
    char path[128];

    snprintf(path, sizeof path, "%s/ws", fixture_base);
    inject_start(INJECT_NOTHING, 0, 0);
    if (root_open(path, &options, &inject_sys, &root, &err) != CROFT_OK)
        abort();
    with_each_path(op);
    each_reading();
    if (root->use_openat2)
        each_fallback();
    fake.no_types = true;
    each_reading();
    fake.no_types = false;
    inject_start(INJECT_NOTHING, 0, 0);
    root_close(root);
}

int main(void)
{
    struct operation opening = {"the root", forget, open_root, judge_told};
    struct regex_fault fault;

    inject_init();
    fixture_disk = "/dev/shm";
    fixture_make(set_up);
    budget_start(&budget, UINT64_MAX / 2, 3600 * 1000, NULL);
    if (regex_new("two", 3, REGEX_LITERAL, &regex, &fault, &err) != CROFT_OK)
        abort();
    inject_everywhere(&opening);
    by(CROFT_RESOLVER_AUTO);
    by(CROFT_RESOLVER_WALK);
    regex_free(regex);
    bytes_free(&got);
    bytes_free(&wanted);
    fixture_remove();
    printf("%lu runs\n", injected);
    return check_report("inject_read");
}
