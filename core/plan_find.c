/* SPDX-License-Identifier: MIT */
/* Following the links of the host's paths, once, when a view is made. */
#include "plan_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ceilings.h"

void write_where(char *where, const char *key, size_t index)
{
    snprintf(where, WHERE_BYTES, "%s %zu", key, index + 1);
}

static void complain(struct planning *p, const char *where, const char *path, const char *what)
{
    problems_add_format(p->problems, "%s: \"%.200s\" %s", where, path, what);
}

static const char *word_of(int number)
{
    switch (number) {
    case ENOENT: return "does not exist";
    case ENOTDIR: return "leads through a file";
    case ELOOP: return "leads through too many links";
    case EACCES:
    case EPERM: return "cannot be reached: permission denied";
    case ENAMETOOLONG: return "is too long";
    default: return "cannot be followed";
    }
}

/* The node of `path` itself, not followed. */
static bool look(struct planning *p, const char *path, struct node *node)
{
    int fd = p->sys->open_path(path);
    bool good;

    if (fd < 0)
        return false;
    good = p->sys->node(fd, node) == 0;
    p->sys->close(fd);
    errno = EIO; /* what is open and cannot be looked at is there all the same */
    return good;
}

bool path_exists(struct planning *p, const char *path)
{
    struct node node;

    return look(p, path, &node);
}

char *join_paths(struct planning *p, const char *above, const char *below)
{
    size_t size = strlen(above) + strlen(below) + 2;
    char *text = malloc(size);

    if (text == NULL)
        p->out_of_memory = true;
    else
        snprintf(text, size, "%s%s%s", strcmp(above, "/") == 0 ? "" : above,
                 *below == '\0' ? "" : "/", below);
    return text;
}

char *find_tree(struct planning *p, const char *where, const char *path, bool needs_directory,
                bool *is_directory)
{
    char real[PATH_BYTES + 1];
    struct node node;
    char *text;

    if (p->sys->real(path, real, sizeof real) != 0 || !look(p, real, &node)) {
        complain(p, where, path, word_of(errno));
        return NULL;
    }
    *is_directory = S_ISDIR(node.mode);
    if (needs_directory && !*is_directory) {
        complain(p, where, path, "is no directory");
        return NULL;
    }
    text = strdup(real);
    p->out_of_memory |= text == NULL;
    return text;
}

/* Follows what exists of `path`, which has no link at its end; what does not exist yet is appended. */
static char *find_above(struct planning *p, const char *where, const char *path)
{
    char real[PATH_BYTES + 1], head[PATH_BYTES + 1];
    struct node node;
    char *slash;

    if (strlen(path) > PATH_BYTES) {
        complain(p, where, path, word_of(ENAMETOOLONG));
        return NULL;
    }
    strcpy(head, path);
    while (p->sys->real(*head == '\0' ? "/" : head, real, sizeof real) != 0) {
        if (errno != ENOENT) {
            complain(p, where, path, word_of(errno));
            return NULL;
        }
        if (look(p, head, &node)) { /* where it will lead once there is something cannot be told */
            complain(p, where, path, "leads through a link to nothing");
            return NULL;
        }
        if (errno != ENOENT) {
            complain(p, where, path, word_of(errno));
            return NULL;
        }
        slash = strrchr(head, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    path += strlen(head);
    return join_paths(p, real, path + strspn(path, "/"));
}

/* Where the name leads, if it is a link; errno says why that cannot be told. One that leads to nothing is
 * hidden as a name. */
static bool find_target(struct planning *p, const char *name, char **target)
{
    char real[PATH_BYTES + 1];
    struct node node;

    if (!look(p, name, &node))
        return errno == ENOENT;
    if (!S_ISLNK(node.mode))
        return true;
    if (p->sys->real(name, real, sizeof real) != 0)
        return errno == ENOENT;
    *target = join_paths(p, real, "");
    return true;
}

bool find_name(struct planning *p, const char *where, const char *path, char **name, char **target)
{
    const char *last = strrchr(path, '/');
    char *above = last == NULL ? NULL : strndup(path, (size_t)(last - path));
    char *parent;

    *name = *target = NULL;
    if (last == NULL) /* it was said already that it is not absolute */
        return false;
    if (above == NULL) {
        p->out_of_memory = true;
        return false;
    }
    parent = find_above(p, where, *above == '\0' ? "/" : above);
    free(above);
    if (parent != NULL)
        *name = join_paths(p, parent, last + 1);
    free(parent);
    if (*name == NULL || find_target(p, *name, target))
        return *name != NULL;
    complain(p, where, path, word_of(errno));
    free(*name);
    *name = NULL;
    return false;
}
