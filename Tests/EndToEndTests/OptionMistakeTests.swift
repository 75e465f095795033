import Testing

/// Tests that each error in an option is reported, nothing is sent, and the exit status is 2.
struct OptionMistakeTests {
    /// A call in `BadInput/options.txt` with the expected output.
    struct Call: CustomTestStringConvertible, Sendable {
        /// The call as written, such as `$ apitest run --jobs 0 suite.yaml`.
        let line: String
        /// The expected standard error.
        private(set) var message = ""

        private static let file = TestFiles.target + "/BadInput/options.txt"
        private static let lines = (TestFiles.text(file) ?? "").split(separator: "\n", omittingEmptySubsequences: false)

        private static func isCall(_ line: Substring) -> Bool { line.hasPrefix("$ apitest") }
        private static func isHeading(_ line: Substring) -> Bool { line.hasPrefix("# ") }

        /// All calls in the file.
        static let all: [Call] = {
            var calls: [Call] = []
            for block in lines.split(whereSeparator: isHeading) {
                for line in block {
                    if isCall(line) {
                        calls.append(Call(line: String(line)))
                    } else if !calls.isEmpty {
                        calls[calls.count - 1].message += line + "\n"
                    }
                }
            }
            // Calls are separated by empty lines.
            for index in calls.indices {
                while calls[index].message.hasSuffix("\n\n") { calls[index].message.removeLast() }
            }
            return calls
        }()

        var testDescription: String { line }

        /// Returns the arguments, with quotation marks interpreted as in a shell.
        func arguments() throws -> [String] {
            var arguments: [String] = []
            var rest = line.dropFirst("$ apitest".count)
            while let first = rest.first {
                if first == " " {
                    rest.removeFirst()
                } else if first == "\"" || first == "'" {
                    let end = try #require(rest.dropFirst().firstIndex(of: first), "\(line): unclosed quote")
                    arguments.append(String(rest[rest.index(after: rest.startIndex)..<end]))
                    rest = rest[rest.index(after: end)...]
                } else {
                    arguments.append(String(rest.prefix { $0 != " " }))
                    rest = rest.drop { $0 != " " }
                }
            }
            return arguments
        }

        /// Returns the output of the program in a copy of the project.
        func run() async throws -> String {
            let directory = try TemporaryDirectory()
            TestFiles.copy(TestFiles.target + "/BadInput/project", to: directory.path)
            let run = try await Program.run(try arguments(), in: directory.path)
            #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
            #expect(run.output.isEmpty, "\(run.output)")
            return run.error
        }

        /// Writes the output of the program for each call.
        static func update() async throws {
            var text = ""
            var isMessage = false
            for line in lines {
                if isCall(line) {
                    text += "\(line)\n\(try await Call(line: String(line)).run())\n"
                    isMessage = true
                } else {
                    if isHeading(line) { isMessage = false }
                    if !isMessage { text += line + "\n" }
                }
            }
            TestFiles.write(text.dropLast().utf8, to: file)
        }
    }

    @Test(.disabled(if: Scenario.isUpdating("options")), arguments: Call.all)
    func mistake(_ call: Call) async throws {
        let message = try await call.run()
        #expect(message == call.message)
    }

    /// Writes the messages on request. Not disabled otherwise, because a disabled test would be reported as skipped.
    @Test func update() async throws {
        if Scenario.isUpdating("options") { try await Call.update() }
    }

    @Test("Many distinct calls are tested")
    func calls() {
        #expect(Call.all.count >= 129)
        #expect(Set(Call.all.map(\.line)).count == Call.all.count)
    }

    /// An empty argument, such as from an unset shell variable, is not the current directory.
    @Test(arguments: ["run", "lint", "list", "fmt"])
    func emptyPath(_ command: String) async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(
            "tests: [{ name: a, request: GET http://127.0.0.1:9/ }]\n".utf8, to: directory.path + "/a.apitest.yaml")
        let run = try await Program.run([command, ""], in: directory.path)
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains("a path is empty: write \".\" for the current directory"), "\(run.error)")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    @Test func emptyPathOfTheProject() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write("paths: \"\"\n".utf8, to: directory.path + "/.apitest.yaml")
        let run = try await Program.run([], in: directory.path)
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains(".apitest.yaml:1:8: error: \"paths\" contains an empty path"), "\(run.error)")
    }
}
