/* SPDX-License-Identifier: MIT */
/* What a session holds for its caller, told from outside. */
#include <string.h>

#include "session.h"

/* ---- as JSON ----------------------------------------------------------------------------------- */

static void add_member(struct bytes *out, const char *name, const char *value)
{
    bytes_add_text(out, ",\"");
    bytes_add_text(out, name);
    bytes_add_text(out, "\":");
    if (value == NULL || value[0] == '\0')
        bytes_add_text(out, "null");
    else
        json_quote(out, value, strlen(value));
}

static void add_handle(void *user, const struct artifact *artifact)
{
    static const char *const kinds[] = {"text", "json", "markdown", "media"};
    struct bytes *out = user;

    bytes_add_text(out, out->size > 1 ? ",{\"handle\":\"" : "{\"handle\":\"");
    bytes_add_text(out, artifact->id);
    bytes_add_text(out, "\",\"bytes\":");
    bytes_add_number(out, artifact->node.size);
    add_member(out, "kind", kinds[artifact->kind]);
    add_member(out, "path", artifact->path);
    if (artifact->kind == ARTIFACT_MEDIA) {
        bytes_add_text(out, ",\"unsaved\":");
        bytes_add_text(out, artifact_is_unsaved(artifact) ? "true" : "false");
        add_member(out, "saved_path", artifact->saved_path);
        add_member(out, "made_of", artifact->parent);
    }
    bytes_add_char(out, '}');
}

void session_handles(croft_session *session, struct bytes *out)
{
    bytes_add_char(out, '[');
    artifacts_each(&session->artifacts, add_handle, out);
    bytes_add_char(out, ']');
}

/* ---- what is to be written ---------------------------------------------------------------------- */

bool session_staged_content(croft_session *session, struct json_slice args, struct bytes *content,
                            bool *found)
{
    struct json_slice member = json_member(args, "media_id");
    struct artifact *medium = NULL;
    struct bytes id = {0};
    bool good = true;

    if (json_type(member) != JSON_STRING)
        return true;
    (void)json_text(member, &id);
    if (artifact_use(&session->artifacts, bytes_end(&id), id.size, &medium, NULL) == CROFT_OK &&
        medium->is_own) /* that of a file would have to be looked at */
        *found = good = file_read(medium->sys, medium->fd, session->limits.staged_bytes, content,
                                  NULL) == CROFT_OK;
    artifact_release(&session->artifacts, medium);
    bytes_free(&id);
    return good;
}

/* ---- what is lost ------------------------------------------------------------------------------ */

struct unsaved {
    struct bytes text;
    size_t count;
};

static void add_unsaved(void *user, const struct artifact *artifact)
{
    enum { NAMED = 10 };
    struct unsaved *unsaved = user;

    if (!artifact_is_unsaved(artifact) || unsaved->count++ >= NAMED)
        return;
    bytes_add_text(&unsaved->text, unsaved->count > 1 ? ", " : "");
    json_quote(&unsaved->text, artifact->path, strlen(artifact->path));
    bytes_add_text(&unsaved->text, " (");
    bytes_add_text(&unsaved->text, artifact->id);
    bytes_add_char(&unsaved->text, ')');
}

void session_tell_unsaved(croft_session *session)
{
    struct unsaved unsaved = {0};
    struct bytes line = {0};

    artifacts_each(&session->artifacts, add_unsaved, &unsaved);
    if (unsaved.count > 0 && session->shared.log != NULL) {
        bytes_add_text(&line, "staged and never saved, so it is lost: ");
        bytes_add(&line, unsaved.text.data, unsaved.text.size);
        if (unsaved.count > 10) {
            bytes_add_text(&line, ", ... (");
            bytes_add_number(&line, unsaved.count);
            bytes_add_text(&line, " in all)");
        }
        session->shared.log(session->shared.log_user, bytes_end(&line), line.size);
    }
    bytes_free(&line);
    bytes_free(&unsaved.text);
}
