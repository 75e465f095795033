import Synchronization
import Testing

@testable import HTTPSession

@Suite("Trace context")
struct TraceContextTests {
    @Test(
        "traceparent fields are parsed according to the standard",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-is-new", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra", false),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e473x-00f067aa0ba902b7-01", false), ("", false),
        ])
    func parsing(text: String, isValid: Bool) {
        let context = TraceContext(traceparent: text)
        #expect((context != nil) == isValid)
        if isValid, text.hasPrefix("00") { #expect(context?.description == text) }
    }

    /// Returns a generator of 1, 2, 3, …
    private static func counting() -> SessionRandom {
        let numbers = Counter()
        return SessionRandom { numbers.next() }
    }

    private final class Counter: Sendable {
        private let number = Mutex<UInt64>(0)
        func next() -> UInt64 {
            number.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func append(_ text: String) { texts.withLock { $0.append(text) } }
    }

    @Test("All attempts and redirects of a request share one trace, and each has its own span")
    func spans() async throws {
        let transport = ScriptedTransport()
        transport.answer(.get, "/a", with: .response(503), .response(302, ["Location": "/b"]))
        transport.answer(.get, "/b", with: .response(200))
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.adapters = [TraceContextAdapter()]
        configuration.retriers = [RetryPolicy(scale: .zero)]
        configuration.random = Self.counting()
        let session = Session(configuration: configuration, transport: transport)
        _ = try await session.get("a").response()
        let trace = "00-00000000000000010000000000000002"
        #expect(
            transport.requests.map { $0.headers.values("traceparent") } == [
                ["\(trace)-0000000000000003-01"], ["\(trace)-0000000000000004-01"], ["\(trace)-0000000000000005-01"],
            ])
        _ = try await session.get("b").response()
        #expect(
            transport.requests.last?.headers["traceparent"] == "00-00000000000000060000000000000007-0000000000000008-01"
        )
    }

    @Test("The current trace is continued, and a request's own traceparent field is kept")
    func parents() async throws {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200))
        var configuration = SessionConfiguration(baseURL: "http://host/")
        let spans = Texts()
        configuration.adapters = [
            TraceContextAdapter(onSpan: { span, _ in spans.append(span.traceparent) })
        ]
        configuration.random = Self.counting()
        let session = Session(configuration: configuration, transport: transport)
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
        let parent = try #require(TraceContext(traceparent: text, state: "vendor=1"))
        try await TraceContext.$current.withValue(parent) { _ = try await session.get("a").response() }
        let sent = transport.requests.last?.headers
        #expect(sent?["traceparent"] == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-00")
        #expect(sent?["tracestate"] == "vendor=1")
        #expect(spans.all == [sent?["traceparent"]])
        _ = try await session.get("a", headers: ["traceparent": text]).response()
        #expect(transport.requests.last?.headers.values("traceparent") == [text])
    }

    @Test("An unsampled context is marked as such, and all-zero identifiers are never used")
    func roots() {
        let root = TraceContext.root(random: SessionRandom { 0 }, isSampled: false)
        #expect(root.traceparent == "00-00000000000000000000000000000001-0000000000000001-00")
        #expect(!root.isSampled)
        #expect(root.child(random: SessionRandom { 7 }).traceID == root.traceID)
        #expect(TraceContext(traceIDHigh: 0, traceIDLow: 0, spanID: 1) == nil)
    }
}
