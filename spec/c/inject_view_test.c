/* SPDX-License-Identifier: MIT */
/*
 * Opening a view of several trees, and looking at it, with every call failing in every way: what is hidden is
 * shown by none of them.
 */
#include "view.h"

#include "file.h"
#include "inject_run.h"
#include "tree.h"

static const char set_up[] =
    "mkdir -p lib/secret lib/shown ws/deep ws/held/private m && echo s > lib/secret/HIDDEN && "
    "echo k > lib/HIDDEN.key && ln -s secret lib/alias && echo f > lib/shown/f && "
    "echo p > ws/held/private/HIDDEN && echo m > m/f && echo c > ws/deep/HIDDEN && "
    "mkdir -p ws/lib && echo c > ws/lib/HIDDEN && ln -s key lib/later && echo S > lib/Secret2 && "
    "mkdir lib/SECRET && echo x > lib/SECRET/seen";

static char root_path[128], paths[8][160];
static croft_mount mine[] = {
    {"lib", paths[0], true}, {"deep", paths[1], false}, {"far/off", paths[1], true}};
static const char *hide[] = {paths[2], paths[3], paths[4], paths[5], paths[6]};

static croft_view_options options;
static croft_view *view;
static croft_error err;

static void make_options(croft_resolver resolver)
{
    static const char *const names[] = {
        "lib", "m", "lib/alias", "lib/HIDDEN.key", "lib/later", "ws/held/private", "lib/not/yet"};

    snprintf(root_path, sizeof root_path, "%s/ws", fixture_base);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", fixture_base, names[i]);
    options = (croft_view_options){.size = sizeof options,
                                   .resolver = resolver,
                                   .mounts = mine,
                                   .mount_count = 3,
                                   .hide = hide,
                                   .hide_count = 5};
}

/* ---- looking ----------------------------------------------------------------------------------- */

static const char *asked;

static croft_status read_asked(void)
{
    static struct path path;
    static struct route route;
    struct node node;
    croft_status status;
    int fd = -1;

    CHECK(path_parse(asked, strlen(asked), &path, &err) == CROFT_OK);
    status = view_route(view, &path, &route, &err);
    if (status != CROFT_OK)
        return status;
    status = file_open(route.root, route.path, &fd, &node, &err);
    if (status == CROFT_OK)
        close(fd);
    route_end(&route);
    return status;
}

static void judge_hidden(croft_status status)
{
    CHECK(status != CROFT_OK);
    if (inject.mode == INJECT_NOTHING)
        CHECK(status == CROFT_MISSING);
}

static void judge_shown(croft_status status)
{
    if (inject.mode == INJECT_NOTHING)
        CHECK(status == CROFT_OK);
}

static unsigned seen_shown;

static bool look_at_entry(void *user, const struct tree_entry *entry)
{
    (void)user;
    CHECK(strstr(entry->path, "HIDDEN") == NULL);
    CHECK(strstr(entry->path, "private") == NULL && strcmp(entry->path, "lib/secret") != 0);
    seen_shown += strcmp(entry->path, "lib/shown/f") == 0 || strcmp(entry->path, "deep/f") == 0 ||
                  strcmp(entry->path, "far/off/f") == 0 ||
                  strcmp(entry->path, "lib/SECRET/seen") == 0;
    return true;
}

static croft_status walk_all(void)
{
    static struct tree_notes notes;
    struct budget budget;
    struct tree_options walk = {
        .depth_ceiling = 64, .budget = &budget, .hidden = view->root->hidden};
    int fd = inject_sys.openat(view->root->fd, ".", O_RDONLY | O_DIRECTORY, 0);
    croft_status status;

    seen_shown = 0;
    if (fd < 0)
        return CROFT_IO;
    budget_start(&budget, UINT64_MAX / 2, 3600 * 1000, NULL);
    status = tree_walk(view->root, fd, &walk, look_at_entry, NULL, &notes, &err);
    close(fd);
    return status;
}

static void judge_walk(croft_status status)
{
    if (inject.mode == INJECT_NOTHING)
        CHECK(status == CROFT_OK && seen_shown == 4);
}

/* ---- opening ----------------------------------------------------------------------------------- */

static const char *const hidden[] = {
    "lib/secret/HIDDEN", "lib/alias/HIDDEN", "lib/HIDDEN.key", "held/private/HIDDEN",
    "lib/HIDDEN",        "deep/HIDDEN",      "lib/not/yet",
};

/* Whether the kernel said of what is there that it is not: what a link leads to is hidden where there is a
 * link. */
static bool was_lied_to(void)
{
    return inject.mode != INJECT_NOTHING && inject.number == ENOENT &&
           (inject.kind == CALL_open_path || inject.kind == CALL_real);
}

/* What opens in spite of a failure hides as well as any. */
static croft_status open_view(void)
{
    croft_status status = view_open(root_path, &options, &inject_sys, &view, &err);
    bool lied;

    if (status != CROFT_OK)
        return status;
    lied = was_lied_to();
    inject.mode = INJECT_NOTHING;
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0] && !lied; i++) {
        asked = hidden[i];
        CHECK(read_asked() == CROFT_MISSING);
    }
    CHECK(lied || walk_all() == CROFT_OK);
    view_release(view);
    return CROFT_OK;
}

static void judge_open(croft_status status)
{
    CHECK(status == CROFT_OK || err.message[0] != '\0');
    if (inject.mode == INJECT_NOTHING)
        CHECK(status == CROFT_OK);
}

static void by(croft_resolver resolver)
{
    static const struct operation opening = {"a view", NULL, open_view, judge_open};
    static const struct operation walking = {"a walk", NULL, walk_all, judge_walk};
    static const struct operation reading = {"what is hidden", NULL, read_asked, judge_hidden};
    static const struct operation showing = {"what is shown", NULL, read_asked, judge_shown};

    make_options(resolver);
    inject_everywhere(&opening);
    inject_start(INJECT_NOTHING, 0, 0);
    if (view_open(root_path, &options, &inject_sys, &view, &err) != CROFT_OK)
        abort();
    inject_everywhere(&walking);
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        asked = hidden[i];
        inject_everywhere(&reading);
    }
    asked = "lib/SECRET/seen"; /* another directory, where cases are told apart */
    inject_everywhere(&showing);
    inject_start(INJECT_NOTHING, 0, 0);
    view_release(view);
}

int main(void)
{
    inject_init();
    fixture_disk = "/dev/shm";
    fixture_make(set_up);
    by(CROFT_RESOLVER_AUTO);
    by(CROFT_RESOLVER_WALK);
    fixture_remove();
    printf("%lu runs\n", injected);
    return check_report("inject_view");
}
