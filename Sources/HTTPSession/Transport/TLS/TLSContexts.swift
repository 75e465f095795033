import Basics
import NIOCore
import NIOSSL
import Synchronization

/// The TLS contexts of a transport, created on demand because loading the system's authorities takes milliseconds.
final class TLSContexts: Sendable {
    /// The error of an unusable setting.
    struct Failure: Error {
        var message: MessageText
    }

    private struct Key: Hashable {
        var roots: [TrustRoots]
        var identity: ClientIdentity?
        var oldest: TLSVersion
        var newest: TLSVersion
        var protocols: [String]
    }

    private struct State {
        var contexts: [Key: NIOSSLContext] = [:]
        var certificates: [CertificateSource: [[UInt8]]] = [:]
        var unverifiedHosts: Set<String> = []
    }

    private let state = Mutex(State())

    /// Returns the context for connections with the given rule. The lock is taken once per new TLS connection.
    func context(
        for options: TLSOptions, rule: TrustRule, version: HTTPVersionPolicy
    ) throws(Failure) -> NIOSSLContext {
        let versions = options.versions
        let key = Key(
            roots: rule.allRoots, identity: options.identity, oldest: versions.oldest, newest: versions.newest,
            protocols: Self.protocols(version))
        return try load { state in
            if let context = state.contexts[key] { return context }
            let context = try Self.make(key)
            state.contexts[key] = context
            return context
        }
    }

    /// Returns the pinned certificates of a source in DER.
    func certificates(_ source: CertificateSource) throws(Failure) -> [[UInt8]] {
        try load { state in
            if let certificates = state.certificates[source] { return certificates }
            let certificates = try TLSMaterial.certificates(source, kind: "the pinned certificate")
                .map { try $0.toDERBytes() }
            state.certificates[source] = certificates
            return certificates
        }
    }

    /// Returns whether this is the transport's first unverified connection to a host.
    func isFirstUnverified(_ host: String) -> Bool {
        state.withLock { $0.unverifiedHosts.count < 1000 && $0.unverifiedHosts.insert(host).inserted }
    }

    private func load<Value: Sendable>(_ body: (inout State) throws -> sending Value) throws(Failure) -> Value {
        let result: Result<Value, Failure> = state.withLock { state in
            do {
                return .success(try body(&state))
            } catch let failure as Failure {
                return .failure(failure)
            } catch {
                return .failure(Failure(message: "TLS cannot be set up: \(error)"))
            }
        }
        return try result.get()
    }

    /// Returns the reason why the options are unusable; nil if they are usable.
    func problem(with options: TLSOptions) -> MessageText? {
        do {
            _ = try context(for: options, rule: options.trust.rule, version: .automatic)
            for pins in options.trust.rule.allPins {
                for source in pins.certificates { _ = try certificates(source) }
            }
            if let name = options.serverName, !(1...253).contains(name.utf8.count) || name.utf8.contains(0) {
                return "the server name \"\(name)\" is not a host name"
            }
            return nil
        } catch {
            return error.message
        }
    }

    /// Returns the protocols to offer with ALPN (RFC 7301), in order of preference.
    private static func protocols(_ version: HTTPVersionPolicy) -> [String] {
        switch version {
        case .automatic: ["h2", "http/1.1"]
        case .http10, .http11: ["http/1.1"]
        case .http2: ["h2"]
        }
    }

    private static func make(_ key: Key) throws -> NIOSSLContext {
        guard key.oldest <= key.newest else {
            throw Failure(message: "the minimum version \(key.oldest) exceeds the maximum version \(key.newest)")
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = key.protocols
        configuration.minimumTLSVersion = version(key.oldest)
        configuration.maximumTLSVersion = version(key.newest)
        // Responses are complete when a connection is closed: a missing close_notify alert from the server loses
        // nothing.
        configuration.shutdownTimeout = .milliseconds(250)
        let usesSystem = try setRoots(key.roots, &configuration)
        guard let identity = key.identity else { return try context(configuration, usesSystem: usesSystem) }
        let (chain, privateKey) = try TLSMaterial.identity(identity)
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(privateKey)
        do {
            return try context(configuration, usesSystem: usesSystem)
        } catch {
            // The key was readable, so this is BoringSSL's comparison with the certificate.
            if case .failedToLoadPrivateKey? = error as? NIOSSLError {
                throw Failure(message: "the client key does not match its certificate")
            }
            throw error
        }
    }

    private static func context(_ configuration: TLSConfiguration, usesSystem: Bool) throws -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch BoringSSLError.unknownError(let stack) where usesSystem && stack.isEmpty {
            // BoringSSL got neither a file nor a directory: none exists at the usual system paths.
            throw Failure(
                message: "this system has no certificate authorities: install them (Debian, Ubuntu: ca-certificates), "
                    + "or name the authorities to trust")
        }
    }

    /// Sets the union of all roots; a policy later decides which of them it accepts.
    ///
    /// - Returns: Whether the system's authorities are included.
    private static func setRoots(_ roots: [TrustRoots], _ configuration: inout TLSConfiguration) throws -> Bool {
        // ``HostNameCheck`` compares the host name: behind a proxy, the peer's address is not the host's.
        configuration.certificateVerification = roots.isEmpty ? .none : .noHostnameVerification
        var usesSystem = false
        var sources: [CertificateSource] = []
        for roots in roots {
            switch roots {
            case .system(let additional):
                usesSystem = true
                sources += additional
            case .only(let only): sources += only
            }
        }
        var certificates: [NIOSSLCertificate] = []
        for source in sources {
            certificates += try TLSMaterial.certificates(source, kind: "the certificate authorities")
        }
        if usesSystem {
            if !certificates.isEmpty { configuration.additionalTrustRoots = [.certificates(certificates)] }
        } else if !roots.isEmpty {
            configuration.trustRoots = .certificates(certificates)
        }
        return usesSystem
    }

    private static func version(_ version: TLSVersion) -> NIOSSL.TLSVersion {
        switch version {
        case .tls10: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }
}
