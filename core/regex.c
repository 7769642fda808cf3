/* SPDX-License-Identifier: MIT */
#include "ceilings.h"
#include "regex_parts.h"
#include "utf8.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED_PARENTHESES = 100, BYTES_A_FIND = 128 };

static uint32_t compile_options(const struct regex *regex, enum regex_use use)
{
    uint32_t options = PCRE2_UTF;

    if (regex->ignore_case)
        options |= PCRE2_CASELESS;
    if (use != USE_STATES) /* which has no such option: it takes lines that are UTF-8 only */
        options |= PCRE2_MATCH_INVALID_UTF;
    if (use == USE_LINE || use == USE_STATES)
        options |= PCRE2_USE_OFFSET_LIMIT;
    if (use == USE_CAREFUL)
        options |= PCRE2_AUTO_CALLOUT;
    if (regex->literal)
        return options | PCRE2_LITERAL;
    options |= use == USE_LF || use == USE_CRLF ? PCRE2_MULTILINE : PCRE2_DOLLAR_ENDONLY;
    return options | PCRE2_NEVER_BACKSLASH_C;
}

pcre2_code *regex_compile(const struct regex *regex, const char *pattern, size_t size,
                          enum regex_use use, int *number, size_t *at)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    pcre2_code *code;

    if (context == NULL) {
        *number = PCRE2_ERROR_HEAP_FAILED;
        *at = 0;
        return NULL;
    }
    pcre2_set_newline(context, use == USE_CRLF ? PCRE2_NEWLINE_ANYCRLF : PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(context, NESTED_PARENTHESES);
    code = pcre2_compile((PCRE2_SPTR)(size == 0 ? "" : pattern), size, compile_options(regex, use),
                         number, at, context);
    pcre2_compile_context_free(context);
    return code;
}

static croft_status refuse(const char *detail, struct regex_fault *fault, croft_error *err)
{
    if (fault->reason[0] == '\0')
        strcpy(fault->reason, detail);
    fail_format(err, CROFT_BAD_PATTERN, 0, "the pattern is refused: %s", fault->reason);
    if (err != NULL)
        strcpy(err->detail, detail);
    return CROFT_BAD_PATTERN;
}

static size_t characters(const char *text, size_t size)
{
    size_t count = 0;

    for (size_t at = 0; at < size; count++) {
        size_t length = utf8_length(text + at, size - at);

        at += length == 0 ? 1 : length;
    }
    return count;
}

/* PCRE2 tells the offset behind what it did not like. */
static croft_status refuse_compile(const char *pattern, int number, size_t at,
                                   struct regex_fault *fault, croft_error *err)
{
    char *reason = fault->reason;

    if (number == PCRE2_ERROR_HEAP_FAILED)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (number == PCRE2_ERROR_PATTERN_TOO_LARGE || number == PCRE2_ERROR_PATTERN_TOO_COMPLICATED) {
        strcpy(reason, "too large");
        return refuse("large", fault, err);
    }
    pcre2_get_error_message(number, (PCRE2_UCHAR *)reason, sizeof fault->reason);
    if (isupper((unsigned char)reason[0]) && !isupper((unsigned char)reason[1]))
        reason[0] = (char)tolower((unsigned char)reason[0]);
    fault->at = characters(pattern, at);
    if (fault->at == 0)
        fault->at = 1;
    return refuse("syntax", fault, err);
}

static croft_status check_before(const char *pattern, size_t size, unsigned flags,
                                 struct regex_fault *fault, croft_error *err)
{
    const char *newline = memchr(pattern, '\n', size);

    if (size > PATTERN_BYTES) {
        strcpy(fault->reason, "too long");
        return refuse("long", fault, err);
    }
    if ((flags & REGEX_LITERAL) == 0 && size >= 2 && memcmp(pattern, "(*", 2) == 0)
        return refuse("verb", fault, err);
    if ((flags & REGEX_LITERAL) != 0 && newline != NULL) {
        fault->at = characters(pattern, (size_t)(newline - pattern)) + 1;
        return refuse("newline", fault, err);
    }
    return CROFT_OK;
}

/* Compiles the pattern as it was given, for the error that it may have, and reads it. */
static croft_status check(struct regex *regex, const char *pattern, size_t size,
                          struct regex_fault *fault, croft_error *err)
{
    struct pattern_traits traits = {.plain = true};
    size_t at;
    int number;
    pcre2_code *code = regex_compile(regex, pattern, size, USE_LINE, &number, &at);

