import JSON
import RunRecord
import Testing

/// Tests of the history across runs: stored, compared, displayed, and removed.
@Suite(.serialized)
struct HistoryTests {
    private static let suite = """
        name: Books
        serve: { mock: api.mock.yaml }
        tests:
          - name: by chance
            request: GET /chance
            expect: 200
          - name: breaks
            request: GET /breaks
            expect: 200
          - name: is repaired
            request: GET /repaired
            expect: 200
          - name: always
            cases: { file: rows.csv }
            request: GET /${number}
        """
    private static let generated = """
        name: Books
        serve: { mock: api.mock.yaml }
        tests:
          - name: always
            cases: { generate: { number: { schema: schema.yaml } } }
            request: GET /${number}
        """

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        write(Self.suite, to: "suite.yaml")
        write("number\n1\n2\n", to: "rows.csv")
        serve()
    }

    private func write(_ text: String, to file: String) {
        TestFiles.write(text.utf8, to: "\(directory.path)/\(file)")
    }

    /// Makes some paths fail without changing the suite's content.
    private func serve(failing: [String] = []) {
        var text = "routes:\n"
        for path in failing { text += "  - { request: GET \(path), respond: 500 }\n" }
        write(text + "  - { request: GET /**, respond: 200 }\n", to: "api.mock.yaml")
    }

    private func names() -> [String] { TestFiles.names(in: directory.path + "/past") }

    /// Runs the suite with the history and returns the line about previous runs.
    private func run(_ options: [String] = [], status: Int32 = 0) async throws -> String? {
        let run = try await Program.run(["suite.yaml", "--history", "past"] + options, in: directory.path)
        #expect(run.ending == .exit(status), "\(run.output)\(run.error)")
        return run.output.split(separator: "\n").first { $0.hasPrefix("  compared with ") }.map {
            String($0.dropFirst(2))
        }
    }

    private func trends(_ options: [String] = []) async throws -> String {
        let run = try await Program.run(["report", "trends", "past"] + options, in: directory.path)
        #expect(run.ending == .exit(0), "\(run.error)")
        return run.output
    }

    @Test func aLifetime() async throws {
        serve(failing: ["/repaired"])
        #expect(try await run(status: 1) == nil)
        #expect(names().count == 1)
        serve(failing: ["/repaired", "/chance"])
        #expect(try await run(status: 1) == "compared with 1 previous run: 1 new failure, 1 still failing")
        serve(failing: ["/breaks"])
        let line = try await run(["--report", "markdown=report.md"], status: 1)
        #expect(line == "compared with 2 previous runs: 1 new failure, 2 fixed")
        let report = try #require(TestFiles.text(directory.path + "/report.md"))
        #expect(report.contains("## Compared with 2 previous runs\n\n### New failures\n"))
        #expect(report.contains("| `Books › breaks` | failed at 20"))
        serve(failing: ["/breaks", "/chance"])
        let next = try await run(status: 1)
        #expect(next == "compared with 3 previous runs: 1 new failure, 1 still failing, 1 flaky")

        let text = try await trends()
        #expect(text.hasPrefix("4 runs from 20"))
        #expect(text.contains("\nStill failing (1)\n  Books › breaks\n      failing since 20"))
        #expect(
            text.contains(
                "\nFlaky (1)\n  Books › by chance\n"
                    + "      failed in 2 of 4 runs of the same suite content, with 3 outcome changes; failed in the last run\n"
            ))
        let json = try JSONValue(parsing: Array(try await trends(["--format", "json"]).utf8))
        #expect(json["runs"] == 4)
        #expect(json["flaky"]?["tests"]?[0]?["test"] == "by chance")
        #expect(json["flaky"]?["tests"]?[0]?["onContent"]?["runs"] == 4)
        #expect(try await trends(["--format", "markdown"]).hasPrefix("# Trends\n\n4 runs from 20"))
        #expect(try await trends(["--color", "always"]).contains("\u{1B}[1mStill failing (1)\u{1B}[0m"))

        // For different content, no test is flaky yet, because the content includes the rows.
        write("number\n1\n3\n", to: "rows.csv")
        serve(failing: ["/breaks"])
        let last = try await run(["--history-keep", "2"], status: 1)
        #expect(last == "compared with 4 previous runs: 1 still failing, 1 fixed")
        #expect(names().count == 2)
        #expect(try await trends().hasPrefix("2 runs from 20"))
        // With so few runs, a busy machine cannot make a run slower than the others.
        #expect(try await run(status: 1) == "compared with 2 previous runs: 1 still failing")
    }

    @Test("Runs are compared by revision, from the option or else from CI variables")
    func revisions() async throws {
        let past = [(nil, nil), ("/breaks", "b1"), (nil, nil), ("/chance", "b2")]
        for (index, (failing, revision)) in past.enumerated() {
            serve(failing: [failing].compactMap { $0 })
            let options = ["--revision", revision ?? "a\(index)"]
            _ = try await run(options, status: failing == nil ? 0 : 1)
        }
        // A defect, its fix, and another defect.
        #expect(try await trends().contains("Flaky") == false)
        serve()
        #expect(try await run(["--revision", "b2"]) == "compared with 4 previous runs: 1 fixed, 1 flaky")
        let text = try await trends()
        #expect(
            text.contains("failed in 1 of 5 runs of the same suite content, with 1 outcome change within a revision"),
            "\(text)")

        let run = try await Program.run(
            ["suite.yaml", "--history", "past"], in: directory.path, environment: ["GITHUB_SHA": "c3"])
        #expect(run.ending == .exit(0), "\(run.error)")
        let last = try #require(TestFiles.text(directory.path + "/past/" + (names().last ?? "")))
        #expect(last.contains(#""revision":"c3""#))
        let refused = try await Program.run(["suite.yaml", "--revision", ""], in: directory.path)
        #expect(refused.ending == .exit(2))
        #expect(refused.error.contains("--revision: must not be empty"))
    }

    @Test("Equal files have equal digests wherever they are, and different files do not")
    func digests() async throws {
        func digest() throws -> String {
            let name = try #require(names().last)
            let text = try #require(TestFiles.text(directory.path + "/past/" + name))
            let line = try #require(text.split(separator: "\n").first { $0.contains("\"digest\"") })
            return try #require(try JSONValue(parsing: Array(line.utf8))["digest"]?.stringValue)
        }
        _ = try await run()
        let first = try digest()
        #expect(first.utf8.count == 32)
        _ = try await run(["--seed", "7", "--jobs", "1"])
        #expect(try digest() == first)
        write(Self.suite + "\nuse: shared.yaml\n", to: "suite.yaml")
        write("fragments: { ping: { steps: [{ request: GET /ping }] } }\n", to: "shared.yaml")
        _ = try await run()
        let second = try digest()
        #expect(second != first)
        write("fragments: { ping: { steps: [{ request: GET /pong }] } }\n", to: "shared.yaml")
        _ = try await run()
        let third = try digest()
        #expect(third != second)
        write("number\n1\n4\n", to: "rows.csv")
        _ = try await run()
        #expect(try digest() != third)
        write(Self.generated, to: "suite.yaml")
        write("const: 1\n", to: "schema.yaml")
        _ = try await run()
        let fourth = try digest()
        write("const: 2\n", to: "schema.yaml")
        _ = try await run()
        #expect(try digest() != fourth)
    }

    @Test("Shards and simultaneous runs can share a directory")
    func shards() async throws {
        var runs: [ProgramRun] = []
        for shard in ["1/3", "2/3", "3/3", "1/3", "2/3", "3/3"] {
            runs.append(
                try ProgramRun(
                    [Program.path, "suite.yaml", "--history", "past", "--shard", shard],
                    environment: Program.environment(home: directory.path), directory: directory.path,
                    output: "\(directory.path)/run\(runs.count)"))
        }
        for run in runs { #expect(try await run.wait() == .exit(0), "\(run.standardError)") }
        #expect(names().count == 6)
        #expect(names().filter { $0.contains("-2of3.") }.count == 2)
        #expect(names().allSatisfy { $0.hasSuffix(".apitest-run") } as Bool)
        let json = try JSONValue(parsing: Array(try await trends(["--format", "json"]).utf8))
        #expect(json["runs"] == 6)
        #expect(json["results"] == 10)
        #expect(json["unreadableFiles"] == 0)
    }

    @Test("Merged shards are kept as one run with the digests of its suites")
    func merging() async throws {
        for (index, failing) in [[], ["/breaks"]].enumerated() {
            serve(failing: failing)
            for shard in 1...2 {
                _ = try await Program.run(
                    ["suite.yaml", "--shard", "\(shard)/2", "--report", "json=\(shard).jsonl"], in: directory.path)
            }
            let merge = try await Program.run(
                ["report", "merge", "1.jsonl", "2.jsonl", "--history", "past", "--report", "markdown"],
                in: directory.path)
            #expect(merge.ending == .exit(Int32(index)), "\(merge.error)")
            if index == 1 {
                #expect(merge.error.contains("  compared with 1 previous run: 1 new failure\n"), "\(merge.error)")
            }
        }
        #expect(names().count == 2)
        #expect(names().allSatisfy { $0.split(separator: "-").count == 3 } as Bool)
        let record = try #require(TestFiles.text(directory.path + "/past/" + (names().last ?? "")))
        #expect(record.contains("\"digest\":\""))
        #expect(record.split(separator: "\n").count { $0.hasPrefix("p ") || $0.hasPrefix("f ") } == 5)
        let report = try #require(TestFiles.text(directory.path + "/report.md"))
        #expect(report.contains("### New failures\n\n| Test | |\n| --- | --- |\n| `Books › breaks` |"))
    }

    @Test("Unreadable files are counted and do not prevent others from being read")
    func unreadable() async throws {
        _ = try await run()
        write("{}", to: "past/20000101T000000.000Z-000000000000.apitest-run")
        write("keep me", to: "past/notes.txt")
        let line = try await run(["--history-keep", "1"])
        #expect(line == nil)
        #expect(names().count == 2)
        #expect(names().contains("notes.txt"))
        write("{}", to: "past/20000101T000000.000Z-000000000000.apitest-run")
        #expect(try await trends().contains("; 1 file cannot be read"))
    }
}
