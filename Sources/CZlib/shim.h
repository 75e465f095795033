// Input is only read.
#define ZLIB_CONST
#include <zlib.h>

// The functions that initialize a stream are macros, which Swift does not import.

/// Initializes decompression. The window size also selects the format: -15 for raw, 15 for zlib, 31 for gzip.
static inline int czlib_inflate_init(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

/// Initializes compression with the default memory level and strategy of zlib. The window size is as above.
static inline int czlib_deflate_init(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}
