/* SPDX-License-Identifier: MIT */
/* The file is read once for what is told of the whole of it; the lines of the page are then read again
 * from where the first of them begins. */
#include "page.h"

#include "lines.h"
#include "page_scan.h"
#include "utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    REPLACEMENT_SIZE = 3, /* of U+FFFD */
    LOOK_BACK = 3,        /* a character begins at most so many bytes before its last */
    LINE_END_SIZE = 2     /* CR LF */
};

enum { ROW_HEAD = 24 }; /* a line end, the digits of a number and a bar */

/* "\n12|", which stands in front of line 12. */
struct row_head {
    char text[ROW_HEAD];
    size_t size;
};

/* What is shown: `raw` holds bytes of the file from `offset` on, enough for any page. */
struct filling {
    const struct page_options *options;
    struct page *page;
    struct bytes raw;
    uint64_t offset, size; /* of raw in the file; of the file */
    size_t at;             /* in raw: the next line, or what is shown of the first */
    size_t valid;          /* bytes from the start of raw that are UTF-8 */
    uint64_t number;       /* of that line */
    struct row_head head;  /* of it */
};

/* ---- the head of a row ---- */

static void head_set(struct row_head *head, uint64_t number)
{
    char text[ROW_HEAD];
    size_t at = sizeof text;

    text[--at] = '|';
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    text[--at] = '\n';
    head->size = sizeof text - at;
    memcpy(head->text, text + at, head->size);
}

/* That of the next line. There is one for each, so the digits are counted on and not made again. */
static void head_next(struct row_head *head)
{
    size_t at = head->size - 2;

    while (head->text[at] == '9')
        head->text[at--] = '0';
    if (head->text[at] != '\n') {
        head->text[at]++;
        return;
    }
    memmove(head->text + 2, head->text + 1, head->size - 1);
    head->text[1] = '1';
    head->size++;
}

/* The first row has no line end before it. */
static void add_head(struct bytes *text, const struct row_head *head)
{
    size_t from = text->size == 0;

    bytes_add(text, head->text + from, head->size - from);
}

/* ---- lines that fit ---- */

/* Adds a row of UTF-8; false when it does not fit. Most are, so it is done in one go, and of the head so much
 * is copied as it may have. */
static bool add_valid(struct filling *filling, const char *line, size_t size)
{
    struct bytes *text = &filling->page->text;
    size_t from = text->size == 0, head = filling->head.size - from;
    char *out;

    if (text->size + head + size > filling->options->bytes)
        return false;
    if (bytes_reserve(text, ROW_HEAD + size)) {
        out = text->data + text->size;
        memcpy(out, filling->head.text + from, ROW_HEAD - 1);
        memcpy(out + head, line, size);
        text->size += head + size;
    }
    return true;
}

/* Adds any other; takes it back and returns false when it does not fit. */
static bool add_repaired(struct filling *filling, const char *line, size_t size)
{
    struct bytes *text = &filling->page->text;
    size_t before = text->size;
    uint64_t invalid;

    add_head(text, &filling->head);
    invalid = utf8_repair(text, line, size);
    if (text->size > filling->options->bytes) {
        text->size = before;
        return false;
    }
    filling->page->invalid += invalid;
    return true;
}

/* Adds the row of raw between `at` and `end`; false when it does not fit. */
static bool add_row(struct filling *filling, size_t end)
{
    const char *line = filling->raw.data + filling->at;
    size_t size = end - filling->at;
    bool fits =
        end <= filling->valid ? add_valid(filling, line, size) : add_repaired(filling, line, size);

    if (!fits)
        return false;
    filling->page->last = filling->number++;
    head_next(&filling->head);
    return true;
}

/* Whether all of the line that begins at `at` is in raw; *end is then where its LF is, or where the
 * file ends. */
static bool has_line(const struct filling *filling, size_t *end)
{
    *end = lines_end(filling->raw.data, filling->raw.size, filling->at);
    return *end < filling->raw.size || filling->offset + filling->raw.size >= filling->size;
}

static bool is_full(const struct filling *filling)
{
    const struct page *page = filling->page;

    return filling->options->limit != 0 && page->last >= page->first &&
           page->last - page->first + 1 >= filling->options->limit;
}

/* PAGE_LONG_LINE when not even the first line fits. */
static enum page_end add_rows(struct filling *filling)
{
    const char *data = filling->raw.data;
    size_t size = filling->raw.size, end;

