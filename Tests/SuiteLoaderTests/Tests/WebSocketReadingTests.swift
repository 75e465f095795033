import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading WebSocket actions")
struct WebSocketReadingTests {
    private func elements(_ list: String) throws -> [WebSocketSpec.Action] {
        let step = try loadStep("request: GET /chat\nwebsocket: \(list)")
        return try #require(step.webSocket?.elements).map(\.action)
    }

    private func receiving(_ value: String) throws -> WebSocketSpec.Receiving {
        guard case .receive(let receiving)? = try elements("[{ receive: \(value) }]").first else {
            throw Missing()
        }
        return receiving
    }

    private struct Missing: Error {}

    @Test("Sent messages are read")
    func sending() throws {
        let actions = try elements(
            "[{ send: \"hi ${y}\" }, { send: { json: { a: 1 } } }, { send: { base64: AAEC } }, { send: 5 }, { send: { text: true } }]"
        )
        let texts = actions.map { action -> String in
            switch action {
            case .send(.text(let template)): template.source
            case .send(.json(.constant(let value))): value.serialized()
            case .send(.base64(let template, _)): "base64 " + template.source
            default: "something else"
            }
        }
        #expect(texts == ["hi ${y}", #"{"a":1}"#, "base64 AAEC", "5", "true"])
    }

    @Test("Silences, waits, pings, and closes are read")
    func times() throws {
        let actions = try elements(
            "[{ silence: 200ms }, { wait: 1s }, { ping: true }, { ping: 2s }, { close: { reason: bye } }]")
        let texts = actions.map { action -> String in
            switch action {
            case .silence(let time): "silence \(time.known ?? 0)"
            case .wait(let time): "wait \(time.known ?? 0)"
            case .ping(let time): "ping \(time.known ?? 0)"
            case .close(let closing): "close \(closing.code) \(closing.reason?.source ?? "")"
            case .send, .receive: "something else"
            }
        }
        #expect(
            texts == [
                "silence 200000000", "wait 1000000000", "ping 5000000000", "ping 2000000000", "close 1000 bye",
            ])
    }

    @Test("Expected messages are read")
    func receiving() throws {
        #expect(try receiving("{}").time == 5_000_000_000)
        #expect(try receiving("hello").expectations.body != nil)
        let whole = try receiving(
            "{ json: { $.a: 1 }, size: { lt: 1KB }, type: text, within: 2s, skip: true, assert: size(text) > 1, capture: { id: $.id } }"
        )
        #expect(whole.expectations.json.count == 1 && whole.expectations.size != nil)
        #expect(whole.kind == .text && whole.time == 2_000_000_000 && whole.skips)
        #expect(whole.expectations.assertions.count == 1 && !whole.expectations.isDefault)
        #expect(whole.captures.map(\.name) == ["id"])
        #expect(try receiving("{ close: true }").close?.code == nil)
        #expect(try receiving("{ close: 1000 }").close?.code != nil)
        #expect(try receiving("{ close: { reason: bye } }").close?.reason != nil)
    }

    @Test("A message's captures are available to later messages, steps, and tests")
    func captures() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - request: GET /chat
                    websocket:
                      - receive: { capture: { id: $.id } }
                      - send: "${id}"
                  - request: GET /${id}
              - name: b
                request: GET /${id}
            """)
        #expect(suite.tests[0].steps[0].definedNames.map(\.name) == ["id"])
        #expect(suite.tests[1].dependencies.map(\.test) == [0])
        #expect(suite.tests[0].dependencies.isEmpty)
    }

    @Test("A previous test's capture is used until the exchange captures its own")
    func shadowing() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - name: first
                request: GET /
                capture: { id: $.id }
              - name: a
                request: GET /chat
                websocket:
                  - send: "${id}"
                  - receive: { capture: { id: $.id } }
            """)
        #expect(suite.tests[1].dependencies.map(\.test) == [0])
    }

    @Test("Default expectations do not apply to handshakes")
    func defaults() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { expect: { status: 200, headers: { X: "${y}" } } }
            variables: { y: 1 }
            tests:
              - name: a
                request: GET /chat
                expect: { headers: { Upgrade: websocket } }
                websocket: []
            """)
        let set = try #require(suite.tests.first?.steps.first?.expectations)
        #expect(set.status == nil && set.headers.map(\.name) == ["Upgrade"] && !set.isDefault)
    }

    @Test("The reason in a close frame has at most 123 bytes")
    func longReason() {
        func problems(_ reason: String) -> [String] {
            load("tests: [{ name: a, request: GET ws://h/, websocket: [{ close: { reason: \(reason) } }] }]")
                .diagnostics.map { "\($0.id): \($0.message)" }
        }
        #expect(problems(String(repeating: "x", count: 123)).isEmpty)
        #expect(
            problems(String(repeating: "é", count: 62))
                == ["invalid-websocket: the reason of a close frame must be at most 123 bytes, got 124"])
    }

    @Test("Only WebSocket requests may have a ws or wss URL")
    func urls() throws {
        #expect(try loadStep("request: GET wss://h/x\nwebsocket: []").request?.url.source == "wss://h/x")
        let result = load(
            "tests: [{ name: a, request: GET ws://h/ }, { name: b, request: GET ws://h:x/, websocket: [] }]")
        #expect(result.diagnostics.map(\.id) == ["invalid-url", "invalid-url"])
    }
}
