import ArgumentParser
import Runner

/// The options that say how servers are reached and trusted.
struct ConnectionOptions: ParsableArguments {
    @Flag(name: .long, help: "Accept any TLS certificate.")
    var insecure = false

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Trust the authorities in this PEM file instead of the system's.", valueName: "file"),
        completion: .file())
    var authorities: String?

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp("Show servers that ask for one the certificate in this PEM file.", valueName: "file"),
        completion: .file())
    var certificate: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The PEM file of the certificate's key; without it, the certificate's file holds it.", valueName: "file"),
        completion: .file())
    var key: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Send requests through the proxy with this URL (http, https or socks5).", valueName: "url"))
    var proxy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Connect to an address in place of what a name resolves to; may be repeated.",
            valueName: "host:port:address"))
    var resolve: [String] = []

    func validate() throws {
        if key != nil, certificate == nil { throw ValidationError("--key: it needs the certificate, --cert") }
    }

    /// Whom connections trust, and with which certificate they show themselves.
    ///
    /// - Throws: ``ExitStatus/invalid`` when a file is wrong, which is printed.
    func trust() throws -> RunTrust {
        let trust = RunTrust(isInsecure: insecure, authorities: authorities, certificate: certificate, key: key)
        if let problem = RunTrust(authorities: authorities).problem() {
            throw ExitStatus.invalid(because: "--cacert: \(problem)")
        }
        if let problem = trust.problem() { throw ExitStatus.invalid(because: "--cert: \(problem)") }
        return trust
    }

    /// The ways by which requests reach their servers.
    ///
    /// - Throws: ``ExitStatus/invalid`` when an option is wrong, which is printed.
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
