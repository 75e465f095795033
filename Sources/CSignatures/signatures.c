#include "CSignatures.h"

#include <limits.h>

// The functions of BoringSSL, with the prefix that they have in NIOSSL. They are not part of NIOSSL's interface, so
// they are weak: if they are missing, the program is linked without them.
#define BORINGSSL(result, name, ...) extern result CNIOBoringSSL_##name(__VA_ARGS__) __attribute__((weak))

typedef int csg_password_callback(char *buffer, int size, int writes, void *context);

BORINGSSL(void *, BIO_new_mem_buf, const void *bytes, ptrdiff_t count);
BORINGSSL(int, BIO_free, void *bio);
BORINGSSL(void *, PEM_read_bio_PrivateKey, void *bio, void **key, csg_password_callback *callback, void *context);
BORINGSSL(void *, PEM_read_bio_PUBKEY, void *bio, void **key, csg_password_callback *callback, void *context);
BORINGSSL(void *, PEM_read_bio_X509, void *bio, void **certificate, csg_password_callback *callback, void *context);
BORINGSSL(void *, X509_get_pubkey, const void *certificate);
BORINGSSL(void, X509_free, void *certificate);
BORINGSSL(int, EVP_PKEY_id, const void *key);
BORINGSSL(void, EVP_PKEY_free, void *key);
BORINGSSL(void *, EVP_PKEY_get0_RSA, const void *key);
BORINGSSL(void *, EVP_PKEY_get0_EC_KEY, const void *key);
BORINGSSL(int, EVP_PKEY_get_ec_curve_nid, const void *key);
BORINGSSL(
    int, RSA_sign, int hash, const uint8_t *digest, size_t digest_count, uint8_t *signature, unsigned *count, void *rsa);
BORINGSSL(
    int, RSA_verify, int hash, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count,
    void *rsa);
BORINGSSL(unsigned, RSA_size, const void *rsa);
BORINGSSL(
    int, ECDSA_sign_p1363, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t *count,
    size_t maximum, const void *key);
BORINGSSL(
    int, ECDSA_verify_p1363, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count,
    const void *key);
BORINGSSL(void, ERR_clear_error, void);

#define HAS(name) (CNIOBoringSSL_##name != NULL)

/// The maximum size of a signature in bytes: that of an RSA key of 16,384 bits.
#define MAXIMUM_SIGNATURE 2048

static int is_available(void) {
    return HAS(BIO_new_mem_buf) && HAS(BIO_free) && HAS(PEM_read_bio_PrivateKey) && HAS(PEM_read_bio_PUBKEY)
        && HAS(PEM_read_bio_X509) && HAS(X509_get_pubkey) && HAS(X509_free) && HAS(EVP_PKEY_id) && HAS(EVP_PKEY_free)
        && HAS(EVP_PKEY_get0_RSA) && HAS(EVP_PKEY_get0_EC_KEY) && HAS(EVP_PKEY_get_ec_curve_nid) && HAS(RSA_sign)
        && HAS(RSA_verify) && HAS(RSA_size) && HAS(ECDSA_sign_p1363) && HAS(ECDSA_verify_p1363)
        && HAS(ERR_clear_error);
}

/// The kinds of PEM blocks that contain a key.
typedef enum { PRIVATE_KEY, PUBLIC_KEY, CERTIFICATE } block;

/// Returns the key of the first block of a kind, or NULL.
static void *read_key(block kind, const uint8_t *pem, size_t count) {
    void *bio = CNIOBoringSSL_BIO_new_mem_buf(pem, (ptrdiff_t)count);
    if (bio == NULL) return NULL;
    void *key = NULL;
    // Without a callback and a context, an encrypted key is unreadable.
    switch (kind) {
    case PRIVATE_KEY: key = CNIOBoringSSL_PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL); break;
    case PUBLIC_KEY: key = CNIOBoringSSL_PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL); break;
    case CERTIFICATE: {
        void *certificate = CNIOBoringSSL_PEM_read_bio_X509(bio, NULL, NULL, NULL);
        if (certificate == NULL) break;
        key = CNIOBoringSSL_X509_get_pubkey(certificate);
        CNIOBoringSSL_X509_free(certificate);
        break;
    }
    }
    CNIOBoringSSL_BIO_free(bio);
    return key;
}

