/* SPDX-License-Identifier: MIT */
/* Pages of large files by their index, beside the same pages of a whole text in memory. S0-66 */
#include "page_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "utf8.h"

enum { SIZE = 2 * 1024 * 1024, PAGES = 60 };

#define HOUR_NS (3600 * INT64_C(1000000000))

static uint32_t chance_state = 7;

static uint32_t chance(uint32_t below)
{
    chance_state = chance_state * 1664525 + 1013904223;
    return (chance_state >> 8) % below;
}

/* ---- the system, where every file was changed long ago ------------------------------------------ */

static struct sys sys;
static size_t bytes_read;     /* since it was set */
static int64_t ctime_step_ns; /* how much later a file seems each time it is looked at */
static int64_t ctime_later_ns;
static void (*during_read)(int fd); /* once, before a read */

static int old_node(int fd, struct node *node)
{
    int result = sys_kernel.node(fd, node);

    if (ctime_step_ns != 0)
        ctime_later_ns += ctime_step_ns;
    node->ctime_ns -= HOUR_NS - ctime_later_ns;
    return result;
}

static ssize_t counted_pread(int fd, void *buffer, size_t size, off_t offset)
{
    ssize_t count;

    if (during_read != NULL && offset > 0) {
        during_read(fd);
        during_read = NULL;
    }
    count = sys_kernel.pread(fd, buffer, size, offset);
    bytes_read += count > 0 ? (size_t)count : 0;
    return count;
}

/* ---- files ------------------------------------------------------------------------------------- */

enum kind {
    PLAIN,
    CRLF,
    MIXED,
    LONG_LINES,
    WRONG_BYTES,
    NULS,
    NO_FINAL_NEWLINE,
    BOM,
    EMPTY_LINES,
    KINDS
};

struct text {
    char *data;
    size_t size;
    size_t *starts; /* of the lines, and one more at the end */
    size_t lines;
};

static size_t add_line(char *line, enum kind kind, size_t number)
{
    size_t size = kind == LONG_LINES && number % 5 == 0 ? chance(150000)
                  : kind == EMPTY_LINES                 ? chance(2)
                                                        : chance(120);

    for (size_t i = 0; i < size; i++)
        line[i] = (char)('a' + (number + i) % 26);
    if (kind == WRONG_BYTES && size > 2)
        line[size / 2] = (char)0xFF;
    if (kind == NULS && number > 1000 && size > 2)
        line[size / 2] = '\0';
    if (kind == CRLF || (kind == MIXED && number % 3 == 0))
        line[size++] = '\r';
    line[size++] = '\n';
    return size;
}

static void find_lines(struct text *text)
{
    size_t at = text->size >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    text->lines = 0;
    text->starts = malloc((text->size + 2) * sizeof *text->starts);
    while (at < text->size) {
        text->starts[text->lines++] = at;
        while (at < text->size && text->data[at++] != '\n')
            ;
    }
    text->starts[text->lines] = text->size;
}

static struct text make_text(enum kind kind)
{
    struct text text = {.data = malloc(SIZE + 200000)};

    if (kind == BOM) {
        memcpy(text.data, "\xEF\xBB\xBF", 3);
        text.size = 3;
    }
    for (size_t i = 0; text.size < SIZE; i++)
        text.size += add_line(text.data + text.size, kind, i);
    if (kind == NO_FINAL_NEWLINE)
        text.data[text.size++] = 'x';
    find_lines(&text);
    return text;
}

static void free_text(struct text *text)
{
    free(text->data);
    free(text->starts);
}

static int file_of(const struct text *text)
{
    char name[] = "/tmp/croft-index.XXXXXX";
    int fd = mkstemp(name);

    if (fd < 0 || write(fd, text->data, text->size) != (ssize_t)text->size)
        abort();
    unlink(name);
    return fd;
}

/* ---- pages ------------------------------------------------------------------------------------- */

static struct page read_page(int fd, struct page_store *store, int64_t first, uint64_t limit,
                             uint64_t column)
{
    struct budget budget;
    struct node node;
    struct page page;
    croft_error err;
    struct page_options options = {
        .first = first, .limit = limit, .column = column, .bytes = 32 * 1024, .budget = &budget};

    budget_start(&budget, 1000000000, 60000, NULL);
    CHECK(sys.node(fd, &node) == 0);
    options.node = &node;
    options.store = store;
    CHECK(page_read(&sys, fd, &options, &page, &err) == CROFT_OK);
    return page;
}

/* The lines from `first` on as they are shown, a few. */
static void show_slowly(const struct text *text, size_t first, size_t count, struct bytes *out)
{
    for (size_t i = first; i < first + count && i <= text->lines; i++) {
        const char *line = text->data + text->starts[i - 1];
        size_t size = text->starts[i] - text->starts[i - 1];

        if (size > 0 && line[size - 1] == '\n') {
            size--;
            size -= size > 0 && line[size - 1] == '\r';
        }
        if (out->size > 0)
            bytes_add_char(out, '\n');
        bytes_add_number(out, i);
        bytes_add_char(out, '|');
        utf8_repair(out, line, size);
    }
}

