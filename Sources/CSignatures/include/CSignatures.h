#ifndef CSIGNATURES_H
#define CSIGNATURES_H

#include <stddef.h>
#include <stdint.h>

// Signs digests with RSA and ECDSA, and verifies such signatures, with the BoringSSL that NIOSSL contains.

/// The outcome of signing or verifying.
typedef enum {
    CSG_OK = 0,
    /// The key is not a PEM key, or it is encrypted.
    CSG_UNREADABLE_KEY,
    /// The key has another type or curve than the algorithm requires.
    CSG_OTHER_KEY,
    /// The signature is wrong; or the key, such as a short one, cannot sign the digest.
    CSG_FAILED,
    /// The functions are missing, because the program is linked without NIOSSL or its version uses other names.
    CSG_UNAVAILABLE
} csg_result;

/// The kind of a signature.
typedef enum {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    CSG_RSA,
    /// ECDSA with the curve P-256, P-384 or P-521; the signature is the concatenation of r and s.
    CSG_ECDSA
} csg_kind;

/// Receives bytes that are valid until it returns.
typedef void (*csg_receiver)(void *context, const uint8_t *bytes, size_t count);

/// Signs a digest of SHA-256, SHA-384 or SHA-512 with a private key in PEM.
csg_result csg_sign(
    csg_kind kind, const uint8_t *digest, size_t digest_count, const uint8_t *pem, size_t pem_count,
    csg_receiver signature, void *context);

/// Verifies the signature of a digest with a public key, a certificate or a private key in PEM.
csg_result csg_verify(
    csg_kind kind, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t signature_count,
    const uint8_t *pem, size_t pem_count);

#endif
