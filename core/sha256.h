/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4): tells contents apart, and says that two are the same without keeping either.
 *
 * What is hashed is the bytes one after another: of several parts, ("ab", "c") and ("a", "bc") have
 * one hash. Put their sizes or a separator between them where that matters.
 *
 * Not for comparing secrets in constant time, and no message authentication code: that is HMAC.
 */
#ifndef CROFT_SHA256_H
#define CROFT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_HEX = 2 * SHA256_BYTES + 1, SHA256_BLOCK = 64 };

/* A hash of what was added so far. A copy of it goes on by itself. */
struct sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes added */
    unsigned char block[SHA256_BLOCK];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size); /* NULL is fine for size 0 */

/* The digest; `hash` is to be initialized before it is used again. */
void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES]);

/* A digest in lower-case hexadecimal digits, ended by NUL. */
void sha256_hex(const unsigned char digest[SHA256_BYTES], char hex[SHA256_HEX]);

/* All of it at once. */
void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX]);

#endif
