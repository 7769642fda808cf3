/* SPDX-License-Identifier: MIT */
/* The rules for arguments that name a path, and names that stand for others. S0-27 S0-28 S0-29 */
#include "path.h"

#include <stdlib.h>

#include "check.h"

static void parse(const char *text, const char *wanted, bool must_be_directory)
{
    struct path path;
    croft_error err;

    CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
    CHECK_TEXT(path.text, wanted);
    CHECK(path.must_be_directory == must_be_directory);
}

static void refuse(const char *text, size_t size, croft_status kind, const char *detail)
{
    struct path path;
    croft_error err;

    memset(&err, 0, sizeof err);
    CHECK(path_parse(text, size, &path, &err) == kind);
    CHECK_TEXT(err.detail, detail);
}

static void refuse_text(const char *text, croft_status kind, const char *detail)
{
    refuse(text, strlen(text), kind, detail);
}

static void cleans(void)
{
    parse("a.txt", "a.txt", false);
    parse(".", "", true);
    parse("./a//b/./c", "a/b/c", false);
    parse("a/", "a", true);
    parse("a/.", "a", true);
    parse("a/..", "", true);
    parse("a/../b", "b", false);
    parse("a/b/../../c", "c", false);
    parse("..hidden", "..hidden", false);
    parse("...", "...", false);
    parse("a\\b", "a\\b", false);
    parse(" f", " f", false);
    parse("*", "*", false);
    parse("~", "~", false);
    parse("%2e%2e/x", "%2e%2e/x", false);
    parse("C:", "C:", false);
    parse("a:b/c", "a:b/c", false);
}

static void refuses(void)
{
    refuse_text("", CROFT_BAD_ARGUMENT, "empty");
    refuse("a\0b", 3, CROFT_BAD_ARGUMENT, "nul");
    refuse_text("a\xff", CROFT_BAD_ARGUMENT, "utf8");
    refuse_text("\xed\xa0\x80", CROFT_BAD_ARGUMENT, "utf8");
    refuse_text("/", CROFT_OUTSIDE, "absolute");
    refuse_text("/etc/passwd", CROFT_OUTSIDE, "absolute");
    refuse_text("//etc/passwd", CROFT_OUTSIDE, "absolute");
    refuse_text("C:/x", CROFT_OUTSIDE, "drive");
    refuse_text("c:\\x", CROFT_OUTSIDE, "drive");
    refuse_text("..", CROFT_OUTSIDE, "climbs");
    refuse_text("../", CROFT_OUTSIDE, "climbs");
    refuse_text("../.", CROFT_OUTSIDE, "climbs");
    refuse_text("a/../../b", CROFT_OUTSIDE, "climbs");
    refuse_text("./..", CROFT_OUTSIDE, "climbs");
}

/* What a listing gave is no argument. */
static void takes_what_is_there(void)
{
    struct path path;
    croft_error err;

    CHECK(path_parse_raw("C:/x", 4, &path, &err) == CROFT_OK && path.count == 2);
    CHECK_TEXT(path.text, "C:/x");
    CHECK(path_parse_raw("c\xff", 2, &path, &err) == CROFT_OK);
    CHECK(path_parse_raw("/x", 2, &path, &err) == CROFT_OUTSIDE);
    parse("./C:/x", "C:/x", false);
    CHECK(path_names_drive("C:/", 3) && path_names_drive("z:\\x", 4));
    CHECK(!path_names_drive("C:", 2) && !path_names_drive("1:/", 3) &&
          !path_names_drive("aC:/", 4));
}

static void bounds_lengths(void)
{
    char text[PATH_BYTES + 2];
    struct path path;
    croft_error err;

    memset(text, 'a', sizeof text);
    refuse(text, NAME_BYTES + 1, CROFT_BAD_ARGUMENT, "long");
    CHECK(path_parse(text, NAME_BYTES, &path, &err) == CROFT_OK);
    for (size_t i = 1; i < sizeof text; i += 2)
        text[i] = '/';
    CHECK(path_parse(text, PATH_BYTES, &path, &err) == CROFT_OK);
    CHECK(path.count == (PATH_BYTES + 1) / 2);
    refuse(text, PATH_BYTES + 1, CROFT_BAD_ARGUMENT, "long");
}

static bool stands(const char *name)
{
    return name_stands_for(name, strlen(name), "skills");
}

static void folds_names(void)
{
    CHECK(stands("skills"));
    CHECK(stands("SKILLS"));
    CHECK(stands("Skills."));
    CHECK(stands("skills. ."));
    CHECK(stands("skills::$DATA"));
    CHECK(stands("sk\xe2\x80\x8cills")); /* zero width non-joiner */
    CHECK(stands("\xef\xbb\xbfskills")); /* byte order mark */
    CHECK(stands("s\xe2\x84\xaa"
                 "ills"));          /* the Kelvin sign */
    CHECK(stands("\xc5\xbfkills")); /* long s */
    CHECK(stands("SKILLS~1"));
    CHECK(stands("skil~12"));
    CHECK(!stands("skills2"));
    CHECK(!stands("myskills"));
    CHECK(!stands("skill"));
    CHECK(!stands("skills~"));
    CHECK(!stands("skills~x"));
    CHECK(!stands(".skills"));
    CHECK(!stands("docs~1"));
    CHECK(!stands(""));
}

int main(void)
{
    cleans();
    refuses();
    takes_what_is_there();
    bounds_lengths();
    folds_names();
    CHECK(name_is_reserved(".~croft-00", 10));
    CHECK(!name_is_reserved(".~croft", 7));
    return check_report("path");
}
