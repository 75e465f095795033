import Basics
import JSON
import RunModel

/// Strings that attempt injections, for every location in a run.
enum HostileText {
    static let all = [
        RichRun.hostile, "a # SKIP b", "\nnot ok 1", "\\", "\"", "ok 1\r\nBail out!", "", " ", "\u{85}\u{9B}31m",
        "\u{2028}x", "\u{FFFE}\u{FFFF}\u{FEFF}\u{1FFFE}", "../../etc/passwd", "😀 渡辺", "%00%2F?#&=;,+",
        String(repeating: "é", count: 3_000), String(repeating: "\u{1}", count: 20_000),
    ]

    /// Returns the events of a run with a string in all names, messages, header fields and bodies.
    static func events(_ text: String) -> [RunEvent] {
        let fixture = Fixture(name: text)
        var finding = Finding(
            subject: Finding.Subject(text), type: .init(text), message: MessageText(text), expected: .string(text),
            actual: .array([.string(text)]),
            details: [MessageText(text)])
        finding.range = fixture.range("201")
        var exchange = Fixture.created
        exchange.request.url += text
        exchange.request.method = text
        exchange.request.headers.append(HeaderField(name: text, value: text))
        exchange.request.headers.append(HeaderField(name: "Cookie", value: text + "=" + text))
        exchange.request.body = Array(text.utf8)
        exchange.response?.reason = text
        exchange.response?.headers = ["Content-Type", "Set-Cookie", "Location", text].map {
            HeaderField(name: $0, value: text)
        }
        exchange.response?.body = Array(text.utf8) + [0xFF, 0]
        exchange.hops = [Exchange.Hop(status: 302, url: text, location: text)]
        exchange.failure = Exchange.Failure(
            phase: .init(rawValue: text), kind: .init(rawValue: text), message: MessageText(text))
        var failed = fixture.result(text, .failed, findings: [finding], exchange: exchange)
        failed.variables = [UsedVariable(name: text, value: .object([text: .string(text)]))]
        failed.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .errored, findings: [finding], exchange: exchange)
        ]
        failed.test.tags = [text]
        failed.test.hasSteps = true
        let results = [
            failed, fixture.result("b", .skipped(reason: text), position: 1),
            fixture.result("c", .blocked(by: text), position: 2),
        ]
        return fixture.events(
            results,
            extra: [
                .notice(RunNotice(id: text, severity: .error, message: MessageText(text), details: [MessageText(text)]))
            ])
    }
}
