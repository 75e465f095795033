import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading snapshots")
struct SnapshotReadingTests {
    private func snapshot(_ text: String) throws -> SnapshotExpectation? {
        try loadStep("request: GET http://localhost/\nexpect:\n  snapshot: \(text)\n").expectations.extras?
            .snapshot
    }

    @Test(
        "A snapshot is true, a name, or a mapping",
        arguments: [
            ("true", nil), ("books", "books"), ("{}", nil), ("{ name: all books }", "all books"), ("\"12\"", "12"),
        ] as [(String, String?)])
    func forms(_ text: String, _ name: String?) throws {
        let snapshot = try #require(try self.snapshot(text))
        #expect(snapshot.name == name)
        #expect(!snapshot.hasPaths)
    }

    @Test("False and null disable a snapshot", arguments: ["false", "null", "~"])
    func none(_ text: String) throws {
        #expect(try snapshot(text) == nil)
    }

    @Test("The paths of a snapshot are read in order")
    func paths() throws {
        let snapshot = try #require(
            try self.snapshot(
                "{ ignore: $.a, keep: [$.b, $.c], redact: { $.d: { type: integer }, $.e: 1 } }"))
        #expect(snapshot.ignored.compactMap(\.known).map { "\($0)" } == ["$.a"])
        #expect(snapshot.kept.compactMap(\.known).map { "\($0)" } == ["$.b", "$.c"])
        #expect(snapshot.redactions.compactMap(\.path.known).map { "\($0)" } == ["$.d", "$.e"])
        #expect(
            snapshot.redactions.map { $0.matcher.operations.first?.operator.keyword.rawValue } == ["type", "equals"])
    }

    @Test("A step's snapshot replaces the default as a whole")
    func defaults() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { expect: { snapshot: { ignore: $.a } } }
            tests:
              - { name: a, request: GET /, expect: { status: 200 } }
              - { name: b, request: GET /, expect: { snapshot: mine } }
              - { name: c, request: GET /, expect: { snapshot: false } }
              - { name: d, request: GET / }
            """)
        let snapshots = suite.tests.map { $0.steps[0].expectations.extras?.snapshot }
        #expect(snapshots.map { $0?.ignored.count } == [1, 0, nil, 1])
        #expect(snapshots[1]?.name == "mine")
    }
}
