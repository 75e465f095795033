#ifndef CTLSKEYS_H
#define CTLSKEYS_H

#include <stddef.h>
#include <stdint.h>

// Reads encrypted keys and PKCS #12 bundles with the BoringSSL that NIOSSL contains.
//
// NIOSSL itself terminates the process if a passphrase is not ASCII, or if a bundle has no certificate for its key.

/// The outcome of reading.
typedef enum {
    CTK_OK = 0,
    /// The passphrase is wrong, or the bytes are invalid.
    CTK_UNREADABLE,
    /// The functions are missing, because this version of NIOSSL uses other names for them.
    CTK_UNAVAILABLE
} ctk_result;

/// Receives bytes that are valid until it returns.
typedef void (*ctk_receiver)(void *context, const uint8_t *bytes, size_t count);

/// Decrypts a private key in PEM and passes it to the receiver in DER (PKCS #8).
ctk_result ctk_decrypt_key(
    const uint8_t *pem, size_t count, const uint8_t *passphrase, size_t passphrase_count, ctk_receiver key,
    void *context);

/// Reads a PKCS #12 bundle (RFC 7292): its key in DER (PKCS #8), and its certificates in DER.
///
/// The certificate of the key comes first, if there is one. A receiver is not called for an item that is missing.
ctk_result ctk_read_bundle(
    const uint8_t *bytes, size_t count, const char *passphrase, ctk_receiver key, ctk_receiver certificate,
    void *context);

#endif
