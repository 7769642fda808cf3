/* SPDX-License-Identifier: MIT */
#include "session_manifest.h"

#include <string.h>

#include "manifest.h"
#include "view_narrow.h"

/* ---- limits ------------------------------------------------------------------------------------ */

static croft_status set_limit(struct limits *limits, const char *name, uint64_t value,
                              croft_error *err)
{
    uint64_t *field = name == NULL ? NULL : limits_field(limits, name);

    if (field == NULL)
        return fail_format(err, CROFT_BAD_ARGUMENT, 0, "there is no limit \"%.40s\"",
                           name == NULL ? "" : name);
    for (const struct limit_row *row = limit_rows; row->name != NULL; row++) {
        if (strcmp(row->name, name) != 0)
            continue;
        if (value < row->low || value > row->high)
            return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                               "limit \"%s\" must be between %llu and %llu", row->name,
                               (unsigned long long)row->low, (unsigned long long)row->high);
    }
    *field = value;
    return CROFT_OK;
}

croft_status session_set_limits(struct limits *limits, const croft_session_options *options,
                                croft_error *err)
{
    croft_status status = CROFT_OK;

    for (size_t i = 0; i < options->limit_count && status == CROFT_OK; i++)
        status = set_limit(limits, options->limits[i].name, options->limits[i].value, err);
    return status;
}

/* ---- manifests --------------------------------------------------------------------------------- */

bool session_leave_out_culprit(croft_session *session)
{
    for (size_t i = 0; i < session->sources.count; i++) {
        struct source *source = &session->sources.items[i];

        if (!source->is_left_out && source->chunk == session->problems.culprit) {
            source->is_left_out = true;
            session->problems.are_fatal |= source_is_manifest(source);
            return true;
        }
    }
    return false;
}

/* What the manifests restrict is not known where one is at fault: then the session is not opened, even where tools
 * that are broken are left out. */
static void add_fault(croft_session *session, const struct manifest_entry *entry, const char *field,
                      const croft_error *err)
{
    problems_add_format(&session->problems, "%s: %s: %s", entry->place, field, err->message);
    session->problems.are_fatal = true;
}

/* A ceiling of one set is not lifted by another: the lowest holds, whatever their order. */
static bool is_lower_elsewhere(const struct manifest *manifest, const struct manifest_entry *entry)
{
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_entry *other = &manifest->entries[i];

        if (other->is_limit && strcmp(other->name, entry->name) == 0 && other->limit < entry->limit)
            return true;
    }
    return false;
}

static void apply_limits(croft_session *session, const struct manifest *manifest)
{
    croft_error err;

    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_entry *entry = &manifest->entries[i];
        struct limits before = session->limits;

        if (!entry->is_limit)
            continue;
        if (set_limit(&session->limits, entry->name, entry->limit, &err) != CROFT_OK)
            add_fault(session, entry, "limits", &err);
        else if (is_lower_elsewhere(manifest, entry))
            session->limits = before;
    }
}

/* The session gets a view of its own when a tool set wants more read-only names. */
static croft_status apply_name(croft_session *session, const struct manifest_entry *entry,
                               croft_error *err)
{
    croft_view *narrow;
    croft_status status = view_narrow(session->view, entry->name, &narrow, err);

    if (status == CROFT_INTERNAL)
        return status;
    if (status != CROFT_OK) {
        add_fault(session, entry, "read_only_names", err);
        return CROFT_OK;
    }
    view_release(session->view);
    session->view = narrow;
    return CROFT_OK;
}

bool session_is_gated(const croft_session *session, const croft_session_options *options)
{
    return session->gate.kind != CROFT_GATE_NONE || options->policy_count > 0;
}

croft_status session_demand_gate(const croft_session *session, const char *who,
                                 const croft_session_options *options, croft_error *err)
{
    if (session_is_gated(session, options))
        return CROFT_OK;
    return fail_format(err, CROFT_GATE_UNAVAILABLE, 0,
                       "%.400s: these tools need a gate, which says of each call whether it may "
                       "run, and none was chosen",
                       who);
}

/* One that takes more than it may is a problem like others, which are looked for all the same. */
static croft_status read_manifests(croft_session *session, const struct sandbox_options *shared,
                                   struct manifest *manifest, croft_error *err)
{
    croft_status status;

    while ((status = manifest_read(shared, manifest, err)) == CROFT_STOPPED) {
        manifest_free(manifest);
        problems_add(&session->problems, err->message, strlen(err->message));
        if (!session_leave_out_culprit(session))
            return problems_fail(&session->problems, err);
    }
    return status;
}

croft_status session_apply_manifests(croft_session *session, struct sandbox_options *shared,
                                     const croft_session_options *options, croft_error *err)
{
    struct manifest manifest;
    croft_status status = read_manifests(session, shared, &manifest, err);

    if (status == CROFT_OK)
        apply_limits(session, &manifest);
    for (size_t i = 0; i < manifest.count && status == CROFT_OK; i++)
        if (manifest.entries[i].is_gate)
            status = session_demand_gate(session, manifest.entries[i].place, options, err);
        else if (!manifest.entries[i].is_limit)
            status = apply_name(session, &manifest.entries[i], err);
    shared->view = session->view;
    manifest_free(&manifest);
    return status == CROFT_OK ? session_set_limits(&session->limits, options, err) : status;
}
