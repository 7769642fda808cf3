/* SPDX-License-Identifier: MIT */
/* Reading the fields of a view's configuration. Private to core/view_config.c and its fields. */
#ifndef CROFT_VIEW_FIELDS_H
#define CROFT_VIEW_FIELDS_H

#include "view_config.h"

struct reading_view {
    struct view_config *config;
    struct problems *problems;
    struct view_map *map; /* that is read */
    struct texts *into;   /* where the paths of the list at hand go */
    bool out_of_memory;
};

/* Reads one value; `where` says which, as in "maps 2: src". */
typedef void field_reader(struct reading_view *r, const char *where, struct json_slice value);

struct view_key {
    const char *name;
    field_reader *read;
};

/* Reads the members of an object by `keys`, ended by {NULL}; others, and a second of one name, are
 * refused. False when it is no object. */
bool fields_read(struct reading_view *r, const char *where, struct json_slice object,
                 const struct view_key *keys);

/* Reads the elements of a list. */
void fields_list(struct reading_view *r, const char *where, struct json_slice list,
                 field_reader *reader);

/* Each fills in *out, which the caller owns, or says what is wrong and leaves it NULL. */
bool field_text(struct reading_view *r, const char *where, struct json_slice value, char **out);
void field_host_path(struct reading_view *r, const char *where, struct json_slice value,
                     bool may_have_tenant, char **out);
void field_relative(struct reading_view *r, const char *where, struct json_slice value, char **out);

/* The same for what options hold: cleaned in place; a name is freed and NULL when it is none. */
void field_clean_name(struct reading_view *r, const char *where, char **name);
void field_clean_path(struct reading_view *r, const char *where, char *path);

/* Which of the `words`, ended by NULL, it is; 0 also when it is none of them. */
int field_word(struct reading_view *r, const char *where, struct json_slice value,
               const char *const *words);

/* Adds `text`, which is taken over, and may be NULL. */
void field_keep(struct reading_view *r, struct texts *texts, char *text);

/* "a number", "a list", ... */
const char *field_type_word(enum json_type type);

#endif
