/* SPDX-License-Identifier: MIT */
/* A line for which memory runs out leaves nothing of itself behind, and those before and after it are whole. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "serve_output.h"

static bool put(struct output *output, const char *start, size_t size, bool is_text)
{
    const struct output_piece pieces[] = {{start, strlen(start), false}, {"text", size, is_text}};

    return output_try(output, pieces, 2, true);
}

int main(void)
{
    struct output output;
    char text[64] = "";
    int ends[2];

    CHECK(pipe(ends) == 0);
    output_init(&output, ends[1]);
    CHECK(put(&output, "one ", 4, true));
    CHECK(!put(&output, "lost ", PTRDIFF_MAX, false)); /* more than any object has */
    CHECK(put(&output, "two ", 4, false));
    CHECK(!output_is_flushed(&output));
    output_flush(&output);
    CHECK(output_is_flushed(&output));
    CHECK(output_state(&output) == OUTPUT_OPEN);
    CHECK(read(ends[0], text, sizeof text - 1) > 0);
    CHECK_TEXT(text, "one \"text\"\ntwo text\n");
    output_free(&output);
    close(ends[0]);
    close(ends[1]);
    return check_report("serve_output");
}
