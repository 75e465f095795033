import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Generated rows")
struct GeneratedRowsTests {
    /// Returns the rows of the only test in a suite, given its `cases`, and the diagnostics.
    private static func load(
        _ cases: String, files: [String: String] = [:], variables: [String: String] = [:]
    ) throws -> (rows: [[JSONValue]], problems: [String]) {
        let suite = """
            baseURL: http://localhost
            tests:
              - name: a test
                request: GET /
                cases:
            """
        let text = suite + "\n" + cases.indented(6)
        let directory = try ProjectDirectory(files.merging(["a.apitest.yaml": text]) { $1 })
        var options = LoaderOptions(fileRoot: directory.path, workingDirectory: directory.path)
        options.variables = variables
        let result = SuiteLoader(options: options).load(paths: ["a.apitest.yaml"])
        var rows: [[JSONValue]] = []
        for case .table(let table) in result.suites.first?.tests.first?.data?.sources ?? [] {
            #expect(table.isGenerated)
            rows += table.rows.map { row in row.map { if case .constant(let value) = $0 { value } else { "?" } } }
        }
        return (rows, result.diagnostics.map { "\($0.range?.start.line ?? 0) \($0.id): \($0.message)" })
    }

    private static func rows(_ cases: String, files: [String: String] = [:]) throws -> [[JSONValue]] {
        let (rows, problems) = try load(cases, files: files)
        #expect(problems == [])
        return rows
    }

    @Test("The typical row is followed by the boundaries of one column at a time, and then by random rows")
    func order() throws {
        let rows = try Self.rows(
            """
            generate:
              size: { schema: { type: integer, minimum: 3, maximum: 900 } }
              code: { schema: { type: string, minLength: 2, maxLength: 12 } }
            count: 40
            """)
        #expect(rows.count == 40)
        let typical = try #require(rows.first)
        #expect(Array(rows[1...4].map { $0[0] }) == [3, typical[0], 900, typical[0]])
        #expect(rows[1][1] == typical[1] && rows[3][1] == typical[1])
        #expect([rows[2], rows[4]].map { $0[1].stringValue?.count } == [2, 12])
        #expect(Set(rows).count == 40)
        #expect(Set(rows.dropFirst(5).map { $0[0] }).count > 15)
        for row in rows {
            #expect((3...900).contains(row[0].numberValue?.int64 ?? 0))
            #expect((2...12).contains(row[1].stringValue?.unicodeScalars.count ?? 0))
        }
    }

    @Test("A schema with few values gives each combination once, however large the count is")
    func combinations() throws {
        let rows = try Self.rows(
            """
            generate: { flag: { schema: { type: boolean } }, kind: { schema: { enum: [a, b, c] } } }
            count: 1000
            """)
        #expect(rows.count == 6)
        #expect(Set(rows).count == 6)
        #expect(try Self.rows("generate: { only: { schema: { const: 4 } } }") == [[4]])
    }

    @Test("A count without a value is 100, and a smaller one gives the first of the same rows")
    func counts() throws {
        let all = try Self.rows("generate: { id: { schema: { type: integer } } }")
        #expect(all.count == 100)
        #expect(try Self.rows("generate: { id: { schema: { type: integer } } }\ncount: 7") == Array(all.prefix(7)))
    }

    @Test("Values depend on the seed and nothing else")
    func seeds() throws {
        let cases = "generate: { id: { schema: { type: string, pattern: \"^[a-z]{9}$\" } } }\ncount: 30\n"
        let rows = try Self.rows(cases)
        #expect(try Self.rows(cases) == rows)
        #expect(try Self.rows(cases + "seed: 0") == rows)
        let others = try Self.rows(cases + "seed: 1")
        #expect(others.count == 30)
        #expect(Set(others).isDisjoint(with: rows))
        let given = try Self.load(cases + "seed: \"${int(day)}\"", variables: ["day": "1"])
        #expect(given.problems == [])
        #expect(given.rows == others)
    }

    @Test("Values of an invalid column violate the schema, and the other columns remain valid")
    func invalid() throws {
        let rows = try Self.rows(
            """
            generate:
              id: { schema: { type: integer, minimum: 1, maximum: 9 }, invalid: true }
              day: { schema: { type: string, format: date } }
            count: 60
            """)
        #expect(rows.count == 60)
        #expect(rows.contains { $0[0] == 0 } && rows.contains { $0[0] == 10 } && rows.contains { $0[0] == "text" })
        for row in rows {
            #expect(!(1...9).contains(row[0].numberValue?.int64 ?? 0), "\(row)")
            #expect(row[1].stringValue != nil)
        }
    }

