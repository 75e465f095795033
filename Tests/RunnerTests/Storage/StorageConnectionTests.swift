import Basics
import HTTPSession
import Testing

@testable import Runner

@Testing.Suite("Trust and proxies of connections to storage")
struct StorageConnectionTests {
    private func connection(
        _ environment: [String: String], authorities: String? = nil, routes: RunRoutes = RunRoutes()
    ) throws -> StorageConnection {
        try StorageConnection(environment: environment, authorities: authorities, routes: routes)
    }

    @Test("Without options and variables, the system's authorities are trusted and no proxy is used")
    func none() throws {
        let connection = try connection(["AWS_CA_BUNDLE": "", "SSL_CERT_FILE": "", "HTTPS_PROXY": ""])
        #expect(connection.options.tls.trust == .system)
        #expect(connection.options.proxy == .direct)
        #expect(connection.secrets.isEmpty)
    }

    @Test("The authorities of the run are trusted in addition to those of the system")
    func authorities() throws {
        let connection = try connection([:], authorities: "tested.pem")
        #expect(connection.options.tls.trust == .system(andAuthorities: ["tested.pem"]))
    }

    @Test("The proxy of the run precedes those of the environment, whose exceptions stay")
    func routes() throws {
        let environment = ["https_proxy": "http://me:s3cr3t@other:1", "HTTP_PROXY": "plain:2", "NO_PROXY": "near.test"]
        let url = try HTTPURL("https://far.test/")
        let own = try connection(environment)
        #expect(own.options.proxy.proxy(for: url)?.description == "http://other:1")
        #expect(own.options.proxy.proxy(for: try HTTPURL("http://far.test/"))?.description == "http://plain:2")
        #expect(own.secrets == ["s3cr3t"])

        let routes = try RunRoutes(proxy: "socks5h://run:3", resolve: ["far.test:443:127.0.0.1"])
        let options = try connection(environment, routes: routes).options
        #expect(options.proxy.proxy(for: url)?.description == "socks5h://run:3")
        #expect(options.proxy.proxy(for: try HTTPURL("https://near.test/")) == nil)
        #expect(options.resolve.map(\.host) == ["far.test"])
    }

    @Test(
        "An invalid value is an error that names the variable",
        arguments: ["AWS_CA_BUNDLE", "SSL_CERT_FILE", "ALL_PROXY"])
    func invalid(_ name: String) throws {
        let error = #expect(throws: StorageError.self) { try connection([name: "none:/a.pem"]) }
        #expect(error?.message.text.contains(name) == true)
    }
}
