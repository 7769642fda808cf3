/* SPDX-License-Identifier: MIT */
/* A view's configuration: what it may say, what is refused, and what comes of it on a host. */
#include "view_plan.h"

#include "check.h"
#include "tree_fixture.h"

/* ---- helpers ----------------------------------------------------------------------------------- */

static char sentences[16384];

/* `text` with each @ replaced by the base directory. */
static const char *filled(const char *text)
{
    static char buffer[8192];
    size_t used = 0;

    for (; *text != '\0'; text++)
        if (*text == '@')
            used += (size_t)snprintf(buffer + used, sizeof buffer - used, "%s", fixture_base);
        else
            buffer[used++] = *text;
    buffer[used] = '\0';
    return buffer;
}

/* Makes the plan; what is wrong is in `sentences`. NULL when anything is. */
static struct view_plan *plan_of(const char *json, const char *tenant)
{
    const char *text = filled(json);
    struct view_config *config = NULL;
    struct problems problems = {0};
    struct view_plan *plan = NULL;

    CHECK(view_config_parse((struct json_slice){text, strlen(text)}, &config, &problems));
    if (config != NULL)
        CHECK(view_plan_make(config, tenant, &sys_kernel, &plan, &problems));
    if (problems.count > 0) { /* of what parses badly the rest is looked at, and nothing made */
        view_plan_free(plan);
        plan = NULL;
    }
    snprintf(sentences, sizeof sentences, "%s", bytes_end(&problems.lines));
    problems_free(&problems);
    view_config_free(config);
    return plan;
}

static void refuses(const char *json, const char *tenant, const char *why)
{
    struct view_plan *plan = plan_of(json, tenant);
    bool told = strstr(sentences, why) != NULL;

    CHECK(plan == NULL);
    CHECK(told);
    if (!told)
        fprintf(stderr, "    %s\n    wanted: %s\n    got: %s\n", json, why, sentences);
    view_plan_free(plan);
}

static size_t lines_told(void)
{
    size_t count = 0;

    for (const char *at = sentences; *at != '\0'; at++)
        count += *at == '\n';
    return count;
}

static const struct plan_mask *mask_at(const struct view_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->mask_count; i++)
        if (strcmp(plan->masks[i].path, filled(path)) == 0)
            return &plan->masks[i];
    return NULL;
}

/* ---- what it may say --------------------------------------------------------------------------- */

static const char *const whole =
    "{\"root\":\"@/tenants/acme\",\"global\":\"@/global\",\"tenants\":\"@/tenants\","
    "\"secret_files\":[\"secrets.json\",\"later/./deep.key\"],"
    "\"hide\":[\"@/global/billing\",\"@/global/not/yet\"],"
    "\"ro_binds\":[\"@/tools\"],\"rw_binds\":[\"@/cache\"],"
    "\"maps\":[{\"src\":\"@/shared/skills\",\"dst\":\"skills\"},"
    "{\"src\":\"@/shared/lib\",\"dst\":\"a/b/\",\"mode\":\"rw\"}],"
    "\"net\":\"host\",\"system_binds\":[\"/usr\",\"/not/there\"],\"env\":[\"LANG\"]}";

static void test_whole(void) /* S1-3, S1-4, S1-5, S1-6, S1-7 */
{
    struct view_plan *plan = plan_of(whole, NULL);

    CHECK_TEXT(sentences, "");
    if (plan == NULL)
        return;
    CHECK(plan->mount_count == 6 && plan->mask_count == 5);
    CHECK(plan->mounts[0].kind == PLAN_ROOT && plan->mounts[0].writable);
    CHECK_TEXT(plan->mounts[0].path, filled("@/tenants/acme"));
    CHECK_TEXT(plan->mounts[0].inside, "/workspace");
    CHECK(plan->mounts[1].kind == PLAN_GLOBAL && !plan->mounts[1].writable);
    CHECK_TEXT(plan->mounts[1].inside, "/global");
    CHECK(plan->mounts[2].kind == PLAN_MAP && !plan->mounts[2].writable);
    CHECK_TEXT(plan->mounts[2].name, "skills");
    CHECK_TEXT(plan->mounts[3].name, "a/b");
    CHECK_TEXT(plan->mounts[3].inside, "/a/b");
    CHECK(plan->mounts[3].writable);
    CHECK(plan->mounts[4].name == NULL && !plan->mounts[4].writable);
    CHECK_TEXT(plan->mounts[4].inside, filled("@/tools"));
    CHECK(plan->mounts[5].writable);
    CHECK(mask_at(plan, "@/global/secrets.json") != NULL);
    CHECK(mask_at(plan, "@/global/later/deep.key") != NULL);
    CHECK(mask_at(plan, "@/global/billing") != NULL);
    CHECK(mask_at(plan, "@/global/not/yet") != NULL); /* D4 */
    CHECK(mask_at(plan, "@/tenants")->kind == PLAN_NEIGHBOURS);
    CHECK(plan->host_net && plan->system_binds.count == 1 && plan->env.count == 1);
    view_plan_free(plan);
}

