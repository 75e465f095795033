// Input is only read.
#define ZLIB_CONST
#include <zlib.h>

// The functions that begin a stream are macros, which Swift does not import.

/// Prepares to inflate; the window's width also says the wrapping: -15 raw, 15 zlib, 31 gzip.
static inline int czlib_inflate_init(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

/// Prepares to deflate with zlib's default memory level and strategy; the window's width as above.
static inline int czlib_deflate_init(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}
