import Basics
import Diagnostics
import FoundationEssentials
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Test rows")
struct RowLoadingTests {
    /// Returns the data of the only test in a suite.
    private func data(_ test: String, files: [String: String] = [:], variables: String = "{}") throws -> TestData {
        let suite =
            "baseURL: http://localhost\nvariables: \(variables)\ntests:\n  - request: GET /\n" + test.indented(4)
        let directory = try ProjectDirectory(files.merging(["a.apitest.yaml": suite]) { $1 })
        let result = directory.load("a.apitest.yaml")
        try #require(result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))")
        let loaded = try #require(result.suites.first?.tests.first?.data)
        // Files are read while their directory exists.
        for row in 0..<loaded.count { _ = try values(loaded, row) }
        return loaded
    }

    private func values(_ data: TestData, _ row: Int) throws -> [JSONValue] {
        try data.sources.enumerated().flatMap { index, source -> [JSONValue] in
            let position = data.position(ofRow: row, inSource: index)
            return switch source {
            case .repetition: []
            case .file(let file): try file.values(ofRow: position)
            case .table(let table):
                table.rows[position].map { if case .constant(let value) = $0 { value } else { "?" } }
            }
        }
    }

    @Test("Names contain the column values of each row")
    func names() throws {
        let data = try data(
            """
            name: book ${title} in ${language}
            cases:
              - { title: Dune, pages: 412 }
              - { title: Emma, pages: 474 }
            """, variables: "{ language: en }")
        #expect(data.columns == ["title", "pages"])
        #expect(Array(data.names) == ["book Dune in en", "book Emma in en"])
    }

    @Test("Cases, matrix, and repeat are combined, and the last varies fastest")
    func crossing() throws {
        let data = try data(
            """
            name: ${a}${b}${c}
            cases: [{ a: 1 }, { a: 2 }]
            matrix: { b: [x, y], c: [p, q] }
            repeat: 2
            """)
        #expect(data.count == 16)
        #expect(Array(data.names).prefix(6) == ["1xp", "1xp", "1xq", "1xq", "1yp", "1yp"])
        #expect(data.names.last == "2yq")
        #expect(try values(data, 7) == [1, "y", "q"])
    }

    @Test("Matrix combinations are excluded and added")
    func combinations() throws {
        let data = try data(
            """
            name: ${m} ${l}
            matrix:
              m: [GET, HEAD]
              l: [en, sv]
              exclude: [{ m: HEAD, l: sv }]
              include: [{ m: PUT, l: fi }]
            """)
        #expect(Array(data.names) == ["GET en", "GET sv", "HEAD en", "PUT fi"])
    }

