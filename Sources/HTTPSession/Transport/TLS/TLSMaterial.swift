import Basics
import CTLSKeys
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The loader of certificates and keys from files and bytes.
enum TLSMaterial {
    /// The maximum size of a file; bundles of all authorities are smaller than a tenth of it.
    private static let fileLimit = 16 << 20

    /// Returns the certificates of a source, at least one.
    static func certificates(_ source: CertificateSource, kind: String) throws(TLSContexts.Failure)
        -> [NIOSSLCertificate]
    {
        let bytes = try contents(source, kind: kind)
        let certificates: [NIOSSLCertificate]?
        if isPEM(bytes) {
            certificates = try? NIOSSLCertificate.fromPEMBytes(bytes)
        } else {
            certificates = (try? NIOSSLCertificate(bytes: bytes, format: .der)).map { [$0] }
        }
        guard let certificates, !certificates.isEmpty else {
            throw TLSContexts.Failure(
                message:
                    "\(kind) in \(source.name) cannot be read: expected a certificate in PEM or DER format")
        }
        return certificates
    }

    /// Returns the certificate chain and key of an identity.
    static func identity(
        _ identity: ClientIdentity
    ) throws(TLSContexts.Failure) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        switch identity.form {
        case .separate(let chain, let key):
            return (
                try certificates(chain, kind: "the client certificate"),
                try self.key(key, passphrase: identity.passphrase)
            )
        case .bundle(let source): return try bundle(source, passphrase: identity.passphrase)
        }
    }

    // MARK: Keys

    private static func key(
        _ source: CertificateSource, passphrase: String?
    ) throws(TLSContexts.Failure) -> NIOSSLPrivateKey {
        var bytes = try contents(source, kind: "the key")
        if !isPEM(bytes) {
            if let key = try? NIOSSLPrivateKey(bytes: bytes, format: .der) { return key }
            // An encrypted key can be decrypted only in PEM form.
            let text = Base64.encode(bytes)
            bytes = Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\n".utf8)
            for (index, byte) in text.utf8.enumerated() {
                if index > 0, index % 64 == 0 { bytes.append(10) }
                bytes.append(byte)
            }
            bytes.append(contentsOf: "\n-----END ENCRYPTED PRIVATE KEY-----\n".utf8)
            guard passphrase != nil else { throw unreadable(source) }
        }
        let isEncrypted = contains(bytes, "ENCRYPTED PRIVATE KEY-----") || contains(bytes, "Proc-Type: 4,ENCRYPTED")
        guard isEncrypted else {
            do {
                return try NIOSSLPrivateKey(bytes: bytes, format: .pem)
            } catch {
                throw unreadable(source)
            }
        }
        guard let passphrase else {
            throw TLSContexts.Failure(message: "the key in \(source.name) is encrypted: specify its passphrase")
        }
        do throws(EncryptedKeys.Failure) {
            return try EncryptedKeys.key(pem: bytes, passphrase: passphrase)
        } catch .unsupportedPassphrase {
            throw TLSContexts.Failure(
                message:
                    "the key in \(source.name) cannot be decrypted: its passphrase has non-ASCII characters,"
                    + " which this version of NIOSSL does not support; use a PKCS #12 bundle or an ASCII passphrase")
        } catch {
            throw TLSContexts.Failure(
                message: "the key in \(source.name) cannot be decrypted: the passphrase is wrong,"
                    + " or the type of encryption is not supported")
        }
    }

    private static func unreadable(_ source: CertificateSource) -> TLSContexts.Failure {
        TLSContexts.Failure(
            message: "the key in \(source.name) cannot be read: expected a private key in PEM or DER format")
    }

    // MARK: PKCS #12

    private static func bundle(
        _ source: CertificateSource, passphrase: String?
    ) throws(TLSContexts.Failure) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        let bytes = try contents(source, kind: "the PKCS #12 bundle")
        // A missing key or certificate is reported before a wrong passphrase. Their bags are keyBag or
        // pkcs8ShroudedKeyBag, and certBag or encrypted content (RFC 7292, section 4.2).
        let bag: [UInt8] = [0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01]
        let encrypted: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x06]
        guard contains(bytes, bag + [1]) || contains(bytes, bag + [2]),
            contains(bytes, bag + [3]) || contains(bytes, encrypted)
        else { throw incomplete(source) }
        do throws(EncryptedKeys.Failure) {
            return try EncryptedKeys.bundle(bytes, passphrase: passphrase ?? "")
        } catch .noKey {
            throw incomplete(source)
        } catch .noCertificate {
            throw incomplete(source)
        } catch {
            let hint = passphrase == nil ? "it requires a passphrase" : "the passphrase is wrong"
            throw TLSContexts.Failure(
                message: "the PKCS #12 bundle in \(source.name) cannot be read: \(hint), or its format is not supported"
            )
        }
    }

    private static func incomplete(_ source: CertificateSource) -> TLSContexts.Failure {
        TLSContexts.Failure(message: "\(source.name) is not a PKCS #12 bundle with a certificate and its key")
    }

    // MARK: Bytes

    private static func isPEM(_ bytes: [UInt8]) -> Bool { contains(bytes, "-----BEGIN ") }

    private static func contains(_ bytes: [UInt8], _ text: StaticString) -> Bool {
        text.withUTF8Buffer { contains(bytes, Array($0)) }
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, bytes.count >= part.count else { return false }
        for start in 0...(bytes.count - part.count) where bytes[start] == first {
            if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }

    private static func contents(_ source: CertificateSource, kind: String) throws(TLSContexts.Failure) -> [UInt8] {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let path):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw unreadable(kind, path) }
            defer { close(descriptor) }
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while bytes.count <= fileLimit {
                let count = read(descriptor, &part, part.count)
                guard count >= 0 else {
                    if errno == EINTR { continue }
                    throw unreadable(kind, path)
                }
                if count == 0 { return bytes }
                bytes.append(contentsOf: part[..<count])
            }
            throw TLSContexts.Failure(message: "\(kind) in \"\(path)\" cannot be read: the file is larger than 16 MiB")
        }
    }

    private static func unreadable(_ kind: String, _ path: String) -> TLSContexts.Failure {
        TLSContexts.Failure(
            message: "\(kind) in \"\(path)\" cannot be read: \(MessageText(words: String(cString: strerror(errno))))")
    }
}

/// The reader of encrypted private keys, alone or in a PKCS #12 bundle.
///
/// NIOSSL supports both, but terminates the process for a passphrase with non-ASCII characters and for a bundle without
/// a certificate for its key. It is used only if its copy of BoringSSL cannot be called directly.
enum EncryptedKeys {
    /// The reason why a key cannot be read.
    enum Failure: Error {
        /// The passphrase is wrong, or the format is not supported.
        case unreadable
        /// The bundle contains no key.
        case noKey
        /// The bundle contains no certificate.
        case noCertificate
        /// This copy of BoringSSL cannot be used with a passphrase that has non-ASCII characters.
        case unsupportedPassphrase
    }

    /// The parts of a key or bundle in DER.
    private final class Parts {
        var key: [UInt8]?
        var certificates: [[UInt8]] = []

        /// Returns the parts behind the context pointer of a C callback.
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

    /// Decrypts a private key in PEM form (PKCS #8 or traditional).
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

    /// Reads a PKCS #12 bundle; the certificate of the key comes first, if present.
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
