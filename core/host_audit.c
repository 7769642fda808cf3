/* SPDX-License-Identifier: MIT */
#include "host_audit.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host_append.h"
#include "host_record.h"

enum { TRACE_BYTES = 1024 * 1024 };

void host_audit_init(struct host_audit *audit)
{
    memset(audit, 0, sizeof *audit);
    audit->fd = -1;
    (void)pthread_mutex_init(&audit->lock, NULL);
}

void host_audit_free(struct host_audit *audit)
{
    if (audit->fd >= 0)
        close(audit->fd);
    audit->fd = -1;
    bytes_free(&audit->line);
    bytes_free(&audit->trace);
    (void)pthread_mutex_destroy(&audit->lock);
}

/* ---- opening ----------------------------------------------------------------------------------- */

const char *host_audit_open(struct host_audit *audit, const char *path, const struct stat *root)
{
    tzset(); /* reads a file: now, as the wall may refuse it later */
    return host_append_open(path, root, &audit->fd);
}

/* ---- records ----------------------------------------------------------------------------------- */

/* A line that a full disk cut short is ended by the next one. */
static bool append(struct host_audit *audit)
{
    size_t written;
    bool good = host_append(audit->fd, audit->line.data, audit->line.size, &written);

    if (written > 0)
        audit->is_torn = !good;
    return good;
}

static bool tell(struct host_audit *audit, const croft_record *record)
{
    bytes_clear(&audit->line);
    if (audit->is_torn)
        bytes_add_char(&audit->line, '\n');
    host_record_add(&audit->line, record);
    if (audit->line.failed)
        return false;
    if (audit->keeps && audit->trace.size < TRACE_BYTES)
        bytes_add(&audit->trace, audit->line.data, audit->line.size);
    return audit->fd < 0 || append(audit);
}

bool host_audit_tell(void *user, const croft_record *record)
{
    struct host_audit *audit = user;
    bool good;

    (void)pthread_mutex_lock(&audit->lock);
    good = tell(audit, record);
    if (audit->line.failed)
        bytes_free(&audit->line);
    (void)pthread_mutex_unlock(&audit->lock);
    return good;
}
