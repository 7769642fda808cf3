/* SPDX-License-Identifier: MIT */
/* HMAC-SHA256 against the vectors of RFC 4231, and the comparison that takes the same time for all. */
#include "check.h"
#include "hmac.h"

static void check(const void *key, size_t key_size, const char *data, const char *wanted)
{
    unsigned char mac[SHA256_BYTES];
    char hex[SHA256_HEX];

    hmac_sha256(key, key_size, data, strlen(data), mac);
    sha256_hex(mac, hex);
    CHECK_TEXT(hex, wanted);
}

int main(void)
{
    unsigned char key[131], other[3] = "ab";

    memset(key, 0x0B, 20);
    check(key, 20, "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    check("Jefe", 4, "what do ya want for nothing?",
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xAA, sizeof key);
    check(key, sizeof key, "Test Using Larger Than Block-Size Key - Hash Key First",
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(hmac_same(other, "ab", 2) && !hmac_same(other, "bb", 2) && !hmac_same(other, "aa", 2));
    CHECK(hmac_same(other, "zz", 0));
    return check_report("hmac");
}
