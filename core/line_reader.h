/* SPDX-License-Identifier: MIT */
/* Lines from a descriptor, with a ceiling. */
#ifndef CROFT_LINE_READER_H
#define CROFT_LINE_READER_H

#include "bytes.h"

struct line_reader {
    int fd;
    size_t ceiling;     /* bytes of a line */
    struct bytes bytes; /* what was read and not handed out yet begins at `start` */
    size_t start;
    size_t searched; /* there is no LF between `start` and here */
    bool skipping;   /* inside a line that was over the ceiling */
    bool begun;      /* something was read */
    bool ended;      /* no more will come */
};

enum line_kind {
    LINE_END, /* the input has ended; a last line without LF was handed out before */
    LINE_TEXT,
    LINE_TOO_LONG, /* told once a line; its rest is skipped */
    LINE_BROKEN    /* reading failed */
};

void line_reader_init(struct line_reader *reader, int fd, size_t ceiling);
void line_reader_free(struct line_reader *reader);

/* Whether a whole line has been read already, so that the next call does not wait. */
bool line_reader_has_line(const struct line_reader *reader);

/* Waits for a line. Its bytes, without LF and a CR before it, stay until the next call. A byte order
 * mark at the start of the input is left out. */
enum line_kind line_reader_next(struct line_reader *reader, const char **line, size_t *size);

/*
 * Gives up the memory in which the line handed out last stands; `*out`, which is empty, then owns it, and the
 * line stays where it is. False, and all is as it was, when there is no memory for what was read behind it.
 */
bool line_reader_take(struct line_reader *reader, struct bytes *out);

#endif
