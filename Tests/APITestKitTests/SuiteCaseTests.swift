import Testing

@testable import APITestKitTesting

@Suite("Suites as test cases")
struct SuiteCaseTests {
    /// The directory of the suites.
    private static let directory = TestRunOptions(callingFile: #filePath).directory + "/Suites"

    private func verdicts(_ cases: [SuiteCase]) async -> [String: SuiteCase.Verdict] {
        await withTaskGroup(of: (String, SuiteCase.Verdict).self) { group in
            for test in cases { group.addTask { (test.name, await test.verdict()) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test("Cases have the names, tags, and locations of the tests")
    func cases() throws {
        let cases = try SuiteCase.load("Suites/bookshop.apitest.yaml")
        #expect(cases.map(\.name) == ["add a book", "read it back", "borrow it"])
        #expect(cases.map(\.testDescription).first == "Bookshop › add a book")
        #expect(cases.map(\.tags) == [["books"], ["books"], []])
        #expect(cases.map(\.line) == [5, 10, 14])
        #expect(cases.map(\.column) == [11, 11, 11])
        #expect(cases.allSatisfy { $0.path == Self.directory + "/bookshop.apitest.yaml" })
    }

    @Test("Passing tests record no issues, and skipped tests state the reason")
    func passing() async throws {
        let verdicts = await verdicts(try SuiteCase.load("Suites/bookshop.apitest.yaml"))
        #expect(verdicts.count == 3)
        #expect(verdicts.values.allSatisfy { $0.issues.isEmpty })
        #expect(verdicts["read it back"]?.reasonNotRun == nil)
        #expect(verdicts["borrow it"]?.reasonNotRun == "lending comes next year")
    }

    @Test("Failures become issues at their line in the suite")
    func failing() async throws {
        let verdicts = await verdicts(try SuiteCase.load("Suites/failing.yaml"))
        let title = try #require(verdicts["another title"]?.issues)
        #expect(title.map(\.line) == [9, 10])
        #expect(title.map(\.column) == [24, 13])
        #expect(title.allSatisfy { $0.path == Self.directory + "/failing.yaml" && !$0.isWarning })
        #expect(title.first?.text == #"json $.title: expected "Emma" (string), got "Dune" (string)"#)
        let last = try #require(title.last?.text)
        #expect(last.hasPrefix("assert: body.id > 1 is false\n"))
        #expect(last.contains("← 200 application/json"))
        #expect(last.contains("\n  curl http://127.0.0.1:"))

        let step = try #require(verdicts["several steps"]?.issues.first)
        #expect(step.text.hasPrefix("second: status: expected 200, got 404\n"))
        #expect(step.line == 17)

        #expect(verdicts["needs a title"]?.issues.isEmpty == true)
        #expect(verdicts["needs a title"]?.reasonNotRun == "blocked by \"several steps\", which did not pass")

        let flaky = try #require(verdicts["at the second attempt"]?.issues)
        #expect(flaky.map(\.isWarning) == [true])
        #expect(flaky.map(\.text) == ["passed only on attempt 2"])

        let refused = try #require(verdicts["nobody there"]?.issues.first)
        #expect(refused.text.hasPrefix("connect: connection refused: 127.0.0.1:1\n"))
        #expect(refused.line == 26)
    }

    @Test("Issues have a location in the suite and the module of the test")
    func locations() async throws {
        let test = try #require(SuiteCase.load("Suites/failing.yaml") { $0.name == "another title" }.first)
        try await withKnownIssue {
            try await test.check()
        } matching: { issue in
            let location = issue.sourceLocation
            return location?.filePath == Self.directory + "/failing.yaml" && location?.line ?? 0 > 8
                && location?.fileID == "APITestKitTests/failing.yaml"
                && issue.comments.first?.rawValue.contains("body.id > 1") == (location?.line == 10)
        }
    }

    @Test("Only selected tests and their dependencies run")
    func selection() async throws {
        let cases = try SuiteCase.load("Suites/bookshop.apitest.yaml", "Suites/failing.yaml") {
            $0.name == "read it back"
        }
        #expect(cases.map(\.name) == ["read it back"])
        let verdict = try #require(await cases.first?.verdict())
        #expect(verdict.issues.isEmpty)
        #expect(try SuiteCase.load("Suites/failing.yaml", where: { _ in false }).isEmpty)
    }

    @Test("Variables and environment variables are passed to the suite")
    func options() async throws {
        var options = TestRunOptions(callingFile: #filePath)
        options.variables = ["title": "Persuasion"]
        options.processEnvironment["TITLE"] = "Sanditon"
        let cases = try SuiteCase.load("Suites/bookshop.apitest.yaml", options: options)
        let verdicts = await verdicts(cases)
        #expect(verdicts.values.allSatisfy { $0.issues.isEmpty })
    }

    @Test("Loading an invalid suite throws an error that names the file")
    func mistakes() throws {
        let failure = #expect(throws: LoadFailure.self) { try SuiteCase.load("Suites/nowhere.yaml") }
        #expect(failure?.description.contains("nowhere.yaml") == true)
    }

    @Test("A case finishes at once when its task is cancelled")
    func cancelled() async throws {
        let test = try #require(SuiteCase.load("Suites/failing.yaml").first)
        let task = Task { () -> SuiteCase.Verdict in
            withUnsafeCurrentTask { $0?.cancel() }
            return await test.verdict()
        }
        let verdict = await task.value
        #expect(verdict.issues.count == 1 || verdict.issues.count == 2)
    }
}
