/* SPDX-License-Identifier: MIT */
/* Where the records of calls go: to a file, and to memory for whoever asks after the call. */
#ifndef CROFT_HOST_AUDIT_H
#define CROFT_HOST_AUDIT_H

#include <pthread.h>
#include <sys/stat.h>

#include "bytes.h"
#include "croft.h"

struct host_audit {
    int fd; /* -1: no file */
    bool keeps;
    pthread_mutex_t lock;
    bool is_torn;       /* the last line in the file is not whole */
    struct bytes line;  /* scratch */
    struct bytes trace; /* what was kept, lines of JSON; ends when it is large */
};

void host_audit_init(struct host_audit *audit);
void host_audit_free(struct host_audit *audit);

/* Opens the file to which records are appended, as host_append_open() does. NULL, or why not. */
const char *host_audit_open(struct host_audit *audit, const char *path, const struct stat *root);

/* A croft_audit_function. A record is one write. */
bool host_audit_tell(void *user, const croft_record *record);

#endif
