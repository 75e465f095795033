import Testing

/// Tests that scenarios cover each key of a suite and each option of the program.
struct CoverageTests {
    private static let scenarios = TestFiles.package + "/Tests/EndToEndTests"

    /// Returns the contents of all handwritten files in a directory and its subdirectories.
    private static func texts(in directory: String, where isIncluded: (String) -> Bool) -> String {
        var text = ""
        for name in TestFiles.names(in: directory) {
            let path = "\(directory)/\(name)"
            if TestFiles.isDirectory(path) {
                text += texts(in: path, where: isIncluded)
            } else if isIncluded(name) {
                text += (TestFiles.text(path) ?? "") + "\n"
            }
        }
        return text
    }

    @Test("Every key is used in the suite of a scenario")
    func keys() async throws {
        let directory = try TemporaryDirectory()
        let schema = try await Program.run(["schema", "suite"], in: directory.path)
        let names = SchemaText.propertyNames(in: schema.output)
        #expect(names.count > 100)
        let suites = Self.texts(in: Self.scenarios + "/Scenarios") { !$0.hasPrefix("expected") && $0 != "case.yaml" }
        #expect(names.filter { !SchemaText.holds(suites, key: $0) }.isEmpty)
    }

    @Test("Every key is used in an invalid suite or in a reader test")
    func mistakes() async throws {
        let directory = try TemporaryDirectory()
        let schema = try await Program.run(["schema", "suite"], in: directory.path)
        let read = Self.texts(in: TestFiles.package + "/Tests/SuiteLoaderTests") { $0.hasSuffix(".swift") }
        let wrong = Self.texts(in: Self.scenarios + "/BadInput/suites") { $0.hasSuffix(".yaml") }
        let missing = SchemaText.propertyNames(in: schema.output).filter { !SchemaText.holds(wrong + read, key: $0) }
        #expect(missing.isEmpty)
    }

    @Test("Every option is passed to the program by a test")
    func options() throws {
        let reference = try #require(TestFiles.text(TestFiles.package + "/Documentation/command-line.md"))
        var options: Set<Substring> = []
        for line in reference.split(separator: "\n") where line.hasPrefix("  -") {
            for word in line.split(whereSeparator: { " ,/".contains($0) }).prefix(2) where word.hasPrefix("--") {
                options.insert(word)
            }
        }
        #expect(options.count > 30)
        let arguments = try Scenario.every.flatMap { try $0.caseFile().arguments }.joined(separator: "\n")
        let mistakes = try OptionMistakeTests.Call.all.flatMap { try $0.arguments() }.joined(separator: "\n")
        let tests = Self.texts(in: Self.scenarios) { $0.hasSuffix(".swift") }
        let texts = [arguments, mistakes, tests].joined(separator: "\n")
        let words = Set(texts.split { !$0.isLetter && !$0.isNumber && $0 != "-" })
        #expect(options.filter { !words.contains($0) }.isEmpty)
    }
}
