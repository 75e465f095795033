import Testing

/// Tests of the scenarios as documentation: each case states its purpose, and references to scenarios are correct.
struct ScenarioBookTests {
    @Test("Every case states what it proves in a sentence of its own")
    func everyCaseProvesSomething() throws {
        var cases: [String: String] = [:]
        for scenario in Scenario.every {
            let proves = try scenario.caseFile().proves
            let other = cases.updateValue(scenario.name, forKey: proves)
            #expect(other == nil, "\(scenario.name) proves the same as \(other ?? "")")
        }
        #expect(cases.count >= 376)
    }

    @Test("Every directory names a documentation page, and scenario names are unique")
    func pages() {
        let documentation = Set(TestFiles.names(in: TestFiles.package + "/Documentation"))
        #expect(Scenario.pages.filter { !documentation.contains($0 + ".md") } == [])
        let names = Dictionary(grouping: Scenario.every, by: \.name)
        #expect(names.filter { $1.count > 1 }.keys.sorted() == [])
    }

    @Test("The reliability page names only scenarios that exist")
    func reliability() throws {
        let page = try #require(TestFiles.text(TestFiles.package + "/Documentation/reliability.md"))
        let named = Self.scenarios(in: page)
        #expect(named.count >= 50)
        let names = Set(Scenario.every.map(\.name))
        #expect(named.filter { !names.contains($0) } == [])
    }

    /// Returns the names in backquotes after the word "scenario" or "scenarios", except test types.
    private static func scenarios(in text: String) -> [String] {
        var names: [String] = []
        let singular = text.split(separator: "scenarios `").dropFirst().map { $0 }
        for part in singular + text.split(separator: "scenario `").dropFirst() {
            // A name follows every other backquote, while at most a comma separates two names.
            for (index, piece) in part.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
                if index.isMultiple(of: 2) {
                    if piece.first?.isLowercase == true { names.append(String(piece)) }
                } else if piece != ", " {
                    break
                }
            }
        }
        return names
    }

    @Test("Each construct in the tables of other tools is run by the scenario of the tool")
    func constructs() throws {
        let page = try #require(TestFiles.text(TestFiles.package + "/Documentation/coming-from-other-tools.md"))
        var count = 0
        for section in page.split(separator: "\n## ").dropFirst() {
            let tool = section.prefix { $0 != "\n" }.lowercased()
            let scenario = try #require(Scenario.every.first { $0.name == "from-\(tool)" }, "no scenario for \(tool)")
            let texts = TestFiles.names(in: scenario.directory).compactMap {
                TestFiles.text(scenario.directory + "/" + $0)
            }
            let text = (texts + [try scenario.caseFile().arguments.joined(separator: " ")]).joined(separator: "\n")
            for row in section.split(separator: "\n") where row.hasPrefix("| ") && row.hasSuffix(" |") {
                let right = row.dropLast(2).split(separator: " | ").dropFirst().joined(separator: " | ")
                let spans = right.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                for (position, span) in spans where position % 2 == 1 && !span.hasPrefix("examples/") {
                    count += 1
                    let isKey = span.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
                    var rest = text[...]
                    for part in (isKey ? "\(span):" : String(span)).split(separator: "…") {
                        let found = rest.firstRange(of: part)
                        #expect(found != nil, "\(scenario.name) does not contain \(span)")
                        rest = found.map { rest[$0.upperBound...] } ?? ""
                    }
                }
            }
        }
        #expect(count > 80)
    }

    @Test("All keys of a case file are read")
    func everyKey() throws {
        let text = """
            proves: It works.
            requires: [git]
            environment: { CI: "true" }
            arguments: [a.yaml, --jobs, "1"]
            signal: { send: SIGTERM, after: GET /hang }
            exit: 130
            """
        let call = try CaseFile(Array(text.utf8), name: "case.yaml")
        #expect(call.proves == "It works.")
        #expect(call.requires == ["git"])
        #expect(call.environment == ["CI": "true"])
        #expect(call.arguments == ["a.yaml", "--jobs", "1"])
        #expect(call.signal == .init(number: 15, request: "GET /hang"))
        #expect(call.exit == 130)
    }

    @Test("A case file with only \"proves\" runs suite.yaml and expects success")
    func defaults() throws {
        let call = try CaseFile(Array("proves: It works.".utf8), name: "case.yaml")
        #expect(call.arguments == ["suite.yaml"])
        #expect(call.exit == 0)
        #expect(call.requires.isEmpty && call.environment.isEmpty && call.signal == nil)
    }

    @Test(
        "Mistakes in a case file are errors with file, line, and column",
        arguments: [
            ("proves: It works.\nargument: [a]", "case.yaml:2:1: error: unknown key \"argument\""),
            ("proves: It works.\nargument: [a]", "did you mean \"arguments\"?"),
            ("arguments: [a]", "case.yaml:1:1: error: \"proves\" is missing"),
            ("", "case.yaml:1:1: error: expected a mapping"),
            ("- a", "case.yaml:1:1: error: expected a mapping"),
            ("proves:", "case.yaml:1:8: error: \"proves\": expected one sentence"),
            ("proves: it works.", "case.yaml:1:9: error: \"proves\": expected one sentence"),
            ("proves: It works", "case.yaml:1:9: error: \"proves\": expected one sentence"),
            ("proves: It works. It does.", "case.yaml:1:9: error: \"proves\": expected one sentence"),
            (
                "proves: It works.\narguments: a.yaml",
                "case.yaml:2:12: error: \"arguments\": expected an array of strings"
            ),
            ("proves: It works.\narguments: [1]", "case.yaml:2:12: error: \"arguments\": expected an array of strings"),
            ("proves: It works.\nrequires: git", "case.yaml:2:11: error: \"requires\": expected an array of strings"),
            ("proves: It works.\nenvironment: { A: 1 }", "case.yaml:2:14: error: \"environment\": expected a mapping"),
            ("proves: It works.\nsignal: { send: SIGKILL, after: GET / }", "case.yaml:2:9: error: \"signal\""),
            ("proves: It works.\nsignal: { send: SIGINT }", "case.yaml:2:9: error: \"signal\""),
            ("proves: It works.\nexit: 0", "case.yaml:2:7: error: \"exit\": expected an exit status from 1 to 255"),
            ("proves: It works.\nexit: [", "case.yaml:2:7: error:"),
        ])
    func mistake(_ text: String, _ message: String) {
        let failure = #expect(throws: CaseFile.Failure.self) { try CaseFile(Array(text.utf8), name: "case.yaml") }
        #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
    }
}
