/* SPDX-License-Identifier: MIT */
#include "ask_text.h"

#include <stdio.h>
#include <string.h>

#include "json_scan.h"
#include "utf8.h"

enum { ARGS_SHOWN = 1500, PATHS_SHOWN = 8, PATH_SHOWN = 300 };

/* On one line and as it is: white space is a space, what would move a cursor or turn the line is \uXXXX. */
static void add_shown(struct bytes *out, const char *text, size_t size)
{
    for (size_t at = 0, length; at < size; at += length) {
        char escape[8];
        uint32_t code;

        length = utf8_length(text + at, size - at);
        code = length == 0 ? 0xFFFD : utf8_decode(text + at, length);
        length += length == 0;
        if (code == '\t' || code == '\n' || code == '\r') {
            bytes_add_char(out, ' ');
        } else if (utf8_is_control(code) || code == 0xFFFD) {
            (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
            bytes_add_text(out, escape);
        } else {
            bytes_add(out, text + at, length);
        }
    }
}

static void add_quoted(struct bytes *out, const char *text, size_t most)
{
    size_t size = strlen(text);
    size_t kept = size <= most ? size : utf8_cut(text, size, most);

    json_quote_visible(out, text, kept);
    if (kept < size)
        bytes_add_text(out, "...");
}

static void add_paths(struct bytes *out, const croft_gate_request *request)
{
    for (size_t i = 0; i < request->path_count && i < PATHS_SHOWN; i++) {
        bytes_add_text(out, i == 0 ? " " : ", ");
        add_quoted(out, request->paths[i], PATH_SHOWN);
    }
    if (request->path_count > PATHS_SHOWN)
        bytes_add_text(out, ", ...");
}

static void add_content(struct bytes *out, const croft_gate_request *request)
{
    if (request->content_sha256 == NULL)
        return;
    bytes_add_text(out, "\nIt sends ");
    bytes_add_number(out, request->content_size);
    bytes_add_text(out, " bytes, SHA-256 ");
    bytes_add_text(out, request->content_sha256);
    bytes_add_char(out, '.');
}

static void add_args(struct bytes *out, const croft_gate_request *request)
{
    size_t kept = utf8_cut(request->args, request->args_size, ARGS_SHOWN);

    bytes_add_text(out, "\nArguments: ");
    add_shown(out, request->args, kept);
    if (kept < request->args_size)
        bytes_add_text(out, "...");
}

void ask_text(struct bytes *out, const croft_gate_request *request)
{
    static const char *const verbs[] = {
        [CROFT_READS] = "reads", [CROFT_WRITES] = "changes files", [CROFT_SEARCHES] = "searches"};

    bytes_add_text(out, "May the assistant call ");
    add_quoted(out, request->tool, PATH_SHOWN);
    bytes_add_text(out, " (it ");
    bytes_add_text(out, verbs[request->effect]);
    bytes_add_text(out, request->path_count > 0 ? ") on" : ")");
    add_paths(out, request);
    bytes_add_char(out, '?');
    add_content(out, request);
    add_args(out, request);
    if (request->why[0] != '\0') {
        bytes_add_text(out, "\nA rule asks: ");
        add_quoted(out, request->why, PATH_SHOWN);
    }
}
