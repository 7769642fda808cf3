/* SPDX-License-Identifier: MIT */
/* JSON read from a descriptor, value by value, in bounded memory. Private to core/artifact*.c. */
#ifndef CROFT_ARTIFACT_TOKEN_H
#define CROFT_ARTIFACT_TOKEN_H

#include "budget.h"
#include "bytes.h"
#include "error.h"
#include "json_scan.h"
#include "sys.h"

enum { TOKEN_WINDOW = 64 * 1024, TOKEN_DEPTH = 1024, TOKEN_KEY = 8 * 1024 };

/* Where it is in the text. After a fault or a failure every function below returns false at once. */
struct token_reader {
    const struct sys *sys;
    int fd;
    struct budget *budget;
    uint64_t base;     /* of the window in the file */
    size_t at, filled; /* in the window */
    const char *fault; /* a constant: the text is no JSON */
    uint64_t fault_at;
    croft_status failed; /* it could not be read, or the budget is breached */
    int sys_errno;
    char *window; /* TOKEN_WINDOW bytes, the caller's */
};

uint64_t token_offset(const struct token_reader *reader);
void token_seek(struct token_reader *reader, uint64_t offset);

/* The next byte that is no white space, which stays; -1 at the end, or after a fault or a failure. */
int token_peek(struct token_reader *reader);

/* The type of the value that begins there, as its first byte tells it; JSON_NONE for none. */
enum json_type token_type(struct token_reader *reader);

/* Goes behind the value, and checks it. */
bool token_skip(struct token_reader *reader);

/* One step over the members of an object or the elements of an array. */
struct token_steps {
    bool is_object, has_begun;
    struct bytes *key; /* of an object: the member's name, unescaped; cut where it is long */
    bool is_cut;       /* it was */
};

/* Stands before a value that is `{` or `[`: goes to the first child, and from behind one to the next. False
 * at the end of the container, behind it. */
bool token_child(struct token_reader *reader, struct token_steps *steps);

/* False unless nothing but white space follows. */
bool token_ends(struct token_reader *reader);

#endif