// Identifiers of key types, curves and hash functions in BoringSSL (nid.h).
enum { NID_RSA = 6, NID_EC = 408, NID_P256 = 415, NID_P384 = 715, NID_P521 = 716 };
enum { NID_SHA256 = 672, NID_SHA384 = 673, NID_SHA512 = 674 };

/// Returns whether a key has the type, and for ECDSA the curve, that the algorithm requires.
static int is_suitable(csg_kind kind, size_t digest_count, const void *key) {
    if (kind == CSG_RSA) return CNIOBoringSSL_EVP_PKEY_id(key) == NID_RSA;
    int curve = digest_count == 32 ? NID_P256 : digest_count == 48 ? NID_P384 : NID_P521;
    return CNIOBoringSSL_EVP_PKEY_id(key) == NID_EC && CNIOBoringSSL_EVP_PKEY_get_ec_curve_nid(key) == curve;
}

static int hash_of(size_t digest_count) {
    return digest_count == 32 ? NID_SHA256 : digest_count == 48 ? NID_SHA384 : NID_SHA512;
}

static csg_result sign(
    csg_kind kind, const uint8_t *digest, size_t digest_count, const void *key, csg_receiver receiver, void *context) {
    uint8_t signature[MAXIMUM_SIGNATURE];
    if (kind == CSG_RSA) {
        void *rsa = CNIOBoringSSL_EVP_PKEY_get0_RSA(key);
        unsigned count = 0;
        if (rsa == NULL || CNIOBoringSSL_RSA_size(rsa) > sizeof signature
            || !CNIOBoringSSL_RSA_sign(hash_of(digest_count), digest, digest_count, signature, &count, rsa))
            return CSG_FAILED;
        receiver(context, signature, count);
    } else {
        void *ec = CNIOBoringSSL_EVP_PKEY_get0_EC_KEY(key);
        size_t count = 0;
        if (ec == NULL
            || !CNIOBoringSSL_ECDSA_sign_p1363(digest, digest_count, signature, &count, sizeof signature, ec))
            return CSG_FAILED;
        receiver(context, signature, count);
    }
    return CSG_OK;
}

csg_result csg_sign(
    csg_kind kind, const uint8_t *digest, size_t digest_count, const uint8_t *pem, size_t pem_count,
    csg_receiver signature, void *context) {
    if (!is_available()) return CSG_UNAVAILABLE;
    if (pem_count > INT_MAX) return CSG_UNREADABLE_KEY;
    void *key = read_key(PRIVATE_KEY, pem, pem_count);
    csg_result result = CSG_UNREADABLE_KEY;
    if (key != NULL) {
        result = is_suitable(kind, digest_count, key)
            ? sign(kind, digest, digest_count, key, signature, context) : CSG_OTHER_KEY;
        CNIOBoringSSL_EVP_PKEY_free(key);
    }
    CNIOBoringSSL_ERR_clear_error();
    return result;
}

csg_result csg_verify(
    csg_kind kind, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t signature_count,
    const uint8_t *pem, size_t pem_count) {
    if (!is_available()) return CSG_UNAVAILABLE;
    if (pem_count > INT_MAX) return CSG_UNREADABLE_KEY;
    void *key = read_key(PUBLIC_KEY, pem, pem_count);
    if (key == NULL) key = read_key(CERTIFICATE, pem, pem_count);
    if (key == NULL) key = read_key(PRIVATE_KEY, pem, pem_count);
    csg_result result = CSG_UNREADABLE_KEY;
    if (key != NULL) {
        int holds = 0;
        if (!is_suitable(kind, digest_count, key)) {
            result = CSG_OTHER_KEY;
        } else {
            if (kind == CSG_RSA) {
                void *rsa = CNIOBoringSSL_EVP_PKEY_get0_RSA(key);
                holds = rsa != NULL
                    && CNIOBoringSSL_RSA_verify(
                        hash_of(digest_count), digest, digest_count, signature, signature_count, rsa);
            } else {
                void *ec = CNIOBoringSSL_EVP_PKEY_get0_EC_KEY(key);
                holds = ec != NULL
                    && CNIOBoringSSL_ECDSA_verify_p1363(digest, digest_count, signature, signature_count, ec);
            }
            result = holds ? CSG_OK : CSG_FAILED;
        }
        CNIOBoringSSL_EVP_PKEY_free(key);
    }
    CNIOBoringSSL_ERR_clear_error();
    return result;
}
