/* SPDX-License-Identifier: MIT */
/* HMAC-SHA256 (RFC 2104): tells whether a text is the one that whoever has the key wrote. */
#ifndef CROFT_HMAC_H
#define CROFT_HMAC_H

#include <stdbool.h>

#include "sha256.h"

void hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                 unsigned char mac[SHA256_BYTES]);

/* Whether both are the same `size` bytes, in a time that does not tell how far they are. */
bool hmac_same(const void *a, const void *b, size_t size);

#endif