static void test_schema(void)
{
    static const char *const cases[][2] = {
        {"[]", "it is a list, and must be an object"},
        {"{", "it is no JSON"},
        {"{}", "root is missing"},
        {"{\"root\":\"@/tenants/acme\",\"Root\":1}", "there is no key \"Root\" (there are root,"},
        {"{\"root\":\"@/tenants/acme\",\"root\":\"@/tenants/acme\"}", "root is given twice"},
        {"{\"root\":7}", "root is a number, and must be a text"},
        {"{\"root\":\"tenants/acme\"}", "root: \"tenants/acme\" is not absolute"},
        {"{\"root\":\"@/tenants/../tenants/acme\"}", "has \"..\" in it"},
        {"{\"root\":\"@/a\\u0000b\"}", "root holds a NUL"},
        {"{\"root\":\"@/{tenent}\"}", "has a brace that is none of {tenant}"},
        {"{\"root\":\"@/tenants/acme\",\"tenants\":\"@/{tenant}\"}", "tenants: "},
        {"{\"root\":\"@/tenants/acme\",\"tenants\":\"/\"}", "tenants: it is \"/\""},
        {"{\"root\":\"@/tenants/acme\",\"hide\":\"@/global\"}",
         "hide is a text, and must be a list"},
        {"{\"root\":\"@/tenants/acme\",\"hide\":[\"@/x\",3]}", "hide 2 is a number"},
        {"{\"root\":\"@/tenants/acme\",\"secret_files\":[\"x\"]}", "there is no global"},
        {"{\"root\":\"@/tenants/acme\",\"global\":\"@/global\",\"secret_files\":[\"../x\"]}",
         "secret_files 1: \"../x\" is empty, too long, not UTF-8, or climbs"},
        {"{\"root\":\"@/tenants/acme\",\"net\":\"on\"}",
         "net: \"on\" is neither \"none\" nor \"host\""},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/shared/lib\",\"dst\":\"../x\"}]}",
         "maps 1: dst: \"../x\""},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/shared/lib\",\"dst\":\"/x\"}]}",
         "maps 1: dst: \"/x\" is absolute"},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/shared/lib\",\"dst\":\"Global/x\"}]}",
         "would cover a directory that every subprocess has"},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"dst\":\"x\",\"mode\":\"wo\"}]}",
         "maps 1: mode: \"wo\" is neither \"ro\" nor \"rw\""},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"dst\":\"x\",\"mode\":\"ro\"}]}",
         "maps 1: src is missing"},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/shared\",\"to\":\"x\"}]}",
         "maps 1: there is no key \"to\" (there are src, dst, mode)"},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/shared/lib\",\"dst\":\"x\"},"
         "{\"src\":\"@/shared/lib\",\"dst\":\"x/\"}]}",
         "maps 2: dst: \"x\" is that of maps 1 too"},
        {"{\"root\":\"@/tenants/acme\",\"env\":[\"A=B\"]}", "env 1: \"A=B\" is no name"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuses(cases[i][0], NULL, cases[i][1]);
}

/* ---- on a host --------------------------------------------------------------------------------- */

