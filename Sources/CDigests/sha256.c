#include "CDigests.h"

static const uint32_t constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

static uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

static uint32_t word_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void cdg_sha256_compress_portable(uint32_t state[8], const void *blocks, size_t count) {
    const uint8_t *bytes = blocks;
    for (; count > 0; count--, bytes += 64) {
        uint32_t words[64];
        for (int i = 0; i < 16; i++) words[i] = word_at(bytes + 4 * i);
        for (int i = 16; i < 64; i++) {
            uint32_t early = words[i - 15], late = words[i - 2];
            uint32_t first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3;
            uint32_t second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
            words[i] = words[i - 16] + first + words[i - 7] + second;
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < 64; i++) {
            uint32_t sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
            uint32_t first = h + sum1 + ((e & f) ^ (~e & g)) + constants[i] + words[i];
            uint32_t sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
            uint32_t second = sum0 + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + first;
            d = c, c = b, b = a, a = first + second;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

// The registers of the SHA extensions hold the state as ABEF and CDGH; each instruction does two rounds.
__attribute__((target("sha,sse4.1")))
static void compress_x86(uint32_t state[8], const void *blocks, size_t count) {
    const __m128i swap = _mm_set_epi64x(0x0C0D0E0F08090A0BLL, 0x0405060700010203LL);
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state + 1), 0x1B);
    __m128i abef = _mm_alignr_epi8(low, high, 8);
    __m128i cdgh = _mm_blend_epi16(high, low, 0xF0);
    const __m128i *input = blocks;
    for (; count > 0; count--, input += 4) {
        __m128i abef_before = abef, cdgh_before = cdgh, words[4];
        for (int i = 0; i < 4; i++) words[i] = _mm_shuffle_epi8(_mm_loadu_si128(input + i), swap);
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            __m128i sum = _mm_add_epi32(words[i & 3], _mm_loadu_si128((const __m128i *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            if (i < 12) {
                __m128i last = words[(i + 3) & 3];
                __m128i next = _mm_sha256msg1_epu32(words[i & 3], words[(i + 1) & 3]);
                next = _mm_add_epi32(next, _mm_alignr_epi8(last, words[(i + 2) & 3], 4));
                words[i & 3] = _mm_sha256msg2_epu32(next, last);
            }
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    low = _mm_shuffle_epi32(abef, 0x1B);
    high = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xF0));
    _mm_storeu_si128((__m128i *)state + 1, _mm_alignr_epi8(high, low, 8));
}

static int has_extensions(void) {
    // 0: unknown, 1: no, 2: yes. Threads that check at the same time get the same result.
    static _Atomic int known;
    int result = atomic_load_explicit(&known, memory_order_relaxed);
    if (result == 0) {
        unsigned a, b, c, d;
        int has_sse = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3);
        int has_sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
        result = has_sse && has_sha ? 2 : 1;
        atomic_store_explicit(&known, result, memory_order_relaxed);
    }
    return result == 2;
}

void cdg_sha256_compress(uint32_t state[8], const void *blocks, size_t count) {
    if (has_extensions()) {
        compress_x86(state, blocks, count);
    } else {
        cdg_sha256_compress_portable(state, blocks, count);
    }
}
#else
void cdg_sha256_compress(uint32_t state[8], const void *blocks, size_t count) {
    cdg_sha256_compress_portable(state, blocks, count);
}
#endif
