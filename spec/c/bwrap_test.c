/* SPDX-License-Identifier: MIT */
/* The command that starts bubblewrap: what it is, in which order, and all that is refused before it could be
 * started. S1-8 S1-16 */
#include "bwrap.h"

#include <sys/wait.h>

#include "check.h"
#include "problems.h"
#include "tree_fixture.h"

static char message[1024];
static char text[256 * 1024]; /* the arguments that were rendered, a line for each option */
static unsigned version;      /* of bubblewrap */
static struct bwrap_names read_only;

/* `json` with each @ replaced by the base directory; in `buffer`. */
static const char *filled(const char *json, char *buffer, size_t size)
{
    size_t used = 0;

    for (; *json != '\0' && used + 128 < size; json++)
        if (*json == '@')
            used += (size_t)snprintf(buffer + used, size - used, "%s", fixture_base);
        else
            buffer[used++] = *json;
    buffer[used] = '\0';
    return buffer;
}

static struct view_plan *plan_of(const char *json)
{
    static char buffer[256 * 1024];
    const char *configured = filled(json, buffer, sizeof buffer);
    struct view_config *config = NULL;
    struct problems problems = {0};
    struct view_plan *plan = NULL;

    if (!view_config_parse((struct json_slice){configured, strlen(configured)}, &config,
                           &problems) ||
        config == NULL || !view_plan_make(config, NULL, &sys_kernel, &plan, &problems) ||
        problems.count > 0 || plan == NULL) {
        fprintf(stderr, "no plan: %s\n%s", configured, bytes_end(&problems.lines));
        abort();
    }
    problems_free(&problems);
    view_config_free(config);
    return plan;
}

/* Options begin a new line, and the base directory is an @ again. */
static void keep(const struct bwrap_command *command)
{
    const char *at = command->text.data;
    size_t used = 0, base = strlen(fixture_base);

    text[0] = '\0';
    for (size_t i = 0; i < command->count; i++, at += strlen(at) + 1) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s",
                                 i == 0                      ? ""
                                 : strncmp(at, "--", 2) == 0 ? "\n"
                                                             : " ");
        for (const char *from = at; *from != '\0';) {
            bool is_base = strncmp(from, fixture_base, base) == 0;

            text[used++] = is_base ? '@' : *from;
            from += is_base ? base : 1;
        }
        text[used] = '\0';
    }
}

static croft_status render(const char *json, const char *workdir)
{
    static const char *const argv[] = {"sh", "-c", "exit 3", NULL};
    const croft_wrap_options options = {.program = "bwrap",
                                        .version = version,
                                        .seccomp_fd = -1,
                                        .status_fd = -1,
                                        .tmp_bytes = 1 << 20};
    struct view_plan *plan = plan_of(json);
    struct bwrap_command command;
    croft_error err = {0};
    char place[256];
    croft_status status =
        bwrap_render(plan, workdir == NULL ? NULL : filled(workdir, place, sizeof place), argv,
                     read_only, &options, &sys_kernel, &command, &err);

    snprintf(message, sizeof message, "%s", err.message);
    keep(&command);
    bytes_free(&command.text);
    view_plan_free(plan);
    return status;
}

/* Where the line begins with it; NULL: there is none. */
static const char *line_of(const char *line)
{
    size_t size = strlen(line);

    for (const char *at = strstr(text, line); at != NULL; at = strstr(at + 1, line))
        if ((at == text || at[-1] == '\n') && (at[size] == '\n' || at[size] == '\0'))
            return at;
    return NULL;
}

static void has(const char *line)
{
    CHECK(line_of(line) != NULL);
    if (line_of(line) == NULL)
        fprintf(stderr, "    no line: %s\n", line);
}

/* The lines are there, one behind the other. */
static void has_in_order(const char *const *lines)
{
    const char *last = text;

    for (; *lines != NULL; lines++) {
        const char *at = line_of(*lines);

        CHECK(at != NULL && at >= last);
        if (at == NULL || at < last)
            fprintf(stderr, "    %s: %s\n", at == NULL ? "missing" : "too early", *lines);
        last = at == NULL ? last : at;
    }
}

static void refuses(const char *json, const char *workdir, croft_status wanted, const char *why)
{
    croft_status status = render(json, workdir);

    CHECK(status == wanted);
    CHECK(strstr(message, why) != NULL);
    if (status != wanted || strstr(message, why) == NULL)
        fprintf(stderr, "    %s\n    wanted: %s\n    got: %s %s\n", json, why,
                croft_status_word(status), message);
}

