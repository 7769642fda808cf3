/* SPDX-License-Identifier: MIT */
/* A view with one read-only name more. */
#ifndef CROFT_VIEW_NARROW_H
#define CROFT_VIEW_NARROW_H

#include "view.h"

/* Makes a view of the same root that also keeps the name `name` from changes; both live on. */
croft_status view_narrow(const croft_view *from, const char *name, croft_view **out,
                         croft_error *err);

#endif
