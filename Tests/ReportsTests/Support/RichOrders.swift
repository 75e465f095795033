import Basics
import Diagnostics
import JSON
import RunModel

/// The first suite of the rich run: a suite of a typical API.
enum RichOrders {
    private static let text = """
        name: Orders
        baseURL: https://shop.example
        tests:
          - name: list the orders
            tags: [smoke]
            request: GET /orders
            expect: { status: 200 }
          - name: place an order
            id: place
            tags: [smoke, write]
            steps:
              - call: log in
              - name: pay
                request:
                  method: POST
                  url: /orders
                  json: { book: ${book}, amount: 2 }
                expect:
                  status: 201
                  json:
                    $.total: 19.98
                    $.note: 渡辺 "x"
              - GET /orders/${order}
          - name: read the order
            needs: place
            request: GET /orders/7
          - name: refuse ${case}
            forEach: [zero, negative]
            request: GET /refuse
          - name: eventually shipped
            retry: 3
            request: GET /orders/7/state
            expect: { status: 200 }
          - name: the report
            request: GET /report
            expect: { body: short }
          - name: later
            skip: waits for the new interface
            request: GET /later
        """
    private static let file = SourceFile(name: "shop/orders.yaml", text: text)
    private static let fragments = SourceFile(
        name: "shop/fragments.yaml",
        text: """
            fragments:
              log in:
                - request: POST /login
                  expect: { status: 200 }
            """)

    static let suite: SuiteInfo = {
        var suite = SuiteInfo(
            index: 0, name: "Orders", path: "shop/orders.yaml", baseURL: "https://shop.example",
            environment: "staging", testCount: 8, start: 1_000_000)
        suite.digest = "9f86d081884c7d659a2feaa0c55ad015"
        return suite
    }()

    static let results: [TestResult] = [
        list, location,
        TestResult(
            test: test(2, "read the order", line: "name: read the order"), outcome: .blocked(by: "place an order"),
            start: 243_000_000),
        row(3, "refuse zero", start: 5_000_000), row(4, "refuse negative", start: 6_500_000), shipped, report,
        TestResult(
            test: test(7, "later", line: "name: later"), outcome: .skipped(reason: "waits for the new interface"),
            start: 900_000),
    ]

    // MARK: Tests

    private static func test(
        _ position: Int, _ name: String, id: String? = nil, tags: [String] = [], hasSteps: Bool = false, line: String
    ) -> TestReference {
        TestReference(
            suite: 0, position: position, name: name, id: id, tags: tags, hasSteps: hasSteps, range: range(line))
    }

    private static func range(_ part: String, in file: SourceFile = file) -> SourceRange {
        let bytes = Array(part.utf8)
        let start = (0...max(0, file.text.count - bytes.count)).first { file.text[$0...].starts(with: bytes) } ?? 0
        return SourceRange(file: file, bytes: start..<start + bytes.count)
    }

    private static func exchange(
        _ method: String, _ path: String, at start: Int64, body: String? = nil, status: Int, reason: String = "",
        answer: [UInt8], type: String = "application/json", total: Int64 = 12_000_000
    ) -> Exchange {
        var headers = [
            HeaderField(name: "Host", value: "shop.example"),
            HeaderField(name: "User-Agent", value: "apitest/0.1.0"),
            HeaderField(name: "Authorization", value: "Bearer \(RichRun.secret)"),
        ]
        if body != nil { headers.append(HeaderField(name: "Content-Type", value: "application/json")) }
        var exchange = Exchange(
            request: Exchange.Request(
                method: method, url: "https://shop.example\(path)", headers: headers, body: Array((body ?? "").utf8)),
            response: Exchange.Response(
                status: status, reason: reason, version: "2",
                headers: [
                    HeaderField(name: "Content-Type", value: type),
                    HeaderField(name: "Content-Length", value: String(answer.count)),
                ], body: answer),
            timings: Exchange.Timings(
                dns: 310_000, connect: 420_000, tls: 2_200_000, firstByte: 7_900_000, transfer: 80_000, total: total))
        exchange.start = start
        return exchange
    }

