/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <string.h>

enum { ROUNDS = 64, LENGTH_AT = SHA256_BLOCK - 8 };

/* FIPS 180-4, 4.2.2 */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void sha256_init(struct sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(hash->state, start, sizeof start);
    hash->size = 0;
}

static uint32_t rotate(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static uint32_t get_word(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_word(unsigned char *at, uint32_t word)
{
    at[0] = (unsigned char)(word >> 24);
    at[1] = (unsigned char)(word >> 16);
    at[2] = (unsigned char)(word >> 8);
    at[3] = (unsigned char)word;
}

/* The message schedule of a block: 6.2.2, step 1 */
static void schedule(const unsigned char *block, uint32_t words[ROUNDS])
{
    for (size_t i = 0; i < 16; i++)
        words[i] = get_word(block + 4 * i);
    for (size_t i = 16; i < ROUNDS; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        uint32_t sigma0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3;
        uint32_t sigma1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;

        words[i] = sigma1 + words[i - 7] + sigma0 + words[i - 16];
    }
}

/* 6.2.2, steps 2 to 4 */
static void compress(uint32_t state[8], const unsigned char *block)
{
    uint32_t words[ROUNDS], v[8];

    schedule(block, words);
    memcpy(v, state, sizeof v);
    for (size_t i = 0; i < ROUNDS; i++) {
        uint32_t sum1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t first = v[7] + sum1 + choice + constants[i] + words[i];
        uint32_t sum0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);

        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + sum0 + majority;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
    const unsigned char *from = data;
    size_t used = hash->size % SHA256_BLOCK;

    hash->size += size;
    while (size > 0) {
        size_t piece = SHA256_BLOCK - used;

        if (used == 0 && size >= SHA256_BLOCK) {
            compress(hash->state, from); /* not copied */
        } else {
            piece = size < piece ? size : piece;
            memcpy(hash->block + used, from, piece);
            used += piece;
            if (used == SHA256_BLOCK)
                compress(hash->state, hash->block);
            used %= SHA256_BLOCK;
        }
        from += piece;
        size -= piece;
    }
}

void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES])
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    uint64_t bits = hash->size * 8;
    size_t used = hash->size % SHA256_BLOCK;
    unsigned char length[8];

    put_word(length, (uint32_t)(bits >> 32));
    put_word(length + 4, (uint32_t)bits);
    sha256_add(hash, padding, (used < LENGTH_AT ? LENGTH_AT : LENGTH_AT + SHA256_BLOCK) - used);
    sha256_add(hash, length, sizeof length);
    for (size_t i = 0; i < 8; i++)
        put_word(digest + 4 * i, hash->state[i]);
}

void sha256_hex(const unsigned char digest[SHA256_BYTES], char hex[SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < SHA256_BYTES; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * SHA256_BYTES] = '\0';
}

void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX])
{
    struct sha256 hash;
    unsigned char digest[SHA256_BYTES];

    sha256_init(&hash);
    sha256_add(&hash, data, size);
    sha256_end(&hash, digest);
    sha256_hex(digest, hex);
}
