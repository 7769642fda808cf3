/* SPDX-License-Identifier: MIT */
/* Many threads that search one tree. Private to core/search*.c. */
#ifndef CROFT_SEARCH_CREW_H
#define CROFT_SEARCH_CREW_H

#include "search_parts.h"

/* How many threads are wanted of a search: what the options say, or the processors that there are. */
unsigned crew_size(const struct search_options *options);

/*
 * Goes on with the walk `tree`, whose options are in `options`, with `threads` threads, and adds what they
 * find to first->result, in the order of the walk. `first` is what the calling thread has searched with.
 * CROFT_OK with first->done or first->status set as the calling thread would have them alone; else the
 * error of the walk.
 */
croft_status crew_search(struct searcher *first, struct tree *tree, struct search_options *options,
                         unsigned threads, croft_error *err);

#endif
