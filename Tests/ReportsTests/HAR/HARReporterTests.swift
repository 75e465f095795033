import Basics
import Diagnostics
import JSON
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct HARReporterTests {
    private func report(_ events: [RunEvent]) throws -> JSONValue {
        let bytes = try RichRun.report(events) { try HARReporter(path: $0) }
        let value = try JSONValue(parsing: bytes)
        #expect(try ReportSchema.violations(of: value, named: "har") == [])
        #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
        let pages = value.at("log", "pages").elements.map { $0.at("id") }
        #expect(Set(pages).count == pages.count)
        for entry in value.at("log", "entries").elements {
            #expect(pages.contains(entry.at("pageref")))
            checkTimes(entry)
        }
        return value
    }

    /// Checks that the phases add up to the total time.
    private func checkTimes(_ entry: JSONValue) {
        func microseconds(_ value: JSONValue) -> Int {
            guard case .number(let number) = value, let milliseconds = Double(number.description) else { return 0 }
            return Int((max(0, milliseconds) * 1_000).rounded())
        }
        let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].reduce(0) {
            $0 + microseconds(entry.at("timings", $1))
        }
        #expect(sum == microseconds(entry.at("time")))
    }

    /// Returns the entries of a run with one test and one exchange.
    private func entries(_ exchange: Exchange, _ outcome: TestResult.Outcome = .passed) throws -> [JSONValue] {
        let fixture = Fixture()
        return try report(fixture.events([fixture.result("a", outcome, exchange: exchange)]))
            .at("log", "entries").elements
    }

    @Test func theWholeEntry() throws {
        var exchange = Fixture.created
        exchange.start = 1_234_567_890
        exchange.request.url += "?q=a+b%20c&&flag&x=1=2#part"
        exchange.request.headers = [
            HeaderField(name: "Cookie", value: "a=1; b=2=3; broken"),
            HeaderField(name: "Content-Type", value: "application/json"),
        ]
        exchange.timings = Exchange.Timings(
            dns: 1_000_499, connect: 2_000_500, tls: 3_000_000, firstByte: 4_000_000, transfer: 5_000_000,
            total: 20_000_000)
        let entry = try #require(try entries(exchange).first)
        #expect(
            entry.serialized(.pretty) == #"""
                {
                  "pageref": "test_1_1",
                  "startedDateTime": "2023-11-14T22:13:21.234Z",
                  "time": 20,
                  "request": {
                    "method": "POST",
                    "url": "http://127.0.0.1:8080/books?q=a+b%20c&&flag&x=1=2",
                    "httpVersion": "HTTP/1.1",
                    "cookies": [
                      {
                        "name": "a",
                        "value": "1"
                      },
                      {
                        "name": "b",
                        "value": "2=3"
                      }
                    ],
                    "headers": [
                      {
                        "name": "Cookie",
                        "value": "a=1; b=2=3; broken"
                      },
                      {
                        "name": "Content-Type",
                        "value": "application/json"
                      }
                    ],
                    "queryString": [
                      {
                        "name": "q",
                        "value": "a b c"
                      },
                      {
                        "name": "flag",
                        "value": ""
                      },
                      {
                        "name": "x",
                        "value": "1=2"
                      }
                    ],
                    "postData": {
                      "mimeType": "application/json",
                      "text": "{\"title\":\"Dune\"}"
                    },
                    "headersSize": -1,
                    "bodySize": 16
                  },
                  "response": {
                    "status": 200,
                    "statusText": "OK",
                    "httpVersion": "HTTP/1.1",
                    "cookies": [],
                    "headers": [
                      {
                        "name": "Content-Type",
                        "value": "application/json; charset=utf-8"
                      }
                    ],
                    "content": {
                      "size": 24,
                      "mimeType": "application/json; charset=utf-8",
                      "text": "{ \"id\": 7, \"title\": 42 }"
                    },
                    "redirectURL": "",
                    "headersSize": 66,
                    "bodySize": 24
                  },
                  "cache": {},
                  "timings": {
                    "blocked": 4.999,
                    "dns": 1,
                    "connect": 5.001,
                    "send": 0,
                    "wait": 4,
                    "receive": 5,
                    "ssl": 3
                  },
                  "_suite": "Bookshop",
                  "_test": "a",
                  "_outcome": "passed"
                }
                """#)
    }

    @Test func theRichRun() throws {
        _ = try report(RichRun.events)
        try GoldenFile.expect(try RichRun.report { try HARReporter(path: $0) }, named: "har.har")
    }

    @Test func withoutResponse() throws {
        let entry = try #require(try entries(Fixture.refused, .errored).first)
        #expect(entry.at("response", "status") == 0)
        #expect(entry.at("response", "_error") == "connect: connection refused")
        #expect(entry.at("comment") == "failed: connectionRefused (connect)")
        #expect(entry.at("response", "content").serialized() == #"{"size":0,"mimeType":"","text":""}"#)
        #expect(entry.at("timings", "dns") == -1)
    }

    static let cookies: [(String, String)] = [
        ("a=b", #"{"name":"a","value":"b","httpOnly":false,"secure":false}"#),
        (
            "a=b=c; Path=/x; domain=example.org; HttpOnly; Secure; SameSite=Lax",
            #"{"name":"a","value":"b=c","path":"/x","domain":"example.org","httpOnly":true,"secure":true}"#
        ),
        (
            "a=; expires=Wed, 21-Oct-2015 07:28:00 GMT",
            #"{"name":"a","value":"","expires":"2015-10-21T07:28:00.000Z","httpOnly":false,"secure":false}"#
        ),
        (
            "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=60",
            #"{"name":"a","value":"1","expires":"2023-11-14T22:14:20.000Z","httpOnly":false,"secure":false}"#
        ),
        ("a=1; Expires=soon", #"{"name":"a","value":"1","httpOnly":false,"secure":false}"#),
        ("alone", #"{"name":"","value":"alone","httpOnly":false,"secure":false}"#),
        (
            "a=1; Max-Age=-5",
            #"{"name":"a","value":"1","expires":"2023-11-14T22:13:20.000Z","httpOnly":false,"secure":false}"#
        ),
        ("a=1; Max-Age=99999999999999999999", #"{"name":"a","value":"1","httpOnly":false,"secure":false}"#),
    ]

    @Test(arguments: cookies)
    func cookie(_ field: String, _ json: String) throws {
        var exchange = Fixture.created
        exchange.response?.headers = [HeaderField(name: "set-cookie", value: field)]
        #expect(try entries(exchange).first?.at("response", "cookies").serialized() == "[\(json)]")
    }

    static let bodies: [([HeaderField], [UInt8], Int?, String)] = [
        ([], Array("a=b".utf8), nil, #"{"mimeType":"","text":"a=b"}"#),
        (
            [HeaderField(name: "content-type", value: "application/x-www-form-urlencoded; charset=utf-8")],
            Array("a=b+c&d=%C3%A9".utf8), nil,
            #"{"mimeType":"application/x-www-form-urlencoded; charset=utf-8","#
                + #""params":[{"name":"a","value":"b c"},{"name":"d","value":"é"}]}"#
        ),
        ([], [0, 255], nil, #"{"mimeType":"","text":"AP8=","comment":"the text is base64-encoded"}"#),
        ([], [], 10, #"{"mimeType":"","text":"","comment":"the body was generated while it was sent"}"#),
    ]

    @Test(arguments: bodies)
    func requestBody(_ headers: [HeaderField], _ body: [UInt8], _ streamed: Int?, _ json: String) throws {
        var exchange = Fixture.created
        exchange.request.headers = headers
        exchange.request.body = body
        exchange.request.streamedSize = streamed
        let request = try entries(exchange).first?.at("request")
        #expect(request?.at("postData").serialized() == json)
        #expect(request?.at("bodySize") == .number(JSONNumber(streamed ?? body.count)))
    }

    @Test func longBodiesAreCut() throws {
        var exchange = Fixture.created
        exchange.response?.body = Array(String(repeating: "é", count: 600_000).utf8)
        exchange.response?.body.insert(0x61, at: 0)
        let content = try #require(try entries(exchange).first).at("response", "content")
        #expect(content.at("size") == 1_200_001)
        #expect(content.at("comment") == "first 1048575 of 1200001 bytes")
        #expect(content.at("text").text?.utf8.count == 1_048_575)
    }

    @Test func compressedBodies() throws {
        var exchange = Fixture.created
        exchange.response?.headers = [
            HeaderField(name: "Content-Encoding", value: "gzip"), HeaderField(name: "Content-Length", value: "20"),
        ]
        let response = try #require(try entries(exchange).first).at("response")
        #expect(response.at("content", "compression") == 4)
        #expect(response.at("bodySize") == 20)
    }

    @Test func whatIsDecodedIsMaskedToo() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.request.url += "?a=%61%20long+secret&b=a+long+secret"
        exchange.request.headers = [HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        exchange.request.body = Array("token=a+long%20secret".utf8)
        let value = try report(
            fixture.events(
                [fixture.result("a", .passed, exchange: exchange)], extra: [.secretRegistered("a long secret")]))
        let request = value.at("log", "entries").elements.first?.at("request")
        #expect(request?.at("queryString").elements.map { $0.at("value") } == ["***", "***"])
        #expect(request?.at("postData", "params").elements.map { $0.at("value") } == ["***"])
    }

    @Test func sizesAreThoseBeforeMasking() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = Array(#"{"token":"a long secret"}"#.utf8)
        exchange.request.headers = [HeaderField(name: "Authorization", value: "Bearer a long secret")]
        let value = try report(
            fixture.events(
                [fixture.result("a", .passed, exchange: exchange)], extra: [.secretRegistered("a long secret")]))
        let content = value.at("log", "entries").elements.first?.at("response", "content")
        #expect(content?.at("size") == 25)
        #expect(content?.at("text") == #"{"token":"***"}"#)
        #expect(!value.serialized().contains("a long secret"))
    }

    @Test func redirectsAttemptsAndPolls() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.hops = [Exchange.Hop(status: 307, url: "http://a/x?y=1", location: "http://b/")]
        var retried = fixture.result("a", .flaky, exchange: exchange)
        retried.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .errored, findings: [], exchange: Fixture.refused)
        ]
        var polled = fixture.result("b", .passed, position: 1, exchange: Fixture.created)
        polled.steps[0].polls = 2
        polled.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .failed, findings: [], exchange: Fixture.created)
        ]
        var again = fixture.result("c", .flaky, position: 2, exchange: Fixture.created)
        again.previousAttempts = [TestResult.Attempt(outcome: .failed, steps: again.steps)]
        let value = try report(fixture.events([retried, polled, again, fixture.result("d", .skipped(reason: ""))]))
        let entries = value.at("log", "entries").elements
        #expect(
            entries.map { "\($0.at("_test")) \($0.at("_attempt")) \($0.at("_poll")) \($0.at("response", "status"))" }
                == [
                    #""a" 1 null 0"#, #""a" 2 null 307"#, #""a" 2 null 200"#, #""b" null true 200"#,
                    #""b" null true 200"#,
                    #""c" 1 null 200"#, #""c" 2 null 200"#,
                ])
        #expect(entries[1].at("response", "redirectURL") == "http://b/")
        #expect(entries[1].at("request", "queryString").serialized() == #"[{"name":"y","value":"1"}]"#)
        #expect(
            value.at("log", "pages").elements.map { $0.at("title") } == [
                "Bookshop › a", "Bookshop › b", "Bookshop › c",
            ])
    }

    @Test func exchangesOfStepsThatPassedAreNeeded() throws {
        let directory = try TemporaryDirectory()
        #expect(ReportFanOut([try HARReporter(path: directory.path + "/a.har")]).needs.contains(.exchanges))
    }

    @Test(arguments: HostileText.all)
    func hostileTexts(_ text: String) throws {
        #expect(try report(HostileText.events(text)).at("log", "entries").elements.count == 4)
    }

    @Test func runsThatDoNotEnd() throws {
        #expect(try report([]).at("log", "entries") == [])
        let notice = RunNotice(.serveEnded, severity: .error, message: "the server ended")
        #expect(
            try report([.interrupted(nil), .notice(notice)]).at("log", "comment")
                == "the run was interrupted; error: the server ended [serve-ended]")
        _ = try report(RichRun.killed)
    }

    @Test func manyEntriesAreSpilled() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = [UInt8](repeating: 0x78, count: 10_000)
        let results = (0..<300).map { fixture.result("\($0)", .passed, position: $0, exchange: exchange) }
        let entries = try report(fixture.events(results)).at("log", "entries").elements
        #expect(entries.map { $0.at("_test") } == (0..<300).map { .string("\($0)") })
    }

    @Test func aPathThatCannotBeWritten() {
        #expect(throws: ReportError.self) { try HARReporter(path: "/proc/none/report.har") }
    }
}