static void accepts(const char *json, const char *workdir)
{
    croft_status status = render(json, workdir);

    CHECK(status == CROFT_OK);
    if (status != CROFT_OK)
        fprintf(stderr, "    %s: %s\n", json, message);
}

#define TENANT "\"root\":\"@/tenants/acme\""

/* ---- the order --------------------------------------------------------------------------------- */

static void renders_in_order(void)
{
    static const char *const lines[] = {"bwrap",
                                        "--unshare-user",
                                        "--unshare-pid",
                                        "--disable-userns",
                                        "--die-with-parent",
                                        "--new-session",
                                        "--unshare-net",
                                        "--cap-drop ALL",
                                        "--clearenv",
                                        "--setenv HOME /home/agent",
                                        "--ro-bind-try /usr /usr",
                                        "--proc /proc",
                                        "--dev /dev",
                                        "--tmpfs /tmp",
                                        "--dir /home/agent",
                                        "--ro-bind @/tools @/tools",
                                        "--bind @/cache @/cache",
                                        "--dir /a",
                                        "--bind @/shared/lib /a/b",
                                        "--ro-bind @/global /global",
                                        "--ro-bind @/shared/skills /skills",
                                        "--bind @/tenants/acme /workspace",
                                        "--remount-ro /dev",
                                        "--remount-ro /",
                                        "--chdir /workspace",
                                        "-- sh -c exit 3",
                                        NULL};

    accepts("{" TENANT ",\"global\":\"@/global\",\"tenants\":\"@/tenants\","
            "\"secret_files\":[\"secrets.json\"],\"hide\":[\"@/global/billing\"],"
            "\"ro_binds\":[\"@/tools\"],\"rw_binds\":[\"@/cache\"],\"maps\":["
            "{\"src\":\"@/shared/skills\",\"dst\":\"skills\"},"
            "{\"src\":\"@/shared/lib\",\"dst\":\"a/b\",\"mode\":\"rw\"}],\"env\":[\"UNSET_HERE\"]}",
            NULL);
    CHECK(strstr(text, "UNSET_HERE") == NULL);
    CHECK(strstr(text, "\n--bind /usr") == NULL);
    CHECK(strstr(text, "--size 1048576\n--perms 1777\n--tmpfs /tmp") != NULL);
    has_in_order((const char *const[]){"bwrap", "--ro-bind @/global /global",
                                       "--bind @/tenants/acme /workspace", "--remount-ro /",
                                       "--chdir /workspace", NULL});
    for (size_t i = 0; lines[i] != NULL; i++)
        if (strncmp(lines[i], "-- ", 3) != 0)
            has(lines[i]);
    CHECK(strstr(text, "\n-- sh -c exit 3") != NULL);
}

/* A mask comes behind the tree that it is in, and in front of what makes the root read-only. */
static void masks_last(void)
{
    const char *last_bind, *mask, *remount;

    accepts("{" TENANT ",\"global\":\"@\",\"tenants\":\"@/tenants\","
            "\"secret_files\":[\"global/secrets.json\"],"
            "\"hide\":[\"@/global/billing\",\"@/global/billing/a\"]}",
            NULL);
    last_bind = line_of("--bind @/tenants/acme /workspace");
    mask = strstr(text, "/empty /global/global/secrets.json");
    remount = line_of("--remount-ro /");
    CHECK(last_bind != NULL && mask != NULL && remount != NULL);
    CHECK(last_bind < mask && mask < remount);
    CHECK(strstr(text, "/nothing /global/global/billing\n") != NULL);
    CHECK(strstr(text, "billing/a") == NULL); /* it is hidden with what it lies in */
    CHECK(strstr(text, "/nothing /global/tenants\n") != NULL);
}

/* What is seen twice is hidden twice; what is covered not at all. */
static void masks_each_tree(void)
{
    accepts("{" TENANT ",\"global\":\"@/global\",\"hide\":[\"@/global/billing/a\"],"
            "\"ro_binds\":[\"@/global/billing\"]}",
            NULL);
    CHECK(strstr(text, "/nothing /global/billing/a\n") != NULL);
    CHECK(strstr(text, "/nothing @/global/billing/a\n") != NULL);
    accepts("{" TENANT ",\"hide\":[\"/usr/share/doc\",\"/usr/share/man\"],"
            "\"ro_binds\":[\"/usr/local/bin\"],\"system_binds\":[\"/usr\"]}",
            NULL);
}

