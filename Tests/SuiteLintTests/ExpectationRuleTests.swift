import SuiteLoader
import SuiteTestSupport
import Testing

@testable import SuiteLint

/// Tests of the rules about expectations and ineffective keys.
struct ExpectationRuleTests {
    /// Returns a suite with one test that contains the given lines, starting at line 5.
    private static func test(_ lines: String) -> String {
        "baseURL: http://localhost\ntests:\n  - name: a\n    request: GET /a\n"
            + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    @Test(
        arguments: [
            (#"expect: { body: { contains: "" } }"#, "5:33 every string contains the empty string"),
            (#"expect: { body: { startsWith: "" } }"#, "5:35 every string starts with the empty string"),
            (#"expect: { body: { endsWith: "" } }"#, "5:33 every string ends with the empty string"),
            (#"expect: { body: { matches: "" } }"#, "5:32 the pattern matches every string"),
            (#"expect: { headers: { X: { matches: ".*" } } }"#, "5:40 the pattern matches every string"),
            (#"expect: { json: { $.a: { length: { gte: 0 } } } }"#, "5:38 every length is at least 0"),
            (#"expect: { json: { $.a: { length: { gt: -1 } } } }"#, "5:38 every length is at least 0"),
            (
                #"expect: { json: { $.a: { exists: true, equals: 1 } } }"#,
                "5:38 \"exists\" has no effect: \"equals\" fails too if there is no value"
            ),
            (
                "expect: { json: { $.a: { type: [string, number, boolean, array, object, 'null'] } } }",
                "5:36 every value has one of these types"
            ),
            ("expect: { json: { $.a: { like: {} } } }", "5:36 every object matches the empty object"),
            (
                #"expect: { json: { $.a: { either: [{ contains: "" }, { gt: 1 }] } } }"#,
                "5:38 one of the alternatives matches every value"
            ),
            (#"expect: { json: { $.a: { each: { matches: ".*" } } } }"#, "5:47 the pattern matches every string"),
            ("expect: { duration: { gt: 0s } }", "5:31 every duration is longer than this"),
            ("expect: { duration: { gte: 0ms } }", "5:32 nothing is less than 0"),
            ("expect: { size: { gte: 0B } }", "5:28 nothing is less than 0"),
            ("expect: { redirects: { gte: 0 } }", "5:33 nothing is less than 0"),
            ("expect: { timings: { dns: { gte: 0s } } }", "5:38 nothing is less than 0"),
            ("expect: { status: { gte: 100 } }", "5:30 every status matches"),
            ("expect: { status: { lt: 600 } }", "5:29 every status matches"),
            ("expect: [1xx, 2xx, 3xx, 4xx, 5xx]", "5:13 every status matches"),
            ("expect: 100-599", "5:13 every status matches"),
            ("assert: 'true'", "5:14 the assertion is always true"),
            ("assert: [size('abc') == 3]", "5:14 the assertion is always true"),
            ("assert: 1 + 1", "5:13 the assertion has the same result for every response"),
        ])
    func neverFails(_ lines: String, _ expected: String) throws {
        #expect(try LintCase(lines, Self.test(lines)).findings(of: "never-fails") == [expected])
    }

    @Test(
        arguments: [
            "expect: { body: { contains: a } }", "expect: { body: { matches: '^$' } }",
            "expect: { json: { $.a: { exists: true } } }", "expect: { json: { $.a: { exists: false } } }",
            "expect: { json: { $.a: { exists: true, not: 1 } } }",
            "expect: { json: { \"$.a[*]\": { exists: true, each: 1 } } }",
            "expect: { json: { $.a: { length: { gte: 1 } } } }",
            "expect: { json: { $.a: { length: { gte: 0, lt: 5 } } } }", "expect: { json: { $.a: { gte: 0 } } }",
            "expect: { json: { $.a: { type: [string, number] } } }", "expect: { json: { $.a: { like: { b: 1 } } } }",
            "expect: { json: { $.a: { equals: {} } } }", "expect: { duration: { lt: 1s } }",
            "expect: { duration: { gt: 1ms } }", "expect: { size: { gt: 0B } }",
            "expect: { timings: { dns: { gt: 0s } } }",
            "expect: { status: { gte: 200 } }", "expect: { status: { gte: 100, lt: 300 } }", "expect: [2xx, 4xx]",
            "expect: [1xx, 2xx, 4xx, 5xx]", "assert: status == 200", "assert: uuid() != ''",
            "expect: { json: { $.a: { either: [{ contains: b }, { gt: 1 }] } } }",
        ])
    func canFail(_ lines: String) throws {
        // A lower bound that is always satisfied is reported as ineffective, even if another one is not.
        let findings = try LintCase(lines, Self.test(lines)).findings(of: "never-fails")
        #expect(findings.isEmpty || lines.contains("gte: 100, lt: 300"))
    }

    /// A value that all tests have by default is reported once.
    @Test func defaults() throws {
        let suite = """
            baseURL: http://localhost
            defaults: { expect: { duration: { gt: 0s } } }
            tests: [{ name: a, request: GET /a }, { name: b, request: GET /b }]
            """
        #expect(try LintCase("", suite).findings(of: "never-fails") == ["2:39 every duration is longer than this"])
    }

    @Test(arguments: [
        LintCase(
            "a test that expects nothing", test("tags: x"),
            "3:11 the test has no expectations: any status below 400 passes"),
        LintCase("a test that expects a status", test("expect: 200")),
        LintCase("a test that asserts", test("assert: status == 200")),
        LintCase("a test that captures", test("capture: { a: $.a }")),
        LintCase("a test that is skipped", test("skip: later")),
        LintCase(
            "defaults that expect something",
            """
            baseURL: http://localhost
            defaults: { expect: { status: 200 } }
            tests: [{ name: a, request: GET / }]
            """),
    ])
    func noExpectation(_ test: LintCase) throws {
        let findings = try test.findings(of: "no-expectation")
        #expect(findings == test.expected)
    }

    /// The rule is checked only on request.
    @Test func noExpectationIsOffByDefault() throws {
        #expect(SuiteLinter().lint(load(Self.test("tags: x"))).diagnostics.isEmpty)
    }

    @Test(arguments: [
        LintCase(
            "continue on the only step", test("continue: true"),
            "5:5 \"continue\" has no effect: no step follows"),
        LintCase("continue that is false", test("continue: false")),
        LintCase(
            "continue on the last step",
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - { request: GET /a, continue: true }
                  - { request: GET /b, continue: true }
            """, "6:28 \"continue\" has no effect: no step follows"),
        LintCase(
            "a retry of zero times", test("retry: { times: 0, delay: 1s }"),
            "5:24 \"delay\" has no effect: nothing is retried"),
        LintCase("a retry that is disabled", test("retry: 0")),
        LintCase(
            "a backoff with only one wait", test("retry: { times: 1, delay: 1s, backoff: exponential }"),
            "5:35 \"backoff\" has no effect: there is only one retry, with no delay after it"),
        LintCase(
            "a retry that waits",
            test("retry: { times: 3, delay: 1s, backoff: exponential, jitter: 0.5, maxDelay: 1m }")),
    ])
    func noEffect(_ test: LintCase) throws {
        let findings = try test.findings(of: "no-effect")
        #expect(findings == test.expected)
    }
}
