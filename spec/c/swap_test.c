/* SPDX-License-Identifier: MIT */
/* Compare and swap: of many edits in flight on one file none is lost, on any clock. S0-60 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "file.h"
#include "inject.h"
#include "replace.h"
#include "tree_fixture.h"

enum { THREADS = 4, ROUNDS = 200 };

static struct root *root;
static atomic_int done, failed;

/* One edit: reads the number and writes the next. */
static croft_status count_up(void)
{
    struct replace_options options = {.limit = 100, .compare_limit = 100};
    struct replace_info info;
    struct bytes old = {0};
    struct path path;
    struct stamp stamp = {.has_no_digest = false};
    char text[16];
    croft_error err;
    croft_status status;
    int fd;

    if (path_parse("n", 1, &path, &err) != CROFT_OK)
        return CROFT_INTERNAL;
    status = file_open(root, &path, &fd, &stamp.node, &err);
    if (status != CROFT_OK)
        return status;
    status = file_read(root->sys, fd, 100, &old, &err);
    root->sys->close(fd);
    if (status == CROFT_OK) {
        stamp.digest = file_digest(old.data, old.size);
        if (stamp.digest % 3 == 0)
            usleep(300); /* for others to come between */
        snprintf(text, sizeof text, "%08d\n", atoi(bytes_end(&old)) + 1);
        options.expect = &stamp;
        status = replace_file(root, &path, text, 9, &options, &info, &err);
    }
    bytes_free(&old);
    return status;
}

static void *count_many(void *unused)
{
    (void)unused;
    for (int left = ROUNDS, tries = 0; left > 0 && tries < 50 * ROUNDS; tries++) {
        switch (count_up()) {
        case CROFT_OK:
            atomic_fetch_add(&done, 1);
            left--;
            break;
        case CROFT_CHANGED: break;
        default: atomic_fetch_add(&failed, 1); left--;
        }
    }
    return NULL;
}

static int number(void)
{
    char path[128], text[16] = "";
    FILE *file;

    snprintf(path, sizeof path, "%s/ws/n", fixture_base);
    file = fopen(path, "r");
    if (file == NULL || fgets(text, sizeof text, file) == NULL)
        strcpy(text, "-1");
    if (file != NULL)
        fclose(file);
    return atoi(text);
}

static void loses_none(void)
{
    pthread_t threads[THREADS];

    fixture_make("printf '00000000\\n' > ws/n");
    root = fixture_root(CROFT_RESOLVER_AUTO);
    atomic_store(&done, 0);
    atomic_store(&failed, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count_many, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&failed) == 0);
    if (number() != THREADS * ROUNDS)
        fprintf(stderr, "%d edits, the file says %d\n", atomic_load(&done), number());
    CHECK(atomic_load(&done) == THREADS * ROUNDS);
    CHECK(number() == THREADS * ROUNDS);
    CHECK(fixture_says("! find ws -name '.~croft-*' | grep -q ."));
    root_close(root);
    fixture_remove();
}

/* The clock of Debian 12's kernel ticks every 4 ms; here, where an inode number comes again soon, an hour. */
static void loses_none_on_a_coarse_clock(void)
{
    inject_init();
    fake.grain = INT64_C(3600) * 1000000000;
    fixture_sys = &fake_sys;
    loses_none();
}

int main(void)
{
    loses_none();
    loses_none_on_a_coarse_clock();
    return check_report("swap");
}