    if (code == NULL)
        return refuse_compile(pattern, number, at, fault, err);
    pcre2_code_free(code);
    if (regex->literal)
        bytes_add(&regex->pattern, pattern, size);
    else
        pattern_scan(pattern, size, &traits, &regex->pattern);
    if (regex->pattern.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (traits.needs_newline)
        return refuse("newline", fault, err);
    regex->plain = traits.plain;
    regex->undivided = traits.undivided;
    regex->jit = regex->jit && !traits.misread;
    return CROFT_OK;
}

static void forget_fast(struct regex *regex)
{
    for (int use = 0; use < REGEX_FAST_USES; use++) {
        pcre2_code_free(regex->fast[use]);
        regex->fast[use] = NULL;
    }
}

static bool compile_fast(struct regex *regex)
{
    size_t at;
    int number;

    for (int use = USE_LINE; use < (regex->plain ? REGEX_FAST_USES : USE_LINE + 1); use++) {
        regex->fast[use] = regex_compile(regex, regex->pattern.data, regex->pattern.size,
                                         (enum regex_use)use, &number, &at);
        if (regex->fast[use] == NULL)
            return false;
        if (regex->jit && pcre2_jit_compile(regex->fast[use], PCRE2_JIT_COMPLETE) != 0)
            regex->jit = false;
    }
    return true;
}

static croft_status build(struct regex *regex, const char *pattern, size_t size,
                          struct regex_fault *fault, croft_error *err)
{
    croft_status status = check(regex, pattern, size, fault, err);

    if (status != CROFT_OK)
        return status;
    if (compile_fast(regex))
        return CROFT_OK;
    /* As pattern_scan wrote it, it is larger: perhaps too large. As it was given, it compiled. */
    forget_fast(regex);
    bytes_clear(&regex->pattern);
    bytes_add(&regex->pattern, pattern, size);
    regex->jit = regex->jit && !pattern_is_misread(pattern, size);
    if (!regex->pattern.failed && compile_fast(regex))
        return CROFT_OK;
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* What a line must hold, where that is so rare that it is worth looking for. */
static void learn_need(struct regex *regex, bool plain)
{
    struct needle *needle = &regex->needle;

    if (!regex_need(regex, needle, &regex->exact) ||
        needle_chance(needle, &needle->any) > NEEDLE_CERTAIN / BYTES_A_FIND)
        return;
    needle_prepare(needle, plain);
    regex->has_needle = true;
}

croft_status regex_new(const char *pattern, size_t size, unsigned flags, struct regex **out,
                       struct regex_fault *fault, croft_error *err)
{
    struct regex *regex;
    croft_status status;

    *out = NULL;
    *fault = (struct regex_fault){0};
    status = check_before(pattern, size, flags, fault, err);
    if (status != CROFT_OK)
        return status;
    regex = calloc(1, sizeof *regex);
    if (regex == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    regex->literal = (flags & REGEX_LITERAL) != 0;
    regex->ignore_case = (flags & REGEX_IGNORE_CASE) != 0;
    regex->jit = (flags & REGEX_NO_JIT) == 0;
    status = build(regex, pattern, size, fault, err);
    if (status != CROFT_OK) {
        regex_free(regex);
        return status;
    }
    if ((flags & REGEX_NO_NEEDLE) == 0)
        learn_need(regex, (flags & REGEX_NO_SIMD) != 0);
    *out = regex;
    return CROFT_OK;
}

size_t regex_code_size(const pcre2_code *code)
{
    size_t size = 0, machine_code = 0;

    if (code == NULL)
        return 0;
    (void)pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
    (void)pcre2_pattern_info(code, PCRE2_INFO_JITSIZE, &machine_code);
    return size + machine_code;
}

size_t regex_size(const struct regex *regex)
{
    size_t size = sizeof *regex + regex->pattern.size;

    for (int use = 0; use < REGEX_FAST_USES; use++)
        size += regex_code_size(regex->fast[use]);
    return size;
}

void regex_free(struct regex *regex)
{
    if (regex == NULL)
        return;
    forget_fast(regex);
    bytes_free(&regex->pattern);
    free(regex);
}
