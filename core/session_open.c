/* SPDX-License-Identifier: MIT */
/* Opening a session: its limits, its sources, what its tool sets want, its first interpreter. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_load.h"
#include "session_manifest.h"

/* ---- the first interpreter --------------------------------------------------------------------- */

/* What registry.list says, for a session that has only the library's own tools: these are called as their files.
 * False for any other, and when memory ran out. */
static bool tell_of_own(const croft_session *session, struct bytes *known)
{
    for (size_t i = 0; i < session->sources.count; i++) {
        const struct source *source = &session->sources.items[i];

        if (!source->is_tool)
            continue;
        if (source->embedded == NULL)
            return false;
        bytes_add_text(known, session->prefix);
        bytes_add_text(known, strrchr(source->module, '.') + 1);
        bytes_add_text(known, "\t\t");
        bytes_add_text(known, source->module);
        bytes_add_char(known, '\n');
    }
    return !known->failed;
}

/* The library's own tools load: the first interpreter loads what is called, as all others. */
static croft_status open_own_pool(croft_session *session, croft_error *err)
{
    croft_status status =
        pool_open(&session->pool, &session->shared, session->limits.calls, NULL, err);

    if (status != CROFT_OK)
        pool_close(&session->pool);
    return status;
}

static croft_status open_pool(croft_session *session, croft_error *err)
{
    const struct sandbox_options *shared = &session->shared;
    size_t known = session->problems.count;
    croft_status status;

    if (known == 0 && tell_of_own(session, &session->pool.known))
        return open_own_pool(session, err);
    bytes_free(&session->pool.known);
    for (;;) {
        status = pool_open(&session->pool, shared, session->limits.calls, &session->tools, err);
        if (status == CROFT_OK)
            return CROFT_OK;
        pool_close(&session->pool);
        if (status != CROFT_STOPPED)
            return status;
        problems_cut(&session->problems, known);
        problems_add(&session->problems, err->message, strlen(err->message));
        known = session->problems.count;
        if (!session_leave_out_culprit(session))
            return problems_fail(&session->problems, err);
    }
}

croft_status session_begin(croft_session *session, croft_error *err)
{
    croft_status status = CROFT_OK;

    if (atomic_load(&session->has_pool))
        return CROFT_OK;
    pthread_mutex_lock(&session->beginning);
    if (!atomic_load(&session->has_pool)) {
        status = open_pool(session, err);
        atomic_store(&session->has_pool, status == CROFT_OK);
    }
    pthread_mutex_unlock(&session->beginning);
    return status;
}

/* In an interpreter of its own, which is gone behind it: all tools at once are more than a call needs. */
static croft_status list_tools(croft_session *session, croft_error *err)
{
    struct sandbox_options options = session->pool.options;
    struct bytes known = {0};
    struct sandbox *sandbox;
    croft_status status;

    options.known = &known;
    status = sandbox_new(&options, &sandbox, &session->tools, err);
    if (status == CROFT_OK)
        sandbox_free(sandbox);
    else
        bytes_free(&session->tools);
    bytes_free(&known);
    return status;
}

const char *session_tools(croft_session *session)
{
    croft_error err;
    croft_status status = session_begin(session, &err);

    pthread_mutex_lock(&session->beginning);
    if (status == CROFT_OK && session->tools.size == 0)
        status = list_tools(session, &err);
    if (status == CROFT_OK)
        bytes_end(&session->tools);
    pthread_mutex_unlock(&session->beginning);
    return status == CROFT_OK && !session->tools.failed ? session->tools.data : "[]";
}

void session_keep(croft_session *session, size_t interpreters)
{
    pthread_mutex_lock(&session->beginning);
    if (atomic_load(&session->has_pool))
        pool_keep(&session->pool, interpreters);
    else
        session->pool.kept = interpreters; /* for pool_open */
    pthread_mutex_unlock(&session->beginning);
}

/* Whether something of the operator's is to be loaded, which may be wrong. The library's own tools are not:
 * they are loaded when the first of them is asked for. */
static bool must_begin(const croft_session *session, const croft_session_options *options)
{
    return options->tool_dir_count > 0 || options->enable_count > 0 ||
           session->problems.count > 0 || session_is_gated(session, options);
}