static void same_as_slowly(const struct text *text, const struct page *page, size_t first,
                           size_t count)
{
    struct bytes expected = {0};

    CHECK(page->total == text->lines && page->size == text->size && !page->unsettled);
    show_slowly(text, first, count, &expected);
    if (expected.size <= 32 * 1024) {
        CHECK(page->first == first);
        CHECK(page->text.size == expected.size &&
              memcmp(page->text.data, expected.data, expected.size) == 0);
    }
    bytes_free(&expected);
}

static void same_pages(const struct page *a, const struct page *b)
{
    CHECK(a->text.size == b->text.size &&
          (a->text.size == 0 || memcmp(a->text.data, b->text.data, a->text.size) == 0));
    CHECK(a->first == b->first && a->last == b->last && a->total == b->total &&
          a->size == b->size && a->crlf == b->crlf && a->lf == b->lf && a->bom == b->bom &&
          a->final_newline == b->final_newline && a->binary == b->binary &&
          a->invalid == b->invalid && a->line_bytes == b->line_bytes &&
          a->last_byte == b->last_byte && a->end == b->end && a->head_size == b->head_size &&
          memcmp(a->head, b->head, a->head_size) == 0);
}

/* A page with the index, one without, and the lines themselves. */
static void compare(const struct text *text, int fd, struct page_store *store)
{
    size_t line = 1 + chance((uint32_t)text->lines), count = 1 + chance(5);
    bool from_end = chance(3) == 0;
    int64_t first = from_end ? (int64_t)line - (int64_t)text->lines - 1 : (int64_t)line;
    struct page with, without;
    uint64_t column = chance(4) == 0 ? 1 + chance(70000) : 1;

    with = read_page(fd, store, first, count, column);
    without = read_page(fd, NULL, first, count, column);
    same_pages(&with, &without);
    if (column == 1)
        same_as_slowly(text, &with, line, count);
    page_free(&with);
    page_free(&without);
}

static void shows_the_same(enum kind kind)
{
    struct text text = make_text(kind);
    struct page_store store;
    int fd = file_of(&text);

    page_store_init(&store);
    for (int i = 0; i < PAGES; i++)
        compare(&text, fd, &store);
    CHECK(store.indexes[0] != NULL && store.indexes[1] == NULL);
    page_store_destroy(&store);
    close(fd);
    free_text(&text);
}

static void reads_little_again(void)
{
    struct text text = make_text(PLAIN);
    struct page_store store;
    struct page page;
    int fd = file_of(&text);

    page_store_init(&store);
    bytes_read = 0;
    page = read_page(fd, &store, (int64_t)text.lines - 5, 3, 1);
    page_free(&page);
    CHECK(bytes_read >= text.size);
    bytes_read = 0;
    page = read_page(fd, &store, (int64_t)text.lines / 2, 3, 1);
    page_free(&page);
    CHECK(bytes_read <= PAGE_BLOCK + 33 * 1024);
    bytes_read = 0;
    page = read_page(fd, &store, 1, 3, 1);
    page_free(&page);
    CHECK(bytes_read <= 33 * 1024);
    page_store_destroy(&store);
    close(fd);
    free_text(&text);
}

/* ---- files that change ------------------------------------------------------------------------- */

static void overwrite_middle(int fd)
{
    CHECK(pwrite(fd, "\n\n\n\n", 4, SIZE / 2) == 4);
    ctime_later_ns += 1000; /* the kernel's clock may not have gone on */
}

static void append(int fd)
{
    CHECK(pwrite(fd, "more\n", 5, lseek(fd, 0, SEEK_END)) == 5);
    ctime_later_ns += 1000;
}

/* As the file is now. */
static struct text text_of(int fd)
{
    struct text text = {.size = (size_t)lseek(fd, 0, SEEK_END)};

    text.data = malloc(text.size);
    CHECK(pread(fd, text.data, text.size, 0) == (ssize_t)text.size);
    find_lines(&text);
    return text;
}

static void shows_the_file_as_it_is(void (*change)(int fd), bool during)
{
    struct text text = make_text(PLAIN), now;
    struct page_store store;
    struct page page;
    int fd = file_of(&text);
    size_t line = text.lines - 9;

    page_store_init(&store);
    page = read_page(fd, &store, 1, 1, 1);
    page_free(&page);
    if (during) {
        append(fd); /* so that all is read again */
        during_read = change;
    } else {
        change(fd);
    }
    page = read_page(fd, &store, (int64_t)line, 4, 1);
    now = text_of(fd);
    same_as_slowly(&now, &page, line, 4);
    CHECK(now.lines > text.lines && store.indexes[1] == NULL);
    page_free(&page);
    page_store_destroy(&store);
    close(fd);
    free_text(&text);
    free_text(&now);
}

