/* SPDX-License-Identifier: MIT */
/*
 * bubblewrap does what its arguments say in their order, and a later mount covers an earlier one: so the order
 * is the meaning. The namespaces; the system's own trees; /proc, /dev and /tmp; the view's trees; its masks,
 * which nothing may undo; and then what is left of the root can no longer be written.
 */
#include "bwrap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bwrap_parts.h"

enum {
    ARGUMENTS = 9000, /* bubblewrap's own ceiling */
    SAFE_VERSION = 12000
};

/* ---- helpers ----------------------------------------------------------------------------------- */

void bwrap_add(struct wrapping *w, const char *argument)
{
    bytes_add(&w->command->text, argument, strlen(argument) + 1);
    w->command->count++;
}

void bwrap_add2(struct wrapping *w, const char *option, const char *a)
{
    bwrap_add(w, option);
    bwrap_add(w, a);
}

void bwrap_add3(struct wrapping *w, const char *option, const char *a, const char *b)
{
    bwrap_add2(w, option, a);
    bwrap_add(w, b);
}

static void add_number(struct wrapping *w, const char *option, uint64_t number)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    bwrap_add2(w, option, text);
}

bool bwrap_look(const struct wrapping *w, const char *path, struct node *node)
{
    int fd = w->sys->open_path(path);
    bool good = fd >= 0 && w->sys->node(fd, node) == 0;
    int number = errno;

    if (fd >= 0)
        w->sys->close(fd);
    errno = number;
    return good;
}

bool bwrap_is_safe_below(const struct wrapping *w, const char *path)
{
    for (size_t i = 0; i < w->plan->mount_count && w->options->version < SAFE_VERSION; i++) {
        const struct plan_mount *mount = &w->plan->mounts[i];

        if (mount->writable && path_is_within(path, mount->path) && strcmp(path, mount->path) != 0)
            return false;
    }
    return true;
}

char *bwrap_moved(const char *path, const char *under, const char *above)
{
    const char *rest = path + (strcmp(under, "/") == 0 ? 0 : strlen(under));
    size_t size = strlen(above) + strlen(rest) + 2;
    char *text = malloc(size);

    if (text != NULL)
        (void)snprintf(text, size, "%s%s%s", strcmp(above, "/") == 0 ? "" : above,
                       *rest == '\0' || *rest == '/' ? "" : "/", rest);
    return text;
}

/* ---- where a program starts -------------------------------------------------------------------- */

/* Whether the mount shows the path, and no mask in it hides that. */
static bool shows(const struct view_plan *plan, const struct plan_mount *mount, const char *path)
{
    if (!path_is_within(path, mount->path))
        return false;
    for (size_t i = 0; i < plan->mask_count; i++)
        if (path_is_within(plan->masks[i].path, mount->path) &&
            path_is_within(path, plan->masks[i].path))
            return false;
    return true;
}

/* Whether another tree lies over the place where a subprocess would see the mount's. */
static bool is_covered(const struct view_plan *plan, const struct plan_mount *mount,
                       const char *inside)
{
    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct plan_mount *other = &plan->mounts[i];

        if (other != mount && path_is_within(inside, other->inside) &&
            path_is_within(other->inside, mount->inside))
            return true;
    }
    return false;
}

char *bwrap_inside(const struct view_plan *plan, const char *path)
{
    char *best = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct plan_mount *mount = &plan->mounts[i];
        bool is_better = best == NULL || strlen(mount->path) > longest;
        char *inside = is_better && shows(plan, mount, path)
                           ? bwrap_moved(path, mount->path, mount->inside)
                           : NULL;

        if (inside == NULL || is_covered(plan, mount, inside)) {
            free(inside);
            continue;
        }
        free(best);
        best = inside;
        longest = strlen(mount->path);
    }
    return best;
}

static croft_status find_workdir(const struct wrapping *w, const char *workdir, char **inside,
                                 croft_error *err)
{
    char real[PATH_BYTES + 1];
    struct node node;

    if (workdir != NULL && workdir[0] != '/')
        return fail(err, CROFT_BAD_ARGUMENT, 0, "the working directory is no absolute path");
    if (workdir == NULL)
        *inside = strdup(w->plan->mounts[0].inside);
    else if (w->sys->real(workdir, real, sizeof real) == 0 && bwrap_look(w, real, &node) &&
             S_ISDIR(node.mode))
        *inside = bwrap_inside(w->plan, real);
    if (*inside == NULL)
        return fail(err, CROFT_DENIED, 0,
                    "the working directory is no directory that the view shows");
    return CROFT_OK;
}

/* ---- the groups, in their order ---------------------------------------------------------------- */

