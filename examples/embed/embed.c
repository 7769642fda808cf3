/* SPDX-License-Identifier: MIT */
/* A host in C: opens a directory, offers its tools to nobody but itself, and makes two calls.
 *
 *   embed DIRECTORY
 */
#include <stdio.h>
#include <string.h>

#include <croft.h>

/* Makes one call and prints what a model would read. Returns whether the tool did what was asked. */
static bool call(croft_session *session, const char *tool, const char *args)
{
    croft_result result;
    bool good = croft_call(session, tool, args, strlen(args), NULL, &result) == CROFT_OK;

    good = good && !result.is_error;
    printf("%s %s\n%.*s\n\n", tool, args, (int)result.text_size, result.text);
    croft_result_free(&result);
    return good;
}

static int work(croft_view *view)
{
    croft_limit limits[] = {{"time", 2000}};
    croft_session_options options;
    croft_session *session;
    croft_error err;
    bool good;

    croft_session_options_init(&options);
    options.limits = limits;
    options.limit_count = sizeof limits / sizeof *limits;
    if (croft_session_open(view, &options, &session, &err) != CROFT_OK) {
        fprintf(stderr, "embed: %s\n", err.message);
        return 1;
    }
    printf("%zu bytes of tool definitions\n\n", strlen(croft_session_tools(session)));
    good = call(session, "list", "{}");
    good = call(session, "read", "{\"path\": \"../secret\"}") == false && good;
    croft_session_close(session);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    croft_view_options options;
    croft_view *view;
    croft_error err;
    int status;

    if (argc != 2) {
        fputs("usage: embed DIRECTORY\n", stderr);
        return 2;
    }
    croft_view_options_init(&options);
    options.read_only = true;
    if (croft_view_open(argv[1], &options, &view, &err) != CROFT_OK) {
        fprintf(stderr, "embed: %s\n", err.message);
        return 1;
    }
    status = work(view);
    croft_view_close(view);
    return status;
}
