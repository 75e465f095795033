import Basics
import Diagnostics
import JSON
import RunModel

/// The second suite of the rich run: streams, images, missing responses, and hostile strings.
enum RichLive {
    private static let text = """
        name: Live
        ---
        name: "Live <b>& more</b>"
        baseURL: http://live.example
        tests:
          - name: chat
            tags: [live]
            request: GET /chat
            webSocket: [send: hello]
          - name: "hostile"
            request: GET /hostile
            expect: { body: x }
          - name: cover
            request: GET /cover
            expect: { image: png }
          - name: ticks
            request: GET /ticks
            expect: { events: 3 }
          - name: nobody is there
            request: GET /nobody
        """
    private static let file = SourceFile(name: "shop/live.yaml", text: text)

    static let suite: SuiteInfo = {
        var suite = SuiteInfo(
            index: 1, name: "Live <b>& more</b>", path: "shop/live.yaml", documentIndex: 1,
            baseURL: "http://live.example", testCount: 5, start: 2_000_000)
        suite.digest = "e3b0c44298fc1c149afbf4c8996fb924"
        return suite
    }()

    static let results: [TestResult] = [chat, hostile, cover, ticks, nobody]

    private static func range(_ part: String) -> SourceRange {
        let bytes = Array(part.utf8)
        let start = (0...max(0, file.text.count - bytes.count)).first { file.text[$0...].starts(with: bytes) } ?? 0
        return SourceRange(file: file, bytes: start..<start + bytes.count)
    }

    /// Returns the result of a test with one exchange.
    private static func single(
        _ position: Int, _ name: String, _ outcome: TestResult.Outcome, path: String, findings: [Finding],
        response: Exchange.Response?, details: ExchangeDetails = ExchangeDetails(), start: Int64, duration: Int64
    ) -> TestResult {
        var exchange = Exchange(
            request: Exchange.Request(
                method: "GET", url: "http://live.example\(path)",
                headers: [HeaderField(name: "Host", value: "live.example")]),
            response: response,
            timings: Exchange.Timings(firstByte: duration / 2, transfer: duration / 4, total: duration - 1))
        exchange.start = start + 1
        if !details.isEmpty { exchange.details = details }
        var step = TestResult.Step(
            name: name, outcome: outcome, findings: findings, exchange: exchange, duration: duration,
            range: range("GET \(path)"))
        step.start = start
        return TestResult(
            test: TestReference(
                suite: 1, position: position, name: name, tags: position == 0 ? ["live"] : [],
                range: range("name: \(position == 1 ? "\"hostile\"" : name)")),
            outcome: outcome, steps: [step], start: start, duration: duration)
    }

    private static let chat: TestResult = {
        var webSocket = WebSocketTranscript()
        webSocket.append(.init(.client, .text, Array("hello, my token is \(RichRun.secret)".utf8)))
        webSocket.append(.init(.server, .text, Array(#"{"kind":"welcome","room":1}"#.utf8)))
        webSocket.append(.init(.server, .binary, [0, 1, 2, 0xFF]))
        webSocket.append(.init(.client, .ping))
        webSocket.append(.init(.server, .pong))
        webSocket.append(.init(.server, .close(code: 1_011), Array("\(RichRun.hostile)".utf8)))
        var details = ExchangeDetails()
        details.webSocket = webSocket
        return single(
            0, "chat", .failed, path: "/chat",
            findings: [
                Finding(
                    subject: "receive $.room", type: .init("equals"), message: "expected 2 (integer), got 1 (integer)",
                    expected: 2, actual: 1, range: range("send: hello"))
            ],
            response: Exchange.Response(
                status: 101, reason: "Switching Protocols",
                headers: [
                    HeaderField(name: "Connection", value: "Upgrade"), HeaderField(name: "Upgrade", value: "websocket"),
                ]), details: details, start: 3_000_000, duration: 150_000_000)
    }()

    private static let hostile: TestResult = {
        let bad = RichRun.hostile
        var result = single(
            1, "hostile \(bad)", .failed, path: "/hostile",
            findings: [
                Finding(
                    subject: "header X-\(bad)", type: .init("equals"), message: "expected x, got \(bad)", expected: "x",
                    actual: .string(bad), range: range("expect: { body: x }"), details: ["detail \(bad)"])
            ],
            response: Exchange.Response(
                status: 200, reason: bad,
                headers: [
                    HeaderField(name: "Content-Type", value: "text/html"),
                    HeaderField(name: "X-Bad", value: bad),
                ], body: Array("<p>\(bad)</p>\nbroken: ".utf8) + [0xC3, 0x28, 0xFF, 0xED, 0xA0, 0x80]),
            start: 4_000_000, duration: 9_000_000)
        result.test.tags = ["odd \(bad)"]
        result.variables = [UsedVariable(name: bad, value: [.string(bad)])]
        return result
    }()

    private static let cover: TestResult = {
        var details = ExchangeDetails()
        details.image = ImageMetadata(format: "png", width: 1, height: nil)
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](0...255)
        var result = single(
            2, "cover", .failed, path: "/cover",
            findings: [
                Finding(
                    subject: "image width", type: .init("equals"), message: "expected 2, got 1", expected: 2, actual: 1,
                    range: range("image: png"))
            ],
            response: Exchange.Response(
                status: 200, headers: [HeaderField(name: "Content-Type", value: "image/png")], body: picture),
            details: details, start: 160_000_000, duration: 5_000_000)
        result.steps[0].exchange?.request.streamedSize = 1_000_000
        return result
    }()

    private static let ticks: TestResult = {
        var details = ExchangeDetails()
        details.events = [["data": "1", "id": "a"], ["data": .string(RichRun.hostile)]]
        details.streamEnd = .timeout(500_000_000)
        return single(
            3, "ticks", .errored, path: "/ticks",
            findings: [
                Finding(
                    kind: .error, subject: "events", type: .timeout, message: "got 2 of 3 events within 500 ms",
                    range: range("events: 3"))
            ],
            response: Exchange.Response(
                status: 200, headers: [HeaderField(name: "Content-Type", value: "text/event-stream")]),
            details: details, start: 170_000_000, duration: 500_000_000)
    }()

    private static let nobody: TestResult = {
        var result = single(
            4, "nobody is there", .errored, path: "/nobody",
            findings: [
                Finding(
                    kind: .error, subject: "connect", type: .init("connectionRefused"),
                    message: "no answer from live.example:80: connection refused", range: range("GET /nobody"))
            ], response: nil, start: 700_000_000, duration: 1_100_000_000)
        result.steps[0].exchange?.failure = Exchange.Failure(
            phase: .connect, kind: .init("connectionRefused"), message: "connection refused")
        result.steps[0].exchange?.timings = Exchange.Timings(dns: 1_000_000, total: 1_099_000_000)
        return result
    }()
}
