import NIOCore
import NIOSSL
import Synchronization

/// The TLS contexts of a transport, made when first needed: loading the system's authorities takes milliseconds.
final class TLSContexts: Sendable {
    /// A trust setting that cannot be used, with the reason in words.
    struct Failure: Error {
        var message: String
    }

    private struct Key: Hashable {
        var options: TLSOptions
        var protocols: [String]
    }

    private let contexts = Mutex<[Key: NIOSSLContext]>([:])

    /// The context of options. The lock is taken once per new TLS connection.
    func context(
        for options: TLSOptions, version: HTTPVersionPolicy = .automatic
    ) throws(Failure) -> NIOSSLContext {
        let key = Key(options: options, protocols: Self.protocols(version))
        let result: Result<NIOSSLContext, Failure> = contexts.withLock { contexts in
            if let context = contexts[key] { return .success(context) }
            do {
                let context = try Self.make(options, protocols: key.protocols)
                contexts[key] = context
                return .success(context)
            } catch let failure as Failure {
                return .failure(failure)
            } catch {
                return .failure(Failure(message: "TLS cannot be set up: \(error)"))
            }
        }
        return try result.get()
    }

    /// Why no context can be made of a policy, or nil.
    func problem(with trust: TrustPolicy) -> String? {
        do {
            _ = try context(for: TLSOptions(trust: trust))
            return nil
        } catch {
            return error.message
        }
    }

    /// What is offered to the server by ALPN (RFC 7301), in the order of preference.
    private static func protocols(_ version: HTTPVersionPolicy) -> [String] {
        switch version {
        case .automatic: ["h2", "http/1.1"]
        case .http10, .http11: ["http/1.1"]
        case .http2: ["h2"]
        }
    }

    private static func make(_ options: TLSOptions, protocols: [String]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        // Responses are complete when a connection is closed: nothing is lost if the server does not say goodbye.
        configuration.shutdownTimeout = .milliseconds(250)
        switch options.trust.roots {
        case .none: configuration.certificateVerification = .none
        case .system(let additional):
            if !additional.isEmpty {
                configuration.additionalTrustRoots = [.certificates(try certificates(additional))]
            }
        case .files(let files):
            configuration.trustRoots = .certificates(try certificates(files))
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func certificates(_ files: [String]) throws(Failure) -> [NIOSSLCertificate] {
        var all: [NIOSSLCertificate] = []
        for file in files {
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
                throw Failure(message: "the certificate authorities in \(file) cannot be read (PEM is expected)")
            }
            all.append(contentsOf: certificates)
        }
        return all
    }
}