static void follows_the_network_key(void)
{
    accepts("{" TENANT ",\"net\":\"host\"}", NULL);
    CHECK(strstr(text, "--unshare-net") == NULL);
    accepts("{" TENANT "}", NULL);
    has("--unshare-net");
}

static void starts_where_it_is_told(void)
{
    accepts("{" TENANT ",\"global\":\"@/global\"}", "@/tenants/acme/src");
    has("--chdir /workspace/src");
    accepts("{" TENANT ",\"global\":\"@/global\"}", "@/global/billing/a");
    has("--chdir /global/billing/a");
    accepts("{" TENANT ",\"ro_binds\":[\"@/tools\"]}", "@/tools");
    has("--chdir @/tools");
    refuses("{" TENANT "}", "@/tenants/other", CROFT_DENIED, "no directory that the view shows");
    refuses("{" TENANT "}", "@/tenants/acmeish", CROFT_DENIED, "no directory that the view shows");
    refuses("{" TENANT "}", "/usr", CROFT_DENIED, "no directory that the view shows");
    refuses("{" TENANT "}", "@/tenants/acme/out", CROFT_DENIED, "no directory");
    refuses("{" TENANT "}", "@/tenants/acme/file", CROFT_DENIED, "no directory");
    refuses("{" TENANT "}", "tenants/acme", CROFT_BAD_ARGUMENT, "no absolute path");
    refuses("{" TENANT ",\"global\":\"@/global\",\"hide\":[\"@/global/billing\"]}",
            "@/global/billing/a", CROFT_DENIED, "no directory that the view shows");
}

/* Where another tree covers the directory, that is not where a program may find itself. */
static void starts_nowhere_else(void)
{
#define COVERED                                                                                    \
    "\"maps\":[{\"src\":\"@/shared\",\"dst\":\"a\"},{\"src\":\"@/tools\",\"dst\":\"a/skills\"}]"
    refuses("{" TENANT "," COVERED "}", "@/shared/skills", CROFT_DENIED,
            "no directory that the view shows");
    accepts("{" TENANT "," COVERED "}", "@/tools");
    has("--chdir /a/skills");
    accepts("{" TENANT "," COVERED "}", "@/shared/lib");
    has("--chdir /a/lib");
    accepts("{" TENANT ",\"ro_binds\":[\"/srv\"]," COVERED "}", "/srv");
    has("--chdir /srv");
}

/* ---- refusals (view.md 3.2) -------------------------------------------------------------------- */

static void refuses_masks_that_could_not_hold(void)
{
    refuses("{" TENANT ",\"global\":\"@/global\",\"hide\":[\"@/global/later\"]}", NULL,
            CROFT_BAD_ARGUMENT, "/global/later\" does not exist: a subprocess could not be kept");
    refuses("{" TENANT ",\"global\":\"@/global\",\"secret_files\":[\"link.json\"]}", NULL,
            CROFT_BAD_ARGUMENT, "is a link: name what it leads to");
    refuses("{" TENANT ",\"hide\":[\"@/tenants/acme/src\"]}", NULL, CROFT_BAD_ARGUMENT,
            "lies in what can be written inside");
    refuses("{" TENANT ",\"rw_binds\":[\"@/global/cache\"],\"global\":\"@/global\","
            "\"hide\":[\"@/global/cache/x\"]}",
            NULL, CROFT_BAD_ARGUMENT, "lies in what can be written inside");
    version = 12000;
    accepts("{" TENANT ",\"hide\":[\"@/tenants/acme/src\"]}", NULL);
    CHECK(strstr(text, "/nothing /workspace/src\n") != NULL);
    refuses("{" TENANT ",\"hide\":[\"@/tenants/acme/none\"]}", NULL, CROFT_BAD_ARGUMENT,
            "does not exist");
    version = 0;
}

