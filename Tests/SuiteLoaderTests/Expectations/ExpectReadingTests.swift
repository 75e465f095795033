import CEL
import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading expectations")
struct ExpectReadingTests {
    @Test(
        "Statuses are codes, classes, ranges, and arrays of them",
        arguments: [
            ("200", [200...200], "200"), ("2xx", [200...299], "2xx"), ("200-204", [200...204], "200-204"),
            ("[200, 3XX, 410-412]", [200...200, 300...399, 410...412], "200, 3XX or 410-412"),
            ("'404'", [404...404], "404"),
        ])
    func statuses(written: String, ranges: [ClosedRange<Int>], text: String) throws {
        for lines in ["expect: \(written)", "expect: { status: \(written) }"] {
            let set = try loadStep("request: GET /\n\(lines)").expectations
            guard case .ranges(let found)? = set.status?.pattern else {
                Issue.record("expected ranges")
                return
            }
            #expect(found == ranges)
            #expect(set.status?.text == text)
            #expect(!set.isDefault)
        }
    }

    @Test("A status may be an expression or a matcher", arguments: ["\"${x}\"", "{ gte: 200, lt: 300 }"])
    func statusMatchers(written: String) throws {
        guard
            case .matcher? = try loadStep("request: GET /\nexpect: { status: \(written) }").expectations.status?.pattern
        else {
            Issue.record("expected a matcher")
            return
        }
    }

