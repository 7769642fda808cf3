/* SPDX-License-Identifier: MIT */
/* What the parts of the crew share. Private to core/serve_crew.c, serve_park.c and serve_end.c. Everything with the
 * lock held. */
#ifndef CROFT_SERVE_CREW_PARTS_H
#define CROFT_SERVE_CREW_PARTS_H

#include "serve_crew.h"

/* ---- serve_crew.c ---- */

/* Sees that somebody is there to do what has just become to do: `busy` threads lead or run a call, those that
 * ask wait for their users, and all others wait for work, or will look for it before they wait. False when
 * nobody can be. */
bool crew_call_for_help(struct crew *crew, size_t busy);

/* Takes a job that does not run from the list, and frees it. */
void crew_forget(struct crew *crew, struct job *job);

/* ---- serve_park.c: jobs that wait for an answer ---- */

/* Puts a job aside until its question is answered. Lets go of the lock meanwhile. */
void park_job(struct crew *crew, struct job *job);

/* Questions that nobody answered in time. */
void park_expire(struct crew *crew);

/* When the first question is not waited for any more, in nanoseconds of the monotonic clock; UINT64_MAX: there is
 * none. */
uint64_t park_first_deadline(const struct crew *crew);

/* Sends questions, and that they are withdrawn. Lets go of the lock meanwhile. */
void park_send_notices(struct crew *crew);

void park_cancel(struct crew *crew, struct job *job);

/* Of all that wait for an answer none will come: the client has gone. */
void park_close(struct crew *crew);

#endif
