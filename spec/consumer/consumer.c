/* SPDX-License-Identifier: MIT */
/* consumer DIRECTORY: every function of croft.h from C11, by a program that has names of its own which the
 * library uses inside too. Exit status 0 when all is as it should be. */
#include <stdio.h>
#include <string.h>

#include <croft.h>

/* The library's own functions of these names are hidden from us, and ours from it. */
int fail(void);
void note(const char *text);
void bytes_add(void);

int fail(void)
{
    return 1;
}

void note(const char *text)
{
    fprintf(stderr, "consumer: %s\n", text);
}

void bytes_add(void)
{
    note("the library calls a function of the program");
}

static void greet(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)json;
    if (size == 0)
        croft_reply_error(reply, CROFT_BAD_ARGUMENT, "Send a name.");
    else
        croft_reply_json(reply, user, strlen(user));
}

static void hear(void *user, const char *text, size_t size)
{
    (void)user;
    fwrite(text, 1, size, stderr);
}

static bool keep(void *user, const croft_record *record)
{
    *(unsigned *)user += record->bytes > 0;
    return true;
}

static void progress(void *user, uint64_t done)
{
    *(uint64_t *)user = done;
}

static void fault(void *user, const croft_link_fault *link)
{
    (void)user;
    note(link->shown);
}

static bool use(croft_session *session)
{
    static const char args[] = "{\"path\": \".\"}";
    uint64_t done = 0;
    croft_call_options options;
    croft_result result;
    croft_usage usage;
    bool good;

    croft_call_options_init(&options);
    options.call_id = 1;
    options.progress = progress;
    options.progress_user = &done;
    croft_cancel(session, 2);
    good = croft_call(session, "list", args, sizeof args - 1, &options, &result) == CROFT_OK;
    good = good && result.outcome == CROFT_DONE && result.text_size > 0;
    croft_result_free(&result);
    croft_session_usage(session, &usage);
    return good && usage.calls_ended == 1 &&
           strstr(croft_session_tools(session), "\"list\"") != NULL;
}

static bool open_session(croft_view *view, croft_error *err)
{
    static char hello[] = "\"hello\"";
    unsigned records = 0;
    const croft_function function = {"greet", "greets", greet, hello};
    const croft_limit limit = {croft_limit_defaults()->name, croft_limit_defaults()->value};
    croft_session_options options;
    croft_session *session;
    bool good;

    croft_session_options_init(&options);
    options.functions = &function;
    options.function_count = 1;
    options.limits = &limit;
    options.limit_count = 1;
    options.log = hear;
    options.audit = keep;
    options.audit_user = &records;
    if (croft_session_open(view, &options, &session, err) != CROFT_OK)
        return false;
    good = use(session);
    croft_session_close(session);
    return good && records > 0;
}

static bool open_view(const char *root, croft_error *err)
{
    const char *names[4];
    croft_view_options options;
    croft_view *view;
    croft_wall wall;
    bool good;

    croft_view_options_init(&options);
    options.no_fsync = true;
    if (croft_view_open(root, &options, &view, err) != CROFT_OK)
        return false;
    good = croft_read_only_names(view, names, 4) == 4 && strcmp(names[0], "skills") == 0 &&
           strlen(croft_view_resolver(view)) > 0 && open_session(view, err);
    (void)croft_confine(view, &wall, err); /* where the kernel can */
    croft_view_close(view);
    return good;
}

int main(int argc, char **argv)
{
    croft_error err = {0};

    if (argc != 2 || strncmp(croft_version(), "0.", 2) != 0)
        return fail();
    if (croft_verify_links(argv[1], NULL, 0, fault, NULL, &err) != CROFT_OK)
        note(croft_status_word(err.kind));
    if (open_view(argv[1], &err))
        return 0;
    note(err.message);
    return fail();
}
