/* SPDX-License-Identifier: MIT */
/*
 * Both copy into a directory that has not got its name yet, judge the links of what was copied there, and
 * give it its name. So what is judged is what is used, whoever changes the source meanwhile.
 */
#include "fill.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy_tree.h"
#include "fresh.h"
#include "links.h"
#include "pins.h"
#include "remove.h"

struct transfer {
    const croft_copy_options *options;
    const struct sys *sys;
    croft_copied *copied;
    croft_error *err;
    struct root *from;
    struct fresh fresh;
    struct root *to; /* fresh.fd as a root */
    bool begun;      /* there may be something to be gone on with */
    bool strict;
};

/* ---- opening ----------------------------------------------------------------------------------- */

/* Holds the names of the list, none of which is copied. */
static croft_status leave_out(struct transfer *t, const char *const *names, size_t count)
{
    const croft_view_options options = {.read_only_names = names, .read_only_count = count};

    return pins_hold(t->from, &options, t->err);
}

/* The source keeps to its file system; with `read_only`, those names are left out of it too. */
static croft_status open_root(struct transfer *t, const char *path, bool read_only)
{
    const croft_copy_options *options = t->options;
    const croft_view_options view = {
        .size = sizeof view, .one_file_system = true, .resolver = CROFT_RESOLVER_WALK};
    croft_status status = root_open(path, &view, t->sys, &t->from, t->err);

    if (status == CROFT_OK && read_only)
        status = leave_out(t, options->read_only_names, options->read_only_count);
    if (status != CROFT_OK)
        return status;
    status = leave_out(t, options->skip, options->skip_count);
    if (status == CROFT_BAD_ARGUMENT)
        status = fail(t->err, status, 0, "what is to be left out is one name at the top each");
    return status;
}

/* The directory that is built, as a root. */
static croft_status open_copy(struct transfer *t)
{
    t->to = calloc(1, sizeof *t->to);
    if (t->to == NULL)
        return fail(t->err, CROFT_INTERNAL, ENOMEM, "out of memory");
    t->to->sys = t->sys;
    t->to->one_file_system = true;
    t->to->no_fsync = true; /* fresh_finish sees to all of it */
    t->to->fd = t->sys->dup(t->fresh.fd);
    if (t->to->fd < 0 || t->sys->node(t->to->fd, &t->to->node) != 0)
        return fail_io(t->err, errno, "the copy cannot be examined");
    return CROFT_OK;
}

static croft_status open_fresh(struct transfer *t, const char *to)
{
    croft_status status = fresh_begin(to, &t->from->node, t->sys, &t->fresh, t->err);

    t->begun = status == CROFT_OK;
    return t->begun ? open_copy(t) : status;
}

static void close_all(struct transfer *t)
{
    root_close(t->to);
    fresh_end(&t->fresh);
    root_close(t->from);
}

/* ---- copying ----------------------------------------------------------------------------------- */

/* `read_only` is how many of the names that are left out are read-only. */
static croft_status copy_once(struct transfer *t, size_t read_only, enum copy_verdict *verdict)
{
    struct copy_tree copy = {.from = t->from,
                             .asked_from = read_only,
                             .to = t->fresh.fd,
                             .resumed = t->fresh.resumed,
                             .strict = t->strict,
                             .copied = t->copied,
                             .told = t->copied->left_out,
                             .report = t->options->report,
                             .user = t->options->user};
    uint64_t count = 0;
    croft_status status;

    memset(t->copied, 0, sizeof *t->copied);
    status = copy_tree(&copy, verdict, t->err);
    if (status != CROFT_OK || !t->fresh.resumed || *verdict == COPY_AGAIN)
        return status;
    status = copy_count(t->to, &count, t->err);
    if (status == CROFT_OK && count != t->copied->directories + t->copied->files + t->copied->links)
        *verdict = COPY_AGAIN; /* there is more than what this run copied */
    return status;
}

/* What an earlier run left is a beginning, or is in the way: then all is copied. */
static croft_status copy_all(struct transfer *t, size_t read_only)
{
    enum copy_verdict verdict = COPY_WHOLE;
    croft_status status = copy_once(t, read_only, &verdict);

    if (status != CROFT_OK || verdict == COPY_WHOLE)
        return status;
    status = fresh_empty(&t->fresh, t->err);
    return status == CROFT_OK ? copy_once(t, read_only, &verdict) : status;
}

/* The rest of a failure that leaves something to be gone on with. */
static croft_status say_what_stays(struct transfer *t, croft_status status)
{
    croft_error *err = t->err;
    size_t used;

    if (status == CROFT_OK || err == NULL || !t->begun)
        return status;
    used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used,
                   "; what was copied stays in \"%s\" beside it, for the next run to go on with",
                   t->fresh.working);
    return status;
}

