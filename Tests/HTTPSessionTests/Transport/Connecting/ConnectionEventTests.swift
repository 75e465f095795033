import TestSupport
import Testing

@testable import HTTPSession

@Suite("Connection events")
struct ConnectionEventTests {
    @Test("New and reused connections send events", .enabled(if: TestCertificates.isAvailable))
    func order() async throws {
        let certificates = try #require(TLSTests.certificates)
        let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok)
        let recorder = EventRecorder()
        var configuration = SessionConfiguration(trust: .insecure)
        configuration.monitors = [recorder]
        configuration.connection.resolve = [ResolveOverride(host: "shop.test", address: "127.0.0.1")]
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            for _ in 0..<2 { _ = try await session.get("https://shop.test:\(server.port)/").response() }
            let interesting = ["resolved", "connected", "secured", "unverified", "finished"]
            #expect(
                recorder.names.filter(interesting.contains)
                    == ["resolved", "connected", "secured", "unverified", "finished", "connected", "finished"])
            var connections: [String] = []
            for event in recorder.events {
                switch event {
                case .connected(let address, let isReused, let duration):
                    connections.append("\(address) \(isReused) \(duration != nil)")
                case .unverified(let host): #expect(host == "shop.test")
                case .secured(let details, _): #expect(!details.verified)
                default: break
                }
            }
            #expect(connections == ["127.0.0.1:\(server.port) false true", "127.0.0.1:\(server.port) true false"])
            // The event is sent once per host, not once per connection.
            var request = Request(.get, url: "https://shop.test:\(server.port)/", headers: ["Connection": "close"])
            _ = try await session.send(request)
            request.headers = [:]
            _ = try await session.send(request)
            #expect(recorder.names.filter { $0 == "unverified" }.count == 1)
            #expect(recorder.names.filter { $0 == "secured" }.count == 2)
        }
        await server.shutDown()
    }
}
