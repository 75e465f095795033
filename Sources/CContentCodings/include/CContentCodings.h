#ifndef CCONTENTCODINGS_H
#define CCONTENTCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The decoders of libbrotlidec and libzstd, which are loaded on first use. Neither the libraries nor their headers are
// required to build or start the program.

/// A content coding whose decoder is loaded.
typedef enum {
    CCC_BROTLI,
    CCC_ZSTD,
} ccc_coding;

/// The result of a call of the decoder.
typedef enum {
    /// The output buffer is full, or all input was read.
    CCC_OK,
    /// The encoded data are complete. zstd data may continue with another frame.
    CCC_COMPLETE,
    CCC_OUT_OF_MEMORY,
    /// The data do not start as data of this coding do.
    CCC_OTHER_FORMAT,
    CCC_DAMAGED,
    CCC_WRONG_CHECKSUM,
    CCC_NEEDS_DICTIONARY,
    /// The window of the data is larger than 8 MiB (RFC 9659).
    CCC_WINDOW_TOO_LARGE,
} ccc_result;

/// The state of a decoder.
typedef struct ccc_decoder ccc_decoder;

/// Loads the library of a coding on the first call and returns whether it is installed.
bool ccc_is_available(ccc_coding coding);

/// Creates a decoder; returns null if the library is not installed or the memory does not suffice.
ccc_decoder *ccc_decoder_new(ccc_coding coding);
void ccc_decoder_free(ccc_decoder *decoder);

/// Decodes bytes.
///
/// On return, `input_length` is the number of bytes that were read, and `output_length` that of bytes written.
ccc_result ccc_decode(
    ccc_decoder *decoder, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length);

#endif
