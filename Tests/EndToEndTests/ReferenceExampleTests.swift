import Glibc
import Testing

/// Tests of each example on the pages about the suite language, against a server that supports all of them.
@Suite(.serialized)
struct ReferenceExampleTests {
    /// The kind of an example, from the word after `yaml` in its fence.
    enum Kind: String, Sendable {
        /// An entire suite, which runs and passes.
        case suite = ""
        /// An entire suite whose servers are not available, so its run is only planned.
        case planned = "dry-run"
        /// A part of a suite, which is loaded within one.
        case fragment
        /// A file that suites refer to, with its path after the word. It is available to later examples.
        case file
    }

    /// A fenced code block of a page.
    struct Example: Sendable, CustomTestStringConvertible {
        var kind: Kind
        /// The name of the page, without its extension.
        var page: String
        /// The path of a file.
        var path: String
        var line: Int
        var text: String

        var testDescription: String { "\(page), line \(line)" }
    }

    private static let pages = ["suite-language", "coming-from-other-tools", "pagination"]
    private static let files = TestFiles.package + "/Tests/EndToEndTests/Reference"
    private static let server = "http://127.0.0.1:8080"

    private static let examples = pages.flatMap(examples(of:))

    private static func examples(of page: String) -> [Example] {
        var examples: [Example] = []
        var open: Example?
        let path = "\(TestFiles.package)/Documentation/\(page).md"
        let lines = (TestFiles.text(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if var example = open {
                if line.hasPrefix("```") {
                    examples.append(example)
                    open = nil
                } else {
                    example.text += line + "\n"
                    open = example
                }
            } else if line.hasPrefix("```yaml") {
                let words = line.dropFirst("```yaml".count).split(separator: " ")
                open = Kind(rawValue: words.first.map(String.init) ?? "").map {
                    Example(
                        kind: $0, page: page, path: words.count > 1 ? String(words[1]) : "", line: index + 2, text: "")
                }
                if open == nil { Issue.record("\(path):\(index + 1): unknown kind of example: \(line)") }
            }
        }
        return examples
    }

    /// Creates a directory with everything that an example may refer to.
    private func directory(before last: Example) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.copy(Self.files, to: directory.path + "/project")
        // A planned suite needs existing certificate files, with any contents.
        mkdir(directory.path + "/project/certificates", 0o755)
        for name in ["authority.pem", "client.pem", "client.key"] {
            TestFiles.write("".utf8, to: "\(directory.path)/project/certificates/\(name)")
        }
        for example in Self.examples
        where example.kind == .file && example.page == last.page && example.line < last.line {
            TestFiles.write(example.text.utf8, to: "\(directory.path)/project/\(example.path)")
        }
        return directory
    }

    @Test("A whole suite passes", arguments: examples.filter { $0.kind == .suite })
    func suite(_ example: Example) async throws {
        let directory = try directory(before: example)
        let project = directory.path + "/project"
        let mock = try ProgramRun(
            [Program.path, "mock", "--port", "0", "reference.mock.yaml"],
            environment: Program.environment(home: directory.path), directory: project, output: directory.path + "/mock"
        )
        defer { mock.killSession() }
        var url: Substring?
        let isServing = try await Poll.until {
            url = mock.standardError.split(whereSeparator: { " ,".contains($0) }).first { $0.hasPrefix("http") }
            return url != nil
        }
        try #require(isServing, "\(mock.standardError)")
        let text = example.text.replacing(Self.server, with: url ?? "")
        TestFiles.write(text.utf8, to: project + "/example.apitest.yaml")
        let run = try await Program.run(["example.apitest.yaml"], in: project)
        #expect(run.ending == .exit(0), "line \(example.line):\n\(run.output)\(run.error)\(mock.standardOutput)")
        // Missing snapshots are written and reported in a note.
        let problems = run.error.split(separator: "\n").filter {
            !$0.hasPrefix("note: ") && !$0.hasPrefix("  written ")
        }
        #expect(problems.isEmpty, "line \(example.line):\n\(run.error)")
    }

    @Test("A suite for external servers can be planned", arguments: examples.filter { $0.kind == .planned })
    func plan(_ example: Example) async throws {
        let directory = try directory(before: example)
        TestFiles.write(example.text.utf8, to: directory.path + "/project/example.apitest.yaml")
        let run = try await Program.run(["example.apitest.yaml", "--dry-run"], in: directory.path + "/project")
        #expect(run.ending == .exit(0), "line \(example.line):\n\(run.output)\(run.error)")
    }

    @Test("A fragment of a suite is valid in its place", arguments: examples.filter { $0.kind == .fragment })
    func fragment(_ example: Example) async throws {
        let directory = try directory(before: example)
        let lines = example.text.split(separator: "\n", omittingEmptySubsequences: false)
        func indented(_ width: Int) -> String {
            lines.map { String(repeating: " ", count: width) + $0 }.joined(separator: "\n")
        }
        let wholes = [
            "baseURL: \(Self.server)\n\(indented(0))\ntests: [{ name: home, request: GET / }]\n",
            "baseURL: \(Self.server)\ntests:\n  - name: a test\n\(indented(4))\n",
            "baseURL: \(Self.server)\ntests:\n  - name: a test\n    request: GET /\n\(indented(4))\n",
            "baseURL: \(Self.server)\ntests:\n  - name: a test\n    request:\n      url: /\n\(indented(6))\n",
            "baseURL: \(Self.server)\ntests:\n\(indented(2))\n",
            "baseURL: \(Self.server)\ntests:\n  - name: a test\n    steps:\n\(indented(6))\n",
        ]
        var errors = ""
        for whole in wholes {
            TestFiles.write(whole.utf8, to: directory.path + "/project/example.apitest.yaml")
            let run = try await Program.run(["example.apitest.yaml", "--dry-run"], in: directory.path + "/project")
            if run.ending == .exit(0) { return }
            errors += run.error
        }
        Issue.record("line \(example.line):\n\(errors)")
    }

    @Test("Every key of a suite has an example")
    func coverage() async throws {
        let directory = try TemporaryDirectory()
        let schema = try await Program.run(["schema", "suite"], in: directory.path)
        let written = Self.examples.map(\.text).joined() + (TestFiles.text(Self.matchers) ?? "")
        let names = SchemaText.propertyNames(in: schema.output)
        #expect(names.count > 100)
        #expect(names.filter { !SchemaText.holds(written, key: $0) }.isEmpty)
    }

    private static let matchers = TestFiles.package + "/Documentation/matchers.md"
}
