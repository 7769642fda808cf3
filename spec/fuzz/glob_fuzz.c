/* SPDX-License-Identifier: MIT */
/*
 * Globs. The input is a pattern, a LF and a path. Whatever fits must agree with what the other
 * questions answer, and braces with the same patterns given one by one.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "glob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
    if (!good)
        abort();
}

static struct glob *parsed(const char *pattern, size_t size)
{
    struct glob_fault fault = {NULL, 0};
    struct glob *glob = glob_new(pattern, size, &fault);

    require(glob != NULL || (fault.reason != NULL && fault.at >= 1 && fault.at <= size + 1));
    return glob;
}

/* A directory must never be left out when something below it fits. */
static void check_below(const struct glob *glob, const char *path, size_t size)
{
    bool fits = glob_fits(glob, path, size, false);

    require(glob_may_fit_below(glob, path, 0) || !fits);
    for (size_t i = 0; i < size; i++) {
        if (path[i] == '/')
            require(glob_may_fit_below(glob, path, i) || !fits);
    }
    require(!fits || glob_fits(glob, path, size, true));
    require(!glob_fits(glob, path, 0, true));
}

/* "{PATTERN,x}" fits what PATTERN or "x" fits, if a limit does not stand against it. */
static void check_braces(const struct glob *glob, const char *pattern, size_t pattern_size,
                         const char *path, size_t size)
{
    struct bytes both = {0};
    struct glob_fault fault;
    struct glob *braces, *x = parsed("x", 1);

    bytes_add_text(&both, "{");
    bytes_add(&both, pattern, pattern_size);
    bytes_add_text(&both, ",x}");
    braces = glob_new(both.data, both.size, &fault);
    if (braces != NULL && memchr(pattern, ',', pattern_size) == NULL) {
        require(glob_fits(braces, path, size, false) ==
                (glob_fits(glob, path, size, false) || glob_fits(x, path, size, false)));
    }
    glob_free(braces);
    glob_free(x);
    bytes_free(&both);
}

/* A path, each byte of which is escaped, is a pattern that fits it. */
static void check_escaped(const char *path, size_t size)
{
    struct bytes pattern = {0};
    struct glob_fault fault;
    struct glob *glob;

    bytes_add_text(&pattern, "/");
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)path[i] < 0x80)
            bytes_add_char(&pattern, '\\');
        bytes_add_char(&pattern, path[i]);
    }
    glob = glob_new(pattern.data, pattern.size, &fault);
    require(glob == NULL || glob_fits(glob, path, size, false));
    glob_free(glob);
    bytes_free(&pattern);
}

/* Whether no component of the path is empty, "." or "..", as glob.h demands of it. */
static bool is_clean(const char *path, size_t size)
{
    size_t from = 0;

    for (size_t i = 0; i <= size; i++) {
        if (i < size && path[i] != '/')
            continue;
        if (i == from || (i - from <= 2 && memcmp(path + from, "..", i - from) == 0))
            return false;
        from = i + 1;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *lf = size == 0 ? NULL : memchr(text, '\n', size);
    size_t pattern_size = lf == NULL ? size : (size_t)(lf - text);
    const char *path = lf == NULL ? "a/b" : lf + 1;
    size_t path_size = lf == NULL ? 3 : size - pattern_size - 1;
    struct glob *glob = parsed(text, pattern_size);

    if (glob != NULL && is_clean(path, path_size)) {
        (void)glob_crosses(glob);
        check_below(glob, path, path_size);
        check_braces(glob, text, pattern_size, path, path_size);
    }
    if (is_clean(path, path_size))
        check_escaped(path, path_size);
    glob_free(glob);
    return 0;
}