croft_status session_list_tools(croft_session *session, struct gate_tools *tools, croft_error *err)
{
    const atomic_bool no = false;
    struct sandbox *sandbox = session_take(session, &no, err);
    struct reply reply = {0};
    croft_status status;

    if (sandbox == NULL)
        return err->kind;
    sandbox_gates(sandbox, &reply);
    pool_give(&session->pool, sandbox, reply.breach != BREACH_NONE);
    if (reply.breach != BREACH_NONE || reply.is_error)
        status = fail(err, CROFT_INTERNAL, 0, "the tools cannot be listed for the gate");
    else
        status = gate_tools_add(tools, bytes_end(&reply.text))
                     ? CROFT_OK
                     : fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    reply_free(&reply);
    return status;
}

/* The policy of the session, in the tools' own names. */
static croft_status load_policy(croft_session *session, const croft_session_options *options,
                                croft_error *err)
{
    struct gate *gate = &session->gate;
    struct gate_tools known = {0};
    croft_status status;

    gate->policy = calloc(1, sizeof *gate->policy);
    if (gate->policy == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = session_list_tools(session, &known, err);
    if (status == CROFT_OK && !gate_tools_add_built_in(&known))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (status == CROFT_OK)
        status = policy_load(gate->policy, options->policies, options->policy_count, session->view,
                             &known, &session->problems, err);
    gate_tools_free(&known);
    return status;
}

static croft_status open_gate(croft_session *session, const croft_session_options *options,
                              croft_error *err)
{
    croft_status status = session_list_tools(session, &session->gate.tools, err);

    if (status == CROFT_OK && options->policy_count > 0)
        status = load_policy(session, options, err);
    return status == CROFT_OK ? gate_settle(&session->gate, err) : status;
}

static croft_status make_tools(croft_session *session, const croft_session_options *options,
                               croft_error *err)
{
    croft_status status = sources_gather(&session->sources, options, &session->problems, err);

    session->shared = (struct sandbox_options){.view = session->view,
                                               .limits = &session->limits,
                                               .sources = &session->sources,
                                               .turns = &session->turns,
                                               .artifacts = &session->artifacts,
                                               .staging = &session->staging,
                                               .pages = &session->pages,
                                               .functions = &session->functions,
                                               .prefix = session->prefix,
                                               .problems = &session->problems,
                                               .is_gated = session_is_gated(session, options),
                                               .is_lenient = options->leave_out_broken,
                                               .log = options->log,
                                               .log_user = options->log_user,
                                               .audit = options->audit,
                                               .audit_user = options->audit_user,
                                               .debug = session->shared.debug};
    if (status == CROFT_OK)
        status = session_apply_manifests(session, &session->shared, options, err);
    if (status == CROFT_OK && must_begin(session, options))
        status = session_begin(session, err);
    if (status == CROFT_OK && session_is_gated(session, options))
        status = open_gate(session, options, err);
    if (options->problem != NULL)
        problems_tell(&session->problems, options->problem, options->problem_user);
    return status;
}

/* ---- the session ------------------------------------------------------------------------------- */

static croft_status fill(croft_session *session, const croft_session_options *options,
                         croft_error *err)
{
    croft_status status;

    session->prefix = strdup(options->prefix == NULL ? "" : options->prefix);
    if (session->prefix == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    limits_init(&session->limits);
    status = gate_init(&session->gate, options, err);
    if (status == CROFT_OK)
        status = staging_init(&session->staging, options, err);
    if (status == CROFT_OK && staging_is_staged(&session->staging))
        status = session_demand_gate(session, "the staged tool set", options, err);
    if (status == CROFT_OK)
        status = session_set_limits(&session->limits, options, err);
    if (status == CROFT_OK)
        status =
            functions_copy(&session->functions, options->functions, options->function_count, err);
    return status == CROFT_OK ? make_tools(session, options, err) : status;
}

croft_status session_open(croft_view *view, const croft_session_options *options,
                          struct croft_debug *debug, croft_session **out, croft_error *err)
{
    croft_session *session = calloc(1, sizeof *session);
    croft_status status;

    if (session == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    pthread_mutex_init(&session->list, NULL);
    pthread_mutex_init(&session->beginning, NULL);
    pthread_mutex_init(&session->gate.lock, NULL);
    atomic_init(&session->has_pool, false);
    turns_init(&session->turns);
    artifacts_init(&session->artifacts);
    page_store_init(&session->pages);
    atomic_init(&session->unnamed, 0);
    session->view = view_share(view);
    session->shared.debug = debug;
    session->sources.keeps_text = debug != NULL;
    status = fill(session, options, err);
    if (status != CROFT_OK) {
        session_close(session);
        return status;
    }
    *out = session;
    return CROFT_OK;
}
