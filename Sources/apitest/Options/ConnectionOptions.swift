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
            .flag("insecure", \.insecure, "Accept any TLS certificate."),
            .option(
                "cacert", value: "file", \.authorities,
                "Trust the authorities in this PEM file instead of the system's.",
                completion: .files([])),
            .option(
                "cert", value: "file", \.certificate, "Show servers that ask for one the certificate in this PEM file.",
                completion: .files([])),
            .option(
                "key", value: "file", \.key,
                "The PEM file of the certificate's key; without it, the certificate's file holds it.",
                completion: .files([])),
            .option(
                "proxy", value: "url", \.proxy, "Send requests through the proxy with this URL (http, https or socks5)."
            ),
            .option(
                "resolve", value: "host:port:address", \.resolve,
                "Connect to an address in place of what a name resolves to; may be repeated."),
        ]
    }

    func validate() throws {
        if key != nil, certificate == nil { throw UsageError("--key: it needs the certificate, --cert") }
    }

    /// Returns the TLS settings of connections: the trusted authorities and the client certificate.
    ///
    /// - Throws: ``ExitStatus/invalid`` if a file is invalid. The error is printed.
    func trust() throws -> RunTrust {
        let trust = RunTrust(isInsecure: insecure, authorities: authorities, certificate: certificate, key: key)
        if let problem = RunTrust(authorities: authorities).problem() {
            throw ExitStatus.invalid(because: "--cacert: \(problem)")
        }
        if let problem = trust.problem() { throw ExitStatus.invalid(because: "--cert: \(problem)") }
        return trust
    }

    /// Returns the routes of requests to their servers.
    ///
    /// - Throws: ``ExitStatus/invalid`` if an option is invalid. The error is printed.
    func routes() throws -> RunRoutes {
        do throws(RunRoutes.Failure) {
            _ = try RunRoutes(proxy: proxy)
        } catch {
            throw ExitStatus.invalid(because: "--proxy: \(error.message)")
        }
        do throws(RunRoutes.Failure) {
            return try RunRoutes(proxy: proxy, resolve: resolve)
        } catch {
            throw ExitStatus.invalid(because: "--resolve: \(error.message)")
        }
    }
}
