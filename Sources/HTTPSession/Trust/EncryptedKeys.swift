import CTLSKeys
import NIOSSL

/// Reads private keys that are encrypted, alone or in a PKCS #12 bundle.
///
/// NIOSSL can do both, but ends the process over a passphrase outside of ASCII and over a bundle without a certificate
/// for its key. It is used where its copy of BoringSSL cannot be called.
enum EncryptedKeys {
    /// Why a key cannot be read.
    enum Failure: Error {
        /// The passphrase is wrong, or the form is not supported.
        case unreadable
        /// The bundle has no key.
        case noKey
        /// The bundle has no certificate.
        case noCertificate
        /// This copy of BoringSSL cannot read what needs a passphrase outside of ASCII.
        case unsupportedPassphrase
    }

    /// The parts of a key or bundle in DER.
    private final class Parts {
        var key: [UInt8]?
        var certificates: [[UInt8]] = []

        static func of(_ context: UnsafeMutableRawPointer?) -> Parts? {
            context.map { Unmanaged<Parts>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private static let keyReceiver: ctk_receiver = { context, bytes, count in
        Parts.of(context)?.key = Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static let certificateReceiver: ctk_receiver = { context, bytes, count in
        Parts.of(context)?.certificates.append(Array(UnsafeBufferPointer(start: bytes, count: count)))
    }

    /// Decrypts a private key in its PEM form (PKCS #8, or the traditional one).
    static func key(pem: [UInt8], passphrase: String) throws(Failure) -> NIOSSLPrivateKey {
        let parts = Parts()
        let secret = Array(passphrase.utf8)
        let result = withExtendedLifetime(parts) {
            ctk_decrypt_key(
                pem, pem.count, secret, secret.count, keyReceiver, Unmanaged.passUnretained(parts).toOpaque())
        }
        do {
            if result == CTK_OK, let key = parts.key { return try NIOSSLPrivateKey(bytes: key, format: .der) }
            guard result == CTK_UNAVAILABLE else { throw Failure.unreadable }
            guard secret.allSatisfy({ $0 < 0x80 }) else { throw Failure.unsupportedPassphrase }
            return try NIOSSLPrivateKey(bytes: pem, format: .pem) { $0(secret) }
        } catch {
            throw error as? Failure ?? .unreadable
        }
    }

    /// Reads a PKCS #12 bundle; the certificate of the key comes first, if it is there.
    static func bundle(
        _ bytes: [UInt8], passphrase: String
    ) throws(Failure) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        let parts = Parts()
        let result = withExtendedLifetime(parts) {
            ctk_read_bundle(
                bytes, bytes.count, passphrase, keyReceiver, certificateReceiver,
                Unmanaged.passUnretained(parts).toOpaque())
        }
        do {
            if result == CTK_UNAVAILABLE {
                let bundle = try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: Array(passphrase.utf8))
                return (bundle.certificateChain, bundle.privateKey)
            }
            guard result == CTK_OK else { throw Failure.unreadable }
            guard let key = parts.key else { throw Failure.noKey }
            guard !parts.certificates.isEmpty else { throw Failure.noCertificate }
            return (
                try parts.certificates.map { try NIOSSLCertificate(bytes: $0, format: .der) },
                try NIOSSLPrivateKey(bytes: key, format: .der)
            )
        } catch {
            throw error as? Failure ?? .unreadable
        }
    }
}
