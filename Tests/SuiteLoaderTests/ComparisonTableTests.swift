import FoundationEssentials
import SuiteLoader
import SuiteTestSupport
import Testing

/// Tests of the constructs in the tables of `Documentation/coming-from-other-tools.md`.
@Suite("Tables of constructs of other tools")
struct ComparisonTableTests {
    /// A construct of a suite in the right column of a table.
    struct Construct: Sendable, CustomTestStringConvertible {
        let line: Int
        let text: String

        var testDescription: String { "line \(line): \(text)" }
    }

    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(), as: UTF8.self)
    }

    private static let constructs: [Construct] = {
        let lines = text("Documentation/coming-from-other-tools.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line -> [Construct] in
            guard line.hasPrefix("| "), line.hasSuffix(" |") else { return [] }
            let right = line.dropLast(2).components(separatedBy: " | ").dropFirst().joined(separator: " | ")
            let spans = right.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            return spans.compactMap { position, span in
                position % 2 == 1 ? Construct(line: index + 1, text: String(span)) : nil
            }
        }
    }()

    /// Files that constructs refer to.
    private static let files = [
        "suites/login.yaml": "fragments: { login: { steps: [request: POST /sessions] } }\n",
        "suites/books.csv": "id\n1\n",
        "suites/book.json": "{}\n",
        "examples/fragments/one.yaml": "",
    ]

    /// Suites with a construct in each place that it can belong to.
    private static func suites(with construct: String) -> [String] {
        let start = """
            baseURL: http://127.0.0.1:8080
            use: [login.yaml]
            variables: { id: 1, title: a, book: 1, i: 0, n: 1, index: 0, count: 1, headerName: a, next: 1 }
            tests:
              - name: first
                id: add
                request: POST /books
                capture: { added: $.id }
              - name: the test
                needs: add

            """
        let construct = construct.replacing("…", with: construct.contains("assert: …") ? "status == 200" : "1")
        return [
            "baseURL: http://127.0.0.1:8080\n\(construct)\ntests: [{ name: a, request: GET / }]\n",
            "\(construct)\ntests: [{ name: a, request: GET http://127.0.0.1/ }]\n",
            "\(start)    \(construct)\n",
            "\(start)    request: GET /\n    \(construct)\n",
            "\(start)    steps:\n      - name: login\n        request: POST /sessions\n      - \(construct)\n",
            "\(start)    steps:\n      - name: login\n        request: POST /sessions\n      - request: GET /\n        \(construct)\n",
            "\(start)    request: { method: POST, url: /, \(construct) }\n",
            "\(start)    request: GET /\n    expect: { \(construct) }\n",
            "\(start)    request: GET /\n    expect: { json: { $.a: \(construct) } }\n",
            "\(start)    request: GET /\n    expect: { json: { \(construct) } }\n",
            "\(start)    request: GET /\n    expect: { json: { \"\(construct)\": 1 } }\n",
            "\(start)    request: GET /\n    expect: { body: { like: { a: \(construct) } } }\n",
            "\(start)    request: GET /\n    until: { \(construct), within: 1s }\n",
            "\(start)    request: GET /\n    retry: { \(construct) }\n",
            "\(start)    request: GET /\n    xfail: { reason: later, \(construct) }\n",
            "\(start)    request: { url: /, query: { \(construct): 1 } }\n",
            "\(start)    steps:\n      - { name: login, request: POST / }\n      - { request: GET /, assert: '\(construct) == 1' }\n",
            "\(start)    steps:\n      - { name: login, request: POST / }\n      - request: '\(construct)'\n",
            "\(start)    request: 'GET \(construct)'\n",
        ]
    }

    @Test("Each construct is valid in a suite", arguments: constructs)
    func construct(_ construct: Construct) throws {
        let text = construct.text
        // The name of a key, or several ones in one mapping.
        let isName = text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
        if isName {
            #expect(Self.text("schemas/suite.schema.json").contains("\"\(text)\""), "\(text) is not a key")
            return
        }
        if text.hasPrefix("--") || text.hasPrefix("examples/") { return }
        let directory = try ProjectDirectory(Self.files)
        for suite in Self.suites(with: text) {
            _ = FileManager.default.createFile(
                atPath: directory.path + "/suites/a.apitest.yaml", contents: Data(suite.utf8))
            if !directory.load("suites/a.apitest.yaml").hasErrors { return }
        }
        Issue.record("no suite can contain \(text)")
    }

    @Test("The tables have constructs") func tables() { #expect(Self.constructs.count > 80) }
}
