/* SPDX-License-Identifier: MIT */
/* Feeds every file of the named directories to a fuzz target once: the corpus as a plain test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes of a file, in memory that the caller frees; exactly as many as it has, so that a
 * sanitizer sees the first byte past them. NULL when it cannot be read. */
static uint8_t *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long length;

    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
        rewind(file);
        *size = (size_t)length;
        data = malloc(*size == 0 ? 1 : *size);
        if (data != NULL && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

static int replay(const char *path)
{
    size_t size;
    uint8_t *data = load(path, &size);

    if (data == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        return -1;
    }
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static void replay_all(const char *name, int *passed, int *failed)
{
    DIR *dir = opendir(name);
    struct dirent *entry;
    char path[4096];

    if (dir == NULL) {
        fprintf(stderr, "cannot open %s\n", name);
        ++*failed;
        return;
    }
    while ((entry = readdir(dir)) != NULL) { /* NOLINT(concurrency-mt-unsafe): one thread */
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (replay(path) == 0)
            ++*passed;
        else
            ++*failed;
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;

    for (int i = 1; i < argc; i++)
        replay_all(argv[i], &passed, &failed);
    printf("%s: %d passed, %d failed\n", argv[0], passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
