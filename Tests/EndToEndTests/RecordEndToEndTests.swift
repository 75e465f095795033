import Glibc
import JSON
import Testing

/// Tests of run records and their conversions.
@Suite(.serialized)
struct RecordEndToEndTests {
    private static let mock = """
        routes:
          - request: GET /slow/**
            respond: { delay: 5m, json: { path: slow } }
          - request: GET /**
            respond: { json: { path: "${request.path}" } }
        """

    /// Returns a suite with rows, a setup, failures, a blocked test and a skipped test.
    private static func suite(_ name: String) -> String {
        """
        name: \(name)
        serve: { mock: api.mock.yaml }
        setup:
          - request: GET /setup
        tests:
          - name: "row ${n}"
            cases: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }, { n: 6 }, { n: 7 }]
            request: GET /${n}
            expect: { json: { $.path: "/${n}" } }
          - name: fails
            id: fails
            request: GET /x
            expect: { status: 201, json: { $.path: /y } }
          - name: blocked
            needs: fails
            request: GET /z
          - name: skipped
            skip: for a reason
            request: GET /z
          - name: last
            request: GET /last
        teardown:
          - request: GET /teardown
        """
    }

    private func directory(_ names: [String] = ["a", "b", "c"]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        for name in names { TestFiles.write(Self.suite(name).utf8, to: directory.path + "/\(name).apitest.yaml") }
        return directory
    }

    /// Returns the names of a report's test cases with their class and outcome, in order.
    private func cases(_ path: String) throws -> [String] {
        let report = try XMLElement(document: try #require(TestFiles.text(path)))
        #expect(try JUnitReport(try #require(TestFiles.text(path))).problems.isEmpty)
        return report.children("testsuite").flatMap { suite in
            suite.children("testcase").map { test in
                let verdict = ["failure", "error", "skipped"].first { !test.children($0).isEmpty } ?? "passed"
                return "\(test.attributes["classname"] ?? "") \(test.attributes["name"] ?? "") \(verdict)"
            }
        }
    }

    @Test func aConvertedReportIsTheOneOfTheRun() async throws {
        let directory = try directory()
        for flags in [[], ["-v"]] {
            let run = try await Program.run(
                [".", "--report", "json=run.jsonl", "--report", "junit=run.xml", "--report", "markdown=run.md"] + flags,
                in: directory.path)
            #expect(run.ending == .exit(1), "\(run.error)")
            let convert = try await Program.run(
                ["report", "convert", "run.jsonl", "--report", "junit=made.xml", "--report", "markdown=made.md"],
                in: directory.path)
            #expect(convert.ending == .exit(1), "\(convert.error)")
            #expect(convert.output.isEmpty && convert.error.isEmpty)
            for name in ["xml", "md"] {
                #expect(
                    TestFiles.text("\(directory.path)/made.\(name)") == TestFiles.text("\(directory.path)/run.\(name)"))
            }
            let show = try await Program.run(["report", "show", "run.jsonl"] + flags, in: directory.path)
            #expect(show.ending == .exit(1))
            // A record does not contain the program's arguments.
            let again = (run: "apitest . --failed", show: "the same command with --failed")
            #expect(show.output == run.output.replacing(again.run, with: again.show))
        }
    }