static void test_host(void)
{
    static const char *const cases[][2] = {
        {"{\"root\":\"@/none\"}", "root: \"@/none\" does not exist"},
        {"{\"root\":\"@/file\"}", "is no directory"},
        {"{\"root\":\"@/loop\"}", "leads through too many links"},
        {"{\"root\":\"/\"}", "is all of the host"},
        {"{\"root\":\"@/tenants/acme\",\"global\":\"@/tenants/acme/sub\"}",
         "lies in root, which the tenant can write"},
        {"{\"root\":\"@/tenants/acme\",\"global\":\"@/tenants/acme\"}", "lies in root"},
        {"{\"root\":\"@/tenants/acme\",\"tenants\":\"@/tenants/acme\"}", "is the root"},
        {"{\"root\":\"@/tenants\",\"tenants\":\"@/tenants/acme\"}", "lies in the root"},
        /* D5 */
        {"{\"root\":\"@/tenants/acme\",\"tenants\":\"@/tenants\",\"global\":\"@/tenants/beta\"}",
         "global: \"@/tenants/beta\" lies in what tenants hides"},
        {"{\"root\":\"@/tenants/acme\",\"hide\":[\"@/tenants\"]}", "lies in what hide 1 hides"},
        {"{\"root\":\"@/tenants/acme\",\"hide\":[\"@/shared\"],\"maps\":[{\"src\":"
         "\"@/shared/lib\",\"dst\":\"x\"}]}",
         "maps 1: \"@/shared/lib\" lies in what hide 1 hides"},
        {"{\"root\":\"@/tenants/acme\",\"hide\":[\"@/shared\"],\"ro_binds\":[\"@/by_link\"]}",
         "lies in what hide 1 hides"},
        {"{\"root\":\"@/tenants/acme\",\"tenants\":\"@/tenants\",\"ro_binds\":"
         "[\"@/tenants/beta\"]}",
         "lies in what tenants hides"},
        {"{\"root\":\"@/tenants/acme\",\"ro_binds\":[\"@/tenants/acme/sub\"]}",
         "lies in root, which the tenant can write"},
        {"{\"root\":\"@/tenants/acme\",\"ro_binds\":[\"@/none\"]}", "ro_binds 1: "},
        {"{\"root\":\"@/tenants/acme\",\"ro_binds\":[\"@/tools\",\"@/tools\"]}",
         "is where a subprocess sees ro_binds 1"},
        {"{\"root\":\"@/tenants/acme\",\"hide\":[\"@/dangling/x\"]}",
         "leads through a link to nothing"},
        {"{\"root\":\"@/tenants/acme\",\"hide\":[\"@/loop/x\"]}", "too many links"},
        {"{\"root\":\"@/tenants/stolen\",\"tenants\":\"@/tenants\"}",
         "leads to the directory of another tenant"},
        {"{\"root\":\"@/tenants/acme\",\"system_binds\":[\"/etc\"]}", "is too much"},
        /* P14: what the tenant could swap, or has planted */
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/tenants\",\"dst\":\"all\","
         "\"mode\":\"rw\"}]}",
         "root: \"@/tenants/acme\" lies in maps 1, which the tenant can write"},
        {"{\"root\":\"@/tenants/acme\",\"rw_binds\":[\"@/tenants\"]}",
         "root: \"@/tenants/acme\" lies"},
        {"{\"root\":\"@/tenants/acme\",\"maps\":[{\"src\":\"@/tenants/acme/"
         "planted\",\"dst\":\"x\"}]}",
         "maps 1: the way to \"@/tenants/acme/planted\" leads through root, which the tenant can"},
        {"{\"root\":\"@/tenants/acme\",\"ro_binds\":[\"@/to_planted/lib\"]}",
         "ro_binds 1: the way to \"@/to_planted/lib\" leads through root"},
        {"{\"root\":\"@/root_link\",\"global\":\"@/root_link/planted\"}", "leads through root"},
        {"{\"root\":\"@/tenants/acme\",\"system_binds\":[\"@/tenants/acme/sub\"]}",
         "system_binds: the way to \"@/tenants/acme/sub\" leads through root"},
        {"{\"root\":\"@/tenants/acme\",\"system_binds\":[\"/usr\",\"@/to_planted\"]}",
         "system_binds: the way to \"@/to_planted\" leads through root"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char why[512];

        snprintf(why, sizeof why, "%s", filled(cases[i][1]));
        refuses(cases[i][0], NULL, why);
    }
}

/* A configuration that is wrong in six ways is told of all of them. */
static void test_all_at_once(void)
{
    refuses("{\"root\":\"@/none\",\"colour\":1,\"net\":3,\"hide\":[\"x\",\"@/loop/y\"],"
            "\"maps\":[{\"src\":\"@/shared/lib\",\"dst\":\"\"}]}",
            NULL, "colour");
    CHECK(lines_told() == 6);
}

