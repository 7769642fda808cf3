/* SPDX-License-Identifier: MIT */
/* floor_serve DIR [--fsync]: as little of a file server as answers the calls that are measured: what is left
 * when nothing is checked. Never to be used for anything else. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "json_scan.h"
#include "rounds.h"

struct floor {
    int root;
    bool fsync;
    struct bytes in, out, text, argument;
};

static void read_file(struct floor *floor, const char *path)
{
    int fd = openat(floor->root, path, O_RDONLY | O_CLOEXEC);
    ssize_t count;

    while (bytes_reserve(&floor->text, 64 * 1024) &&
           (count = read(fd, floor->text.data + floor->text.size, 64 * 1024)) > 0)
        floor->text.size += (size_t)count;
    close(fd);
}

static int by_text(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void list(struct floor *floor, const char *path)
{
    struct dirent **entries;
    int count = scandirat(floor->root, path, &entries, NULL, by_text);

    for (int i = 0; i < count; i++) {
        bytes_add_text(&floor->text, entries[i]->d_name);
        bytes_add_char(&floor->text, '\n');
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Without fsync in the way that has no file system write at once. */
static bool put_in_place(struct floor *floor, const char *path)
{
    if (!floor->fsync && renameat2(floor->root, ".floor", floor->root, path, RENAME_EXCHANGE) == 0)
        return unlinkat(floor->root, ".floor", 0) == 0;
    return renameat(floor->root, ".floor", floor->root, path) == 0;
}

static void write_file(struct floor *floor, const char *path, const struct bytes *content)
{
    int fd = openat(floor->root, ".floor", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    if (write(fd, content->data, content->size) != (ssize_t)content->size ||
        (floor->fsync && fsync(fd) != 0) || !put_in_place(floor, path) ||
        (floor->fsync && fsync(floor->root) != 0))
        bench_fail(path);
    close(fd);
    bytes_add_text(&floor->text, "written");
}

static void run_tool(struct floor *floor, struct json_slice params)
{
    struct json_slice arguments = json_member(params, "arguments");
    struct json_slice name = json_member(params, "name");
    struct bytes content = {0};

    bytes_clear(&floor->argument);
    json_text(json_member(arguments, "path"), &floor->argument);
    if (memcmp(name.data, "\"list\"", 6) == 0)
        list(floor, bytes_end(&floor->argument));
    else if (memcmp(name.data, "\"read\"", 6) == 0)
        read_file(floor, bytes_end(&floor->argument));
    else if (json_text(json_member(arguments, "content"), &content))
        write_file(floor, bytes_end(&floor->argument), &content);
    bytes_free(&content);
}

static void answer(struct floor *floor, struct json_slice line)
{
    struct json_slice id = json_member(line, "id"), params = json_member(line, "params");

    if (id.data == NULL)
        return;
    bytes_clear(&floor->text);
    bytes_add_text(&floor->out, "{\"jsonrpc\":\"2.0\",\"id\":");
    bytes_add(&floor->out, id.data, id.size);
    if (json_member(params, "arguments").data != NULL) {
        run_tool(floor, params);
        bytes_add_text(&floor->out, ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
        json_quote(&floor->out, floor->text.data, floor->text.size);
        bytes_add_text(&floor->out, "}]}}\n");
    } else {
        bytes_add_text(&floor->out, ",\"result\":{}}\n");
    }
}

/* Answers all whole lines and writes the answers at once. */
static void answer_all(struct floor *floor)
{
    struct bytes *in = &floor->in;
    size_t from = 0;
    char *end;

    while ((end = memchr(in->data + from, '\n', in->size - from)) != NULL) {
        answer(floor, (struct json_slice){in->data + from, (size_t)(end - in->data) - from});
        from = (size_t)(end - in->data) + 1;
    }
    memmove(in->data, in->data + from, in->size - from);
    in->size -= from;
    for (size_t at = 0; at < floor->out.size;) {
        ssize_t count = write(STDOUT_FILENO, floor->out.data + at, floor->out.size - at);

        if (count < 0)
            bench_fail("stdout");
        at += (size_t)count;
    }
    bytes_clear(&floor->out);
}

int main(int argc, char **argv)
{
    struct floor floor = {.root = open(argc > 1 ? argv[1] : ".", O_RDONLY | O_DIRECTORY),
                          .fsync = argc > 2};
    ssize_t count;

    while (bytes_reserve(&floor.in, 64 * 1024) &&
           (count = read(STDIN_FILENO, floor.in.data + floor.in.size, 64 * 1024)) > 0) {
        floor.in.size += (size_t)count;
        answer_all(&floor);
    }
    return 0;
}