    @Test(
        "Operands of a status matcher are statuses",
        arguments: [
            ("{ not: 5xx }", #"not equals "5xx""#), ("{ not: '404' }", "not equals 404"),
            ("{ not: [2xx, 404] }", #"not oneOf "2xx" 404"#), ("{ equals: 500-599 }", #"equals "500-599""#),
            ("{ oneOf: [2xx, '404'] }", #"oneOf "2xx" 404"#),
            ("{ either: [2xx, [301, 5xx]] }", #"either equals "2xx" oneOf 301 "5xx""#),
            ("\"${x}\"", "equals ${}"), ("{ all: [{ not: \"${x}\" }, { lt: 500 }] }", "all not equals ${} lt"),
        ])
    func statusOperands(written: String, expected: String) throws {
        let set = try loadStep("request: GET /\nexpect: { status: \(written) }").expectations
        guard case .matcher(let matcher)? = set.status?.pattern else {
            Issue.record("expected a matcher")
            return
        }
        #expect(Self.described(matcher) == expected)
    }

    /// Returns the operators and operands of a status matcher, at any depth.
    private static func described(_ matcher: Matcher) -> String {
        #expect(matcher.domain == .status)
        func text(_ template: ValueTemplate) -> String {
            if case .constant(let value) = template { value.serialized() } else { "${}" }
        }
        var words: [String] = []
        for operation in matcher.operations {
            words.append(operation.operator.keyword.rawValue)
            switch operation.operator {
            case .equals(let template): words.append(text(template))
            case .oneOf(let templates): words += templates.map(text)
            case .not(let inner): words.append(described(inner))
            case .all(let matchers), .either(let matchers): words += matchers.map(described)
            default: break
            }
        }
        return words.joined(separator: " ")
    }

    @Test("Only a step without expectations and assertions gets the default expectation")
    func emptiness() throws {
        #expect(try loadStep("request: GET /").expectations.isDefault)
        for nothing in [
            "expect: {}", "expect: { json: {} }", "expect: { headers: {} }", "expect: { body: null }", "assert: []",
            "expect: { contract: false }",
        ] {
            #expect(try loadStep("request: GET /\n\(nothing)").expectations.isDefault, "\(nothing)")
        }
        for something in ["{ status: null }", "{ status: null, json: {} }", "{ hops: [] }", "{ body: '' }"] {
            #expect(try !loadStep("request: GET /\nexpect: \(something)").expectations.isDefault, "\(something)")
        }
        #expect(try !loadStep("request: GET /\nassert: 1 == 1").expectations.isDefault)
    }

    @Test("All kinds of expectations are read")
    func everything() throws {
        let set = try loadStep(
            """
            request: GET /
            expect:
              status: 200
              headers:
                Content-Type: { contains: json }
                Set-Cookie: { all: { contains: Secure } }
                Vary: { all: [{ contains: Accept }, { contains: Origin }] }
                ETag: abc
                Via: { all: { contains: proxy }, length: 2, not: { contains: x } }
              cookies:
                id: { value: { length: 32 }, path: /, secure: true, maxAge: { gt: 60 } }
                theme: dark
                old: { domain: example.com, httpOnly: false }
              json:
                $.id: { type: integer }
                $.items[*].price: [1, 2.50]
                $.gone: null
              body: { contains: Dune }
              duration: { lt: 2s, gt: 1ms }
              size: { between: [1B, 64KB] }
            assert:
              - status == 200
              - ${body.id > 0}
            """
        ).expectations
        #expect(set.headers.map(\.name) == ["Content-Type", "Set-Cookie", "Vary", "ETag", "Via"])
        #expect(set.headers.map(\.matchesAll) == [false, true, false, false, false])
        #expect(
            set.headers.map { $0.matcher.operations.map(\.operator.keyword.rawValue) } == [
                ["contains"], ["contains"], ["all"], ["equals"], ["each", "length", "not"],
            ])
        #expect(set.cookies.map(\.name) == ["id", "theme", "old"])
        #expect(
            set.cookies.map { $0.value?.operations.map(\.operator.keyword.rawValue) } == [["length"], ["equals"], nil])
        #expect(
            set.cookies.map { $0.attributes.map(\.attribute) } == [
                [.path, .secure, .maxAge], [], [.domain, .httpOnly],
            ])
        #expect(set.json.map(\.pathRange.text) == ["$.id", "$.items[*].price", "$.gone"])
        #expect(set.json.map(\.matcher.range.text) == ["{ type: integer }", "[1, 2.50]", "null"])
        #expect(set.body?.operations.count == 1)
        #expect(set.duration?.domain == .duration)
        #expect(set.duration?.operations.map(\.range.text) == ["2s", "1ms"])
        guard case .lt(.constant(let limit))? = set.duration?.operations.first?.operator,
            case .between(.constant(let low), .constant(let high))? = set.size?.operations.first?.operator
        else {
            Issue.record("expected operators on quantities")
            return
        }
        #expect(limit == 2_000_000_000)
        #expect(low == 1)
        #expect(high == 64000)
        #expect(set.assertions.map(\.expression.source) == ["status == 200", "body.id > 0"])
        #expect(set.assertions.map(\.range.text) == ["status == 200", "body.id > 0"])
    }

    @Test("If null removes the last default, statuses of 400 and above fail again unless status itself is null")
    func removedDefaults() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { expect: { headers: { A: b } } }
            tests:
              - { name: headers, request: GET /, expect: { headers: null } }
              - { name: status, request: GET /, expect: { headers: null, status: null } }
            """)
        #expect(suite.tests.map(\.steps[0].expectations.isDefault) == [true, false])
        let any = try loadGood(
            """
            baseURL: http://localhost
            defaults: { expect: { status: null } }
            tests: [{ name: any, request: GET /, expect: {} }]
            """)
        #expect(any.tests.map(\.steps[0].expectations.isDefault) == [false])
    }

    @Test("Defaults are merged key by key: a step's key replaces the default, and null removes it")
    func defaults() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults:
              expect: { status: 2xx, headers: { A: b }, duration: { lt: 2s }, json: { $.ok: true } }
            tests:
              - { name: all, request: GET / }
              - { name: short, request: GET /, expect: 404 }
              - { name: some, request: GET /, expect: { headers: { C: d }, duration: null, json: null } }
            """)
        let sets = suite.tests.map(\.steps[0].expectations)
        #expect(sets.map(\.isDefault) == [false, false, false])
        #expect(sets.map(\.status?.text) == ["2xx", "404", "2xx"])
        #expect(sets.map { $0.headers.map(\.name) } == [["A"], ["A"], ["C"]])
        #expect(sets.map { $0.duration == nil } == [false, false, true])
        #expect(sets.map(\.json.count) == [1, 1, 0])
    }

    /// Operands and the operators that the loader reads from them.
    private static let operands = [
        ("equals: { a: 1 }", "equals"), ("not: 1", "not"), ("type: [string, uuid]", "type"),
        ("contains: 1", "contains"),
        ("startsWith: 1.10", "startsWith"), ("endsWith: b", "endsWith"), ("matches: '^a$'", "matches"),
        ("matches: '^${y}$'", "matches"), ("oneOf: [a, 1, null]", "oneOf"), ("gt: 1", "gt"), ("gte: '${x}'", "gte"),
        ("lt: 1.5", "lt"), ("lte: -1", "lte"), ("between: [1, '${x}']", "between"),
        ("gt: abc", "gt"), ("between: [a, '${y}']", "between"), ("between: [a, b]", "between"),
        ("closeTo: { value: 2026-01-01T00:00:00Z, within: 5s }", "closeTo"),
        ("closeTo: { value: '${y}', within: 1m30s }", "closeTo"),
        ("closeTo: { value: 2026-01-01, within: '${y}' }", "closeTo"),
        ("closeTo: { value: 1, within: 0.1 }", "closeTo"), ("length: 3", "length"), ("length: { gt: 3 }", "length"),
        ("empty: true", "empty"), ("exists: false", "exists"), ("each: { type: string }", "each"),
        ("any: a", "any"),
        ("none: a", "none"), ("unique: true", "unique"), ("sorted: true", "sorted"),
        ("sorted: descending", "sorted"),
        ("includes: { like: { a: 1 } }", "includes"), ("like: { a: [1] }", "like"),
        ("strictLike: { a: 1 }", "strictLike"),
        ("before: 2026-01-01", "before"), ("after: 2026-01-01T00:00:00Z", "after"), ("after: '${y}'", "after"),
        ("within: { of: 2026-01-01T00:00:00Z, amount: 5s }", "within"), ("all: [a, { gt: 1 }]", "all"),
        ("either: [1, 2]", "either"), ("type: null", "type"),
        ("like: { a: { $match: { type: integer } } }", "like"),
        ("strictLike: [{ $match: { gt: 1 } }]", "strictLike"),
        ("regex: '(a)', equals: b", "regex"), ("as: integer, gt: 3", "as"), ("gt: 3, as: integer, regex: a", "regex"),
    ]

    @Test("Every operator is read", arguments: operands)
    func operators(written: String, keyword: String) throws {
        let set = try loadStep("request: GET /\nexpect:\n  json:\n    $.a: { \(written) }").expectations
        #expect(set.json[0].matcher.operations.map(\.operator.keyword.rawValue) == [keyword])
    }

    @Test("Every operator except jsonSchema has an operand in this test")
    func noOperatorIsLeftOut() {
        let keywords = Matcher.Operator.Keyword.allCases.filter { $0 != .jsonSchema }.map(\.rawValue)
        #expect(Set(Self.operands.map(\.1)) == Set(keywords))
    }

    @Test("All kinds of captures are read")
    func captures() throws {
        let captures = try loadStep(
            """
            request: GET /
            capture:
              id: $.id
              total: ${size(body.items)}
              location: { header: Location, default: "none ${x}", secret: true, as: string }
              session: { cookie: SESSION }
              number: { regex: 'no (\\d+)', as: integer }
              code: { status: true }
              all: { body: true }
              name: { json: $.name }
              title: { xpath: //h1 }
              every: { header: Set-Cookie, all: true }
              one: { header: Set-Cookie, all: false }
              whole: { text: true }
              place: { header: Location, regex: '/(\\d+)$', as: integer, default: 1 }
              part: { regex: 'a', text: true }
            """
        ).captures
        #expect(
            captures.map(\.name) == [
                "id", "total", "location", "session", "number", "code", "all", "name", "title", "every", "one", "whole",
                "place", "part",
            ])
        #expect(captures.filter(\.isSecret).map(\.name) == ["location"])
        #expect(captures.compactMap(\.conversion) == [.string, .integer, .integer])
        #expect(captures.filter { $0.pattern != nil }.map(\.name) == ["number", "place", "part"])
        #expect(captures[2].defaultValue != nil)
        #expect(captures[0].range.text == "id")
        #expect(captures[2].sourceRange.text == "Location")
        let kinds = captures.map { capture in
            switch capture.source {
            case .json: "json \(capture.sourceRange.text)"
            case .expression(let expression): "expression \(expression.expression.source)"
            case .header(let name): "header \(name.known ?? "")"
            case .headers(let name): "headers \(name.known ?? "")"
            case .cookie(let name): "cookie \(name.known ?? "")"
            case .xpath: "xpath \(capture.sourceRange.text)"
            case .text: "text \(capture.sourceRange.text)"
            case .status: "status"
            case .body: "body"
            }
        }
        #expect(
            kinds == [
                "json $.id", "expression size(body.items)", "header Location", "cookie SESSION", "text 'no (\\d+)'",
                "status", "body", "json $.name", "xpath //h1", "headers Set-Cookie", "header Set-Cookie", "text true",
                "header Location", "text true",
            ])
    }
}
