import NIOCore
import NIOSSL
import Synchronization

/// The TLS contexts of a transport, made when first needed: loading the system's authorities takes milliseconds.
final class TLSContexts: Sendable {
    /// A trust setting that cannot be used, with the reason in words.
    struct Failure: Error {
        var message: String
    }

    private let contexts = Mutex<[TrustPolicy: NIOSSLContext]>([:])

    /// The context of a policy. The lock is taken once per new TLS connection.
    func context(for trust: TrustPolicy) throws(Failure) -> NIOSSLContext {
        let result: Result<NIOSSLContext, Failure> = contexts.withLock { contexts in
            if let context = contexts[trust] { return .success(context) }
            do {
                let context = try Self.make(trust)
                contexts[trust] = context
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
            _ = try context(for: trust)
            return nil
        } catch {
            return error.message
        }
    }

    private static func make(_ trust: TrustPolicy) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["http/1.1"]
        // Responses are complete when a connection is closed: nothing is lost if the server does not say goodbye.
        configuration.shutdownTimeout = .milliseconds(250)
        switch trust.roots {
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
