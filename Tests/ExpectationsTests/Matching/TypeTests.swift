import JSON
import SuiteModel
import Testing

@testable import Expectations

@Suite("type") struct TypeTests {
    static let table: [MatcherCase] = [
        MatcherCase(.type([.string]), "a"), MatcherCase(.type([.string]), 42, "expected a string, got 42 (integer)"),
        MatcherCase(.type([.number]), 1.5), MatcherCase(.type([.number]), 7),
        MatcherCase(.type([.number]), number("1e400")),
        MatcherCase(.type([.number]), "1", #"expected a number, got "1" (string)"#),
        MatcherCase(.type([.integer]), number("1.0")), MatcherCase(.type([.integer]), number("1e2")),
        MatcherCase(.type([.integer]), number("-0")),
        MatcherCase(.type([.integer]), 1.5, "expected an integer, got 1.5 (number)"),
        MatcherCase(.type([.boolean]), false), MatcherCase(.type([.boolean]), 0, "expected a boolean, got 0 (integer)"),
        MatcherCase(.type([.boolean]), "true", #"expected a boolean, got "true" (string)"#),
        MatcherCase(.type([.array]), []), MatcherCase(.type([.array]), [:], "expected an array, got {} (object)"),
        MatcherCase(.type([.object]), [:]), MatcherCase(.type([.object]), [], "expected an object, got [] (array)"),
        MatcherCase(.type([.null]), .null), MatcherCase(.type([.null]), "", #"expected null, got "" (string)"#),
        MatcherCase(.type([.string, .null]), .null),
        MatcherCase(.type([.string, .null]), 42, "expected a string or null, got 42 (integer)"),
        MatcherCase(.type([.string, .number, .null]), true, "expected a string, a number or null, got true (boolean)"),
        MatcherCase(.type([.string]), nil, "expected a string, got no value"),
        MatcherCase(.type([.uuid]), "5f0c1e7a-9b1d-4c2e-8f3a-000000000000"),
        MatcherCase(.type([.uuid]), "Dune", #"expected a UUID, got "Dune" (string)"#),
        MatcherCase(.type([.uuid]), 5, "expected a UUID, got 5 (integer)"),
        MatcherCase(
            .type([.uuid]), "5f0c1e7a9b1d4c2e8f3a000000000000",
            #"expected a UUID, got "5f0c1e7a9b1d4c2e8f3a000000000000" (string), which has no hyphens"#),
        MatcherCase(
            .type([.uuid]), "5f0c1e7a-9b1d-4c2e-8f3a-00000000000",
            #"expected a UUID, got "5f0c1e7a-9b1d-4c2e-8f3a-00000000000" (string), which has 31 digits, not 32"#),
        MatcherCase(.type([.date]), "2024-02-29"),
        MatcherCase(
            .type([.date]), "2023-02-29",
            #"expected a date (YYYY-MM-DD), got "2023-02-29" (string), which has a day that does not exist"#),
        MatcherCase(
            .type([.date]), "2026-01-31T12:00:00Z",
            #"expected a date (YYYY-MM-DD), got "2026-01-31T12:00:00Z" (string), which is a date-time"#),
        MatcherCase(.type([.date]), "soon", #"expected a date (YYYY-MM-DD), got "soon" (string)"#),
        MatcherCase(.type([.dateTime]), "2026-01-31T12:00:00.5+02:00"),
        MatcherCase(
            .type([.dateTime]), "2026-01-31T12:00:00",
            #"expected a date-time (RFC 3339), got "2026-01-31T12:00:00" (string), which has no UTC offset, such as Z"#
        ),
        MatcherCase(
            .type([.dateTime]), "2026-01-31 12:00:00Z",
            #"expected a date-time (RFC 3339), got "2026-01-31 12:00:00Z" (string), which has a space instead of the T"#
        ),
        MatcherCase(
            .type([.dateTime]), "2026-01-31",
            #"expected a date-time (RFC 3339), got "2026-01-31" (string), which is a date without a time"#),
        MatcherCase(.type([.email]), "ada@example.org"),
        MatcherCase(.type([.email]), "ada", #"expected an email address, got "ada" (string), which has no @"#),
        MatcherCase(.type([.email]), "a..b@c", #"expected an email address, got "a..b@c" (string)"#),
        MatcherCase(.type([.uri]), "urn:isbn:9780441172719"),
        MatcherCase(.type([.uri]), "/books/7", #"expected a URI, got "/books/7" (string), which has no scheme"#),
        MatcherCase(.type([.uri]), "http://a b", #"expected a URI, got "http://a b" (string)"#),
        MatcherCase(.type([.ipv4]), "192.0.2.1"),
        MatcherCase(.type([.ipv4]), "::1", #"expected an IPv4 address, got "::1" (string), which is an IPv6 address"#),
        MatcherCase(.type([.ipv4]), "192.0.2.256", #"expected an IPv4 address, got "192.0.2.256" (string)"#),
        MatcherCase(.type([.ipv6]), "2001:db8::1"),
        MatcherCase(
            .type([.ipv6]), "192.0.2.1",
            #"expected an IPv6 address, got "192.0.2.1" (string), which is an IPv4 address"#),
        MatcherCase(.type([.date, .uuid]), "x", #"expected a date (YYYY-MM-DD) or a UUID, got "x" (string)"#),
    ]

    @Test(arguments: table) func runTypes(_ example: MatcherCase) { example.run() }

    @Test(arguments: Matcher.ValueType.allCases) func everyTypeHolds(_ type: Matcher.ValueType) {
        let cases = Self.table.filter { example in
            guard case .type([type])? = example.matcher.operations.first?.operator else { return false }
            return true
        }
        #expect(cases.contains { $0.message == nil })
        #expect(cases.contains { $0.message != nil })
    }
}
