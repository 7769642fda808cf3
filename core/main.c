/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "croft.h"
#include "front.h"

/* A program started without stdin, stdout or stderr must not get one of its files under that number. */
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
            exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    fill_standard_descriptors();
    (void)signal(SIGXFSZ, SIG_IGN); /* of a log that may not grow too: seen when writing */
    (void)croft_lend_signal(SIGRTMIN, NULL);
    return front_run(argc, argv);
}