    @Test("A format is violated only if the suite asserts formats")
    func formats() throws {
        let schema = "{ type: string, format: date }"
        let annotated = try Self.rows("generate: { day: { schema: \(schema), invalid: true } }")
        #expect(annotated.allSatisfy { $0[0].stringValue == nil })
        let asserted = try Self.rows(
            "generate: { day: { schema: { inline: \(schema), format: assert }, invalid: true } }")
        #expect(asserted.contains { $0[0].stringValue != nil })
    }

    @Test("Schemas refer to files, parts of files, and parts of themselves")
    func references() throws {
        let files = [
            "schemas/book.json": ##"{"$defs": {"id": {"type": "integer", "minimum": 7, "maximum": 8}}, "##
                + ##""type": "object", "required": ["id"], "properties": {"id": {"$ref": "#/$defs/id"}}, "##
                + ##""additionalProperties": false}"##,
            "schemas/list.yaml": "$defs: { Word: { $anchor: word, enum: [a, b] } }\n"
                + "type: array\nitems: { $ref: \"book.json#/$defs/id\" }\nminItems: 1\nmaxItems: 1\n",
            "old.json": #"{"$schema": "http://json-schema.org/draft-04/schema#", "definitions": {"n": "#
                + #"{"type": "integer", "minimum": 2, "exclusiveMinimum": true, "maximum": 3}}}"#,
        ]
        func values(_ schema: String) throws -> Set<JSONValue> {
            Set(try Self.rows("generate: { value: { schema: \(schema) } }", files: files).map { $0[0] })
        }
        #expect(try values("schemas/book.json") == [["id": 7], ["id": 8]])
        #expect(try values("\"schemas/book.json#/$defs/id\"") == [7, 8])
        #expect(try values("\"schemas/list.yaml#word\"") == ["a", "b"])
        #expect(try values("schemas/list.yaml") == [[7], [8]])
        #expect(try values("{ file: schemas/list.yaml, format: assert }") == [[7], [8]])
        #expect(try values("{ $ref: \"schemas/book.json#/$defs/id\", maximum: 7 }") == [7])
        #expect(try values("{ $defs: { n: { const: 4 } }, $ref: \"#/$defs/n\" }") == [4])
        #expect(try values("\"old.json#/definitions/n\"") == [3])
    }

    @Test("Read-only members are left out, and a recursive schema ends")
    func members() throws {
        let rows = try Self.rows(
            """
            generate:
              node:
                schema:
                  type: object
                  required: [name]
                  additionalProperties: false
                  properties:
                    id: { type: integer, readOnly: true }
                    name: { type: string }
                    parent: { $ref: "#" }
            count: 50
            """)
        #expect(rows.count == 50)
        #expect(rows.allSatisfy { $0[0]["id"] == nil && $0[0]["name"] != nil })
    }

    @Test(
        "A schema without a value is an error at the schema",
        arguments: [
            ("{ type: integer, minimum: 3, maximum: 2 }", "no number is within the bounds"),
            ("false", "the schema allows no value"),
            ("{ type: string, minLength: 3, maxLength: 2 }", "at least 3 and at most 2 characters"),
            ("{ allOf: [{ type: string }, { type: integer }] }", "the schema allows no value"),
        ])
    func unsatisfiable(schema: String, reason: String) throws {
        let (rows, problems) = try Self.load("generate:\n  id:\n    schema: \(schema)")
        #expect(rows.isEmpty)
        #expect(problems.count == 1)
        let problem = try #require(problems.first)
        #expect(problem.hasPrefix("8 no-values: \"id\" cannot be generated: "), "\(problem)")
        #expect(problem.hasSuffix(reason), "\(problem)")
    }

    @Test("A schema that all values satisfy has no invalid value")
    func unviolated() throws {
        let (rows, problems) = try Self.load("generate: { id: { schema: true, invalid: true } }")
        #expect(rows.isEmpty)
        #expect(problems == ["6 no-values: found no value for \"id\" that violates the schema"])
    }

    @Test("A warning about a schema does not prevent its rows")
    func warning() throws {
        let (rows, problems) = try Self.load("generate: { id: { schema: { tpye: integer } } }\ncount: 3")
        #expect(rows.count == 3)
        #expect(problems == ["6 unknown-keyword: unknown schema keyword \"tpye\" is ignored"])
    }
}
