/* SPDX-License-Identifier: MIT */
/* What a session holds, from many threads; and where lines begin, against a slow count. */
#include "artifact_page.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 300, HANDLES = 6, LINES = 60000 };

static struct artifacts artifacts;
static struct path here;

static int file_of(const char *data, size_t size)
{
    char name[] = "/tmp/croft-artifact.XXXXXX";
    int fd = mkstemp(name);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    unlink(name);
    return fd;
}

static struct artifact_room room_of(uint64_t most)
{
    return (struct artifact_room){.most = most, .most_bytes = 4096};
}

/* ---- lines ------------------------------------------------------------------------------------- */

/* Lines of 0 to 40 bytes, `line N` where there is room. */
static struct bytes make_text(size_t starts[LINES + 1])
{
    struct bytes text = {0};

    for (size_t i = 0; i < LINES; i++) {
        char line[48];
        int size = snprintf(line, sizeof line, "%zu%.*s", i + 1, (int)(i * 7919 % 33),
                            "................................");

        starts[i] = text.size;
        bytes_add(&text, line, i % 11 == 10 ? 0 : (size_t)size);
        bytes_add_char(&text, '\n');
    }
    starts[LINES] = text.size;
    return text;
}

static void note(void *user, uint64_t offset, uint64_t ends)
{
    line_index_add(user, offset, ends);
}

static void lines_begin_where_a_slow_count_says(void)
{
    static size_t starts[LINES + 1];
    struct bytes text = make_text(starts);
    int fd = file_of(text.data, text.size);
    struct line_index index = {0};
    struct budget budget;
    croft_error err;

    budget_start(&budget, UINT64_MAX / 2, 60000, NULL);
    for (size_t i = 0; i < 3000; i++) {
        uint64_t line = i * 7919 % LINES + 1;
        struct line_walk walk = {.sys = &sys_kernel, .fd = fd, .budget = &budget};

        line_index_before(&index, line, &walk.offset, &walk.ends);
        CHECK(walk.ends < line);
        CHECK(line_walk_to(&walk, line, note, &index, &err) == CROFT_OK);
        CHECK(walk.found && walk.offset == starts[line - 1]);
    }
    CHECK(index.count == text.size / LINE_STRETCH);
    close(fd);
    line_index_free(&index);
    bytes_free(&text);
}

/* Marks get fewer when there are too many, and still lead to the line. */
static void marks_stay_few(void)
{
    struct line_index index = {0};
    uint64_t offset, ends;

    for (uint64_t i = 1; i <= 5 * (uint64_t)LINE_MARKS; i++)
        line_index_add(&index, i * LINE_STRETCH, i * 10);
    CHECK(index.count < LINE_MARKS && index.count >= LINE_MARKS / 2);
    for (uint64_t line = 1; line <= index.ends[index.count - 1]; line += 997) {
        line_index_before(&index, line, &offset, &ends);
        CHECK(ends < line && offset == ends / 10 * LINE_STRETCH);
        CHECK(line - ends <= index.stretch / LINE_STRETCH * 10 + 1);
    }
    line_index_free(&index);
}

/* ---- many threads ------------------------------------------------------------------------------ */

static void *use_some(void *user)
{
    unsigned seed = (unsigned)(size_t)user;
    char last[ARTIFACT_ID + 1] = "";

    for (int i = 0; i < ROUNDS; i++) {
        struct artifact_room room = room_of(HANDLES + THREADS);
        struct artifact *artifact = NULL, *again = NULL, *made = NULL;
        struct artifact_page page;
        struct page_options options = {.first = -1, .bytes = 4096};
        struct budget budget;
        croft_error err;
        int fd = file_of("one\ntwo\n", 8);

        CHECK(artifact_add(&artifacts, ARTIFACT_MEDIA, &sys_kernel, fd, &here, &room, &artifact,
                           &err) == CROFT_OK);
        budget_start(&budget, UINT64_MAX / 2, 60000, NULL);
        options.budget = &budget;
        CHECK(artifact_page_read(&artifacts, artifact, &options, &page, &err) == CROFT_OK);
        CHECK(strncmp(bytes_end(&page.page.text), "2|two", 5) == 0 && page.page.total == 2);
        artifact_page_free(&page);
        if (rand_r(&seed) % 2 == 0 &&
            artifact_derive(&artifacts, artifact, "x", 1, &room, &made, &err) == CROFT_OK) {
            artifact_saved(&artifacts, made, &here, &(struct stamp){0});
            artifact_release(&artifacts, made);
        }
        if (artifact_use(&artifacts, last, strlen(last), &again, &err) == CROFT_OK)
            artifact_release(&artifacts, again);
        memcpy(last, artifact->id, sizeof last);
        artifact_release(&artifacts, artifact);
    }
    return NULL;
}

