/* SPDX-License-Identifier: MIT */
/* What a new file takes over from the old one whose place it takes: owner, mode, ACL, user attributes. */
#ifndef CROFT_METADATA_H
#define CROFT_METADATA_H

#include "error.h"
#include "sys.h"

/*
 * Gives `fd` (new, nobody else's, empty of attributes but what its directory lent it) the owner, the ACL,
 * the user.* attributes and the permission bits of the file `old`, open for reading as `old_fd` (-1: it
 * could not be, and its attributes are lost). Set-id bits and file capabilities are never carried. What
 * the group may do is cut to what everybody may where the group or the ACL is lost. CROFT_OWNER when the
 * owner cannot be kept.
 */
croft_status metadata_copy(const struct sys *sys, int old_fd, const struct node *old, int fd,
                           croft_error *err);

#endif