/* ---- fill -------------------------------------------------------------------------------------- */

static croft_status fill(struct transfer *t, const char *from, const char *to)
{
    const croft_copy_options *options = t->options;
    croft_view_options names = {.read_only_names = options->read_only_names,
                                .read_only_count = options->read_only_count};
    croft_status status = open_root(t, from, false);

    if (status == CROFT_OK)
        status = open_fresh(t, to);
    if (status == CROFT_OK)
        status = copy_all(t, 0);
    if (status == CROFT_OK)
        status = pins_hold(t->to, &names, t->err);
    if (status == CROFT_OK)
        status = links_verify_root(t->to, options->report, options->user, t->err);
    if (status == CROFT_OK)
        status = fresh_finish(&t->fresh, options->no_fsync, t->err);
    return status;
}

croft_status fill_root(const char *from, const char *to, const croft_copy_options *options,
                       const struct sys *sys, croft_copied *copied, croft_error *err)
{
    struct transfer t = {
        .options = options, .sys = sys, .copied = copied, .err = err, .strict = true};
    croft_status status;

    t.fresh.fd = t.fresh.parent = -1;
    memset(copied, 0, sizeof *copied);
    status = links_verify(from, options->read_only_names, options->read_only_count, sys,
                          options->report, options->user, err);
    if (status == CROFT_OK)
        status = say_what_stays(&t, fill(&t, from, to));
    close_all(&t);
    return status;
}

/* ---- harvest ----------------------------------------------------------------------------------- */

struct weeding {
    struct transfer *transfer;
    uint64_t removed;
    croft_status status;
};

/* Whether it is the link's own fault; else something keeps it from being judged. */
static bool is_verdict(croft_status kind)
{
    return kind == CROFT_OUTSIDE || kind == CROFT_MISSING || kind == CROFT_LOOP ||
           kind == CROFT_CROSSES_MOUNT || kind == CROFT_BAD_ARGUMENT;
}

/* A link of the copy that cannot be trusted: it does not come along. */
static void weed(void *user, const croft_link_fault *fault)
{
    struct weeding *weeding = user;
    struct transfer *t = weeding->transfer;
    struct remove_info info;
    struct path path;
    char text[PATH_BYTES + 1];
    int size = snprintf(text, sizeof text, "./%s", fault->path); /* "C:" is no drive */
    croft_status status = CROFT_BAD_ARGUMENT;

    if (is_verdict(fault->kind) && (size_t)size < sizeof text)
        status = path_parse_raw(text, (size_t)size, &path, t->err);
    else
        status = fail_format(t->err, fault->kind, 0, "\"%.300s\" of the copy %s", fault->shown,
                             fault->reason);
    if (status == CROFT_OK)
        status = remove_name(t->to, &path, &info, t->err);
    if (status != CROFT_OK) {
        weeding->status = status;
        return;
    }
    weeding->removed++;
    t->copied->links--;
    t->copied->left_out++;
    if (t->options->report != NULL)
        t->options->report(t->options->user, fault);
}

/* Again while there are any: where one led through another, it now leads to nothing. */
static croft_status weed_all(struct transfer *t)
{
    struct weeding weeding = {.transfer = t, .removed = 1};
    croft_status status = CROFT_DENIED;

    while (status == CROFT_DENIED && weeding.removed > 0) {
        weeding.removed = 0;
        status = links_verify_root(t->to, weed, &weeding, t->err);
        if (weeding.status != CROFT_OK)
            return weeding.status;
    }
    return status;
}

static croft_status harvest(struct transfer *t, const char *root, const char *to)
{
    croft_status status = open_root(t, root, true);

    if (status == CROFT_OK)
        status = open_fresh(t, to);
    if (status == CROFT_OK)
        status = copy_all(t, t->options->read_only_count);
    if (status == CROFT_OK)
        status = weed_all(t);
    if (status == CROFT_OK)
        status = fresh_finish(&t->fresh, t->options->no_fsync, t->err);
    return status;
}

croft_status harvest_root(const char *root, const char *to, const croft_copy_options *options,
                          const struct sys *sys, croft_copied *copied, croft_error *err)
{
    struct transfer t = {.options = options, .sys = sys, .copied = copied, .err = err};
    croft_status status;

    t.fresh.fd = t.fresh.parent = -1;
    memset(copied, 0, sizeof *copied);
    status = say_what_stays(&t, harvest(&t, root, to));
    close_all(&t);
    return status;
}