    while (filling->number <= filling->page->total) {
        if (is_full(filling))
            return PAGE_LIMIT;
        if (filling->at == size && filling->offset + size >= filling->size)
            break; /* the file shrank meanwhile */
        if (!has_line(filling, &end) || !add_row(filling, lines_trim(data, size, filling->at, end)))
            return filling->number == filling->page->first ? PAGE_LONG_LINE : PAGE_BYTES;
        filling->at = end < size ? end + 1 : end;
    }
    return PAGE_FILE_END;
}

/* ---- a line that does not ---- */

/* The size of the longest piece of [text, text + size) that is at most `room` bytes when shown. */
static size_t fitting(const char *text, size_t size, size_t room)
{
    size_t at = 0, shown = 0;

    while (at < size) {
        size_t length = utf8_length(text + at, size - at);

        shown += length == 0 ? REPLACEMENT_SIZE : length;
        if (shown > room)
            break;
        at += length == 0 ? 1 : length;
    }
    return at;
}

static void add_piece(struct filling *filling, uint64_t column)
{
    struct page *page = filling->page;
    const char *from = filling->raw.data + filling->at;
    size_t size = filling->raw.size - filling->at, room;

    add_head(&page->text, &filling->head);
    room =
        filling->options->bytes > page->text.size ? filling->options->bytes - page->text.size : 0;
    size = fitting(from, size, room);
    page->invalid = utf8_repair(&page->text, from, size);
    page->last = page->first;
    page->last_byte = column - 1 + size;
}

/* ---- the page ---- */

/* Checks the column and moves it to the begin of its character. `start`: of the first line. */
static croft_status place_column(struct page_scan *scan, uint64_t start, uint64_t *column,
                                 struct page *page, croft_error *err)
{
    uint64_t back = *column - 1 < LOOK_BACK ? *column - 1 : LOOK_BACK;
    char around[2 * LOOK_BACK + 1];
    size_t filled;
    croft_status status;

    if (*column == 1)
        return CROFT_OK;
    status = page_scan_line(scan, start, &page->line_bytes, err);
    if (status != CROFT_OK)
        return status;
    if (*column > page->line_bytes) {
        page->end = PAGE_PAST_LINE;
        return CROFT_OK;
    }
    status = page_scan_read(scan, around, start + *column - 1 - back, sizeof around, &filled, err);
    if (status == CROFT_OK && filled > back)
        *column -= back - utf8_cut(around, filled, (size_t)back);
    return status;
}

static croft_status fill_raw(struct page_scan *scan, struct filling *filling, croft_error *err)
{
    uint64_t left = scan->size > filling->offset ? scan->size - filling->offset : 0;
    uint64_t wanted = filling->options->bytes + LINE_END_SIZE;
    size_t size = (size_t)(left < wanted ? left : wanted);
    croft_status status;

    /* No line is shorter when shown but by its end, so no page needs more. */
    if (!bytes_reserve(&filling->raw, size + 1))
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status =
        page_scan_read(scan, filling->raw.data, filling->offset, size, &filling->raw.size, err);
    if (filling->raw.size < size) /* the file shrank meanwhile */
        filling->size = filling->offset + filling->raw.size;
    filling->valid = utf8_valid(filling->raw.data, filling->raw.size);
    bytes_reserve(&filling->page->text, filling->raw.size + filling->raw.size / 4 + ROW_HEAD);
    return status;
}

static croft_status fill(struct page_scan *scan, const struct page_options *options, uint64_t start,
                         struct page *page, croft_error *err)
{
    struct filling filling = {
        .options = options, .page = page, .size = scan->size, .number = page->first};
    uint64_t column = options->column == 0 ? 1 : options->column;
    croft_status status = place_column(scan, start, &column, page, err);

    if (status != CROFT_OK || page->end == PAGE_PAST_LINE)
        return status;
    filling.offset = start + column - 1;
    head_set(&filling.head, filling.number);
    status = fill_raw(scan, &filling, err);
    if (status == CROFT_OK) {
        page->end = add_rows(&filling);
        if (page->end == PAGE_LONG_LINE) {
            add_piece(&filling, column);
            if (column == 1) /* otherwise it is known */
                status = page_scan_line(scan, start, &page->line_bytes, err);
        }
    }
    bytes_free(&filling.raw);
    return status;
}

/* Finds the first line, in front or from the end. `*start`: its offset, found already when in front. */
static croft_status find_first(struct page_scan *scan, int64_t first, uint64_t *start,
                               struct page *page, croft_error *err)
{
    uint64_t back = first < 0 ? 0 - (uint64_t)first : 0;

