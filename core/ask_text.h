/* SPDX-License-Identifier: MIT */
/* How a question of a gate is put to a person. */
#ifndef CROFT_ASK_TEXT_H
#define CROFT_ASK_TEXT_H

#include "bytes.h"
#include "croft.h"

/* Appends a few lines: the tool and the paths, what is written, the arguments (cut when they are long), and
 * why it is asked. Valid UTF-8 without control characters but LF; nothing of it is the server's own claim
 * that stands in quotes. */
void ask_text(struct bytes *out, const croft_gate_request *request);

#endif
