#ifndef CTLSKEYS_H
#define CTLSKEYS_H

#include <stddef.h>
#include <stdint.h>

// Reads encrypted keys and PKCS #12 bundles with the BoringSSL that NIOSSL is built with.
//
// NIOSSL ends the process over a passphrase outside of ASCII, and over a bundle without a certificate for its key.

/// The outcome of reading.
typedef enum {
    CTK_OK = 0,
    /// The passphrase is wrong, or the bytes are not what they should be.
    CTK_UNREADABLE,
    /// The functions are not there: this NIOSSL names them differently.
    CTK_UNAVAILABLE
} ctk_result;

/// Receives bytes that are valid until it returns.
typedef void (*ctk_receiver)(void *context, const uint8_t *bytes, size_t count);

/// Decrypts a private key in its PEM form; the receiver gets it in DER (PKCS #8).
ctk_result ctk_decrypt_key(
    const uint8_t *pem, size_t count, const uint8_t *passphrase, size_t passphrase_count, ctk_receiver key,
    void *context);

/// Reads a PKCS #12 bundle (RFC 7292): its key in DER (PKCS #8), and its certificates in DER.
///
/// The certificate of the key comes first, if it is there. A receiver is not called for what the bundle does not have.
ctk_result ctk_read_bundle(
    const uint8_t *bytes, size_t count, const char *passphrase, ctk_receiver key, ctk_receiver certificate,
    void *context);

#endif
