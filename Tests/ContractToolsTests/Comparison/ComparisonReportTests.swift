import Basics
import ContractTools
import Diagnostics
import OpenAPI
import OpenAPITestSupport
import Testing
import YAML

@Suite("Comparison reports")
struct ComparisonReportTests {
    private static let old = """
        openapi: 3.0.3
        info: { title: Books, version: 1.4.0 }
        paths:
          /books:
            get:
              parameters:
                - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
                - { name: sort, in: query, schema: { type: string, enum: [title, year] } }
              responses:
                "200":
                  description: all
                  content:
                    application/json:
                      schema: { type: array, items: { $ref: "#/components/schemas/Book" } }
            delete:
              deprecated: true
              responses: { "204": { description: gone } }
          /books/{id}:
            put:
              parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
              requestBody:
                content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } }
              responses: { "200": { description: done } }
          /shelves|<b>:
            get: { responses: { "200": { description: all } } }
        components:
          schemas:
            Book:
              type: object
              required: [title]
              properties:
                title: { type: string }
                year: { type: integer, nullable: true }
        """

    private static let new = """
        openapi: 3.1.0
        info: { title: Books, version: 1.4.1 }
        security: [{ key: [] }]
        paths:
          /books:
            get:
              parameters:
                - { name: limit, in: query, schema: { type: integer, maximum: 50 } }
                - { name: sort, in: query, schema: { type: string, enum: [title, year, "`x`"] } }
              responses:
                "200":
                  description: all
                  content:
                    application/json:
                      schema: { type: array, items: { $ref: "#/components/schemas/BookRecord" } }
          /books/{key}:
            put:
              parameters: [{ name: key, in: path, required: true, schema: { type: string } }]
              requestBody:
                content: { application/json: { schema: { $ref: "#/components/schemas/BookRecord" } } }
              responses: { "200": { description: done } }
        components:
          securitySchemes:
            key: { type: apiKey, in: header, name: X-Key }
          schemas:
            BookRecord:
              type: object
              required: [title, isbn]
              properties:
                title: { type: [string, "null"] }
                year: { type: [integer, "null"] }
                isbn: { type: string }
        """

    private static let ignoreFile = """
        - { id: api-global-security-added, reason: announced in May }
        - { id: request-parameter-max-decreased, operation: GET /books, reason: "nobody asked for more\\n", until: 2027-01-31 }
        - { id: request-parameter-max-decreased, operation: GET /shelves, reason: none }
        - { id: new-required-request-property, reason: it was, until: 2026-11-21 }
        """

    private static let today = CalendarDate(fullDate: "2026-11-22")

    private static func report(failOn: ChangeLevel? = .breaking) throws -> (ComparisonReport, IgnoredChanges.Result) {
        let before = try #require(TextSource(["/old.yaml": old]).load("/old.yaml").description)
        let after = try #require(TextSource(["/new.yaml": new]).load("/new.yaml").description)
        let today = try #require(today)
        let comparison = DescriptionComparison(old: before, new: after, options: ComparisonOptions(today: today))
        var levels = ChangeLevels()
        try levels.set("api-version-not-bumped", to: "none")
        try levels.set("api-major-version-not-bumped", to: "warning")
        var ignores = IgnoredChanges()
        #expect(ignores.read(try document(ignoreFile, "ignored.yaml")).isEmpty)
        let result = ignores.applied(to: levels.applied(to: comparison.changes), today: today)
        let report = ComparisonReport(
            oldName: "old.yaml", newName: "new.yaml", changes: result.remaining, ignored: result.ignored, failOn: failOn
        )
        return (report, result)
    }

    private static func document(_ text: String, _ name: String) throws -> LocatedDocument {
        guard case .document(let document) = LocatedDocument.read(SourceFile(name: name, text: text)) else {
            throw TextError(text: "\(name) cannot be read")
        }
        return document
    }

    private struct TextError: Error {
        var text: String
    }

    private static let files: [(ComparisonReport.Format, String)] = [
        (.text, "changes.txt"), (.json, "changes.json"), (.markdown, "changes.md"), (.junit, "changes.xml"),
        (.github, "changes.github"), (.html, "changes.html"),
    ]

    @Test("Each format matches its expected file", arguments: files)
    func format(_ format: ComparisonReport.Format, _ name: String) throws {
        let text = try Self.report().0.rendered(as: format)
        try TestFiles.compare(text, with: "Comparison/Expected/\(name)")
    }