static void count_one(void *user, const struct artifact *artifact)
{
    CHECK(artifact->users == 0);
    ++*(size_t *)user;
}

static void threads_share_a_store(void)
{
    pthread_t threads[THREADS];
    size_t count = 0;

    artifacts_init(&artifacts);
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, use_some, (void *)(i + 1)) != 0)
            abort();
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    artifacts_each(&artifacts, count_one, &count);
    CHECK(count == artifacts.count && count > 0 && count <= HANDLES + THREADS);
    artifacts_close(&artifacts);
}

/* ---- what gives way ---------------------------------------------------------------------------- */

static void one_in_use_stays(void)
{
    struct artifact_room room = room_of(2);
    struct artifact *first = NULL, *other = NULL, *found = NULL;
    croft_error err;

    artifacts_init(&artifacts);
    CHECK(artifact_add(&artifacts, ARTIFACT_TEXT, &sys_kernel, file_of("a", 1), &here, &room,
                       &first, &err) == CROFT_OK);
    for (int i = 0; i < 5; i++) {
        CHECK(artifact_add(&artifacts, ARTIFACT_TEXT, &sys_kernel, file_of("b", 1), &here, &room,
                           &other, &err) == CROFT_OK);
        CHECK(room.removed == (i > 0));
        artifact_release(&artifacts, other);
    }
    CHECK(artifact_use(&artifacts, first->id, ARTIFACT_ID, &found, &err) == CROFT_OK);
    artifact_release(&artifacts, found);
    other = NULL;
    CHECK(artifact_add(&artifacts, ARTIFACT_TEXT, &sys_kernel, file_of("c", 1), &here, &room,
                       &other, &err) == CROFT_OK);
    found = NULL;
    CHECK(artifact_add(&artifacts, ARTIFACT_TEXT, &sys_kernel, file_of("d", 1), &here, &room,
                       &found, &err) == CROFT_TOO_MANY);
    artifact_release(&artifacts, other);
    artifact_release(&artifacts, first);
    artifacts_close(&artifacts);
}

static void new_content_is_counted(void)
{
    struct artifact_room room = room_of(16);
    struct artifact *medium = NULL, *made = NULL, *more = NULL;
    static char data[3000];
    croft_error err;

    artifacts_init(&artifacts);
    CHECK(artifact_add(&artifacts, ARTIFACT_MEDIA, &sys_kernel, file_of("a", 1), &here, &room,
                       &medium, &err) == CROFT_OK);
    CHECK(artifact_derive(&artifacts, medium, data, sizeof data, &room, &made, &err) == CROFT_OK);
    CHECK(artifacts.bytes == sizeof data && artifact_is_unsaved(made));
    CHECK(artifact_derive(&artifacts, medium, data, sizeof data, &room, &more, &err) ==
          CROFT_TOO_LARGE);
    artifact_saved(&artifacts, made, &here, &(struct stamp){0});
    CHECK(!artifact_is_unsaved(made));
    artifact_release(&artifacts, made);
    CHECK(artifact_derive(&artifacts, medium, data, sizeof data, &room, &more, &err) == CROFT_OK);
    CHECK(room.removed == 1 && artifacts.bytes == sizeof data);
    artifact_release(&artifacts, more);
    artifact_release(&artifacts, medium);
    artifacts_close(&artifacts);
}

int main(void)
{
    croft_error err;

    CHECK(path_parse("a.txt", 5, &here, &err) == CROFT_OK);
    lines_begin_where_a_slow_count_says();
    marks_stay_few();
    threads_share_a_store();
    one_in_use_stays();
    new_content_is_counted();
    return check_report("artifact");
}