static void tells_that_it_never_rests(void)
{
    struct text text = make_text(PLAIN);
    struct page_store store;
    struct page page;
    int fd = file_of(&text);

    page_store_init(&store);
    ctime_step_ns = 1;
    page = read_page(fd, &store, 5, 4, 1);
    ctime_step_ns = 0;
    CHECK(page.unsettled && page.total == text.lines && store.indexes[0] == NULL);
    page_free(&page);
    page_store_destroy(&store);
    close(fd);
    free_text(&text);
}

/* A change within the same tick of the kernel's clock could not be seen. */
static void trusts_no_fresh_stamp(void)
{
    struct text text = make_text(PLAIN);
    struct page_store store;
    struct page page;
    int fd = file_of(&text);

    page_store_init(&store);
    ctime_later_ns += HOUR_NS;
    page = read_page(fd, &store, 5, 4, 1);
    CHECK(!page.unsettled && store.indexes[0] == NULL);
    ctime_later_ns -= HOUR_NS;
    page_free(&page);
    page_store_destroy(&store);
    close(fd);
    free_text(&text);
}

static void remembers_what_was_shown(void)
{
    struct node one = {.ino = 1, .size = 5}, other = {.ino = 1, .size = 6};
    struct page_store store;

    page_store_init(&store);
    CHECK(!page_store_note(&store, "a", &one));
    CHECK(!page_store_note(&store, "a", &one));
    CHECK(!page_store_note(&store, "b", &other));
    CHECK(page_store_note(&store, "a", &other));
    CHECK(!page_store_note(&store, "a", &other));
    page_store_destroy(&store);
}

/* ---- bounds ------------------------------------------------------------------------------------ */

static void keeps_the_last_few(void)
{
    struct page_store store;

    page_store_init(&store);
    for (uint64_t i = 0; i < 3 * PAGE_INDEXES; i++) {
        struct node node = {.ino = i, .size = 1 << 20};
        struct page_index *index = page_index_new(&node);

        page_store_keep(&store, index, INT64_MAX);
        page_index_release(index);
        CHECK(store.indexes[0] == index && atomic_load(&index->holders) == 1);
    }
    for (uint64_t i = 0; i < PAGE_INDEXES; i++)
        CHECK(store.indexes[i]->node.ino == 3 * PAGE_INDEXES - 1 - i);
    page_store_destroy(&store);
}

/* However large the file is, its index is small, and names a block with the line end in it. */
static void is_small_for_any_file(void)
{
    static const uint64_t sizes[] = {300000, UINT64_C(1) << 30, UINT64_C(5) << 40};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct node node = {.size = sizes[i]};
        struct page_index *index = page_index_new(&node);
        uint64_t block = UINT64_C(1) << index->shift, before;

        for (uint64_t at = 0; at <= node.size; at += block)
            page_index_add(index, at, at / 8);                    /* a line end each 8 bytes */
        page_index_add(index, 20 * node.size / block * block, 0); /* it grew: left out */
        CHECK(index->count <= PAGE_BLOCKS && index->count == node.size / block + 1);
        for (int k = 0; k < 1000; k++) {
            uint64_t number =
                1 + ((uint64_t)chance(1 << 24) << 16 | chance(1 << 16)) % (node.size / 8);
            uint64_t at = page_index_find(index, number, &before);

            CHECK(at == (number - 1) * 8 / block * block && before == at / 8);
        }
        page_index_release(index);
    }
}

/* ---- threads ----------------------------------------------------------------------------------- */

struct reader {
    const struct text *text;
    int fd;
    struct page_store *store;
};

static void *read_pages(void *user)
{
    const struct reader *reader = user;

    for (size_t i = 0; i < 20; i++) {
        size_t line = 1 + reader->text->lines * i / 20;
        struct page page = read_page(reader->fd, reader->store, (int64_t)line, 3, 1);

        same_as_slowly(reader->text, &page, line, 3);
        page_free(&page);
    }
    return NULL;
}

static void serves_many_threads(void)
{
    enum { THREADS = 4 };
    struct text text = make_text(PLAIN);
    struct page_store store;
    pthread_t threads[THREADS];
    struct reader reader = {&text, file_of(&text), &store};
    struct sys counting = sys;

    sys.pread = sys_kernel.pread; /* which counts for one thread alone */
    page_store_init(&store);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, read_pages, &reader) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    page_store_destroy(&store);
    sys = counting;
    close(reader.fd);
    free_text(&text);
}

int main(void)
{
    sys = sys_kernel;
    sys.node = old_node;
    sys.pread = counted_pread;
    for (enum kind kind = 0; kind < KINDS; kind++)
        shows_the_same(kind);
    reads_little_again();
    shows_the_file_as_it_is(overwrite_middle, false);
    shows_the_file_as_it_is(append, false);
    shows_the_file_as_it_is(overwrite_middle, true);
    tells_that_it_never_rests();
    trusts_no_fresh_stamp();
    remembers_what_was_shown();
    keeps_the_last_few();
    is_small_for_any_file();
    serves_many_threads();
    return check_report("page_index");
}
