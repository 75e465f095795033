import Basics
import Diagnostics
import HTTPSession

/// The trusted authorities, the proxy and the address overrides of connections to storage.
struct StorageConnection {
    /// The variables that name a PEM file with the authorities to trust instead of the system's.
    ///
    /// They are those of the command line of Amazon Web Services and of OpenSSL.
    private static let authorities = ["AWS_CA_BUNDLE", "SSL_CERT_FILE"]

    /// The options in the form that the session library expects.
    let options: ConnectionOptions

    /// Reads the variables, and combines them with the options of a run.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - authorities: The path of a PEM file with authorities that are trusted too, because those of the system under
    ///     test need not be those of the storage; nil for none.
    ///   - routes: The routes of the run. Their proxy precedes those of the environment.
    /// - Throws: ``StorageError`` if the value of a variable is invalid.
    init(environment: [String: String], authorities: String?, routes: RunRoutes) throws(StorageError) {
        var options = ConnectionOptions()
        let bundle = try Self.bundle(environment)
        if bundle != nil || authorities != nil {
            let more = [authorities].compactMap(\.self)
            options.tls.trust = bundle.map { .authorities([$0] + more) } ?? .system(andAuthorities: more)
        }
        do throws(ConnectionSettingError) {
            options.proxy = try ProxyPolicy.environment(environment)
        } catch {
            throw StorageError(.environmentVariable, message: error.wording)
        }
        if let proxy = routes.proxy.https { (options.proxy.http, options.proxy.https) = (proxy, proxy) }
        options.resolve = routes.overrides
        self.options = options
    }

    /// Returns the path of the file with the authorities that the environment names, or nil if it names none.
    private static func bundle(_ environment: [String: String]) throws(StorageError) -> String? {
        for name in authorities {
            guard let path = environment[name], !path.isEmpty else { continue }
            if let problem = TrustPolicy.authorities([path]).problem() {
                throw StorageError(.environmentVariable, message: "\(name): \(problem)")
            }
            return path
        }
        return nil
    }

    /// The passwords of the proxies, which all output must mask.
    var secrets: [String] { [options.proxy.http, options.proxy.https].compactMap { $0?.password } }
}