    if (page->total == 0) {
        page->end = first > 1 ? PAGE_PAST_END : PAGE_FILE_END;
        return CROFT_OK;
    }
    if (first >= 0 && (uint64_t)first > page->total) {
        page->end = PAGE_PAST_END;
        return CROFT_OK;
    }
    page->first = first > 0 ? (uint64_t)first : 1;
    if (back == 0 || back >= page->total)
        return CROFT_OK;
    page->first = page->total - back + 1;
    return page_scan_back(scan, back, page->final_newline, start, err);
}

static croft_status read_with(struct page_scan *scan, const struct page_options *options,
                              struct page *page, croft_error *err)
{
    uint64_t line = options->first > 0 ? (uint64_t)options->first : 1, start;
    croft_status status = page_scan_all(scan, line, page, &start, err);

    if (status == CROFT_OK && !page->binary)
        status = find_first(scan, options->first, &start, page, err);
    if (status == CROFT_OK && page->first > 0)
        status = fill(scan, options, start, page, err);
    if (status == CROFT_OK && page->text.failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return status;
}

/* One more byte than the file has shows at once that it ends. */
static size_t window_for(const struct node *node)
{
    enum { SMALLEST = 4 * 1024 }; /* for a file that is not what its node said */

    if (node == NULL || node->size >= PAGE_WINDOW)
        return PAGE_WINDOW;
    return node->size < SMALLEST ? SMALLEST : (size_t)node->size + 1;
}

static croft_status read_once(struct page_scan *scan, const struct page_options *options,
                              struct page *page, croft_error *err)
{
    croft_status status;

    memset(page, 0, sizeof *page);
    scan->room = window_for(scan->node);
    scan->window = malloc(scan->room);
    if (scan->window == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = read_with(scan, options, page, err);
    free(scan->window);
    scan->window = NULL;
    if (status != CROFT_OK)
        page_free(page);
    return status;
}

/* Whether the file still is as `node` says; else that is what it is now. */
static croft_status is_settled(const struct page_scan *scan, struct node *node, bool *settled,
                               croft_error *err)
{
    struct node now;

    if (scan->sys->node(scan->fd, &now) != 0)
        return fail_io(err, errno, "it cannot be examined");
    *settled = node_unchanged(node, &now);
    *node = now;
    return CROFT_OK;
}

/* Reads until the file is the same before and behind, so that no page is of two moments. */
static croft_status read_settled(struct page_scan *scan, const struct page_options *options,
                                 struct page *page, croft_error *err)
{
    enum { TIMES = 3 };
    struct node *node = options->node;
    bool settled = false;
    croft_status status = CROFT_OK;

    scan->node = node;
    for (int i = 0; i < TIMES && status == CROFT_OK && !settled; i++) {
        int64_t begun = clock_stamp_ns();

        page_free(page);
        status = read_once(scan, options, page, err);
        if (status == CROFT_OK)
            status = is_settled(scan, node, &settled, err);
        if (status == CROFT_OK && settled && scan->index != NULL && !page->binary)
            page_store_keep(scan->store, scan->index, begun);
        page_index_release(scan->index);
        scan->index = NULL;
    }
    page->unsettled = !settled;
    if (status != CROFT_OK)
        page_free(page);
    return status;
}

croft_status page_read(const struct sys *sys, int fd, const struct page_options *options,
                       struct page *page, croft_error *err)
{
    struct page_scan scan = {.sys = sys, .fd = fd, .budget = options->budget};

    memset(page, 0, sizeof *page);
    if (options->node == NULL)
        return read_once(&scan, options, page, err);
    scan.store = options->store;
    return read_settled(&scan, options, page, err);
}

/* A step for so many bytes of it: a long line may be most of a large file. */
enum { LARGE_A_STEP = 4096 };

croft_status page_read_from(const struct sys *sys, int fd, const struct page_options *options,
                            const struct page_start *start, struct page *page, croft_error *err)
{
    uint64_t column = options->column;
    struct page_scan scan = {
        .sys = sys,
        .fd = fd,
        .budget = options->budget,
        .size = start->size,
        .room = PAGE_WINDOW,
        .line_ceiling = column < start->line_ceiling ? start->line_ceiling : column + 1,
        .a_step = LARGE_A_STEP,
    };
    croft_status status;

    memset(page, 0, sizeof *page);
    page->first = start->line;
    page->total = UINT64_MAX;
    page->size = start->size;
    scan.window = malloc(scan.room);
    if (scan.window == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = fill(&scan, options, start->offset, page, err);
    if (status == CROFT_OK && page->text.failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    free(scan.window);
    if (status != CROFT_OK)
        page_free(page);
    return status;
}

void page_free(struct page *page)
{
    bytes_free(&page->text);
}
