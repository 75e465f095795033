import Basics
import Diagnostics
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteFormat
@testable import SuiteLoader

/// Tests that random valid suites and mock files in random layouts have the same value after formatting.
struct RandomSuiteTests {
    /// Parts of every generated suite that its other parts may refer to.
    private static let variables = GeneratedValue.map([
        ("title", .string("Dune")), ("count", .plain("3")),
        ("list", .list([.string("a"), .string("b")])),
    ])
    private static let shared = GeneratedValue.anchored("shared", .map([("a", .plain("1")), ("b", .string("two"))]))

    private static let fragments = GeneratedValue.map([
        (
            "login",
            .map([
                ("parameters", .map([("user", .string("ada"))])),
                ("steps", .list([.map([("request", .string("GET /login/${user}"))])])),
            ])
        )
    ])

    @Test func suites() async throws {
        let results = try await withThrowingTaskGroup(of: (Set<String>, [String]).self) { group in
            for seed in [UInt64](1...4) { group.addTask { try suites(seed, count: 50) } }
            return try await group.reduce(into: (used: Set<String>(), rejected: [String]())) {
                $0.used.formUnion($1.0)
                $0.rejected += $1.1
            }
        }
        let all = SuiteSchema.maps.flatMap { map in map.entries.map { "\(map.name).\($0.name)" } }
        let missing = all.filter { !results.used.contains($0) }
        #expect(
            results.used.count > 200,
            "not generated: \(missing.joined(separator: " "))\n\(Set(results.rejected).sorted().joined(separator: "\n"))"
        )
    }

    /// Checks the given number of suites.
    ///
    /// - Returns: The generated keys, and the reasons why parts were discarded.
    private func suites(_ seed: UInt64, count: Int) throws -> (used: Set<String>, rejected: [String]) {
        let project = try ProjectDirectory(SuiteGenerator.files)
        var generator = SuiteGenerator(maps: SuiteSchema.maps, random: SplitMix64(seed: seed))
        var used: Set<String> = []
        var valid = 0
        var rejected: [String] = []
        for index in 0..<count {
            let root = suite(&generator, project, &used, &rejected)
            let text = Self.write(root, seed: seed &* 1000 &+ UInt64(index))
            let loaded = Self.load(text, project)
            // Valid parts can form an invalid whole, such as two tests with the same name.
            guard loaded.diagnostics.isEmpty else { continue }
            valid += 1
            let formatted = try formatted(text)
            let again = Self.load(formatted, project)
            #expect(
                again.diagnostics.isEmpty,
                "\(TextRenderer(color: false).render(again.diagnostics))\n\(formatted)")
            let isEqual = ValueDump.text(of: loaded.suites) == ValueDump.text(of: again.suites)
            #expect(isEqual, "\(text)\n\n\(formatted)")
        }
        #expect(valid > count * 3 / 4, "only \(valid) of \(count) suites are valid")
        return (used, rejected)
    }

    @Test(arguments: [UInt64](1...4))
    func mockFiles(_ seed: UInt64) throws {
        let project = try ProjectDirectory(SuiteGenerator.files)
        let loader = MockLoader(options: LoaderOptions(fileRoot: project.path, workingDirectory: project.path))
        var generator = SuiteGenerator(maps: MockSchema.maps, random: SplitMix64(seed: seed))
        var count = 0
        for index in 0..<60 {
            guard case .map(let entries) = generator.map("mock", depth: 4) else { continue }
            let text = Self.write(.map([("x-shared", Self.shared)] + entries), seed: seed &* 1000 &+ UInt64(index))
            let before = loader.load(SourceFile(name: "a.yaml", text: text), directory: project.path)
            guard let definition = before.definition, before.diagnostics.isEmpty else { continue }
            count += 1
            let formatted = try formatted(text)
            let after = loader.load(SourceFile(name: "a.yaml", text: formatted), directory: project.path)
            #expect(
                ValueDump.text(of: definition) == ValueDump.text(of: after.definition as Any), "\(text)\n\n\(formatted)"
            )
        }
        #expect(count > 5, "only \(count) of 60 mock files are valid")
    }

    /// The dumps of values that differ in only one key are different.
    @Test func theDumpSeesDifferences() throws {
        let suites = try [
            "tests:\n  - name: a\n    request: GET http://127.0.0.1/\n",
            "tests:\n  - name: a\n    request: { url: http://127.0.0.1/, headers: { a: b } }\n",
            "tests:\n  - name: a\n    request: { url: http://127.0.0.1/, headers: { a: c } }\n",
            "tests:\n  - name: a\n    request: GET http://127.0.0.1/\n    expect: { json: { $.a: 1 } }\n",
            "tests:\n  - name: a\n    request: GET http://127.0.0.1/\n    expect: { json: { $.a: 1.0 } }\n",
            "tests:\n  - name: a\n    request: GET http://127.0.0.1/\n    assert: status == 200\n",
            "tests:\n  - name: a\n    request: GET http://127.0.0.1/\n    assert: status == 201\n",
        ].map { ValueDump.text(of: try loadGood($0)) }
        #expect(Set(suites).count == suites.count)
    }

    // MARK: Generation

    /// Returns a suite of parts that are individually valid.
    private func suite(
        _ generator: inout SuiteGenerator, _ project: ProjectDirectory, _ used: inout Set<String>,
        _ rejected: inout [String]
    ) -> GeneratedValue {
        let base: [(key: String, value: GeneratedValue)] = [
            ("x-shared", Self.shared), ("baseURL", .string("http://127.0.0.1:8080")), ("variables", Self.variables),
            ("fragments", Self.fragments),
        ]
        let simple = GeneratedValue.list([.map([("name", .string("simple")), ("request", .string("GET /"))])])
        func isValid(_ entries: [(key: String, value: GeneratedValue)]) -> Bool {
            let result = Self.load(Self.write(.map(entries), seed: 1), project)
            if let problem = result.diagnostics.first {
                rejected.append("\(problem.message) at \(problem.range?.text ?? "")")
            }
            return result.diagnostics.isEmpty
        }
        generator.ids = []
        generator.used = []
        var whole = base
        if case .map(let all) = generator.map("suite", depth: 4) {
            whole += all.filter { !["tests", "variables", "x-shared", "baseURL", "fragments"].contains($0.key) }
        }
        let tests = (0..<4).map { _ in generator.map("test", depth: 6) }
        used.formUnion(["suite.tests", "suite.variables", "suite.baseURL", "suite.fragments"])
        if isValid(whole + [("tests", .list(tests))]) {
            used.formUnion(generator.used)
            return Self.shuffled(whole + [("tests", .list(tests))], &generator)
        }
        // Something is invalid, so only the individually valid parts are kept.
        let entries = base + whole.dropFirst(base.count).filter { isValid(base + [$0, ("tests", simple)]) }
        let valid = tests.filter { isValid(base + [("tests", .list([$0]))]) }
        return Self.shuffled(entries + [("tests", valid.isEmpty ? simple : .list(valid))], &generator)
    }

    /// Returns the entries in random order, except that the anchor comes first.
    private static func shuffled(
        _ entries: [(key: String, value: GeneratedValue)], _ generator: inout SuiteGenerator
    ) -> GeneratedValue {
        .map(entries.prefix(1) + entries.dropFirst().shuffled(using: &generator.random))
    }

    private static func write(_ root: GeneratedValue, seed: UInt64) -> String {
        var writer = RandomWriter(random: SplitMix64(seed: seed))
        return writer.document(root)
    }

    private static func load(_ text: String, _ project: ProjectDirectory) -> LoadResult {
        var options = LoaderOptions(fileRoot: project.path, workingDirectory: project.path)
        options.canEvaluateXPath = { true }
        return SuiteLoader(options: options).load(
            SourceFile(name: "a.yaml", text: text), absolutePath: project.path + "/a.yaml")
    }

    /// Returns the formatted text, after checking that formatting it again does not change it.
    private func formatted(_ text: String) throws -> String {
        let formatter = SuiteFormatter(fileRoot: "/", workingDirectory: "/")
        let first = formatter.format(SourceFile(name: "a.yaml", text: text))
        let bytes = try #require(first.text, "\(TextRenderer(color: false).render(first.diagnostics))\n\(text)")
        let formatted = String(decoding: bytes, as: UTF8.self)
        let again = formatter.format(SourceFile(name: "a.yaml", text: bytes))
        #expect(
            again.text.map { String(decoding: $0, as: UTF8.self) } == formatted,
            "formatting again changed the text: \(text)\n\n\(formatted)")
        return formatted
    }
}
