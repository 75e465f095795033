import Diagnostics
import SuiteLint
import SuiteLoader
import SuiteTestSupport
import Testing

@Suite("Matchers for one value on paths that yield a list") struct SingleValueMatcherTests {
    /// A suite with a matcher of a path, and its findings.
    private static let reported: [(String, [String])] = [
        ("{ \"$[0].id\": 1, $.id: { gt: 3 }, \"$['a']\": x }", []),
        ("{ \"$[*]\": [1, 2], $..a: { each: { gt: 1 } }, $.*: { length: 0 }, \"$[:1]\": { empty: true } }", []),
        ("{ \"$[*]\": { contains: a }, $..a: { type: array }, $.*: { type: [array, \"null\"] } }", []),
        ("{ \"$[*]\": \"${id}\", $..a: { exists: false }, $.*: { schema: { type: array } } }", []),
        ("{ \"$[*]\": { like: [1] }, $..a: { oneOf: [[1], [2]] }, $.*: { not: [1] } }", []),
        ("{ \"$[*]\": 1 }", ["\"$[*]\" yields a list, and no list can match this"]),
        ("{ $..a: { gt: 1, lt: 3 } }", ["\"$..a\" yields a list, and no list can match this"]),
        ("{ $..a: { like: { b: 1 } } }", ["\"$..a\" yields a list, and no list can match this"]),
        ("{ $..a: { oneOf: [1, 2] } }", ["\"$..a\" yields a list, and no list can match this"]),
        ("{ $..a: \"a ${id}\" }", ["\"$..a\" yields a list, and no list can match this"]),
        ("{ $..a: { not: { either: [1, { empty: true }] } }, $.*: { not: { all: [[1]] } } }", []),
        (
            "{ $..a: { not: { either: [1, { gt: 2 }] } } }",
            ["\"$..a\" yields a list, so \"not\" always holds"]
        ),
        ("{ $..a: { not: 1 } }", ["\"$..a\" yields a list, so \"not\" always holds"]),
        (
            "{ $..a: { either: [{ exists: false }, { type: integer }] } }",
            ["\"$..a\" yields a list, and no list can match this"]
        ),
    ]

    private static func suite(_ json: String) -> String {
        """
        baseURL: http://127.0.0.1:8080
        variables: { id: 1 }
        tests:
          - name: a
            request: GET /${id}
            expect: { json: \(json) }

        """
    }

    @Test(arguments: reported) func findings(_ json: String, _ expected: [String]) throws {
        let found = try LintCase("", Self.suite(json)).findings(of: "single-value-matcher")
        #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == expected)
    }

    @Test func everyExpectationAndConversionIsChecked() throws {
        let found = try LintCase(
            "",
            """
            baseURL: http://127.0.0.1:8080
            defaults: { expect: { json: { "$[*].z": 1 } } }
            fragments:
              f:
                steps:
                  - request: GET /f
                    expect: { json: { "$[*].f": 1 } }
            tests:
              - name: a
                steps:
                  - request: GET /a
                    until: { json: { "$[*].b": 1 }, abort: { json: { "$[*].c": 1 } } }
                    expect: { xml: { //a: 1, "(//a)[1]": 1 }, html: { //b/@c: x, count(//b): 1 } }
                    capture:
                      d: { json: "$[*].d", as: integer }
                      e: { xpath: //e, as: number }
                      s: { json: "$[*].s", as: string }
                      one: { json: $.one, as: integer }
                  - call: f
                  - call: f
                  - request: GET /ws
                    websocket: [{ receive: { json: { "$[*].w": 1 }, capture: { v: { json: "$[*].v", as: boolean } } } }]

            """
        ).findings(of: "single-value-matcher")
        let paths = found.map { $0.split(separator: "\"")[1] }
        #expect(
            paths.sorted() == [
                "$[*].b", "$[*].c", "$[*].d", "$[*].f", "$[*].v", "$[*].w", "$[*].z", "//a", "//b/@c", "//e",
            ])
    }

    /// A matcher before and after its rewriting; nil if it is not rewritten.
    private static let rewritten: [(String, String?)] = [
        ("Dune", "[Dune]"), ("\"a, b\"", "[\"a, b\"]"), ("'a'", "['a']"), ("7", "[7]"), ("null", "[null]"),
        ("true", "[true]"), ("1.50", "[1.50]"), ("a, b", "[\"a, b\"]"), ("a ${id}", "[\"a ${id}\"]"),
        ("a [b]", "[\"a [b]\"]"), ("\"7\"", "[\"7\"]"), ("Dune # why", "[Dune] # why"),
        ("{ gt: 3 }", "{ length: 1, each: { gt: 3 } }"),
        ("{ \"gt\": 3 }", "{ \"length\": 1, \"each\": { \"gt\": 3 } }"),
        ("{ not: 4, gt: 3 }", "{ length: 1, each: { not: 4, gt: 3 } }"),
        ("{ gt: 3, not: 4 }", "{ length: 1, each: { gt: 3, not: 4 } }"),
        ("{ type: string, length: 4 } # why", "{ length: 1, each: { type: string, length: 4 } } # why"),
        ("{ either: [{ exists: false }, 7] }", "{ either: [{ exists: false }, [7]] }"),
        ("{ all: [{ gt: 3 }, { length: 2 }] }", "{ all: [{ length: 1, each: { gt: 3 } }, { length: 2 }] }"),
        (
            "\n          gt: 3 # more\n\n          # less\n          lt: 5 # than\n        # end",
            "\n          length: 1\n          each:\n            gt: 3 # more\n\n            # less\n            lt: 5 # than\n"
                + "        # end"
        ),
        (
            "\n          matches: |\n            a\n          length: 2",
            "\n          length: 1\n          each:\n            matches: |\n              a\n            length: 2"
        ),
        ("{ not: Dune }", nil), ("{ each: { gt: 3 }, type: string }", nil),
        ("{ type: string, either: [{ each: 1 }] }", nil), ("&anchor Dune", nil), ("!!str 7", nil),
        ("|\n          Dune", nil), ("a\n          b", nil),
    ]

    @Test(arguments: rewritten) func rewriting(_ before: String, _ after: String?) throws {
        func suite(_ matcher: String) -> String {
            """
            baseURL: http://127.0.0.1:8080
            variables: { id: 1 }
            tests:
              - name: a
                request: GET /${id}
                expect:
                  json:
                    # above
                    $[*].t:\(matcher.hasPrefix("\n") ? "" : " ")\(matcher)
                    $.after: 1

            """
        }
        let result = load(suite(before))
        try #require(!result.hasErrors, "\(TextRenderer(color: false).render(result.diagnostics))")
        let findings = SuiteLinter().lint(result)
        #expect(findings.diagnostics.contains { $0.id == "single-value-matcher" })
        #expect(findings.edits.isEmpty == (after == nil))
        guard let after else { return }
        let text = String(decoding: try #require(TextEdit.applied(findings.edits).first?.text), as: UTF8.self)
        #expect(text == suite(after))
        // Nothing is left to rewrite.
        let again = load(text)
        #expect(!again.hasErrors)
        #expect(SuiteLinter().lint(again).diagnostics.isEmpty)
    }
}
