/* SPDX-License-Identifier: MIT */
#include "json_canonical.h"

#include <stdlib.h>
#include <string.h>

struct member {
    struct bytes name;
    struct json_slice value;
    size_t order; /* in which it stands */
};

struct members {
    struct member *items;
    size_t count, capacity;
};

static void free_members(struct members *members)
{
    for (size_t i = 0; i < members->count; i++)
        bytes_free(&members->items[i].name);
    free(members->items);
}

static struct member *add_member(struct members *members)
{
    if (members->count == members->capacity) {
        size_t capacity = members->capacity == 0 ? 8 : members->capacity * 2;
        struct member *items = realloc(members->items, capacity * sizeof *items);

        if (items == NULL)
            return NULL;
        members->items = items;
        members->capacity = capacity;
    }
    memset(&members->items[members->count], 0, sizeof *members->items);
    return &members->items[members->count++];
}

static bool gather(struct json_slice object, struct members *members)
{
    struct json_steps state = {0};
    struct json_slice key, value;

    while (json_next(object, &state, &key, &value)) {
        struct member *member = add_member(members);

        if (member == NULL)
            return false;
        (void)json_text(key, &member->name);
        member->value = value;
        member->order = members->count;
        if (member->name.failed)
            return false;
    }
    return true;
}

static int compare_names(const struct member *a, const struct member *b)
{
    size_t size = a->name.size < b->name.size ? a->name.size : b->name.size;
    int order = size == 0 ? 0 : memcmp(a->name.data, b->name.data, size);

    if (order != 0)
        return order;
    return (a->name.size > b->name.size) - (a->name.size < b->name.size);
}

static int compare(const void *first, const void *second)
{
    const struct member *a = first, *b = second;
    int order = compare_names(a, b);

    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static bool add_object(struct json_slice object, struct bytes *out)
{
    struct members members = {0};
    bool good = gather(object, &members), is_first = true;

    if (members.count > 1)
        qsort(members.items, members.count, sizeof *members.items, compare);
    bytes_add_char(out, '{');
    for (size_t i = 0; i < members.count && good; i++) {
        const struct member *member = &members.items[i];

        if (i + 1 < members.count && compare_names(member, member + 1) == 0)
            continue; /* the last of that name counts */
        if (!is_first)
            bytes_add_char(out, ',');
        is_first = false;
        json_quote(out, member->name.size == 0 ? "" : member->name.data, member->name.size);
        bytes_add_char(out, ':');
        good = json_canonical(member->value, out);
    }
    bytes_add_char(out, '}');
    free_members(&members);
    return good && !out->failed;
}

static bool add_array(struct json_slice array, struct bytes *out)
{
    struct json_steps state = {0};
    struct json_slice key, value;
    bool good = true, is_first = true;

    bytes_add_char(out, '[');
    while (good && json_next(array, &state, &key, &value)) {
        if (!is_first)
            bytes_add_char(out, ',');
        is_first = false;
        good = json_canonical(value, out);
    }
    bytes_add_char(out, ']');
    return good && !out->failed;
}

static bool add_string(struct json_slice string, struct bytes *out)
{
    struct bytes text = {0};
    bool good;

    (void)json_text(string, &text);
    json_quote(out, text.size == 0 ? "" : text.data, text.size);
    good = !text.failed && !out->failed;
    bytes_free(&text);
    return good;
}

static struct json_slice trimmed(struct json_slice value)
{
    while (value.size > 0 && strchr(" \t\r\n", value.data[0]) != NULL) {
        value.data++;
        value.size--;
    }
    while (value.size > 0 && strchr(" \t\r\n", value.data[value.size - 1]) != NULL)
        value.size--;
    return value;
}

/* As deep as the text nests, which json_check has bounded. */
bool json_canonical(struct json_slice value, struct bytes *out)
{
    switch (json_type(value)) {
    case JSON_OBJECT: return add_object(value, out);
    case JSON_ARRAY: return add_array(value, out);
    case JSON_STRING: return add_string(value, out);
    default:
        value = trimmed(value);
        bytes_add(out, value.data, value.size);
        return !out->failed;
    }
}
