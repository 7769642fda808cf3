/* SPDX-License-Identifier: MIT */
/*
 * One thread swaps directories and files with links that lead out, or into a read-only tree, while another
 * resolves, reads and writes: nothing outside is reached. spec/race does the same to the whole program.
 * CROFT_RACE_ROUNDS: how many rounds on each resolver. S0-39
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "file.h"
#include "replace.h"
#include "tree_fixture.h"

static const char set_up[] =
    "mkdir -p outside/sub && echo TOPSECRET > secret.txt && echo TOPSECRET > "
    "outside/sub/secret.txt && cd ws && "
    "mkdir -p d/sub e/sub skills w p/c b && for f in d e d/sub e/sub .; do echo inside > "
    "$f/secret.txt; done && "
    "echo inside > f && echo skill > skills/s && echo w > w/s && ln -s ../outside d_l && "
    "ln -s \"$PWD/../outside\" e_l && ln -s ../outside/secret.txt f_l && ln -s skills w_l && "
    "ln -s p/c/../../secret.txt dd";

enum { SECRETS = 5 };

static const char *const secrets[SECRETS] = {"secret.txt", "outside", "outside/secret.txt",
                                             "outside/sub", "outside/sub/secret.txt"};

static struct root *root;
static int base = -1, ws = -1;
static atomic_bool over;
static unsigned long swaps, reached, refused, escaped;
static struct node secret_nodes[SECRETS], skill;

/* ---- the other thread ---------------------------------------------------------------------------- */

static void *swap(void *unused)
{
    static const char *const pairs[][2] = {
        {"d", "d_l"}, {"e", "e_l"}, {"f", "f_l"}, {"w", "w_l"}, {"p/c", "b"}};

    (void)unused;
    while (!atomic_load(&over)) {
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
            swaps += renameat2(ws, pairs[i][0], ws, pairs[i][1], RENAME_EXCHANGE) == 0;
    }
    return NULL;
}

/* ---- what must not be reached -------------------------------------------------------------------- */

static void look(struct node *nodes, struct node *one_skill)
{
    for (int i = 0; i < SECRETS; i++) {
        int fd = openat(base, secrets[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);

        CHECK(sys_kernel.node(fd, &nodes[i]) == 0);
        close(fd);
    }
    CHECK(sys_kernel.node_at(ws, "skills", one_skill) == 0);
}

static bool is_secret(const struct node *node)
{
    for (int i = 0; i < SECRETS; i++) {
        if (node_same(node, &secret_nodes[i]))
            return true;
    }
    return false;
}

static void escape(const char *what, const char *path)
{
    if (escaped++ < 5)
        fprintf(stderr, "escaped: %s of %s\n", what, path);
}

static void nothing_changed_outside(void)
{
    struct node nodes[SECRETS], now;

    look(nodes, &now);
    for (int i = 0; i < SECRETS; i++)
        CHECK(node_unchanged(&nodes[i], &secret_nodes[i]));
    CHECK(node_unchanged(&now, &skill)); /* nothing was made, renamed or removed in it */
}

/* ---- this thread --------------------------------------------------------------------------------- */

static void count(croft_status status)
{
    if (status == CROFT_OK)
        reached++;
    else
        refused++;
}

static void resolve_it(const char *text, const struct path *path, enum resolve_how way)
{
    struct place place;
    croft_status status = resolve(root, path, way, &place, NULL);

    count(status);
    if (status != CROFT_OK)
        return;
    if ((place.fd >= 0 && is_secret(&place.node)) ||
        (place.has_stack && is_secret(&place_parent(&place)->node)))
        escape("a resolution", text);
    place_close(&place);
}

static void read_it(const char *text, const struct path *path)
{
    struct bytes content = {0};
    struct node node;
    int fd;
    croft_status status = file_open(root, path, &fd, &node, NULL);

    count(status);
    if (status != CROFT_OK)
        return;
    if (is_secret(&node) || (file_read(root->sys, fd, 1000, &content, NULL) == CROFT_OK &&
                             strstr(bytes_end(&content), "TOPSECRET") != NULL))
        escape("a read", text);
    root->sys->close(fd);
    bytes_free(&content);
}

static void write_it(const struct path *path)
{
    struct replace_options options = {.limit = 1000, .compare_limit = 1000};
    struct replace_info info;

    count(replace_file(root, path, "inside\n", 7, &options, &info, NULL));
}

static void play(unsigned long rounds)
{
    static const char *const read[] = {
        "d/secret.txt", "e/sub/../secret.txt", "f", "dd", "d/sub", "e", "d/sub/secret.txt"};
    static const char *const written[] = {"d/new", "e/secret.txt", "d/n/e/w", "f", "w/s", "w/new"};
    struct path path;
    croft_error err;

    for (unsigned long i = 0; i < rounds; i++) {
        const char *text = read[i % 7];

        CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
        resolve_it(text, &path, (enum resolve_how)(i % 3));
        read_it(text, &path);
        if (i % 4 != 0)
            continue;
        text = written[i / 4 % 6];
        CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
        write_it(&path);
    }
}

static void race(croft_resolver resolver, unsigned long rounds)
{
    pthread_t thread;
    char path[128];

    fixture_make(set_up);
    base = open(fixture_base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/ws", fixture_base);
    ws = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    root = fixture_root(resolver);
    look(secret_nodes, &skill);
    swaps = reached = refused = escaped = 0;
    atomic_store(&over, false);
    pthread_create(&thread, NULL, swap, NULL);
    play(rounds);
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    nothing_changed_outside();
    printf("%s: %lu swaps, %lu done, %lu refused, %lu escaped\n",
           root->use_openat2 ? "openat2" : "walk", swaps, reached, refused, escaped);
    CHECK(escaped == 0);
    CHECK(reached > 0 && refused > 0 && swaps > rounds / 100); /* it was a race indeed */
    CHECK(fixture_says("! find . -name '.~croft-*' | grep -q ."));
    root_close(root);
    close(ws);
    close(base);
    fixture_remove();
}

int main(void)
{
    const char *rounds = getenv("CROFT_RACE_ROUNDS");

    fixture_disk = "/dev/shm";
    race(CROFT_RESOLVER_AUTO, rounds == NULL ? 20000 : strtoul(rounds, NULL, 10));
    race(CROFT_RESOLVER_WALK, rounds == NULL ? 20000 : strtoul(rounds, NULL, 10));
    return check_report("race");
}
