/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "glob_parts.h"

/* What matching may cost for each byte of a path. */
static size_t weight(const struct glob *glob, const struct token *tokens, size_t count)
{
    size_t sum = count;

    for (size_t i = 0; i < count; i++) {
        if (tokens[i].kind == TOKEN_CLASS)
            sum += glob->ranges[tokens[i].value].from;
    }
    return sum;
}

/* Appends an alternative that is `outer` with the tokens [from, to) replaced by `middle`. */
static bool add_alternative(struct parser *parser, const struct alternative *outer, size_t from,
                            size_t to, const struct token *middle, size_t size)
{
    size_t count = outer->count - (to - from) + size;
    struct token *tokens;

    if (parser->glob->count == GLOB_ALTERNATIVES)
        return glob_refuse(parser, "it has over 64 alternatives", outer->tokens[from].at);
    tokens = malloc((outer->count + 1) * sizeof *tokens); /* no less than `count` */
    if (tokens == NULL)
        return glob_refuse(parser, NULL, 0);
    memcpy(tokens, outer->tokens, from * sizeof *tokens);
    memcpy(tokens + from, middle, size * sizeof *tokens);
    memcpy(tokens + from + size, outer->tokens + to, (outer->count - to) * sizeof *tokens);
    parser->glob->alternatives[parser->glob->count++] =
        (struct alternative){.tokens = tokens, .count = count};
    parser->written += weight(parser->glob, tokens, count);
    return parser->written <= GLOB_WRITTEN_OUT ||
           glob_refuse(parser, "its alternatives are too long", outer->tokens[from].at);
}

/* The token that closes the group which opens at token `from`. */
static size_t find_close(const struct token *tokens, size_t from)
{
    size_t level = 0, at = from;

    do {
        if (tokens[at].kind == TOKEN_OPEN)
            level++;
        else if (tokens[at].kind == TOKEN_CLOSE)
            level--;
        at++;
    } while (level > 0);
    return at - 1;
}

/* Writes out the group that opens at token `from` of `outer`: an alternative for each of its
 * own. */
static bool write_group(struct parser *parser, const struct alternative *outer, size_t from)
{
    const struct token *tokens = outer->tokens;
    size_t close = find_close(tokens, from), piece = from + 1;

    for (size_t at = piece; at <= close; at++) {
        if (tokens[at].kind == TOKEN_OPEN) {
            at = find_close(tokens, at);
        } else if (tokens[at].kind == TOKEN_COMMA || at == close) {
            if (!add_alternative(parser, outer, from, close + 1, tokens + piece, at - piece))
                return false;
            piece = at + 1;
        }
    }
    return true;
}

/* Writes out braces until no alternative has any. */
static bool write_groups(struct parser *parser)
{
    struct glob *glob = parser->glob;
    size_t index = 0;

    while (index < glob->count) {
        struct alternative outer = glob->alternatives[index];
        size_t from = 0;
        bool good;

        while (from < outer.count && outer.tokens[from].kind != TOKEN_OPEN)
            from++;
        if (from == outer.count) {
            index++;
            continue;
        }
        glob->alternatives[index] = glob->alternatives[--glob->count];
        parser->written -= weight(glob, outer.tokens, outer.count);
        good = write_group(parser, &outer, from);
        free(outer.tokens);
        if (!good)
            return false;
    }
    return true;
}

static bool is_dots(const struct token *tokens, size_t count, size_t dots)
{
    for (size_t i = 0; i < count; i++) {
        if (tokens[i].kind != TOKEN_CHAR || tokens[i].value != '.')
            return false;
    }
    return count == dots;
}

/* Adds the component of tokens [from, to) unless it is empty or ".", which are none. */
static bool add_component(struct parser *parser, struct alternative *alternative, size_t from,
                          size_t to)
{
    struct component component = {.first = from, .count = to - from};
    const struct token *tokens = alternative->tokens + from;
    size_t stars = 0;

    if (is_dots(tokens, component.count, 0) || is_dots(tokens, component.count, 1))
        return true;
    if (is_dots(tokens, component.count, 2))
        return glob_refuse(parser, "\"..\" leads out of the directory", tokens->at);
    for (size_t i = 0; i < component.count; i++) {
        stars += tokens[i].kind == TOKEN_STAR;
        if (i > 0 && tokens[i].kind == TOKEN_STAR && tokens[i - 1].kind == TOKEN_STAR)
            parser->glob->crosses = true;
    }
    component.least = component.count - stars;
    component.deep = component.least == 0 && stars > 1;
    alternative->components[alternative->component_count++] = component;
    return true;
}

static bool cut_components(struct parser *parser, struct alternative *alternative)
{
    const struct token *tokens = alternative->tokens;
    size_t count = alternative->count, slashes = 0, from = 0;

    for (size_t i = 0; i < count; i++)
        slashes += tokens[i].kind == TOKEN_SLASH;
    alternative->components = malloc((slashes + 1) * sizeof *alternative->components);
    if (alternative->components == NULL)
        return glob_refuse(parser, NULL, 0);
    for (size_t i = 0; i <= count; i++) {
        if (i < count && tokens[i].kind != TOKEN_SLASH)
            continue;
        if (!add_component(parser, alternative, from, i))
            return false;
        from = i + 1;
    }
    alternative->base_only = alternative->component_count == 1 && tokens[0].kind != TOKEN_SLASH;
    alternative->directories_only = count > 0 && tokens[count - 1].kind == TOKEN_SLASH;
    if (alternative->component_count > 1)
        parser->glob->crosses = true;
    return true;
}

static bool finish(struct parser *parser)
{
    struct glob *glob = parser->glob;
    size_t named = 0;

    for (size_t i = 0; i < glob->count; i++) {
        if (!cut_components(parser, glob->alternatives + i))
            return false;
        named += glob->alternatives[i].component_count;
    }
    return named > 0 || glob_refuse(parser, "it names nothing", 1);
}

static bool parse(struct parser *parser)
{
    struct glob *glob = parser->glob;

    glob->ranges = malloc((parser->size + 1) * sizeof *glob->ranges);
    parser->tokens = malloc((parser->size + 1) * sizeof *parser->tokens);
    glob->alternatives[glob->count++].tokens = parser->tokens; /* owned there from here on */
    if (glob->ranges == NULL || parser->tokens == NULL)
        return glob_refuse(parser, NULL, 0);
    if (!glob_read(parser))
        return false;
    glob->alternatives[0].count = parser->count;
    parser->written = weight(glob, parser->tokens, parser->count);
    return write_groups(parser) && finish(parser);
}

struct glob *glob_new(const char *pattern, size_t size, struct glob_fault *fault)
{
    struct glob *glob = calloc(1, sizeof *glob);
    struct parser parser = {.pattern = pattern, .size = size, .glob = glob, .fault = fault};

    if (glob == NULL) {
        glob_refuse(&parser, NULL, 0);
    } else if (!parse(&parser)) {
        glob_free(glob);
        glob = NULL;
    }
    return glob;
}

void glob_free(struct glob *glob)
{
    if (glob == NULL)
        return;
    for (size_t i = 0; i < glob->count; i++) {
        free(glob->alternatives[i].tokens);
        free(glob->alternatives[i].components);
    }
    free(glob->ranges);
    free(glob);
}
