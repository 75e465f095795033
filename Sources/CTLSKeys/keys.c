#include "CTLSKeys.h"

#include <limits.h>
#include <string.h>

// The functions of BoringSSL, with the prefix that they have in NIOSSL. They are not part of NIOSSL's interface, so
// they are weak: if they are missing, the program is linked without them.
#define BORINGSSL(result, name, ...) extern result CNIOBoringSSL_##name(__VA_ARGS__) __attribute__((weak))

typedef int ctk_password_callback(char *buffer, int size, int writes, void *context);

BORINGSSL(void *, BIO_new_mem_buf, const void *bytes, ptrdiff_t count);
BORINGSSL(int, BIO_free, void *bio);
BORINGSSL(void *, PEM_read_bio_PrivateKey, void *bio, void **key, ctk_password_callback *callback, void *context);
BORINGSSL(void, EVP_PKEY_free, void *key);
BORINGSSL(void *, EVP_PKEY2PKCS8, const void *key);
BORINGSSL(int, i2d_PKCS8_PRIV_KEY_INFO, const void *info, uint8_t **output);
BORINGSSL(void, PKCS8_PRIV_KEY_INFO_free, void *info);
BORINGSSL(void *, d2i_PKCS12, void **bundle, const uint8_t **bytes, size_t count);
BORINGSSL(int, PKCS12_parse, const void *bundle, const char *password, void **key, void **certificate, void **others);
BORINGSSL(void, PKCS12_free, void *bundle);
BORINGSSL(int, i2d_X509, void *certificate, uint8_t **output);
BORINGSSL(void, X509_free, void *certificate);
BORINGSSL(size_t, OPENSSL_sk_num, const void *stack);
BORINGSSL(void *, OPENSSL_sk_value, const void *stack, size_t index);
BORINGSSL(void, OPENSSL_sk_free, void *stack);
BORINGSSL(void, OPENSSL_free, void *bytes);
BORINGSSL(void, ERR_clear_error, void);

#define HAS(name) (CNIOBoringSSL_##name != NULL)

static int is_available(void) {
    return HAS(BIO_new_mem_buf) && HAS(BIO_free) && HAS(PEM_read_bio_PrivateKey) && HAS(EVP_PKEY_free)
        && HAS(EVP_PKEY2PKCS8) && HAS(i2d_PKCS8_PRIV_KEY_INFO) && HAS(PKCS8_PRIV_KEY_INFO_free) && HAS(d2i_PKCS12)
        && HAS(PKCS12_parse) && HAS(PKCS12_free) && HAS(i2d_X509) && HAS(X509_free) && HAS(OPENSSL_sk_num)
        && HAS(OPENSSL_sk_value) && HAS(OPENSSL_sk_free) && HAS(OPENSSL_free) && HAS(ERR_clear_error);
}

/// Passes a key in DER to a receiver.
static int give_key(const void *key, ctk_receiver receiver, void *context) {
    void *info = CNIOBoringSSL_EVP_PKEY2PKCS8(key);
    if (info == NULL) return 0;
    uint8_t *bytes = NULL;
    int count = CNIOBoringSSL_i2d_PKCS8_PRIV_KEY_INFO(info, &bytes);
    CNIOBoringSSL_PKCS8_PRIV_KEY_INFO_free(info);
    if (count <= 0) return 0;
    receiver(context, bytes, (size_t)count);
    // This function overwrites the memory before it frees it.
    CNIOBoringSSL_OPENSSL_free(bytes);
    return 1;
}

/// Passes a certificate in DER to a receiver.
static void give_certificate(void *certificate, ctk_receiver receiver, void *context) {
    uint8_t *bytes = NULL;
    int count = CNIOBoringSSL_i2d_X509(certificate, &bytes);
    if (count <= 0) return;
    receiver(context, bytes, (size_t)count);
    CNIOBoringSSL_OPENSSL_free(bytes);
}

typedef struct {
    const uint8_t *bytes;
    size_t count;
} ctk_passphrase;

static int write_passphrase(char *buffer, int size, int writes, void *context) {
    const ctk_passphrase *passphrase = context;
    (void)writes;
    if (size <= 0 || passphrase->count >= (size_t)size) return 0;
    if (passphrase->count > 0) memcpy(buffer, passphrase->bytes, passphrase->count);
    buffer[passphrase->count] = 0;
    return (int)passphrase->count;
}

ctk_result ctk_decrypt_key(
    const uint8_t *pem, size_t count, const uint8_t *passphrase, size_t passphrase_count, ctk_receiver key,
    void *context) {
    if (!is_available()) return CTK_UNAVAILABLE;
    if (count > INT_MAX) return CTK_UNREADABLE;
    void *bio = CNIOBoringSSL_BIO_new_mem_buf(pem, (ptrdiff_t)count);
    if (bio == NULL) return CTK_UNREADABLE;
    ctk_passphrase secret = {passphrase, passphrase_count};
    void *decrypted = CNIOBoringSSL_PEM_read_bio_PrivateKey(bio, NULL, write_passphrase, &secret);
    CNIOBoringSSL_BIO_free(bio);
    ctk_result result = CTK_UNREADABLE;
    if (decrypted != NULL) {
        if (give_key(decrypted, key, context)) result = CTK_OK;
        CNIOBoringSSL_EVP_PKEY_free(decrypted);
    }
    CNIOBoringSSL_ERR_clear_error();
    return result;
}

ctk_result ctk_read_bundle(
    const uint8_t *bytes, size_t count, const char *passphrase, ctk_receiver key, ctk_receiver certificate,
    void *context) {
    if (!is_available()) return CTK_UNAVAILABLE;
    ctk_result result = CTK_UNREADABLE;
    const uint8_t *next = bytes;
    void *bundle = CNIOBoringSSL_d2i_PKCS12(NULL, &next, count);
    if (bundle != NULL) {
        void *private_key = NULL, *own = NULL, *others = NULL;
        if (CNIOBoringSSL_PKCS12_parse(bundle, passphrase, &private_key, &own, &others)) {
            result = CTK_OK;
            if (private_key != NULL && !give_key(private_key, key, context)) result = CTK_UNREADABLE;
            if (own != NULL) give_certificate(own, certificate, context);
            size_t number = others == NULL ? 0 : CNIOBoringSSL_OPENSSL_sk_num(others);
            for (size_t index = 0; index < number; index++) {
                void *other = CNIOBoringSSL_OPENSSL_sk_value(others, index);
                give_certificate(other, certificate, context);
                CNIOBoringSSL_X509_free(other);
            }
            if (others != NULL) CNIOBoringSSL_OPENSSL_sk_free(others);
            if (own != NULL) CNIOBoringSSL_X509_free(own);
            if (private_key != NULL) CNIOBoringSSL_EVP_PKEY_free(private_key);
        }
        CNIOBoringSSL_PKCS12_free(bundle);
    }
    CNIOBoringSSL_ERR_clear_error();
    return result;
}