    @Test func aStepTakesTheTimeOfItsWaitsToo() async throws {
        let directory = try directory([])
        let suite = """
            name: Waits
            serve: { mock: api.mock.yaml }
            tests:
              - { name: one, delay: 60ms, request: GET / }
              - name: steps
                steps:
                  - { name: later, delay: 60ms, request: GET / }
                  - { name: never, if: false, delay: 60ms, request: GET / }
            """
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "json=run.jsonl"], in: directory.path)
        #expect(run.ending == .exit(0), "\(run.error)")
        var waited: [String: Bool] = [:]
        for line in try #require(TestFiles.text(directory.path + "/run.jsonl")).split(separator: "\n") {
            for step in try JSONValue(parsing: Array(line.utf8))["steps"]?.arrayValue ?? [] {
                let name = try #require(step["name"]?.stringValue)
                let duration = try #require(step["duration"]?.numberValue?.int64)
                waited[name] = duration >= 60_000_000
            }
        }
        #expect(waited == ["one": true, "later": true, "never": false])
    }

    @Test func everyLineIsValid() async throws {
        let python = Program.environmentVariable("APITEST_PYTHON") ?? "python3"
        let directory = try directory(["a"])
        _ = try await Program.run([".", "--report", "json:exchanges=run.jsonl"], in: directory.path)
        TestFiles.write(
            """
            import json, sys
            try: import jsonschema
            except ImportError: sys.exit(77)
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            lines = open("run.jsonl", encoding="utf-8").read().split("\\n")
            assert lines.pop() == ""
            for line in lines: validator.validate(json.loads(line))
            assert not validator.is_valid({"event": "test"})
            print(len(lines))
            """.utf8, to: directory.path + "/check.py")
        let check = try ProgramRun(
            ["/usr/bin/env", python, "check.py", TestFiles.package + "/schemas/events.schema.json"],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/check")
        let ending = try await check.wait()
        if ending == .exit(77) || ending == .exit(127) { try Test.cancel("Python's jsonschema is not installed") }
        #expect(ending == .exit(0), "\(check.standardError)")
        #expect((Int(check.standardOutput.filter(\.isNumber)) ?? 0) > 20)
    }

    /// If the program is killed, a report from its partial record contains every finished test.
    @Test func aRunThatIsKilled() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(
            """
            name: Slow
            serve: { mock: api.mock.yaml }
            tests:
              - name: "quick ${n}"
                cases: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]
                request: GET /${n}
              - name: "slow ${n}"
                cases: [{ n: 1 }, { n: 2 }, { n: 3 }]
                request: { url: /slow/x, timeout: 10m }
            """.utf8, to: directory.path + "/suite.yaml")
        for signal in [SIGKILL, SIGINT] {
            let record = directory.path + "/run.jsonl"
            unlink(record)
            let run = try ProgramRun(
                [Program.path, "suite.yaml", "--jobs", "1", "--report", "json=run.jsonl", "--report", "junit=run.xml"],
                environment: Program.environment(home: directory.path), directory: directory.path,
                output: directory.path + "/run")
            let isThere = try await Poll.until(within: .seconds(30)) {
                (TestFiles.text(record) ?? "").split(separator: "\n").contains {
                    $0.hasPrefix("{\"event\":\"testStart\"") && $0.contains("slow 1")
                }
            }
            try #require(isThere, "\(run.standardError)")
            run.send(signal)
            #expect(try await run.wait() == (signal == SIGKILL ? .signal(SIGKILL) : .exit(130)))
            run.killSession()
            let convert = try await Program.run(
                ["report", "convert", "run.jsonl", "--report", "junit=made.xml"], in: directory.path)
            #expect(convert.ending == .exit(signal == SIGKILL ? 1 : 130), "\(convert.error)")
            let report = try #require(TestFiles.text(directory.path + "/made.xml"))
            #expect(report.contains("3 of 7 tests did not run"))
            let names = try cases(directory.path + "/made.xml")
            #expect(names.prefix(4) == ["quick 1", "quick 2", "quick 3", "quick 4"].map { "suite \($0) passed" }[...])
            #expect(names.contains("suite slow 1 skipped"))
            if signal == SIGKILL {
                #expect(convert.error.hasPrefix("warning: the record ends before the run finished"))
                #expect(TestFiles.text(directory.path + "/run.xml") == nil)
                let made = TestFiles.text(directory.path + "/made.xml") ?? ""
                #expect(made.contains("<skipped message=\"not finished: the run was stopped\">"))
                let failed = try await Program.run(
                    ["list", "suite.yaml", "--failed", "run.jsonl"], in: directory.path)
                #expect(failed.output.contains("slow 1"), "\(failed.error)")
                #expect(!failed.output.contains("quick 1"))
            } else {
                #expect(convert.error.isEmpty)
                #expect(TestFiles.text(directory.path + "/made.xml") == TestFiles.text(directory.path + "/run.xml"))
            }
        }
    }

    @Test func aPathThatCannotBeWritten() async throws {
        let directory = try directory(["a"])
        for path in ["a.apitest.yaml/run.jsonl", ".", "/proc/none.jsonl"] {
            let run = try await Program.run(["a.apitest.yaml", "--report", "json=\(path)"], in: directory.path)
            #expect(run.ending == .exit(2))
            #expect(run.output.isEmpty)
            #expect(run.error.hasPrefix("apitest: cannot write the report \"\(path)\": "), "\(run.error)")
        }
        let full = try await Program.run(["a.apitest.yaml", "--report", "json=/dev/full", "-q"], in: directory.path)
        #expect(full.ending == .exit(4))
        #expect(full.error.contains("cannot write the report \"/dev/full\": No space left on device"))
    }

    @Test func standardOutputAndInput() async throws {
        let directory = try directory(["a"])
        let run = try ProgramRun(
            [
                "/bin/sh", "-c",
                "'\(Program.path)' . --report json=- 2>console | tee run.jsonl | '\(Program.path)' report show - -q",
            ], environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        #expect(try await run.wait() == .exit(1), "\(run.standardError)")
        #expect(run.standardOutput.contains("a › fails"))
        #expect((TestFiles.text(directory.path + "/run.jsonl") ?? "").hasPrefix("{\"event\":\"run\",\"schema\":1,"))
    }

    @Test func aRecordIsNotOverwrittenByItsOwnConversion() async throws {
        let directory = try directory(["a"])
        _ = try await Program.run([".", "--report", "json=run.jsonl"], in: directory.path)
        let before = TestFiles.text(directory.path + "/run.jsonl")
        for path in ["run.jsonl", "./run.jsonl"] {
            let convert = try await Program.run(
                ["report", "convert", "run.jsonl", "--report", "json=\(path)"], in: directory.path)
            #expect(convert.ending == .exit(2))
            #expect(convert.error.contains("would be overwritten"), "\(convert.error)")
            #expect(TestFiles.text(directory.path + "/run.jsonl") == before)
        }
    }

    // MARK: Merging

    @Test func mergedShardsAreTheWholeRun() async throws {
        let directory = try directory()
        for (options, rule) in [([], ""), (["--repeat", "2"], ""), ([], "hash:"), (["--repeat", "2"], "hash:")] {
            let whole = try await Program.run(
                [".", "--seed", "1", "--report", "json=whole.jsonl", "--report", "junit=whole.xml"] + options,
                in: directory.path)
            #expect(whole.ending == .exit(1), "\(whole.error)")
            for shard in 1...3 {
                _ = try await Program.run(
                    [".", "--seed", "1", "--shard", "\(rule)\(shard)/3", "--report", "json=\(shard).jsonl"] + options,
                    in: directory.path)
            }
            let merge = try await Program.run(
                [
                    "report", "merge", "3.jsonl", "1.jsonl", "2.jsonl", "--report", "junit=merged.xml", "-o",
                    "all.jsonl",
                ],
                in: directory.path)
            #expect(merge.ending == .exit(1))
            #expect(merge.error.isEmpty, "\(merge.error)")
            #expect(try cases(directory.path + "/merged.xml") == cases(directory.path + "/whole.xml"))
            // The merged record yields the same report.
            let convert = try await Program.run(
                ["report", "convert", "all.jsonl", "--report", "junit=again.xml"], in: directory.path)
            #expect(convert.ending == .exit(1))
            #expect(TestFiles.text(directory.path + "/again.xml") == TestFiles.text(directory.path + "/merged.xml"))
            let show = try await Program.run(["report", "show", "all.jsonl"], in: directory.path)
            #expect(ConsoleSummary(show.output)?.outcomes == ConsoleSummary(whole.output)?.outcomes)
        }
    }

    @Test func aSecondRunOfWhatFailedIsJoined() async throws {
        let directory = try directory(["a"])
        _ = try await Program.run([".", "--report", "json=first.jsonl"], in: directory.path)
        let fixed = (TestFiles.text(directory.path + "/a.apitest.yaml") ?? "").replacing(
            "{ status: 201, json: { $.path: /y } }", with: "{ status: 200 }")
        TestFiles.write(fixed.utf8, to: directory.path + "/a.apitest.yaml")
        let second = try await Program.run(
            [".", "--failed", "first.jsonl", "--report", "json=second.jsonl"], in: directory.path)
        #expect(second.ending == .exit(0), "\(second.error)\(second.output)")
        #expect(second.error.hasPrefix("running 2 tests that did not pass in first.jsonl"), "\(second.error)")
        let merge = try await Program.run(
            ["report", "merge", "first.jsonl", "second.jsonl", "--report", "junit=merged.xml"], in: directory.path)
        #expect(merge.ending == .exit(0))
        #expect(
            merge.error.contains("tests are in several records; only the last run of each counts: "), "\(merge.error)")
        let names = try cases(directory.path + "/merged.xml")
        #expect(names.filter { $0.hasSuffix(" failure") || $0.hasSuffix(" error") }.isEmpty)
        #expect(names.filter { $0.contains("fails") || $0.contains("blocked") }.count == 2)
        #expect(names.count { $0.contains(" row ") } == 7)
        let durations = try await Program.run(
            ["list", ".", "--shard", "1/2", "--durations", "first.jsonl"], in: directory.path)
        #expect(durations.ending == .exit(0), "\(durations.error)")
    }
}
