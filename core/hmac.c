/* SPDX-License-Identifier: MIT */
#include "hmac.h"

#include <string.h>

/* The hash of one padded block and what follows it. */
static void hash_padded(const unsigned char block[SHA256_BLOCK], unsigned char pad,
                        const void *data, size_t size, unsigned char digest[SHA256_BYTES])
{
    unsigned char padded[SHA256_BLOCK];
    struct sha256 hash;

    for (size_t i = 0; i < SHA256_BLOCK; i++)
        padded[i] = block[i] ^ pad;
    sha256_init(&hash);
    sha256_add(&hash, padded, sizeof padded);
    sha256_add(&hash, data, size);
    sha256_end(&hash, digest);
}

void hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                 unsigned char mac[SHA256_BYTES])
{
    enum { INNER = 0x36, OUTER = 0x5C };
    unsigned char block[SHA256_BLOCK] = {0}, inner[SHA256_BYTES];
    struct sha256 hash;

    if (key_size <= sizeof block) {
        memcpy(block, key, key_size);
    } else {
        sha256_init(&hash);
        sha256_add(&hash, key, key_size);
        sha256_end(&hash, block);
    }
    hash_padded(block, INNER, data, size, inner);
    hash_padded(block, OUTER, inner, sizeof inner, mac);
}

bool hmac_same(const void *a, const void *b, size_t size)
{
    const unsigned char *first = a, *second = b;
    unsigned char differs = 0;

    for (size_t i = 0; i < size; i++)
        differs |= first[i] ^ second[i];
    return differs == 0;
}
