#ifndef CDIGESTS_H
#define CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

/// Takes whole blocks of 64 bytes into the state of SHA-256 (FIPS 180-4, section 6.2.2).
void cdg_sha256_compress(uint32_t state[8], const void *blocks, size_t count);

/// Does the same without the processor's instructions for SHA-256.
void cdg_sha256_compress_portable(uint32_t state[8], const void *blocks, size_t count);

#endif
