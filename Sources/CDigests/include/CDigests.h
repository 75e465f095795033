#ifndef CDIGESTS_H
#define CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

/// Updates the state of SHA-256 with complete blocks of 64 bytes (FIPS 180-4, section 6.2.2).
void cdg_sha256_compress(uint32_t state[8], const void *blocks, size_t count);

/// Does the same without the SHA-256 instructions of the processor.
void cdg_sha256_compress_portable(uint32_t state[8], const void *blocks, size_t count);

#endif
