/* SPDX-License-Identifier: MIT */
/* What a new file takes over from the old one whose place it takes: owner, mode, ACL, user attributes. */
#ifndef CROFT_METADATA_H
#define CROFT_METADATA_H

#include "error.h"
#include "sys.h"

/*
 * Gives `fd` (new, empty of attributes but what its directory lent it) the owner, the permission bits,
 * the ACL and the user.* attributes of the file `old`, open for reading as `old_fd` (-1: it could not be, and its attributes are lost). Set-id bits and file
 * capabilities are never carried. CROFT_OWNER when the owner cannot be kept.
 */
croft_status metadata_copy(const struct sys *sys, int old_fd, const struct node *old, int fd,
                           croft_error *err);

#endif