    @Test("The fail-on level decides whether the comparison fails")
    func fails() throws {
        #expect(try Self.report(failOn: .breaking).0.hasFailed)
        #expect(try Self.report(failOn: .info).0.hasFailed)
        #expect(try !Self.report(failOn: nil).0.hasFailed)
        let same = ComparisonReport(oldName: "a", newName: "b", changes: [])
        #expect(!same.hasFailed)
        #expect(same.rendered(as: .text) == "a -> b: no changes\n")
        #expect(same.rendered(as: .junit).contains("name=\"no changes\""))
        for format in ComparisonReport.Format.allCases { #expect(same.rendered(as: format).contains("no changes")) }
    }

    @Test("Changes below the level are counted but shown only if they fail")
    func level() throws {
        var report = try Self.report().0
        report.level = .breaking
        let text = report.rendered(as: .text)
        #expect(
            text.hasPrefix(
                "old.yaml -> new.yaml: 4 breaking changes, 1 warning, 6 compatible changes, 2 ignored, 7 not shown"))
        #expect(!text.contains("  info ") && !text.contains("  warning "))
        report.failOn = .warning
        #expect(report.rendered(as: .text).contains("  warning "))
        #expect(report.rendered(as: .junit).contains("failures=\"5\""))
    }

    @Test("Operations are selected by their path or name in either description")
    func selection() throws {
        let before = try #require(TextSource(["/old.yaml": Self.old]).load("/old.yaml").description)
        let after = try #require(TextSource(["/new.yaml": Self.new]).load("/new.yaml").description)
        let today = try #require(Self.today)
        let changes = DescriptionComparison(old: before, new: after, options: ComparisonOptions(today: today)).changes
        func operations(_ prefixes: [String], _ names: [String]) -> Set<String?> {
            let selected = SelectedOperations(prefixes: prefixes, names: names, in: before, after)
            #expect(selected.unknown.isEmpty)
            return Set(changes.filter(selected.contains).map(\.operation))
        }
        #expect(operations([], []).contains(nil))
        #expect(operations(["/books/"], []) == ["PUT /books/{key}"])
        #expect(operations([], ["put /books/{id}"]) == ["PUT /books/{key}"])
        #expect(operations(["/shelves"], ["DELETE /books"]) == ["GET /shelves|<b>", "DELETE /books"])
        let unknown = SelectedOperations(prefixes: ["/boks"], names: ["GET /book"], in: before, after).unknown
        #expect(unknown.map(\.suggestion) == ["GET /books", "/books"])
    }

    @Test("Unused and expired ignore entries are reported")
    func unused() throws {
        let problems = try Self.report().1.problems
        #expect(problems.map(\.id) == ["unused-ignore", "expired-ignore"])
        #expect(problems.compactMap { $0.range.map { "\($0)" } } == ["ignored.yaml:3:9", "ignored.yaml:4:9"])
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    @Test(
        "Mistakes in an ignore file are reported",
        arguments: [
            ("id: x", "expected a sequence of entries, got an object"),
            ("- x", "an entry must be a mapping, got a string"),
            (
                "- { id: endpoint-addd, reason: a }",
                "unknown check \"endpoint-addd\"; did you mean \"endpoint-added\"?"
            ),
            ("- { reason: a }", "has no \"id\""),
            ("- { id: endpoint-added }", "has no \"reason\""),
            ("- { id: endpoint-added, reason: ' ' }", "has no \"reason\""),
            ("- { id: endpoint-added, reason: a, until: soon }", "\"soon\" is not a date"),
            ("- { id: endpoint-added, reason: a, untill: 2027-01-01 }", "did you mean \"until\"?"),
            ("- { id: endpoint-added, reason: 5 }", "\"reason\" must be a string"),
        ])
    func mistakes(_ text: String, _ message: String) throws {
        var ignores = IgnoredChanges()
        let problems = ignores.read(try Self.document(text, "ignored.yaml"))
        let lines = problems.map { "\($0.message)\($0.suggestion.map { "; \($0)" } ?? "")" }
        #expect(lines.contains { $0.contains(message) }, "\(lines)")
        #expect(problems.allSatisfy { $0.range != nil })
        #expect(ignores.entries.isEmpty)
    }

    @Test(
        "Mistakes in change levels are reported",
        arguments: [
            ("[a]", "expected a mapping of check ids to levels, got an array"),
            ("endpoint-added: bad", "\"bad\" is not a level"),
            ("endpoint-add: info", "did you mean \"endpoint-added\"?"),
            ("no-such-thing-at-all-here: info", "run \"apitest contract diff --checks\" to list the checks"),
        ])
    func levels(_ text: String, _ message: String) throws {
        var levels = ChangeLevels()
        let problems = levels.read(try Self.document(text, "levels.yaml"))
        let lines = problems.map { "\($0.message)\($0.suggestion.map { "; \($0)" } ?? "")" }
        #expect(lines.contains { $0.contains(message) }, "\(lines)")
    }

    @Test("The documentation page of the checks matches the catalog")
    func page() throws {
        let page = ChangeCatalog.list(as: .markdown)
        try TestFiles.compare(page, with: "../../Documentation/contract-changes.md")
        #expect(ChangeCatalog.list(as: .text).split(separator: "\n").count == ChangeCatalog.all.count)
        #expect(ChangeCatalog.list(as: .json).hasPrefix("["))
    }
}
