/* SPDX-License-Identifier: MIT */
/* The rules for arguments: nothing survives them that the kernel could take for more than one name. */
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
    if (!good)
        abort();
}

static void check_component(const struct path *path, const struct component *part)
{
    const char *name = path->text + part->from;

    require(part->size > 0 && part->size <= NAME_BYTES);
    require(memchr(name, '/', part->size) == NULL && memchr(name, '\0', part->size) == NULL);
    require(!(part->size == 1 && name[0] == '.'));
    require(!(part->size == 2 && name[0] == '.' && name[1] == '.'));
}

/* The components, joined by one "/", are the text. */
static void check_parts(const struct path *path)
{
    size_t at = 0;

    for (size_t i = 0; i < path->count; i++) {
        require(path->parts[i].from == at);
        check_component(path, &path->parts[i]);
        at += path->parts[i].size;
        require(path->text[at] == (i + 1 < path->count ? '/' : '\0'));
        at++;
    }
    require(path->size == (at == 0 ? 0 : at - 1) && path->size <= PATH_BYTES);
    require(path->text[path->size] == '\0');
    require(path->count > 0 || path->must_be_directory);
}

/* What is clean is not changed by cleaning. */
static void check_again(const struct path *path)
{
    struct path again;
    croft_error err;
    croft_status status;

    if (path->count == 0)
        return;
    status = path_parse_raw(path->text, path->size, &again, &err);
    require(status == CROFT_OK && again.size == path->size && again.count == path->count);
    require(memcmp(again.text, path->text, path->size) == 0 && !again.must_be_directory);
    check_parts(&again);
}

static void check_refusal(const char *text, size_t size, croft_status status,
                          const croft_error *err)
{
    require(status == CROFT_OUTSIDE || status == CROFT_BAD_ARGUMENT);
    require(err->kind == status && err->detail[0] != '\0');
    if (strcmp(err->detail, "climbs") == 0)
        require(size >= 2 && memmem(text, size, "..", 2) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct path path, strict;
    croft_error err;
    croft_status status = path_parse_raw(text, size, &path, &err);

    if (status == CROFT_OK) {
        require(size > 0 && text[0] != '/' && memchr(text, '\0', size) == NULL);
        check_parts(&path);
        check_again(&path);
    } else {
        check_refusal(text, size, status, &err);
    }
    require(
        (path_parse(text, size, &strict, NULL) == CROFT_OK) ==
        (status == CROFT_OK && utf8_valid(text, size) == size && !path_names_drive(text, size)));
    return 0;
}