/* ---- masks that are links ---------------------------------------------------------------------- */

static void test_mask_links(void)
{
    struct view_plan *plan =
        plan_of("{\"root\":\"@/tenants/acme\",\"global\":\"@/global_link\","
                "\"secret_files\":[\"key\"],\"hide\":[\"@/global_link/alias\"]}",
                NULL);

    CHECK_TEXT(sentences, "");
    if (plan == NULL)
        return;
    CHECK(mask_at(plan, "@/global/key") != NULL);
    CHECK(mask_at(plan, "@/global/alias") != NULL);
    CHECK(mask_at(plan, "@/global/billing") != NULL); /* what the alias leads to */
    view_plan_free(plan);
}

/* ---- tenants ----------------------------------------------------------------------------------- */

static const char *const template =
    "{\"root\":\"@/tenants/{tenant}\",\"global\":\"@/global\",\"tenants\":\"@/tenants\"}";

static void test_tenants(void) /* S1-2, S1-23 */
{
    static const char *const names[] = {"",  ".",   "..",       "a/b", "../acme",
                                        "/", "a\n", "{tenant}", "\xff"};
    static const char *const layouts[] = {
        /* where `beta` leads to what is the other's */
        "{\"root\":\"@/many/{tenant}-data\",\"tenants\":\"@/many\"}",
        "{\"root\":\"@/many/eu/{tenant}\",\"tenants\":\"@/many\"}",
        "{\"root\":\"@/many/eu/{tenant}/now\",\"tenants\":\"@/many\"}",
        "{\"root\":\"@/homes/{tenant}\",\"tenants\":\"@/many\"}",
        "{\"root\":\"@/eu/{tenant}\",\"tenants\":\"@/many\"}"};
    struct view_plan *acme = plan_of(template, "acme"), *beta = plan_of(template, "beta");

    CHECK(acme != NULL && beta != NULL);
    if (acme != NULL && beta != NULL) {
        CHECK_TEXT(acme->mounts[0].path, filled("@/tenants/acme"));
        CHECK_TEXT(beta->mounts[0].path, filled("@/tenants/beta"));
    }
    view_plan_free(acme);
    view_plan_free(beta);
    acme = plan_of("{\"tenants\":\"@/tenants\"}", "acme");
    CHECK(acme != NULL && strcmp(acme->mounts[0].path, filled("@/tenants/acme")) == 0);
    view_plan_free(acme);

    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        acme = plan_of(layouts[i], "acme");
        CHECK_TEXT(sentences, "");
        view_plan_free(acme);
        refuses(layouts[i], "beta", "leads to the directory of another tenant");
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        refuses(template, names[i], "is no name");
    refuses(template, "gamma", "does not exist");
    refuses(template, "stolen", "leads to the directory of another tenant");
    refuses("{\"root\":\"@/tenants/acme\"}", "acme", "all tenants would share it");
    CHECK(plan_of(template, NULL) == NULL); /* a template is no view */
    CHECK_TEXT(sentences, "");
}

static void test_within(void)
{
    CHECK(path_is_within("/a/b", "/a") && path_is_within("/a", "/a") && path_is_within("/a", "/"));
    CHECK(!path_is_within("/ab", "/a") && !path_is_within("/a", "/a/b"));
    CHECK(!path_is_within("/a-b/c", "/a") && !path_is_within("/b", "/a"));
}

int main(void)
{
    fixture_make(
        "mkdir -p tenants/acme/sub tenants/beta global/billing shared/skills shared/lib "
        "tools cache && echo x > file && ln -s loop loop && ln -s nowhere dangling && "
        "ln -s global global_link && ln -s billing global/alias && ln -s shared by_link && "
        "ln -s beta tenants/stolen && ln -s ../../shared tenants/acme/planted && "
        "mkdir -p many/acme-data many/eu/acme/v2 many/acme homes && ln -s v2 many/eu/acme/now && "
        "ln -s acme-data many/beta-data && ln -s acme many/eu/beta && ln -s many/eu eu && "
        "ln -s ../many/acme homes/acme && ln -s ../many/acme homes/beta && "
        "ln -s tenants/acme/planted to_planted && ln -s tenants/acme root_link");
    test_whole();
    test_schema();
    test_host();
    test_all_at_once();
    test_mask_links();
    test_tenants();
    test_within();
    fixture_remove();
    return check_report("view_plan_test");
}