    private static let list: TestResult = {
        let location = range("GET /orders")
        var step = TestResult.Step(name: "list the orders", outcome: .passed, duration: 12_345_678, range: location)
        step.start = 1_500_000
        step.exchange = exchange(
            "GET", "/orders", at: 1_600_000, status: 200, answer: Array(#"[{"id":7},{"id":8}]"#.utf8))
        return TestResult(
            test: test(0, "list the orders", tags: ["smoke"], line: "name: list the orders"), outcome: .passed,
            steps: [step], start: 1_500_000, duration: 12_345_678)
    }()

    private static let location: TestResult = {
        let call = range("call: log in")
        var logIn = TestResult.Step(
            name: "log in › POST /login", outcome: .passed, duration: 20_000_000,
            range: range("POST /login", in: fragments))
        logIn.start = 2_000_000
        logIn.calls = [call]
        logIn.exchange = exchange(
            "POST", "/login", at: 2_100_000, body: #"{"user":"ada"}"#, status: 200,
            answer: Array(#"{"token":"\#(RichRun.secret)"}"#.utf8))
        logIn.exchange?.cookies = [
            ReceivedCookie(name: "session", value: "abc", field: "session=abc; HttpOnly; SameSite=Lax")
        ]

        var pay = TestResult.Step(
            name: "pay", outcome: .failed, findings: payFindings, duration: 210_000_000, range: range("name: pay"))
        pay.start = 22_000_000
        pay.exchange = exchange(
            "POST", "/orders", at: 23_000_000, body: #"{"book":"Dune","amount":2}"#, status: 200, reason: "OK",
            answer: Array(#"{"id":7,"total":"19.98","note":"渡辺 \"y\"","extra":[1,2,{"deep":null}]}"#.utf8),
            total: 205_000_000)
        pay.exchange?.hops = [
            Exchange.Hop(status: 307, url: "https://shop.example/order", location: "https://shop.example/orders")
        ]
        pay.exchange?.request.curlOptions = ["--insecure"]
        var details = ExchangeDetails()
        details.certificate = CertificateInfo(
            subject: "CN=shop.example", issuer: "CN=Example Root", names: ["shop.example", "127.0.0.1"],
            notAfter: 1_800_000_000)
        details.trailers = [HeaderField(name: "X-Checksum", value: "99")]
        pay.exchange?.details = details

        var read = TestResult.Step(
            name: "GET /orders/${order}", outcome: .skipped(reason: ""), range: range("GET /orders/${order}"))
        read.start = 232_000_000
        var result = TestResult(
            test: test(
                1, "place an order", id: "place", tags: ["smoke", "write"], hasSteps: true,
                line: "name: place an order"),
            outcome: .failed, steps: [logIn, pay, read], start: 2_000_000, duration: 231_000_000)
        result.variables = [
            UsedVariable(name: "book", value: "Dune"), UsedVariable(name: "token", value: .string(RichRun.secret)),
            UsedVariable(name: "order", value: ["id": 7, "price": 9.99]),
        ]
        return result
    }()

    private static let payFindings = [
        Finding(
            subject: "status", type: .status, message: "expected 201, got 200", expected: 201, actual: 200,
            range: range("201")),
        Finding(
            subject: "json $.total", type: .init("equals"), message: #"expected 19.98 (number), got "19.98" (string)"#,
            expected: 19.98, actual: "19.98", range: range("19.98")),
        Finding(
            subject: "json $.note", type: .init("equals"), message: "differs in 1 place", expected: "渡辺 \"x\"",
            actual: "渡辺 \"y\"", range: range(#"渡辺 "x""#),
            details: [#"  渡辺 "x""#, #"- 渡辺 "y""#, "+ \(RichRun.secret)"]),
    ]

    private static func row(_ position: Int, _ name: String, start: Int64) -> TestResult {
        var step = TestResult.Step(name: name, outcome: .passed, duration: 4_000_001, range: range("GET /refuse"))
        step.start = start
        step.exchange = exchange("GET", "/refuse", at: start + 100, status: 422, answer: Array("{}".utf8))
        return TestResult(
            test: test(position, name, line: "name: refuse"), outcome: .passed, steps: [step], start: start,
            duration: 4_000_001)
    }

    private static let shipped: TestResult = {
        func attempt(_ start: Int64) -> TestResult.Step {
            var step = TestResult.Step(
                name: "eventually shipped", outcome: .failed,
                findings: [
                    Finding(
                        subject: "status", type: .status, message: "expected 200, got 503", expected: 200,
                        actual: 503, range: range("expect: { status: 200 }\n  - name: the report"))
                ], duration: 30_000_000, range: range("GET /orders/7/state"))
            step.start = start
            step.exchange = exchange(
                "GET", "/orders/7/state", at: start, status: 503, reason: "Service Unavailable",
                answer: Array("try again".utf8), type: "text/plain")
            return step
        }
        var step = TestResult.Step(
            name: "eventually shipped", outcome: .passed, duration: 62_000_000, range: range("GET /orders/7/state"))
        step.start = 90_000_000
        step.polls = 3
        step.exchange = exchange(
            "GET", "/orders/7/state", at: 140_000_000, status: 200, answer: Array(#"{"state":"shipped"}"#.utf8))
        let poll = attempt(100_000_000)
        step.previousAttempts = [
            TestResult.StepAttempt(
                outcome: .failed, findings: poll.findings, exchange: poll.exchange, duration: 30_000_000)
        ]
        return TestResult(
            test: test(5, "eventually shipped", line: "name: eventually shipped"), outcome: .flaky, steps: [step],
            previousAttempts: [
                TestResult.Attempt(outcome: .failed, steps: [attempt(50_000_000)], duration: 30_000_000)
            ],
            start: 50_000_000, duration: 102_000_000)
    }()

    private static let report: TestResult = {
        var items = "["
        for index in 0..<150 { items += #"{"id":\#(index),"title":"Book \#(index)"},"# }
        var step = TestResult.Step(
            name: "the report", outcome: .failed,
            findings: [
                Finding(
                    subject: "body", type: .init("equals"), message: #"expected "short", got 4,500 bytes"#,
                    expected: "short", range: range("expect: { body: short }"))
            ], duration: 8_000_000, range: range("GET /report"))
        step.start = 300_000_000
        step.exchange = exchange(
            "GET", "/report", at: 300_500_000, status: 200, answer: Array((items + "null]").utf8))
        return TestResult(
            test: test(6, "the report", line: "name: the report"), outcome: .failed, steps: [step], start: 300_000_000,
            duration: 8_000_000)
    }()
}
