import Basics
import Diagnostics
import JSON
import JSONSchema
import SuiteModel
import Testing

@testable import Expectations

@Suite("Descriptions of schema violations") struct SchemaReportTests {
    private static let schemaFile = SourceFile(
        name: "order.schema.json", text: String(repeating: "          \n", count: 40))

    /// Returns the report for a schema whose keywords are in a file, on the lines that their locations end with.
    private static func report(inSuite: Bool = false, root: String = "$") throws -> SchemaReport {
        let schema = CompiledSchema(try JSONSchema(true), title: "the schema") { location in
            guard let line = location.split(separator: "/").last.flatMap({ Int($0) }) else { return nil }
            if inSuite { return Fixture.range(line) }
            let start = SourcePosition(line: line, column: 3)
            return SourceRange(file: schemaFile, start: start, end: start)
        }
        return SchemaReport(schema: schema, root: root, range: Fixture.range())
    }

    private static func violation(
        _ path: [NormalizedPath.Step], _ schemaPath: String, line: Int, causes: [JSONSchemaViolation] = []
    ) throws -> JSONSchemaViolation {
        let pointer = try JSONPointer(schemaPath)
        let keyword = pointer.tokens.last ?? ""
        return JSONSchemaViolation(
            instancePath: NormalizedPath(path), schemaPath: pointer, schemaLocation: "x:#/\(line)", keyword: keyword,
            message: "\(keyword) does not hold", causes: causes)
    }

    @Test func pathsBeginAtTheRoot() throws {
        let location: [NormalizedPath.Step] = [.name("a"), .index(2), .name("b c")]
        let violation = try Self.violation(location, "/type", line: 1)
        #expect(try Self.report().sentence(violation).text == "$.a[2]['b c']: type does not hold")
        #expect(try Self.report(root: "$.items[1]").path(of: violation) == "$.items[1].a[2]['b c']")
        #expect(try Self.report(root: "").path(of: violation) == "a[2]['b c']")
        #expect(try Self.report().sentence(try Self.violation([], "/type", line: 1)).text == "type does not hold")
    }

    @Test func aKeywordInTheSuiteIsTheLocation() throws {
        let violation = try Self.violation([], "/minimum", line: 7)
        #expect(try Self.report(inSuite: true).location(of: violation) == Fixture.range(7))
        #expect(try Self.report(inSuite: true).details(of: violation) == [])
        #expect(try Self.report().location(of: violation) == Fixture.range())
        #expect(try Self.report().details(of: violation) == ["minimum at order.schema.json:7:3"])
    }

    @Test func branchesAreReported() throws {
        let causes = [
            try Self.violation([.name("iban")], "/oneOf/1/properties/iban/minLength", line: 3),
            try Self.violation([.name("bic")], "/oneOf/1/properties/bic/type", line: 4),
            try Self.violation([.name("kind")], "/oneOf/0/properties/kind/const", line: 5),
        ]
        let violation = try Self.violation([], "/oneOf", line: 2, causes: causes)
        #expect(
            try Self.report().details(of: violation) == [
                "oneOf at order.schema.json:2:3",
                "branch 1, the closest: $.iban: minLength does not hold (minLength at order.schema.json:3:3)",
                "  $.bic: type does not hold (type at order.schema.json:4:3)",
                "branch 0: $.kind: const does not hold (const at order.schema.json:5:3)",
            ])
    }

    @Test func listsAreBounded() throws {
        let causes = try (0..<30).map { try Self.violation([], "/anyOf/\($0 / 5)/type", line: 9) }
        let violation = try Self.violation([], "/anyOf", line: 2, causes: causes)
        let details = try Self.report().details(of: violation)
        #expect(details.count == 1 + 3 * 4 + 1)
        #expect(details[4] == "  … and 2 more")
        #expect(details.last == "… and 3 more branches")
        let lines = try Self.report().lines(Array(repeating: try Self.violation([], "/type", line: 1), count: 14))
        #expect(lines.count == 11)
        #expect(lines.last == "… and 4 more")
    }

    @Test func nestedBranchesAreBounded() throws {
        var violation = try Self.violation([], "/anyOf/0/anyOf/0/anyOf/0/anyOf/0/type", line: 1)
        for depth in (1...4).reversed() {
            let path = String(repeating: "/anyOf/0", count: depth - 1) + "/anyOf"
            violation = try Self.violation([], path, line: 1, causes: [violation])
        }
        #expect(try Self.report().details(of: violation).count == 4)
    }
}
