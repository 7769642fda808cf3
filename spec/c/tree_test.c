/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "check.h"
#include "tree_fixture.h"

static struct root *root;
static struct budget budget;
static struct tree_notes notes;
static croft_error err;
static size_t visits, stop_after;
static size_t deepest_level;
static char seen[64 * 1024];

static int start_fd(void)
{
    return openat(root->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static size_t open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

static const char *mark_of(mode_t type)
{
    switch (type) {
    case S_IFDIR: return "/";
    case S_IFLNK: return "@";
    case S_IFIFO: return "|";
    case S_IFREG: return "";
    default: return "?";
    }
}

static bool visit(void *user, const struct tree_entry *entry)
{
    struct node node;

    (void)user;
    visits++;
    if (entry->level > deepest_level)
        deepest_level = entry->level;
    CHECK(strlen(entry->path) == entry->path_size);
    CHECK(root->sys->node_at(entry->dir, entry->name, &node) == 0);
    if (strlen(seen) + entry->path_size + 8 < sizeof seen) {
        strcat(seen, entry->path);
        strcat(seen, mark_of(entry->type));
        strcat(seen, " ");
    }
    return visits != stop_after;
}

static croft_status walk(const struct tree_options *given)
{
    struct tree_options options = *given;
    size_t before = open_descriptors();
    int fd = start_fd();
    croft_status status;

    if (options.budget == NULL) {
        budget_start(&budget, 1000000, 60000, NULL);
        options.budget = &budget;
    }
    if (options.depth_ceiling == 0)
        options.depth_ceiling = 64;
    visits = deepest_level = 0;
    seen[0] = '\0';
    status = tree_walk(root, fd, &options, visit, NULL, &notes, &err);
    close(fd);
    CHECK(open_descriptors() == before);
    return status;
}

/* The paths of the whole tree in order, each with a mark for its type and a blank. */
static const char *all(void)
{
    CHECK(walk(&(struct tree_options){0}) == CROFT_OK);
    return seen;
}

static void begin(const char *lines)
{
    fixture_make(lines);
    root = fixture_root(CROFT_RESOLVER_AUTO);
}

static void end(void)
{
    root_close(root);
    fixture_remove();
}

static void shows_nothing_of_an_empty_directory(void)
{
    begin("true");
    CHECK_TEXT(all(), "");
    CHECK(visits == 0 && notes.unreadable == 0 && !notes.stopped);
    end();
}

static void walks_in_the_order_of_the_bytes_of_the_paths(void)
{
    begin("cd ws && mkdir -p a b/c a0 && touch a.txt a-b a/z a/B b/c/x b.c B0 .hidden ab a0/q "
          "abcdefgh abcdefghi abcdefg");
    /* '-' and '.' come before "/", digits after it */
    CHECK_TEXT(all(), ".hidden B0 a-b a.txt a/ a/B a/z a0/ a0/q ab abcdefg abcdefgh abcdefghi b.c "
                      "b/ b/c/ b/c/x ");
    end();
}

static void tells_every_kind_of_entry_and_enters_no_link(void)
{
    begin("cd ws && mkdir d && touch d/f && ln -s d link && ln -s .. d/up && ln -s /etc out && "
          "ln -s none dangling && ln -s loop loop && mkfifo pipe");
    CHECK_TEXT(all(), "d/ d/f d/up@ dangling@ link@ loop@ out@ pipe| ");
    end();
}

static void hides_names_that_are_its_own(void)
{
    begin("cd ws && touch .~croft-123 f && mkdir .~croft-d && touch .~croft-d/g");
    CHECK_TEXT(all(), "f ");
    end();
}

static void shows_names_of_any_bytes(void)
{
    begin("cd ws && touch \"$(printf 'a\\nb')\" \"$(printf '\\377')\" \"$(printf '\\303\\244')\"");
    CHECK_TEXT(all(), "a\nb \xC3\xA4 \xFF ");
    end();
}

static void keeps_to_the_depth_that_is_asked_for(void)
{
    begin("mkdir -p ws/a/b/c && touch ws/f ws/a/f ws/a/b/f");
    CHECK(walk(&(struct tree_options){.depth = 1}) == CROFT_OK);
    CHECK_TEXT(seen, "a/ f ");
    CHECK(notes.deep == 0);
    CHECK(walk(&(struct tree_options){.depth = 2}) == CROFT_OK);
    CHECK_TEXT(seen, "a/ a/b/ a/f f ");
    end();
}

static void counts_directories_below_the_ceiling(void)
{
    begin("mkdir -p ws/a/b/c/d ws/a/x/y && touch ws/a/b/f ws/a/b/c/g");
    CHECK(walk(&(struct tree_options){.depth_ceiling = 2}) == CROFT_OK);
    CHECK_TEXT(seen, "a/ a/b/ a/b/c/ a/b/f a/x/ a/x/y/ ");
    CHECK(notes.deep == 2);
    CHECK_TEXT(notes.first_deep, "a/b/c");
    CHECK(walk(&(struct tree_options){.depth_ceiling = 2, .depth = 3}) == CROFT_OK);
    CHECK(notes.deep == 0); /* nothing was left out that was asked for */
    end();
}

static void goes_64_directories_down_and_no_further(void)
{
    begin("cd ws && for i in $(seq 80); do mkdir d && touch d/f && cd d; done");
    all();
    CHECK(deepest_level == 64);
    CHECK(visits == 2 * 64 + 1);
    CHECK(notes.deep == 1);
    end();
}

static void leaves_out_and_counts_what_is_excluded(void)
{
    struct glob_fault fault;
    struct glob *globs[] = {glob_new("node_modules", 12, &fault), glob_new("*.min.js", 8, &fault)};
    const struct glob *const exclude[] = {globs[0], globs[1]};

    begin("cd ws && mkdir -p node_modules/x src/node_modules && touch a.min.js a.js src/b.min.js");
    CHECK(walk(&(struct tree_options){.exclude = exclude, .exclude_count = 2}) == CROFT_OK);
    CHECK_TEXT(seen, "a.js src/ ");
    CHECK(notes.excluded == 4);
    CHECK_TEXT(notes.excluded_names, "a.min.js\nnode_modules\nsrc/b.min.js\nsrc/node_modules");
    end();
    begin("cd ws && for i in $(seq 10 29); do touch $i.min.js; done");
    CHECK(walk(&(struct tree_options){.exclude = exclude, .exclude_count = 2}) == CROFT_OK);
    CHECK(notes.excluded == 20);
    CHECK_TEXT(notes.excluded_names, "10.min.js\n11.min.js\n12.min.js\n13.min.js\n14.min.js\n"
                                     "15.min.js\n16.min.js\n17.min.js");
    end();
    begin("cd ws && n=$(printf 'x%.0s' $(seq 200)) && for i in 1 2 3 4; do touch $i$n.min.js; done "
          "&& touch \"$(printf 'z\\nz.min.js')\"");
    CHECK(walk(&(struct tree_options){.exclude = exclude, .exclude_count = 2}) == CROFT_OK);
    CHECK(notes.excluded == 5 && strlen(notes.excluded_names) < sizeof notes.excluded_names);
    CHECK(strstr(notes.excluded_names, "\nz\\x0az.min.js") != NULL);
    end();
    glob_free(globs[0]);
    glob_free(globs[1]);
}

static void enters_only_where_the_glob_can_fit(void)
{
    struct glob_fault fault;
    struct glob *only = glob_new("src/*.c", 7, &fault);

    begin("cd ws && mkdir -p src/deep other && touch src/a.c other/b.c src/deep/c.c");
    CHECK(walk(&(struct tree_options){.only_below = only}) == CROFT_OK);
    CHECK(strstr(seen, "src/a.c ") != NULL && strstr(seen, "other/b.c") == NULL);
    CHECK(strstr(seen, "other/ ") != NULL); /* what is not entered is still shown */
    end();
    glob_free(only);
}

static void ends_when_the_visitor_says_so(void)
{
    begin("cd ws && mkdir -p a/b && touch a/b/f a/g z");
    stop_after = 3;
    CHECK(walk(&(struct tree_options){0}) == CROFT_OK);
    CHECK_TEXT(seen, "a/ a/b/ a/b/f ");
    CHECK(!notes.stopped);
    stop_after = 0;
    end();
}

static void ends_itself_when_the_budget_is_short(void)
{
    struct budget tight;

    begin("cd ws && for i in $(seq 100 300); do touch $i; done");
    budget_start(&tight, 220, 60000, NULL); /* 201 are spent by reading: under a tenth is left */
    CHECK(walk(&(struct tree_options){.budget = &tight}) == CROFT_OK);
    CHECK(notes.stopped && visits == 0);
    budget_start(&tight, 1000, 60000, NULL);
    CHECK(walk(&(struct tree_options){.budget = &tight}) == CROFT_OK);
    CHECK(!notes.stopped && visits == 201);
    CHECK(tight.steps_left == 1000 - 201);
    end();
}

static void fails_when_the_budget_is_breached(void)
{
    struct budget tight;
    atomic_bool cancelled = true;

    begin("cd ws && mkdir d && for i in $(seq 100 300); do touch d/$i; done");
    budget_start(&tight, 100, 60000, NULL);
    CHECK(walk(&(struct tree_options){.budget = &tight}) == CROFT_STOPPED);
    budget_start(&tight, 10000, 60000, &cancelled);
    CHECK(walk(&(struct tree_options){.budget = &tight}) == CROFT_CANCELLED);
    end();
}

static void fails_when_the_start_cannot_be_read(void)
{
    struct tree_options options = {.depth_ceiling = 64, .budget = &budget};
    int fd;

    begin("touch ws/f");
    budget_start(&budget, 1000000, 60000, NULL);
    CHECK(tree_walk(root, -1, &options, visit, NULL, &notes, &err) != CROFT_OK);
    fd = openat(root->fd, "f", O_RDONLY | O_CLOEXEC);
    CHECK(tree_walk(root, fd, &options, visit, NULL, &notes, &err) == CROFT_NOT_A_DIRECTORY);
    close(fd);
    end();
}

/* ---- a file system that behaves oddly ---- */

static struct sys odd;
static const char *odd_name; /* opened as a directory, it fails so */
static int odd_errno;
static uint64_t odd_mount;

static int odd_openat(int dir, const char *name, int flags, mode_t mode)
{
    if (odd_name != NULL && strcmp(name, odd_name) == 0) {
        errno = odd_errno;
        return -1;
    }
    return sys_kernel.openat(dir, name, flags, mode);
}

static ssize_t odd_getdents(int fd, void *buffer, size_t size)
{
    ssize_t filled = sys_kernel.getdents(fd, buffer, size);

    for (ssize_t at = 0; at < filled;) {
        struct dirent64 *entry = (void *)((char *)buffer + at);

        entry->d_type = DT_UNKNOWN;
        at += entry->d_reclen;
    }
    return filled;
}

static int odd_node(int fd, struct node *node)
{
    int result = sys_kernel.node(fd, node);

    node->mount = odd_mount;
    return result;
}

static void asks_for_the_type_where_the_listing_has_none(void)
{
    begin("cd ws && mkdir -p a/b && touch a.x a/b/f && ln -s a l && mkfifo p");
    odd = sys_kernel;
    odd.getdents = odd_getdents;
    root->sys = &odd;
    CHECK_TEXT(all(), "a.x a/ a/b/ a/b/f l@ p| ");
    end();
}

static void counts_what_cannot_be_opened_and_goes_on(void)
{
    begin("cd ws && mkdir -p a/bad b/bad && touch a/bad/f a/f z");
    odd = sys_kernel;
    odd.openat = odd_openat;
    odd_name = "bad";
    odd_errno = EACCES;
    root->sys = &odd;
    CHECK_TEXT(all(), "a/ a/bad/ a/f b/ b/bad/ z ");
    CHECK(notes.unreadable == 2);
    CHECK_TEXT(notes.first_unreadable, "a/bad");
    odd_errno = ENOENT; /* gone meanwhile: no news */
    all();
    CHECK(notes.unreadable == 0 && notes.first_unreadable[0] == '\0');
    odd_errno = ELOOP; /* a link took its place */
    all();
    CHECK(notes.unreadable == 0);
    odd_name = NULL;
    end();
}

static void does_not_enter_another_file_system_when_it_keeps_to_its_own(void)
{
    begin("cd ws && mkdir a && touch a/f z");
    odd = sys_kernel;
    odd.node = odd_node;
    odd_mount = root->node.mount + 1;
    root->sys = &odd;
    CHECK_TEXT(all(), "a/ a/f z ");
    root->one_file_system = true;
    CHECK_TEXT(all(), "a/ z ");
    CHECK(notes.other_mounts == 1 && notes.unreadable == 0);
    end();
}

static void counts_directories_without_permission(void)
{
    if (geteuid() == 0)
        return; /* who may read everything */
    begin("cd ws && mkdir -p a && touch a/f z && chmod 0 a");
    CHECK_TEXT(all(), "a/ z ");
    CHECK(notes.unreadable == 1);
    CHECK_TEXT(notes.first_unreadable, "a");
    fixture_run("chmod 700 ws/a");
    end();
}

static void sorts_a_large_directory(void)
{
    char previous[16] = "";
    bool sorted = true;

    begin("cd ws && seq 1 3000 | xargs touch");
    all();
    CHECK(visits == 3000);
    for (char *name = strtok(seen, " "); name != NULL; name = strtok(NULL, " ")) {
        sorted = sorted && strcmp(previous, name) < 0;
        snprintf(previous, sizeof previous, "%s", name);
    }
    CHECK(sorted);
    end();
}

/* The first of many are the beginning of what is shown when all are, and the others are counted. */
static void keeps_the_first_of_many(void)
{
    static const size_t most[] = {1, 2, 7, 64, 100, 1000, 2299, 2300, 2301};
    static char whole[sizeof seen];

    begin("cd ws && seq -f same-beginning-%g 1 1500 | xargs touch && seq 1 600 | xargs touch && "
          "seq -f %g.d 1 100 | xargs mkdir && seq -f %g-d 1 100 | xargs mkdir");
    CHECK(walk(&(struct tree_options){.depth = 1}) == CROFT_OK && visits == 2300);
    strcpy(whole, seen);
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        size_t kept = most[i] < 2300 ? most[i] : 2300;

        CHECK(walk(&(struct tree_options){.depth = 1, .most = most[i]}) == CROFT_OK);
        CHECK(visits == kept && notes.left_out == 2300 - kept);
        CHECK(strncmp(seen, whole, strlen(seen)) == 0);
    }
    end();
}

int main(void)
{
    shows_nothing_of_an_empty_directory();
    walks_in_the_order_of_the_bytes_of_the_paths();
    tells_every_kind_of_entry_and_enters_no_link();
    hides_names_that_are_its_own();
    shows_names_of_any_bytes();
    keeps_to_the_depth_that_is_asked_for();
    counts_directories_below_the_ceiling();
    goes_64_directories_down_and_no_further();
    leaves_out_and_counts_what_is_excluded();
    enters_only_where_the_glob_can_fit();
    ends_when_the_visitor_says_so();
    ends_itself_when_the_budget_is_short();
    fails_when_the_budget_is_breached();
    fails_when_the_start_cannot_be_read();
    asks_for_the_type_where_the_listing_has_none();
    counts_what_cannot_be_opened_and_goes_on();
    does_not_enter_another_file_system_when_it_keeps_to_its_own();
    counts_directories_without_permission();
    sorts_a_large_directory();
    keeps_the_first_of_many();
    return check_report("tree");
}
