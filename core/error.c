/* SPDX-License-Identifier: MIT */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

croft_status fail(croft_error *err, croft_status kind, int sys_errno, const char *what)
{
    return fail_format(err, kind, sys_errno, "%s", what);
}

croft_status fail_format(croft_error *err, croft_status kind, int sys_errno, const char *format,
                         ...)
{
    va_list args;

    if (err == NULL)
        return kind;
    memset(err, 0, sizeof *err);
    err->kind = kind;
    err->sys_errno = sys_errno;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return kind;
}

croft_status fail_detail(croft_error *err, croft_status kind, const char *detail, const char *what)
{
    fail(err, kind, 0, what);
    if (err != NULL)
        strncpy(err->detail, detail, sizeof err->detail - 1);
    return kind;
}

croft_status status_of_errno(int number)
{
    switch (number) {
    case ENOENT:
    case ESTALE: return CROFT_MISSING;
    case ENOTDIR: return CROFT_NOT_A_DIRECTORY;
    case EISDIR: return CROFT_NOT_A_FILE;
    case ELOOP: return CROFT_LOOP;
    case EXDEV: return CROFT_CROSSES_MOUNT;
    case EACCES:
    case EPERM:
    case EROFS: return CROFT_UNREADABLE;
    case EEXIST: return CROFT_ALREADY_EXISTS;
    case ENAMETOOLONG: return CROFT_BAD_ARGUMENT;
    case EAGAIN:
    case EBUSY:
    case ETXTBSY: return CROFT_BUSY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return CROFT_NO_SPACE;
    case EMFILE:
    case ENFILE:
    case ENOMEM: return CROFT_EXHAUSTED;
    default: return CROFT_IO;
    }
}

croft_status fail_errno(croft_error *err, int number, const char *what)
{
    croft_status kind = fail(err, status_of_errno(number), number, what);

    if (number == ENAMETOOLONG && err != NULL)
        strcpy(err->detail, "long");
    if (number == EFBIG && err != NULL) /* there may be space; the file may not have it */
        strcpy(err->detail, "limit");
    return kind;
}

croft_status fail_io(croft_error *err, int number, const char *what)
{
    bool is_short = status_of_errno(number) == CROFT_EXHAUSTED;

    return fail(err, is_short ? CROFT_EXHAUSTED : CROFT_IO, number, what);
}

static const char *const status_words[] = {
    [CROFT_OK] = "",
    [CROFT_MISSING] = "missing",
    [CROFT_OUTSIDE] = "outside",
    [CROFT_READ_ONLY] = "read_only",
    [CROFT_LOOP] = "loop",
    [CROFT_CROSSES_MOUNT] = "crosses_mount",
    [CROFT_NOT_A_FILE] = "not_a_file",
    [CROFT_NOT_A_DIRECTORY] = "not_a_directory",
    [CROFT_NOT_REGULAR] = "not_regular",
    [CROFT_ALREADY_EXISTS] = "already_exists",
    [CROFT_TOO_LARGE] = "too_large",
    [CROFT_TOO_MANY] = "too_many",
    [CROFT_CHANGED] = "changed",
    [CROFT_GONE] = "gone",
    [CROFT_OWNER] = "owner",
    [CROFT_DENIED] = "denied",
    [CROFT_GATE_UNAVAILABLE] = "gate_unavailable",
    [CROFT_BAD_ARGUMENT] = "bad_argument",
    [CROFT_BAD_PATTERN] = "bad_pattern",
    [CROFT_NO_MATCH] = "no_match",
    [CROFT_AMBIGUOUS] = "ambiguous",
    [CROFT_UNREADABLE] = "unreadable",
    [CROFT_BUSY] = "busy",
    [CROFT_NO_SPACE] = "no_space",
    [CROFT_EXHAUSTED] = "exhausted",
    [CROFT_IO] = "io",
    [CROFT_STOPPED] = "stopped",
    [CROFT_CANCELLED] = "cancelled",
    [CROFT_INTERNAL] = "internal",
    [CROFT_UNKNOWN_TOOL] = "unknown_tool",
    [CROFT_BAD_JSON] = "bad_json",
};

bool status_is_answer(croft_status status)
{
    return status > CROFT_OK && status < CROFT_STOPPED;
}

CROFT_API const char *croft_status_word(croft_status status)
{
    size_t index = (size_t)status;

    if (index >= sizeof status_words / sizeof status_words[0])
        return "internal";
    return status_words[index];
}
