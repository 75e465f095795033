import TestSupport
import Testing

/// Tests of suites against an independent implementation of the protocol: Python's `websockets`.
@Suite(
    .enabled(
        if: WebSocketEchoServer.isAvailable && TestCertificates.isAvailable,
        "Python's websockets and openssl are required"))
struct WebSocketTests {
    @Test(arguments: [false, true])
    func conversation(isSecure: Bool) async throws {
        let certificates = try #require(TestCertificates())
        let server = try #require(await WebSocketEchoServer.start(isSecure ? certificates.valid : nil))
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        let url = isSecure ? "wss://localhost:\(server.port)" : "http://127.0.0.1:\(server.port)"
        let run = try await Program.run(
            ["suite.yaml", "--variable", "url=\(url)", "--cacert", certificates.authority.certificate],
            in: directory.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        withExtendedLifetime(server) {}
    }

    private static let suite = """
        name: WebSockets
        defaults: { headers: { Sec-WebSocket-Protocol: chat } }
        tests:
          - name: messages of all kinds
            request: { url: "${url}/x", headers: { Sec-WebSocket-Protocol: "other, chat" } }
            expect: { status: 101, headers: { Sec-WebSocket-Protocol: chat } }
            websocket:
              - send: grün 😀
              - receive: grün 😀
              - send: { base64: AAEC/w== }
              - receive: { type: binary, base64: AAEC/w== }
              - send: ""
              - receive: { type: text, size: 0B }
              - send: fragments
              - receive: abc
              - send: ping
              - receive: ponged
              - ping: true
              - close: { code: 3000, reason: done }
          - name: the server ends it
            request: GET ${url}
            websocket:
              - send: close
              - receive: { close: { code: 4001, reason: asked } }
          - name: the list ends first
            request: GET ${url}
            websocket: [{ send: nobody waits for the answer }]
        """
}