/* --unshare-all would go on without a user namespace where there is none. */
static void add_namespaces(struct wrapping *w)
{
    static const char *const options[] = {
        "--unshare-user",       "--unshare-ipc",    "--unshare-pid",     "--unshare-uts",
        "--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        bwrap_add(w, options[i]);
    if (!w->plan->host_net)
        bwrap_add(w, "--unshare-net");
    bwrap_add2(w, "--cap-drop", "ALL");
    bwrap_add2(w, "--hostname", "croft");
}

static void add_environment(struct wrapping *w)
{
    static const char *const fixed[][2] = {
        {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
        {"HOME", BWRAP_HOME},
        {"TMPDIR", "/tmp"},
        {"LANG", "C.UTF-8"}};

    bwrap_add(w, "--clearenv");
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        bwrap_add3(w, "--setenv", fixed[i][0], fixed[i][1]);
    for (size_t i = 0; i < w->plan->env.count; i++) {
        const char *value = getenv(w->plan->env.items[i]);

        if (value != NULL)
            bwrap_add3(w, "--setenv", w->plan->env.items[i], value);
    }
}

static void add_tmpfs(struct wrapping *w, const char *inside)
{
    add_number(w, "--size", w->options->tmp_bytes);
    bwrap_add2(w, "--perms", "1777");
    bwrap_add2(w, "--tmpfs", inside);
}

static void add_own(struct wrapping *w)
{
    bwrap_add2(w, "--proc", "/proc");
    bwrap_add2(w, "--dev", "/dev");
    add_tmpfs(w, "/dev/shm");
    add_tmpfs(w, "/tmp");
    bwrap_add2(w, "--perms", "0755");
    bwrap_add2(w, "--dir", BWRAP_HOME);
}

static void add_rest(struct wrapping *w, const char *workdir)
{
    bwrap_add2(w, "--remount-ro", "/dev"); /* alone: what is mounted in it stays as it is */
    bwrap_add2(w, "--remount-ro", "/");
    if (w->options->seccomp_fd >= 0)
        add_number(w, "--seccomp", (uint64_t)w->options->seccomp_fd);
    if (w->options->status_fd >= 0)
        add_number(w, "--json-status-fd", (uint64_t)w->options->status_fd);
    bwrap_add2(w, "--chdir", workdir);
}

/* A mask's own file must not be where it could be written. */
static void check_blank(struct wrapping *w)
{
    for (size_t i = 0; i < w->plan->mount_count; i++) {
        const struct plan_mount *mount = &w->plan->mounts[i];

        if (w->plan->mask_count > 0 && mount->writable &&
            path_is_within(w->blank.base, mount->path))
            problems_add_format(&w->problems,
                                "%s: \"%.200s\" holds what masks put in the place of files",
                                mount->where, mount->spelled);
    }
    if (w->plan->tenants != NULL && strcmp(w->plan->tenants, "/") == 0)
        problems_add_format(&w->problems, "tenants: \"/\" is all of the host");
}

static void render(struct wrapping *w, const char *workdir, const char *const *argv)
{
    bwrap_add(w, w->options->program);
    add_namespaces(w);
    add_environment(w);
    bwrap_add_trees(w, true);
    add_own(w);
    bwrap_add_trees(w, false);
    bwrap_add_read_only(w);
    bwrap_add_masks(w);
    add_rest(w, workdir);
    w->command->split = w->command->count;
    bwrap_add(w, "--");
    for (; *argv != NULL; argv++)
        bwrap_add(w, *argv);
    check_blank(w);
}

static croft_status judge(const struct wrapping *w, croft_error *err)
{
    if (w->out_of_memory || w->command->text.failed || w->problems.lines.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (w->problems.count > 0)
        return problems_fail(&w->problems, err);
    if (w->command->count > ARGUMENTS)
        return fail_format(err, CROFT_TOO_MANY, 0,
                           "%zu arguments are more than the %d that bubblewrap takes",
                           w->command->count, ARGUMENTS);
    return CROFT_OK;
}

croft_status bwrap_render(const struct view_plan *plan, const char *workdir,
                          const char *const *argv, struct bwrap_names read_only,
                          const croft_wrap_options *options, const struct sys *sys,
                          struct bwrap_command *command, croft_error *err)
{
    struct wrapping w = {
        .plan = plan, .sys = sys, .options = options, .command = command, .read_only = read_only};
    char *inside = NULL;
    croft_status status = plan->mask_count > 0 ? blank_find(sys, &w.blank, err) : CROFT_OK;

    memset(command, 0, sizeof *command);
    if (status == CROFT_OK)
        status = find_workdir(&w, workdir, &inside, err);
    if (status == CROFT_OK && !bwrap_find_trees(&w))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (status == CROFT_OK) {
        render(&w, inside, argv);
        status = judge(&w, err);
    }
    free(inside);
    bwrap_free_trees(&w);
    problems_free(&w.problems);
    return status;
}
