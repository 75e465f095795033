#include "CContentCodings.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The declarations of the libraries' stable interfaces.

enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1, BROTLI_NEEDS_MORE_INPUT = 2, BROTLI_NEEDS_MORE_OUTPUT = 3 };
/// All error codes of libbrotlidec from this one to -21 are failed allocations.
enum { BROTLI_FIRST_ALLOCATION_ERROR = -30, BROTLI_LAST_ALLOCATION_ERROR = -21 };

typedef struct brotli_state brotli_state;

typedef struct {
    brotli_state *(*BrotliDecoderCreateInstance)(void *(*)(void *, size_t), void (*)(void *, void *), void *);
    void (*BrotliDecoderDestroyInstance)(brotli_state *);
    int (*BrotliDecoderDecompressStream)(
        brotli_state *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    int (*BrotliDecoderGetErrorCode)(const brotli_state *);
} brotli_library;

typedef struct zstd_state zstd_state;
typedef struct {
    const void *source;
    size_t size;
    size_t position;
} zstd_input;
typedef struct {
    void *target;
    size_t size;
    size_t position;
} zstd_output;

enum {
    ZSTD_PREFIX_UNKNOWN = 10,
    ZSTD_WINDOW_TOO_LARGE = 16,
    ZSTD_CHECKSUM_WRONG = 22,
    ZSTD_DICTIONARY_WRONG = 32,
    ZSTD_MEMORY_ALLOCATION = 64,
};
enum { ZSTD_WINDOW_LOG_MAX = 100 };
/// The binary logarithm of the largest window that the content coding allows (RFC 9659).
enum { WINDOW_LOG = 23 };

typedef struct {
    zstd_state *(*ZSTD_createDStream)(void);
    size_t (*ZSTD_freeDStream)(zstd_state *);
    size_t (*ZSTD_DCtx_setParameter)(zstd_state *, int, int);
    size_t (*ZSTD_decompressStream)(zstd_state *, zstd_output *, zstd_input *);
    unsigned (*ZSTD_isError)(size_t);
    int (*ZSTD_getErrorCode)(size_t);
} zstd_library;

static brotli_library brotli;
static zstd_library zstd;
static bool has_brotli = false;
static bool has_zstd = false;
static pthread_once_t brotli_once = PTHREAD_ONCE_INIT;
static pthread_once_t zstd_once = PTHREAD_ONCE_INIT;

static void *open_first(const char *const *names, size_t count) {
    for (size_t index = 0; index < count; index++) {
        void *handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (handle != NULL) return handle;
    }
    return NULL;
}

// POSIX guarantees that the void pointer from dlsym can be copied to a function pointer.
#define RESOLVE(library, name)                             \
    do {                                                   \
        void *symbol = dlsym(handle, #name);               \
        if (symbol == NULL) return;                        \
        memcpy(&library.name, &symbol, sizeof symbol);     \
    } while (0)

static void load_brotli(void) {
    static const char *const names[] = {"libbrotlidec.so.1", "libbrotlidec.so", "libbrotlidec.1.dylib"};
    void *handle = open_first(names, sizeof names / sizeof *names);
    if (handle == NULL) return;
    RESOLVE(brotli, BrotliDecoderCreateInstance);
    RESOLVE(brotli, BrotliDecoderDestroyInstance);
    RESOLVE(brotli, BrotliDecoderDecompressStream);
    RESOLVE(brotli, BrotliDecoderGetErrorCode);
    has_brotli = true;
}

static void load_zstd(void) {
    static const char *const names[] = {"libzstd.so.1", "libzstd.so", "libzstd.1.dylib"};
    void *handle = open_first(names, sizeof names / sizeof *names);
    if (handle == NULL) return;
    RESOLVE(zstd, ZSTD_createDStream);
    RESOLVE(zstd, ZSTD_freeDStream);
    RESOLVE(zstd, ZSTD_DCtx_setParameter);
    RESOLVE(zstd, ZSTD_decompressStream);
    RESOLVE(zstd, ZSTD_isError);
    RESOLVE(zstd, ZSTD_getErrorCode);
    has_zstd = true;
}
#undef RESOLVE

bool ccc_is_available(ccc_coding coding) {
    if (coding == CCC_BROTLI) {
        pthread_once(&brotli_once, load_brotli);
        return has_brotli;
    }
    pthread_once(&zstd_once, load_zstd);
    return has_zstd;
}

struct ccc_decoder {
    brotli_state *brotli;
    zstd_state *zstd;
};

ccc_decoder *ccc_decoder_new(ccc_coding coding) {
    if (!ccc_is_available(coding)) return NULL;
    ccc_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    if (coding == CCC_BROTLI) {
        decoder->brotli = brotli.BrotliDecoderCreateInstance(NULL, NULL, NULL);
        if (decoder->brotli != NULL) return decoder;
    } else {
        decoder->zstd = zstd.ZSTD_createDStream();
        if (decoder->zstd != NULL
            && !zstd.ZSTD_isError(zstd.ZSTD_DCtx_setParameter(decoder->zstd, ZSTD_WINDOW_LOG_MAX, WINDOW_LOG))) {
            return decoder;
        }
    }
    ccc_decoder_free(decoder);
    return NULL;
}

void ccc_decoder_free(ccc_decoder *decoder) {
    if (decoder == NULL) return;
    if (decoder->brotli != NULL) brotli.BrotliDecoderDestroyInstance(decoder->brotli);
    if (decoder->zstd != NULL) zstd.ZSTD_freeDStream(decoder->zstd);
    free(decoder);
}

static ccc_result decode_brotli(
    ccc_decoder *decoder, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length) {
    size_t left = *input_length;
    size_t room = *output_length;
    int result = brotli.BrotliDecoderDecompressStream(decoder->brotli, &left, &input, &room, &output, NULL);
    *input_length -= left;
    *output_length -= room;
    if (result == BROTLI_SUCCESS) return CCC_COMPLETE;
    if (result != BROTLI_ERROR) return CCC_OK;
    int code = brotli.BrotliDecoderGetErrorCode(decoder->brotli);
    bool is_memory = code >= BROTLI_FIRST_ALLOCATION_ERROR && code <= BROTLI_LAST_ALLOCATION_ERROR;
    return is_memory ? CCC_OUT_OF_MEMORY : CCC_DAMAGED;
}

static ccc_result decode_zstd(
    ccc_decoder *decoder, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length) {
    zstd_input from = {input, *input_length, 0};
    zstd_output to = {output, *output_length, 0};
    size_t result = zstd.ZSTD_decompressStream(decoder->zstd, &to, &from);
    *input_length = from.position;
    *output_length = to.position;
    if (!zstd.ZSTD_isError(result)) return result == 0 ? CCC_COMPLETE : CCC_OK;
    switch (zstd.ZSTD_getErrorCode(result)) {
        case ZSTD_PREFIX_UNKNOWN: return CCC_OTHER_FORMAT;
        case ZSTD_WINDOW_TOO_LARGE: return CCC_WINDOW_TOO_LARGE;
        case ZSTD_CHECKSUM_WRONG: return CCC_WRONG_CHECKSUM;
        case ZSTD_DICTIONARY_WRONG: return CCC_NEEDS_DICTIONARY;
        case ZSTD_MEMORY_ALLOCATION: return CCC_OUT_OF_MEMORY;
        default: return CCC_DAMAGED;
    }
}

ccc_result ccc_decode(
    ccc_decoder *decoder, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length) {
    return decoder->brotli != NULL ? decode_brotli(decoder, input, input_length, output, output_length)
                                   : decode_zstd(decoder, input, input_length, output, output_length);
}
