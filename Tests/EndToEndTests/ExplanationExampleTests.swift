import Diagnostics
import Explanations
import Glibc
import RunModel
import Testing

/// Tests of the examples under `Documentation/explanations`: the first one leads to the message, the second one does not.
@Suite("Examples of explanations")
struct ExplanationExampleTests {
    /// A section of a page with its examples.
    struct Section: Sendable, CustomTestStringConvertible {
        /// The files and the command of an example.
        struct Example: Sendable {
            var files: [(name: String, text: String)] = []
            var command: String?
        }

        let explanation: Explanation
        let examples: [Example]
        /// Whether the section states that files cannot lead to the message.
        let hasNoExample: Bool

        /// The program besides apitest that the examples use, if any.
        var tool: String? {
            ["python3", "git"].first { tool in
                examples.contains { example in
                    let texts = [example.command ?? ""] + example.files.map(\.text)
                    return texts.contains { $0.contains(tool + " ") || $0.contains(tool + ",") }
                }
            }
        }

        var testDescription: String { "\(explanation.topic): \(explanation.id)" }

        /// - Parameter command: The command of the page, in which ID stands for the id.
        init(_ explanation: Explanation, command: String) {
            self.explanation = explanation
            hasNoExample = explanation.text.contains("No example: ")
            var examples: [Example] = []
            var block: (head: [Substring], text: String)?
            var isInExample = false
            for line in explanation.text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let (head, text) = block {
                    guard line == "```" else {
                        block?.text += line + "\n"
                        continue
                    }
                    if head == ["sh"] {
                        examples[examples.count - 1].command = text
                    } else {
                        let name = head.count > 1 ? String(head[1]) : "suite.apitest.yaml"
                        examples[examples.count - 1].files.append((name, text))
                    }
                    block = nil
                } else if line.hasPrefix("```") {
                    block = (line.dropFirst(3).split(separator: " "), "")
                    if !isInExample { examples.append(Example()) }
                    isInExample = true
                } else if !line.isEmpty {
                    isInExample = false
                }
            }
            var last = command.replacing("ID", with: explanation.id)
            for index in examples.indices {
                last = examples[index].command ?? last
                examples[index].command = last
            }
            self.examples = examples
        }
    }

    private static let directory = TestFiles.package + "/Documentation/explanations"

    /// The sections of all pages, with the command that the introduction of their page states.
    private static let sections: [Section] = {
        let commands = Dictionary(
            TestFiles.names(in: directory).compactMap { name -> (String, String)? in
                let introduction = (TestFiles.text("\(directory)/\(name)") ?? "").split(separator: "\n## ").first ?? ""
                let parts = introduction.split(separator: "```sh\n")
                guard let title = introduction.split(separator: "\n").first, parts.count == 2 else { return nil }
                return (String(title.dropFirst(2)), String(parts[1].split(separator: "```")[0]))
            }, uniquingKeysWith: { first, _ in first })
        return Explanations.pages.map { Section($0, command: commands[$0.topic] ?? "false") }
    }()

    @Test("Every page is part of the program")
    func pages() {
        let topics = Set(Explanations.pages.map(\.topic))
        for name in TestFiles.names(in: Self.directory) {
            let title = (TestFiles.text("\(Self.directory)/\(name)") ?? "").split(separator: "\n").first ?? ""
            #expect(topics.contains(String(title.dropFirst(2))), "\(name) is missing in CExplanations/Explanations.c")
        }
    }

    @Test("Every id in the expected texts of the tests has an explanation")
    func ids() {
        var unknown: Set<String> = []
        var count = 0
        for path in Self.expectedTexts(in: TestFiles.package + "/Tests/EndToEndTests") {
            for line in (TestFiles.text(path) ?? "").split(separator: "\n") {
                guard line.last == "]", let open = line.lastIndex(of: "[") else { continue }
                let isProblem = Self.heads.contains(where: line.contains)
                let isFinding = line.hasPrefix("  ") && line.contains(#/:\d+:\d+  /#)
                guard isProblem || isFinding else { continue }
                let id = String(line[line.index(after: open)...].dropLast())
                guard id.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x2D }) else { continue }
                count += 1
                if Explanations.of(id).isEmpty { unknown.insert(id) }
            }
        }
        #expect(count > 500)
        #expect(unknown.isEmpty)
    }

    /// The words at the start of messages that have an id.
    private static let heads = ["error: ", "warning: ", "Error: ", "apitest: "]

    @Test("Every message about an option or an argument in the expected texts of the tests has an id")
    func messages() {
        let directory = TestFiles.package + "/Tests/EndToEndTests"
        var count = 0
        for path in Self.expectedTexts(in: directory) + [directory + "/BadInput/options.txt"] {
            for line in (TestFiles.text(path) ?? "").split(separator: "\n")
            where line.hasPrefix("Error: ") || line.hasPrefix("apitest: ") || line.hasPrefix("no test was selected") {
                count += 1
                let id = line.last == "]" ? line.split(separator: "[").last?.dropLast() ?? "" : ""
                #expect(!Explanations.of(String(id)).isEmpty, "\(path): \(line)")
            }
        }
        #expect(count > 140)
    }

    @Test("Every id of an error outside of suites has an explanation", arguments: ProblemID.allCases)
    func explanations(of id: ProblemID) {
        #expect(!Explanations.of(id.rawValue).isEmpty)
    }

    @Test("Every notice in the expected texts of the tests has an id")
    func notices() {
        var count = 0
        for path in Self.expectedTexts(in: TestFiles.package + "/Tests/EndToEndTests") {
            for line in (TestFiles.text(path) ?? "").split(separator: "\n")
            where ["error: ", "warning: ", "note: ", "not tested: ", "not derived "].contains(where: line.hasPrefix) {
                count += 1
                let id = line.last == "]" ? line.split(separator: "[").last?.dropLast() ?? "" : ""
                #expect(!Explanations.of(String(id)).isEmpty, "\(path): \(line)")
            }
        }
        #expect(count > 20)
    }

    @Test("Every id of a notice has an explanation", arguments: NoticeID.allCases)
    func explanations(ofNotice id: NoticeID) {
        #expect(!Explanations.of(id.rawValue).isEmpty)
    }

    /// Returns the paths of the files named `expected…` or `….expected` in a directory and its subdirectories.
    private static func expectedTexts(in directory: String) -> [String] {
        TestFiles.names(in: directory).flatMap { name -> [String] in
            let path = "\(directory)/\(name)"
            if TestFiles.isDirectory(path) { return expectedTexts(in: path) }
            return name.hasPrefix("expected") || name.hasSuffix(".expected") ? [path] : []
        }
    }

    @Test(
        "The first example leads to the message, the second one does not",
        arguments: sections.filter { $0.tool == nil })
    func examples(_ section: Section) async throws { try await check(section) }

    @Test(
        "So do the examples that use Python", .enabled(if: Program.isInstalled("python3"), "requires python3"),
        arguments: sections.filter { $0.tool == "python3" })
    func examplesWithPython(_ section: Section) async throws { try await check(section) }

    @Test(
        "So do the examples that use Git", .enabled(if: Program.isInstalled("git"), "requires git"),
        arguments: sections.filter { $0.tool == "git" })
    func examplesWithGit(_ section: Section) async throws { try await check(section) }

    private func check(_ section: Section) async throws {
        guard !section.hasNoExample else {
            #expect(section.examples.isEmpty)
            return
        }
        try #require(section.examples.count == 2, "\(section.examples.count) examples")
        var files: [String: String] = [:]
        for (index, example) in section.examples.enumerated() {
            // The second example repeats only the files that change.
            for file in example.files { files[file.name] = file.text }
            let directory = try TemporaryDirectory()
            mkdir(directory.path + "/work", 0o755)
            for (name, text) in files { Self.write(text, to: "\(directory.path)/work", name) }
            let run = try ProgramRun(
                ["/bin/sh", "-ec", example.command ?? ""],
                environment: Program.environment(
                    home: directory.path,
                    adding: ["PATH": TestFiles.parent(Program.path) + ":/usr/local/bin:/usr/bin:/bin"]),
                directory: directory.path + "/work", output: directory.path + "/run")
            let ending = try await run.wait()
            let output = run.standardOutput + run.standardError
            #expect(output.contains("[\(section.explanation.id)]") == (index == 0), "\(output)")
            if index == 1 { #expect(ending == .exit(0), "\(output)") }
        }
    }

    /// Writes a file and creates the directories of its name.
    private static func write(_ text: String, to directory: String, _ name: String) {
        var path = directory
        for part in name.split(separator: "/").dropLast() {
            path += "/" + part
            mkdir(path, 0o755)
        }
        TestFiles.write(text.utf8, to: "\(directory)/\(name)")
    }
}
