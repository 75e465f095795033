import Basics
import CEL
import Diagnostics
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

/// Tests of settings that may be expressions: durations, sizes, counts, paths, names, and whole mappings.
@Suite("Settings from expressions")
struct SettingExpressionTests {
    @Test(
        "A test depends on the test whose capture a setting uses",
        arguments: [
            "timeout: \"${x}\"", "retry: \"${x}\"", "retry: { times: 1, maxDelay: \"${x}\" }", "delay: \"${x}\"",
            "until: { status: 200, times: \"${x}\" }", "until: { status: 200, json: { \"$.a[${x}]\": 1 } }",
            "while: { condition: \"false\", times: \"${x}\" }", "expect: { json: { \"$.a[${x}]\": 1 } }",
            "expect: { headers: { \"X-${x}\": a } }", "expect: { cookies: { \"${x}\": a } }",
            "expect: { snapshot: { ignore: \"$.a[${x}]\" } }", "expect: { duration: { lt: \"${x}\" } }",
            "capture: { a: \"$.a[${x}]\" }", "capture: { a: { header: \"X-${x}\" } }",
            "capture: { a: { cookie: \"${x}\" } }", "websocket: [{ wait: \"${x}\" }]",
        ])
    func dependencies(_ key: String) throws {
        try check("request: GET /, \(key)")
    }

    @Test(
        "A test depends on the test whose capture a setting of its request uses",
        arguments: [
            "timeout: \"${x}\"", "timeout: { connect: \"${x}\" }", "maxBodySize: \"${x}\"", "headers: \"${x}\"",
            "headers: { \"X-${x}\": a }", "query: \"${x}\"", "cookies: \"${x}\"", "cookies: { \"${x}\": a }",
            "form: \"${x}\"", "multipart: { a: { text: b, headers: \"${x}\" } }",
        ])
    func dependenciesOfRequests(_ key: String) throws {
        try check("request: { url: /, \(key) }")
    }

    @Test(
        "A test depends on the test whose capture a default uses, unless it replaces the default",
        arguments: [
            ("timeout: \"${x}\"", "", true), ("maxBodySize: \"${x}\"", "", true),
            ("maxBodySize: \"${x}\"", "maxBodySize: 1KB", false), ("headers: \"${x}\"", "", true),
            ("headers: \"${x}\"", "headers: { A: b }", true), ("headers: { \"X-${x}\": a }", "headers: { A: b }", true),
            ("query: \"${x}\"", "query: { a: b }", true), ("cookies: \"${x}\"", "", true),
            ("cookies: \"${x}\"", "cookies: none", false), ("headers: { A: \"${x}\" }", "headers: { a: b }", false),
            ("retry: \"${x}\"", "", true), ("expect: { json: { \"$.a[${x}]\": 1 } }", "", true),
        ])
    func dependenciesOfDefaults(_ key: String, _ own: String, _ depends: Bool) throws {
        try check("request: { url: /, \(own) }", defaults: key, depends: depends)
    }

    private func check(_ keys: String, defaults: String = "", depends: Bool = true) throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { \(defaults) }
            tests:
              - { name: a, retry: 0, run: [echo], capture: { x: "${text}" } }
              - { name: b, \(keys) }
            """)
        let test = try #require(suite.tests.last)
        let isExpected = test.dependencies == [SuiteTest.Dependency(test: 0, reason: .capture(name: "x"))]
        #expect(isExpected == depends)
        #expect(depends || test.dependencies.isEmpty)
    }

    @Test("Settings without expressions are compiled while loading")
    func constants() throws {
        let step = try loadStep(
            """
            request: { url: /, headers: { A: b }, query: { a: "${x}" }, timeout: 1s, maxBodySize: 1KB }
            delay: 1s
            until: { status: 200, times: 2, json: { $.a: 1 } }
            """)
        #expect(step.request?.headers.known != nil && step.request?.query.known != nil)
        #expect(step.request?.timeout.total?.known == 1_000_000_000 && step.request?.maximumBodySize?.known == 1000)
        #expect(step.flow?.delay.known == 1_000_000_000 && step.flow?.until?.pace.known?.times == 2)
        #expect(step.flow?.until?.expectations.json.first?.path.known != nil)
    }

    @Test("An expression whose value is known while loading is a constant")
    func knownExpressions() throws {
        let step = try loadStep("request: GET /\ndelay: ${\"2s\"}\nuntil: { status: 200, times: \"${1 + 1}\" }")
        #expect(step.flow?.delay == 2_000_000_000)
        #expect(step.flow?.until?.pace.known?.times == 2)
    }

    @Test("The limits of polling and of retries complete each other when their values are known")
    func completed() throws {
        let step = try loadStep("request: GET /\nuntil: { status: 200, every: \"${x}m\", times: \"${x}\" }")
        let pace = try #require(step.flow?.until).pace.value(in: scope, context: CELContext())
        #expect(pace.every == 60_000_000_000 && pace.times == 1 && pace.within == nil)
        #expect(pace.maximumDelay == 60_000_000_000)
        let longer = CELVariables(["x": .int(2)])
        let other = try #require(step.flow?.until).pace.value(in: longer, context: CELContext())
        #expect(other.maximumDelay == 120_000_000_000)
    }

    @Test("Wrong values are errors at their expressions")
    func wrongValues() throws {
        let step = try loadStep("request: { url: /, timeout: \"${y}\" }\nretry: { times: 1, maxDelay: \"${x}s\" }")
        let error = #expect(throws: TemplateError.self) {
            try step.request?.timeout.total?.value(in: scope, context: CELContext())
        }
        #expect(error?.message == "\"timeout\" must be a duration such as 250ms or 2s, got \"two\" (string)")
        #expect(error?.range.start.column == 36)
    }

    private let scope = CELVariables(["x": .int(1), "y": .string("two")])
}