/* CVE-2026-87766: no mount is aimed at what lies in a tree that can be written inside. */
static void refuses_mounts_that_could_be_led_astray(void)
{
    refuses("{" TENANT ",\"maps\":[{\"src\":\"@/shared/lib\",\"dst\":\"a\",\"mode\":\"rw\"},"
            "{\"src\":\"@/shared/skills\",\"dst\":\"a/skills\"}]}",
            NULL, CROFT_BAD_ARGUMENT, "\"/a/skills\", which lies in what can be written inside");
    refuses("{" TENANT ",\"maps\":[{\"src\":\"@/shared\",\"dst\":\"a\"},"
            "{\"src\":\"@/tools\",\"dst\":\"a/none\"}]}",
            NULL, CROFT_BAD_ARGUMENT, "where there is nothing, or a link, to mount it on");
    refuses("{" TENANT ",\"maps\":[{\"src\":\"@/shared\",\"dst\":\"a\"},"
            "{\"src\":\"@/tools\",\"dst\":\"a/link\"}]}",
            NULL, CROFT_BAD_ARGUMENT, "where there is nothing, or a link, to mount it on");
    accepts("{" TENANT ",\"maps\":[{\"src\":\"@/tools\",\"dst\":\"a/skills\"},"
            "{\"src\":\"@/shared\",\"dst\":\"a\"}]}",
            NULL);
    has_in_order(
        (const char *const[]){"--ro-bind @/shared /a", "--ro-bind @/tools /a/skills", NULL});
    refuses("{" TENANT ",\"system_binds\":[\"/usr\",\"/tmp\"]}", NULL, CROFT_BAD_ARGUMENT,
            "system_binds: a subprocess would see it as \"/tmp\", where it has a /tmp of its own");
    refuses("{" TENANT ",\"system_binds\":[\"@/tools\"]}", NULL, CROFT_BAD_ARGUMENT,
            "where it has a /tmp of its own");
    refuses("{" TENANT ",\"ro_binds\":[\"/proc/sys\"]}", NULL, CROFT_BAD_ARGUMENT,
            "where the kernel's own files are");
    refuses("{" TENANT ",\"ro_binds\":[\"/bin/sh\"]}", NULL, CROFT_BAD_ARGUMENT,
            "where there is nothing, or a link, to mount it on");
}

/* What tools may not change a subprocess may not either. */
static void keeps_read_only_names(void)
{
    static const char *const names[] = {"src", "none"};

    read_only = (struct bwrap_names){names, 2};
    refuses("{" TENANT "}", NULL, CROFT_BAD_ARGUMENT,
            "\"src\" in it is read-only, and a subprocess could not be kept from changing it");
    accepts("{" TENANT ",\"maps\":[{\"src\":\"@/tools\",\"dst\":\"src\"}]}", NULL);
    refuses("{" TENANT ",\"maps\":[{\"src\":\"@/tools\",\"dst\":\"src/x\"}]}", NULL,
            CROFT_BAD_ARGUMENT, "\"src\" in it is read-only"); /* the mount covers a part of it */
    version = 12000;
    accepts("{" TENANT "}", NULL);
    has_in_order((const char *const[]){"--bind @/tenants/acme /workspace",
                                       "--ro-bind @/tenants/acme/src /workspace/src", NULL});
    version = 0;
    read_only.count = 0;
}

static void refuses_what_bubblewrap_would(void)
{
    static char json[200 * 1024];
    char name[64];
    size_t used =
        (size_t)snprintf(json, sizeof json, "{" TENANT ",\"global\":\"@/global\",\"hide\":[");

    fixture_run("mkdir global/many && cd global/many && touch $(seq 3100)");
    for (int i = 1; i <= 3100; i++) {
        snprintf(name, sizeof name, "%s\"@/global/many/%d\"", i == 1 ? "" : ",", i);
        used += (size_t)snprintf(json + used, sizeof json - used, "%s", name);
    }
    snprintf(json + used, sizeof json - used, "]}");
    refuses(json, NULL, CROFT_TOO_MANY, "arguments are more than the 9000 that bubblewrap takes");
}

static void refuses_blanks_that_can_be_written(void)
{
    if (geteuid() != 0)
        return;
    accepts("{" TENANT ",\"rw_binds\":[\"/run\"]}", NULL); /* nothing is masked */
    refuses("{" TENANT ",\"rw_binds\":[\"/run\"],\"hide\":[\"/usr/share/doc\"]}", NULL,
            CROFT_BAD_ARGUMENT, "holds what masks put in the place of files");
}

int main(void)
{
    fixture_make(
        "mkdir -p tenants/acme/src tenants/other tenants/acmeish global/billing/a "
        "global/cache/x shared/skills shared/lib tools cache && "
        "touch tenants/acme/file && echo S > global/secrets.json && ln -s /etc "
        "tenants/acme/out && ln -s secrets.json global/link.json && ln -s lib shared/link");
    renders_in_order();
    masks_last();
    masks_each_tree();
    follows_the_network_key();
    starts_where_it_is_told();
    starts_nowhere_else();
    refuses_masks_that_could_not_hold();
    refuses_mounts_that_could_be_led_astray();
    keeps_read_only_names();
    refuses_what_bubblewrap_would();
    refuses_blanks_that_can_be_written();
    fixture_remove();
    return check_report("bwrap");
}
