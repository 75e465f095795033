import Diagnostics
import Runner

/// The options for connections to servers and for TLS trust.
struct ConnectionOptions: OptionGroup {
    var insecure = false
    var authorities: String?
    var certificate: String?
    var key: String?
    var proxy: String?
    var resolve: [String] = []

    static var syntax: [Syntax] {
        [
            .flag("insecure", \.insecure, "Accept any TLS certificate"),
            .option(
                "cacert", value: "file", \.authorities,
                "Trust the CAs in this PEM file instead of the system's",
                completion: .files([])),
            .option(
                "cert", value: "file", \.certificate, "Client certificate for servers that request one (PEM file)",
                completion: .files([])),
            .option(
                "key", value: "file", \.key,
                "Private key of the client certificate (PEM; default: the --cert file)",
                completion: .files([])),
            .option(
                "proxy", value: "url", \.proxy, "Send requests through this proxy (http, https or socks5 URL)"),
            .option(
                "resolve", value: "host:port:address[:port]", \.resolve,
                "Connect to this address and port for URLs with HOST and PORT"),
        ]
    }

    func validate() throws {
        if key != nil, certificate == nil { throw UsageError(.missingOption, "--key requires --cert") }
    }

    /// Returns the TLS settings of connections: the trusted authorities and the client certificate.
    ///
    /// - Throws: ``ExitStatus/invalid`` if a file is invalid. The error is printed.
    func trust() throws -> TrustOptions {
        let trust = TrustOptions(isInsecure: insecure, authorities: authorities, certificate: certificate, key: key)
        if let problem = TrustOptions(authorities: authorities).problem() {
            throw ExitStatus.invalid(.invalidTrust, because: "--cacert: \(problem)")
        }
        if let problem = trust.problem() { throw ExitStatus.invalid(.invalidTrust, because: "--cert: \(problem)") }
        return trust
    }

    /// Returns the routes of requests to their servers.
    ///
    /// - Throws: ``ExitStatus/invalid`` if an option is invalid. The error is printed.
    func routes() throws -> RunRoutes {
        do throws(RunRoutes.Failure) {
            _ = try RunRoutes(proxy: proxy)
        } catch {
            throw ExitStatus.invalid(.invalidOption, because: "--proxy: \(error.message)")
        }
        do throws(RunRoutes.Failure) {
            return try RunRoutes(proxy: proxy, resolve: resolve)
        } catch {
            throw ExitStatus.invalid(.invalidOption, because: "--resolve: \(error.message)")
        }
    }
}