    @Test(
        "An expression provides rows before anything is sent",
        arguments: [
            ("cases: ${books}", "{ books: [{ id: 1 }, { id: 2, more: true }] }", [[1, .null], [2, true]]),
            ("cases: '${[1, 2].map(n, {\"id\": n})}'", "{}", [[1], [2]]),
            ("cases: \"${json.parse(file('rows.json'))}\"", "{}", [["x"]]),
            ("matrix: { a: \"${all}\" }", "{ all: [1, two] }", [[1], ["two"]]),
        ] as [(String, String, [[JSONValue]])])
    func expressions(_ cases: String, _ variables: String, _ expected: [[JSONValue]]) throws {
        let data = try data("name: a\n" + cases, files: ["rows.json": #"[{"v": "x"}]"#], variables: variables)
        #expect(try (0..<data.count).map { try values(data, $0) } == expected)
    }

    /// The rows of each format, with their lines.
    @Test(
        "Rows are read from files with their line numbers",
        arguments: [
            (
                "a.csv", "id:int,title,note?\n1,Dune,\n\n2,\"Em\"\"ma\nx\",ok\n",
                [[1, "Dune", .null], [2, "Em\"ma\nx", "ok"]], [2, 4]
            ),
            ("a.csv", "\u{FEFF}a,b\r\n1,2\r\n", [["1", "2"]], [2]),
            ("a.tsv", "a\tb\n1,5\t2", [["1,5", "2"]], [2]),
            (
                "a.json", "[\n {\"a\": 1},\n {\"b\": [\"]\", \"}\"],\n  \"a\": 2}\n]\n",
                [[1, .null], [2, ["]", "}"]]], [2, 3]
            ),
            ("a.ndjson", "{\"a\": 1}\n\n{\"a\": \"\\u00e9\"}", [[1], ["é"]], [1, 3]),
            ("a.yaml", "- { a: 1, b: no }\n- a: 2\n", [[1, "no"], [2, .null]], [1, 2]),
        ] as [(String, String, [[JSONValue]], [Int])])
    func files(_ name: String, _ text: String, _ expected: [[JSONValue]], _ lines: [Int]) throws {
        let suite = "baseURL: http://localhost\ntests:\n  - { name: a, request: GET /, cases: \(name) }\n"
        let directory = try ProjectDirectory(["s.apitest.yaml": suite, name: text])
        let result = directory.load("s.apitest.yaml")
        try #require(result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))")
        let loaded = try #require(result.suites.first)
        let data = try #require(loaded.tests.first?.data)
        #expect(try (0..<data.count).map { try values(data, $0) } == expected)
        #expect((0..<data.count).map { data.location(ofRow: $0, outside: loaded.file)?.line } == lines)
    }

    @Test("Columns and delimiter can be set for a file without a header")
    func headerless() throws {
        let data = try data(
            "name: ${title}\ncases: { file: data, format: csv, delimiter: ;, columns: [title, \"pages:int\"] }",
            files: ["data": "Dune;412\nEmma;474\n"])
        #expect(Array(data.names) == ["Dune", "Emma"])
    }

    @Test("Rows of a long file are read in parts and keep their locations")
    func longFiles() throws {
        let filler = String(repeating: "x", count: 200)
        let lines = (0..<5000).map { "\($0),\"\(filler)\n\($0)\"" }
        let csv = "id:int,long\n" + lines.joined(separator: "\n")
        let objects = (0..<5000).map { "{\"id\": \($0), \"long\": \"\(filler)\"}" }
        for (name, text) in [("a.csv", csv), ("a.json", "[" + objects.joined(separator: ",\n") + "]")] {
            let data = try data("name: ${id}\ncases: \(name)", files: [name: text])
            #expect(data.count == 5000)
            #expect(data.names[4321] == "4321")
            #expect(data.names.last == "4999")
        }
    }

    @Test("A file that changed since it was read is reported")
    func changedFile() throws {
        let suite = "baseURL: http://localhost\ntests:\n  - { name: a, request: GET /, cases: a.csv }\n"
        let directory = try ProjectDirectory(["s.apitest.yaml": suite, "a.csv": "a\n1\n2\n"])
        let data = try #require(directory.load("s.apitest.yaml").suites.first?.tests.first?.data)
        #expect(try values(data, 0) == ["1"])
        try Data("a\n1\n22\n".utf8).write(to: URL(filePath: directory.path + "/a.csv"))
        #expect(throws: RowError(message: "the file a.csv has changed since its rows were counted")) {
            try values(data, 1)
        }
    }

    @Test("Row and loop values take precedence, and row captures do not refer to a single exchange")
    func scopes() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { url: "/books/${id}", id: 0 }
            tests:
              - name: add ${title}
                id: add
                cases: [{ title: Dune }, { title: Emma }]
                request: { method: POST, url: /books, json: { title: "${title}" } }
                capture: { bookIDs: $.id }
              - name: read ${id}
                cases: [{ id: 1 }]
                request: GET ${url}
              - name: all
                steps:
                  - name: read ${book}
                    forEach: { in: "${bookIDs}", as: book }
                    request: GET /books/${book}?n=${index}
                    capture: { titles: $.title }
                  - request: GET /${titles[0]}
            """)
        #expect(suite.tests.map(\.name) == ["add ${title}", "read ${id}", "all"])
        #expect(suite.tests[2].dependencies.map(\.test) == [0])
        #expect(suite.tests[2].steps.first?.flow?.forEach?.elementName == "book")
    }
}

extension String {
    /// Returns the lines with the given indentation.
    func indented(_ spaces: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: spaces) + $0 + "\n" }.joined()
    }
}
