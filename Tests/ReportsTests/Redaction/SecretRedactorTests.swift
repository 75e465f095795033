import Basics
import Diagnostics
import JSON
import RunModel
import Testing

@testable import Redaction
@testable import Reports

struct SecretRedactorTests {
    private func redactor(_ secrets: String...) -> SecretRedactor {
        var redactor = SecretRedactor()
        for secret in secrets { redactor.register(secret) }
        return redactor
    }

    /// Returns plain base64, to test encodings that the redactor did not create itself.
    private func base64(_ text: String, urlSafe: Bool = false) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(urlSafe ? "-_" : "+/")")
        let bytes = Array(text.utf8)
        var output = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var value = 0
            for index in 0..<3 { value = value << 8 | (index < group.count ? Int(group[start + index]) : 0) }
            for index in 0..<4 {
                output.append(index <= group.count ? alphabet[value >> (18 - index * 6) & 63] : "=")
            }
        }
        return output
    }

    @Test(arguments: [
        ("p@ss/wörd?>~ 1", "p@ss/wörd?>~ 1"), ("p@ss/wörd?>~ 1", "p%40ss%2Fw%C3%B6rd%3F%3E~%201"),
        ("p@ss/wörd?>~ 1", "p%40ss%2fw%c3%b6rd%3f%3e%7e+1"), ("p@ss/wörd?>~ 1", "p@ss/w%C3%B6rd?%3E~%201"),
        ("p@ss/wörd?>~ 1", #"p@ss\/w\u00f6rd?\u003E~ 1"#), ("a\"b\\c\nd\u{1F600}", #"a\"b\\c\nd\ud83d\ude00"#),
        ("a&b<\"c\">'ö'", "a&amp;b&lt;&quot;c&quot;&gt;&apos;&#246;&#x27;"), ("a&b<c", "a&b&#x3C;c"),
        ("&xy&", "&#38;xy&amp;"),
        ("a&amp;b", "a&amp;b"), ("a&amp;b", "a&amp;amp;b"), ("a&b=c", "a&b=c"), ("&amp", "&amp"),
        ("100%41", "100%41"), ("100%41", "100%2541"), (" lead", "+lead"), ("%25x%", "%2525x%25"),
    ])
    func escapedForms(secret: String, form: String) {
        let redactor = redactor(secret)
        #expect(redactor.redacted("<\(form)>") == "<***>")
        #expect(redactor.redacted(Array("<\(form)>".utf8)) == Array("<***>".utf8))
    }

    @Test("The beginning of a secret is masked at the end of a truncated message")
    func beginnings() {
        let redactor = redactor("0123456789abcdef")
        #expect(redactor.redacted("got \"0123456789a…\" (string)") == "got \"***…\" (string)")
        #expect(redactor.redacted("<token>012345…") == "<token>***…")
        #expect(redactor.redacted("0123…, 0123456789 and \u{20AC}") == nil)
    }

    @Test(arguments: ["hunter2", "p@ss/wörd?>~", "four", "sixsix", "??>>~~"], [0, 1, 2, 3, 4])
    func base64Forms(secret: String, shift: Int) {
        let redactor = redactor(secret)
        let prefix = String("ada:".suffix(shift))
        for suffix in ["", ":", "xy", "xyz"] {
            for urlSafe in [false, true] {
                let form = base64(prefix + secret + suffix, urlSafe: urlSafe)
                let masked = redactor.redacted("\"\(form)\"") ?? ""
                #expect(masked.contains("***"), "\(secret) \(shift) \(suffix) \(form)")
                // The rest may reveal the prefix and the suffix, but not the secret.
                let left = masked.utf8.count - "\"***\"".utf8.count
                #expect(left <= (prefix.utf8.count + suffix.utf8.count) * 4 / 3 + 3, "\(form) \(masked)")
            }
        }
        #expect(redactor.redacted(base64(secret)) == "***")
    }

    @Test func secretsThatOverlapTheLongestWins() {
        let redactor = redactor("secret", "secret-and-more")
        #expect(redactor.redacted("secret-and-more, secret, secre") == "***, ***, secre")
    }

    /// Messages shorten long values, and a part of a secret is secret.
    @Test(arguments: [
        ("got \"eyJhbGciOiJI… (string)", "got \"***… (string)"), ("got \"eyJhbG…", "got \"***…"),
        ("got \"eyJhb…", "got \"eyJhb…"), ("ends with …zI1NiJ9.payload\"", "ends with ***\""),
        ("ends with …yload", "ends with …yload"), ("a… eyJhbGciOiJIUzI1NiJ9.payload", "a… ***"),
        ("eyJhbGciOiJIUzI1NiJ9.pay%6Coa…", "***…"), ("…", "…"), ("eyJhbG", "eyJhbG"),
    ])
    func cutSecretsAreMasked(text: String, masked: String) {
        let redactor = redactor("eyJhbGciOiJIUzI1NiJ9.payload")
        #expect(redactor.redacted(text) ?? text == masked)
    }

    /// A difference in a long value includes its surroundings.
    @Test(arguments: [
        ("got \"…IUzI1NiJ9.pay…\" (string)", "got \"***…\" (string)"), ("…IUzI1N…", "***…"), ("…IUzI1…", "…IUzI1…"),
        ("…IUzI1x…", "…IUzI1x…"), ("…IUzI1NiJ9", "…IUzI1NiJ9"), ("…IUzI%31NiJ9\\u002Epay…", "***…"),
        ("…NiJ9\\…", "…NiJ9\\…"), ("…zI1NiJ9%2Epayload&x", "***&x"), ("…eyJhbGciOi…", "…***…"), ("…………", "…………"),
        ("eyJhbGciOi%4…", "***%4…"),
    ])
    func middlesOfSecretsAreMasked(text: String, masked: String) {
        #expect((redactor("eyJhbGciOiJIUzI1NiJ9.payload").redacted(text) ?? text) == masked)
    }

    /// A message in JSON may quote JSON.
    @Test(arguments: [
        (#"pa"ss\word"#, #"{"a":"{\"b\":\"pa\\\"ss\\\\word\"}"}"#, #"{"a":"{\"b\":\"***\"}"}"#),
        (#"pa"ssword"#, #"{"b":"pa\"ssword"}"#, #"{"b":"***"}"#), ("pass/word", #"\"pass\\\/word\""#, #"\"***\""#),
    ])
    func nestedJSON(secret: String, text: String, masked: String) {
        #expect(redactor(secret).redacted(text) == masked)
    }

    /// Each `…` in a body is examined only if a part of a secret may follow.
    @Test(.timeLimit(.minutes(1))) func manyCuts() {
        var redactor = SecretRedactor()
        for number in 0..<50 {
            redactor.register((0..<400).map { String(($0 + 7) * ($0 + number + 3) % 997, radix: 36) }.joined())
        }
        let text = String(repeating: "a…12-34.56_", count: 100_000)
        #expect(redactor.redacted(text) == nil)
    }

    @Test func firstBytesEndWithTheBeginningOfASecret() {
        let redactor = redactor("0123456789abcdef")
        func masked(_ text: String) -> String? {
            redactor.redacted(firstBytes: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(masked("key 0123456") == "key ***")
        #expect(masked("key 0123456789abcdef") == "key ***")
        #expect(masked("key 01234") == nil)
        #expect(masked("0123456789abcdef, 0123") == "***, 0123")
    }

    @Test func linesOfALongSecretAreMaskedAlone() {
        let redactor = redactor("-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n")
        #expect(redactor.redacted("got MIIEvQIBADANBg here") == "got *** here")
    }

    @Test(arguments: ["", "ab", "1", "abc", "öäü", "true", "null", "12"])
    func shortSecretsAreNeverMasked(secret: String) {
        let redactor = redactor(secret)
        #expect(redactor.isEmpty)
        for text in [secret, #"{"pin":\#(secret)}"#, "?pin=\(secret)&x=1", "<a>\(secret)</a>", "YWI="] {
            #expect(redactor.redacted(text) == nil, "\(text)")
        }
    }

    /// The program's own words and paths are not data.
    @Test func ownWordsAreKept() {
        let redactor = redactor("status", "tests")
        let (word, words, value) = ("tests", "a tests b", "status")
        var finding = Finding(subject: .status, type: .status, message: "the status is \(word)", range: nil)
        finding.subject = "header tests"
        let file = SourceFile(name: "tests/a.yaml", text: "a: status\n")
        let range = SourceRange(file: file, bytes: 0..<1)
        var known = Finding(subject: .status, type: .status, message: "status \(words), tests", range: range)
        known.details = ["the status is \(words)", MessageText(value)]
        let step = TestResult.Step(name: "tests", outcome: .failed, findings: [finding, known], range: range)
        let test = TestReference(
            suite: 0, position: 0, name: "the tests", id: nil, tags: [], hasSteps: false, range: range)
        guard
            case .testFinished(let result)? = redactor.redacted(
                .testFinished(TestResult(test: test, outcome: .failed, steps: [step])))
        else {
            Issue.record("nothing is masked")
            return
        }
        let masked = result.steps.first?.findings ?? []
        #expect(masked.map(\.subject.description) == ["header ***", "status"])
        #expect(masked.map(\.message) == ["the status is ***", "status a *** b, tests"])
        #expect(masked.last?.details == ["the status is a *** b", "***"])
        #expect(masked.last?.range?.file.name == "tests/a.yaml")
        #expect(result.test.name == "the ***")
        var summary = RunSummary(counts: OutcomeCounts(), exchanges: 0, duration: 0)
        summary.repeatArguments = RepeatArguments(
            paths: ["tests"], options: ["--status", "tests", "--variable=a=tests"])
        guard case .runFinished(let finished)? = redactor.redacted(.runFinished(summary)) else {
            Issue.record("the options are not masked")
            return
        }
        #expect(finished.repeatArguments.paths == ["tests"])
        #expect(finished.repeatArguments.options == ["--status", "***", "--variable=a=***"])
    }

    @Test func diagnosticsAreMasked() throws {
        let file = SourceFile(name: "a.yaml", text: "key: hunter22 # x\n")
        let range = SourceRange(file: file, bytes: 0..<3)
        let secret = "hunter22"
        let diagnostic = Diagnostic(
            id: "x", message: "got \(secret)", range: range, label: "\(secret)",
            related: [Diagnostic.Related(message: "and \(secret)", range: range)], suggestion: "write \(secret)")
        // "write" is a secret, too, but not where it is a word of the program.
        let masked = try #require(SecretMask([secret, "write"]).masked([diagnostic]).first)
        #expect(masked.message == "got ***")
        #expect(masked.label == "***")
        #expect(masked.suggestion == "write ***")
        #expect(masked.range?.file.line(1) == "key: ******** # x")
        #expect(masked.related.first?.message == "and ***")
        #expect(masked.related.first?.range?.file.line(1) == "key: ******** # x")
        #expect(SecretMask().masked([diagnostic]) == [diagnostic])
    }

    @Test func textWithoutSecretsIsNotCopied() {
        let redactor = redactor("hunter2")
        #expect(redactor.redacted("100% of \\n + \u{20AC} aHVudGVy") == nil)
        #expect(redactor.redacted([UInt8](repeating: UInt8(ascii: "%"), count: 1_000)) == nil)
    }

    @Test func sourceLinesKeepTheirColumns() {
        let redactor = redactor("wörd")
        let file = SourceFile(name: "a.yaml", text: "token: wörd # x\nother")
        let masked = redactor.redacted(file)
        #expect(masked.line(1) == "token: **** # x")
        #expect(redactor.redacted(file) === masked)
        let clean = SourceFile(name: "b.yaml", text: "nothing")
        #expect(redactor.redacted(clean) === clean)
    }

    @Test func everyStringOfEveryEventIsMasked() {
        let secret = "s3cr3t/t0ken"
        var fixture = Fixture(path: "a.yaml", text: "token: s3cr3t/t0ken\n")
        fixture.suite.name = "suite \(secret)"
        fixture.suite.baseURL = "http://h/\(secret)"
        var finding = Finding(
            subject: "json \(secret)", type: .init("equals"), message: "got \(secret)", expected: .string(secret),
            actual: .array([.string("x\(secret)")]), range: fixture.range(secret), details: ["= \(secret)"])
        finding.range = fixture.range(secret)
        let field = HeaderField(name: "X-\(secret)", value: secret)
        let encoded = "s3cr3t%2Ft0ken"
        let exchange = Exchange(
            request: Exchange.Request(
                method: "GET", url: "http://h/?t=\(encoded)",
                headers: [field, HeaderField(name: "authorization", value: "Basic YTpi")],
                body: Array(base64("u:" + secret).utf8)),
            response: Exchange.Response(
                status: 200, reason: secret, headers: [field], body: Array(#"{"t":"s3cr3t\/t0ken"}"#.utf8)),
            failure: Exchange.Failure(phase: .receive, kind: .init("closed"), message: MessageText(secret)),
            hops: [Exchange.Hop(status: 302, url: "http://h/\(secret)", location: "http://h/\(encoded)")],
            cookies: [ReceivedCookie(name: "sid", value: secret)])
        var test = fixture.test("test \(secret)")
        test.id = secret
        test.tags = [secret]
        let step = fixture.step("step \(secret)", .errored, findings: [finding], exchange: exchange)
        let results = [
            TestResult(test: test, outcome: .errored, steps: [step]),
            TestResult(test: test, outcome: .skipped(reason: secret)),
            TestResult(test: test, outcome: .blocked(by: secret)),
        ]
        let recorder = EventRecorder()
        let fanOut = ReportFanOut([recorder])
        fanOut.send(.secretRegistered(secret))
        let notice = RunNotice(
            .serveEnded, severity: .error, message: MessageText(secret), details: [MessageText(secret)])
        for event in fixture.events(results, extra: [.notice(notice)]) { fanOut.send(event) }

        let dump = recorder.dump
        for form in [secret, encoded, #"s3cr3t\/t0ken"#, "czNjcjN0L3Qwa2Vu", "YTpi", "MzY3IzdC90MGtlb"] {
            #expect(!dump.contains(form), "\(form)")
        }
        guard case .testFinished(let result) = recorder.events[4], let seen = result.steps.first else {
            Issue.record("expected a result")
            return
        }
        #expect(seen.findings.first?.range?.file.line(1) == "token: ************")
        #expect(seen.exchange?.request.url == "http://h/?t=***")
        #expect(seen.exchange?.request.headers.last?.value == "Basic ***")
        #expect(seen.exchange.map { String(decoding: $0.request.body.suffix(3), as: UTF8.self) } == "***")
        #expect(seen.exchange?.response.map { String(decoding: $0.body, as: UTF8.self) } == #"{"t":"***"}"#)
        #expect(seen.findings.first?.actual == .array([.string("x***")]))
    }

    @Test(arguments: [
        ("Authorization", "Bearer abc.def", "Bearer ***"), ("proxy-authorization", "Basic YTpi", "Basic ***"),
        ("AUTHORIZATION", "token", "***"), ("Authorization", #"Digest username="a", uri="/""#, "Digest ***"),
        ("Cookie", "sid=1", "sid=1"), ("Authorization", "", ""),
    ])
    func credentialsOfRequestsAreMasked(name: String, value: String, expected: String) {
        let redactor = SecretRedactor()
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.request.headers = [HeaderField(name: name, value: value)]
        let event = RunEvent.testFinished(fixture.result("a", .passed, exchange: exchange))
        guard case .testFinished(let result) = redactor.redacted(event) ?? event else { return }
        #expect(result.steps.first?.exchange?.request.headers.first?.value == expected)
    }

    @Test func passwordsInURLsAreMasked() {
        let redactor = SecretRedactor()
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.request.url = "http://ada:p%40ss:w@h/a:b@c"
        exchange.hops = [Exchange.Hop(status: 302, url: "http://ada:x@h/", location: "http://h/?a:b@c")]
        let event = RunEvent.testFinished(fixture.result("a", .passed, exchange: exchange))
        guard case .testFinished(let result) = redactor.redacted(event) ?? event else { return }
        let seen = result.steps.first?.exchange
        #expect(seen?.request.url == "http://ada:***@h/a:b@c")
        #expect(seen?.hops.first?.url == "http://ada:***@h/")
        #expect(seen?.hops.first?.location == "http://h/?a:b@c")
        #expect(URLPassword.decoded(in: "http://ada:p%40ss:w@h/a:b@c") == "p@ss:w")
        for url in ["http://ada@h/", "http://ada:@h/", "/a:b@c", "mailto:a:b@c", "http://h/a:b@c", "http://[::1]:80/"] {
            #expect(URLPassword.range(in: url) == nil, "\(url)")
        }
    }

    @Test func attemptsAndDetailsAreMaskedToo() throws {
        var redactor = SecretRedactor()
        redactor.register("hunter22")
        let fixture = Fixture()
        var details = ExchangeDetails()
        details.events = [.object(["data": "hunter22"])]
        details.trailers = [HeaderField(name: "X-Key", value: "hunter22")]
        var webSocket = WebSocketTranscript()
        webSocket.append(.init(.server, .text, Array("key hunter22".utf8)))
        webSocket.append(.init(.server, .text, firstBytes: Array("key hunter".utf8), size: 20, isCut: true))
        details.webSocket = webSocket
        details.command = CommandExecution(
            arguments: ["psql", "user hunter22"], errors: Array("no user hunter22".utf8))
        var exchange = Fixture.created
        exchange.details = details
        let secret = "hunter22"
        let finding = Finding(subject: "events", type: .init("events"), message: "got \(secret)")
        var result = fixture.result("a", .flaky, exchange: exchange)
        result.steps[0].printed = [UsedVariable(name: "body.key", value: "hunter22")]
        result.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .failed, findings: [finding], exchange: exchange)
        ]
        result.previousAttempts = [
            TestResult.Attempt(outcome: .failed, steps: [fixture.step("a", .failed, findings: [finding])])
        ]
        let recorder = EventRecorder()
        let masked = redactor.redacted(.testFinished(result))
        recorder.receive(try #require(masked))
        #expect(!recorder.dump.contains("hunter22"))
        guard case .testFinished(let seen)? = recorder.events.last else { return }
        let messages = seen.steps.first?.exchange?.details?.webSocket?.messages ?? []
        #expect(messages.map { String(decoding: $0.bytes, as: UTF8.self) } == ["key ***", "key ***"])
        let exchanges = seen.steps.first?.exchange
        #expect(exchanges?.request.url == "psql 'user ***'")
        #expect(exchanges?.details?.command?.errors == Array("no user ***".utf8))
        #expect(seen.steps.first?.printed.first?.value == "***")
        #expect(recorder.dump.contains("***"))
    }
}
