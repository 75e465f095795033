import Logging
import Synchronization
import Testing

@testable import HTTPSession

@Suite("Logging")
struct LoggingMonitorTests {
    private let lines = LogLines()
    private let transport = ScriptedTransport()

    private func session(
        _ detail: LoggingMonitor.Detail, level: Logger.Level = .trace, logsHeaders: Bool = false,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> Session {
        var logger = Logger(label: "test") { [lines] _ in LineHandler(lines: lines) }
        logger.logLevel = level
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.monitors = [LoggingMonitor(logger, detail: detail, logsHeaders: logsHeaders)]
        change(&configuration)
        return Session(configuration: configuration, transport: transport)
    }

    @Test("Each request is logged as one line whose level and metadata reflect the outcome")
    func requests() async throws {
        transport.answer(.get, "/ok?q=1&token=hidden", with: .response(200, [:], "four"))
        transport.answer(.get, "/missing", with: .response(404))
        transport.answer(.get, "/down", with: .failure(.timedOut(.connect, .seconds(1)), phase: .connect))
        let session = session(.requests)
        _ = try await session.get("ok?q=1&token=hidden").response()
        _ = try await session.get("missing").response()
        _ = await ExchangeTests.failure { try await session.get("down").response() }
        let all = lines.all
        try #require(all.count == 3)
        #expect(all.map(\.level) == [.info, .notice, .error])
        #expect(all[0].message.hasPrefix("GET http://host/ok?q=1&token=REDACTED 200 in "))
        #expect(all[0].message.hasSuffix(", 4 bytes"))
        #expect(all[0].metadata["http.status"] == "200")
        #expect(all[0].metadata["http.url"] == "http://host/ok?q=1&token=REDACTED")
        #expect(all[0].metadata["http.request"] == "#1")
        #expect(all[1].message.hasPrefix("GET http://host/missing 404 in "))
        #expect(all[2].message.hasPrefix("GET http://host/down failed: timedOut(connect) (connect) after "))
        #expect(all[2].metadata["http.reason"] == "timedOut(connect)")
    }

    @Test("Each retry is logged as a separate line, and events are logged on request")
    func events() async throws {
        transport.answer(with: .response(503), .response(200))
        let retrying = session(.requests)
        _ = try await retrying.get("a").retry(with: RetryPolicy(scale: .zero)).response()
        #expect(lines.all.map(\.message).first == "attempt 2 of GET a immediately after status 503")
        #expect(lines.all.last?.message.hasSuffix("attempt 2") == true)
        lines.clear()
        _ = try await session(.events).get("a").validate().response()
        let names = lines.all.compactMap { $0.metadata["http.event"] }
        #expect(names == ["created", "adapted", "sent", "headReceived", "received", "validated", "finished"])
    }

    @Test("Secrets in header fields are redacted, including fields that an adapter marks as credentials")
    func headers() async throws {
        transport.answer(with: .response(200, ["Set-Cookie": "sid=hidden; Path=/", "X-Plain": "seen"]))
        let session = session(.events, logsHeaders: true) { configuration in
            configuration.adapters = [APIKeyAuthentication(.header("X-Own-Key"), value: "hidden")]
        }
        _ = try await session.get("a", headers: ["Authorization": "Bearer hidden", "Cookie": "a=hidden; b=hidden"])
            .response()
        let text = lines.all.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n")
        #expect(!text.contains("hidden"))
        for shown in ["Bearer REDACTED", "a=REDACTED; b=REDACTED", "sid=REDACTED; Path=/", "X-Own-Key", "seen"] {
            #expect(text.contains(shown), "\(shown)")
        }
    }

    @Test("Messages below the logger's level are not logged")
    func level() async throws {
        transport.answer(with: .response(200), .response(500))
        let session = session(.events, level: .warning)
        _ = try await session.get("a").response()
        _ = try await session.get("a").response()
        #expect(lines.all.isEmpty)
    }
}

/// The logged messages.
final class LogLines: Sendable {
    struct Line {
        var level: Logger.Level
        var message: String
        var metadata: [String: String]
    }

    private let lines = Mutex<[Line]>([])

    var all: [Line] { lines.withLock { $0 } }

    func append(_ line: Line) { lines.withLock { $0.append(line) } }

    func clear() { lines.withLock { $0 = [] } }
}

private struct LineHandler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    init(lines: LogLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.append(
            LogLines.Line(
                level: event.level, message: event.message.description,
                metadata: (event.metadata ?? [:]).mapValues(\.description)))
    }
}
