/* SPDX-License-Identifier: MIT */
/* What the answers to many calls have in common. */
#ifndef CROFT_SERVE_FORM_H
#define CROFT_SERVE_FORM_H

#include <lua.h>
#include <stdbool.h>

/* Pieces of an answer, each ended by NUL; in front of each goes how the answer to this call begins. */
struct answer_form {
    const char *done, *after_done;     /* around the text of a result */
    const char *failed, *after_failed; /* around that of a tool that failed */
    const char *refused;  /* before the text of an error that says that nothing ran; "}}" follows */
    const char *broken;   /* when the library failed */
    const char *question; /* before what ask_add_result adds; NULL: nothing is asked so */
    bool has_links; /* the client knows links to resources: one that the tool gives is sent along */
};

/* form{done, after_done, failed, after_failed, refused, broken, question, links} -> a form, which must be kept for
 * as long as the server runs. */
int form_new(lua_State *L);

/* The form at `index`; raises for anything else. */
const struct answer_form *form_check(lua_State *L, int index);

#endif
