import Testing

/// Tests of all examples in the matcher reference, which shows matches, and mismatches with their messages.
@Suite(.serialized)
struct MatcherReferenceTests {
    /// An example in the reference.
    private struct Example {
        /// The name of the test.
        var name: String
        /// The path of the request.
        var path: String
        /// The contents of `expect`, on one line.
        var expectation: String
        /// The message; nil for an example that passes.
        var message: String?
    }

    private static let page = TestFiles.package + "/Documentation/matchers.md"

    /// Returns the lines of the first fenced code block with a language after a heading.
    private static func block(_ language: String, in text: String) -> String {
        guard let start = text.firstRange(of: "```\(language)\n"),
            let end = text[start.upperBound...].firstRange(of: "```")
        else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// Returns the text between backticks; nil for a cell without any.
    private static func code(_ cell: String) -> String? {
        guard cell.hasPrefix("`"), let end = cell.dropFirst().firstIndex(of: "`") else { return nil }
        return String(cell[cell.index(after: cell.startIndex)..<end])
    }

    private static func examples(_ text: String) -> [Example] {
        var examples: [Example] = []
        var columns: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("| ") else {
                columns = []
                continue
            }
            let cells = line.split(separator: " |", omittingEmptySubsequences: false).map { cell in
                String(cell.drop { $0 == "|" }.drop { $0 == " " })
            }
            if columns.isEmpty {
                columns = cells
                continue
            }
            func cell(_ name: String) -> String? {
                columns.firstIndex(of: name).flatMap { cells.indices.contains($0) ? cells[$0] : nil }
            }
            let number = examples.count
            if let holds = cell("holds").flatMap(code) {
                examples.append(Example(name: "\(number)", path: "/", expectation: "json: { \(quoted(holds)) }"))
            }
            guard let message = cell("message"), !message.hasPrefix("---") else { continue }
            if let fails = cell("does not hold").flatMap(code) {
                examples.append(
                    Example(
                        name: "\(number) not", path: "/", expectation: "json: { \(quoted(fails)) }", message: message))
            } else if let expectation = cell("expectation"), let code = code(expectation) {
                let path = expectation.hasSuffix("on text") ? "/text" : "/"
                examples.append(Example(name: "\(number) not", path: path, expectation: code, message: message))
            }
        }
        return examples
    }

    /// Returns a member with a quoted key, which is valid within braces.
    private static func quoted(_ member: String) -> String {
        guard let colon = member.firstRange(of: ": ") else { return member }
        return "\"\(member[..<colon.lowerBound])\"\(member[colon.lowerBound...])"
    }

    @Test func theExamplesAreTrue() async throws {
        let text = try #require(TestFiles.text(Self.page))
        let start = try #require(text.firstRange(of: "## Operators"))
        let reference = String(text[start.upperBound...])
        let examples = Self.examples(reference)
        #expect(examples.count { $0.message == nil } >= 60)
        #expect(examples.count { $0.message != nil } >= 60)

        let directory = try TemporaryDirectory()
        let body = Self.block("json", in: reference)
        TestFiles.write(body.utf8, to: directory.path + "/body.json")
        let mock = """
            routes:
              - { request: GET /, respond: { file: body.json, headers: { Content-Type: application/json } } }
              - { request: GET /text, respond: { text: hello } }

            """
        TestFiles.write(mock.utf8, to: directory.path + "/api.mock.yaml")
        var suite = "name: Reference\nserve: { mock: api.mock.yaml }\ntests:\n"
        for example in examples {
            suite += "  - name: '\(example.name)'\n    request: GET \(example.path)\n    expect:\n"
            suite += "      \(example.expectation)\n"
        }
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "junit=report.xml"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let report = try JUnitReport(try #require(TestFiles.text(directory.path + "/report.xml"), "\(run.error)"))
        var found: [String: String] = [:]
        for test in report.cases {
            found[test.attributes["name"] ?? ""] = test.children("failure").first?.attributes["message"] ?? "holds"
        }
        #expect(found.count == examples.count)
        for example in examples {
            let actual = found[example.name] ?? "is not in the report"
            guard let message = example.message else {
                #expect(actual == "holds", "\(example.expectation)")
                continue
            }
            // The subject precedes the message.
            #expect(actual.hasSuffix(": " + message), "\(example.expectation): \(actual)")
        }
    }
}
