/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <stdlib.h>

#include "check.h"

/* NIST's examples for FIPS 180-4, the empty message and the long ones of its test suite included. */
static void check_examples(void)
{
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrl"
         "mno"
         "pqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    char hex[SHA256_HEX];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sha256_hex_of(cases[i].text, strlen(cases[i].text), hex);
        CHECK_TEXT(hex, cases[i].hex);
    }
    sha256_hex_of(NULL, 0, hex);
    CHECK_TEXT(hex, cases[0].hex);
}

/* `count` times the byte `value`, as NIST's SHA256Additional has them: around the ends of blocks. */
static void check_repeated(void)
{
    static const struct {
        size_t count;
        unsigned char value;
        const char *hex;
    } cases[] = {
        {1, 0xbd, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"},
        {55, 0, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
        {56, 0, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
        {57, 0, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"},
        {64, 0, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
        {1000, 0, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"},
        {1000, 'A', "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4"},
        {1005, 'U', "f4d62ddec0f3dd90ea1380fa16a5ff8dc4c54b21740650f24afc4120903552b0"},
        {1000000, 0, "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025"},
        {1000000, 'a', "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    char hex[SHA256_HEX];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *data = malloc(cases[i].count);

        CHECK(data != NULL);
        if (data == NULL)
            return;
        memset(data, cases[i].value, cases[i].count);
        sha256_hex_of(data, cases[i].count, hex);
        CHECK_TEXT(hex, cases[i].hex);
        free(data);
    }
}

/* In pieces of every size it is what it is in one. */
static void check_pieces(void)
{
    unsigned char data[200], digest[SHA256_BYTES];
    char whole[SHA256_HEX], hex[SHA256_HEX];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7);
    sha256_hex_of(data, sizeof data, whole);
    for (size_t piece = 1; piece <= sizeof data; piece++) {
        struct sha256 hash, copy;

        sha256_init(&hash);
        for (size_t at = 0; at < sizeof data; at += piece)
            sha256_add(&hash, data + at, at + piece > sizeof data ? sizeof data - at : piece);
        copy = hash;
        sha256_end(&hash, digest);
        sha256_hex(digest, hex);
        CHECK_TEXT(hex, whole);
        sha256_end(&copy, digest);
        sha256_hex(digest, hex);
        CHECK_TEXT(hex, whole);
    }
}

/* The length goes on counting where 32 bits of it end: as if 4 GiB had been added before, without
 * the seconds that it takes to add them. (Made with another implementation.) */
static void check_long_length(void)
{
    struct sha256 hash;
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&hash);
    hash.size = (uint64_t)1 << 32;
    sha256_end(&hash, digest);
    sha256_hex(digest, hex);
    CHECK_TEXT(hex, "7ccf0d399639597c6ac9bd868695ea3bdcba23e33da8cb4e089e20cdff2e3300");
}

int main(void)
{
    check_examples();
    check_repeated();
    check_pieces();
    check_long_length();
    return check_report("sha256");
}
