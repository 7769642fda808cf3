/* SPDX-License-Identifier: MIT */
/* The second wall: Landlock, which holds a thread to one directory whatever its code does. */
#ifndef CROFT_WALL_H
#define CROFT_WALL_H

#include "root.h"

/* As croft_confine has it. */
croft_status wall_raise(const struct root *root, croft_wall *wall, croft_error *err);

#endif
