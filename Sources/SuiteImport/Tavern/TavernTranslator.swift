import Diagnostics
import YAML

/// Translates the documents of a Tavern file to tests.
struct TavernTranslator {
    private let source: TavernSource
    /// The global configurations, which apply to all tests.
    private let configurations: [TavernSource]
    /// The files that documents include.
    private var included: [String: TavernSource] = [:]
    private var scope = TavernScope()

    init(_ source: TavernSource, _ configurations: [TavernSource]) {
        self.source = source
        self.configurations = configurations
    }

    /// The keys of a test that are translated.
    private static let known: Set<String> = [
        "test_name", "stages", "finally", "includes", "strict", "marks", "_xfail", "is_defaults",
    ]
    /// The maximum number of rows that combinations of parameters become.
    private static let maximumRows = 1_000

    /// Returns the suite of a file.
    mutating func suite(name: String, _ context: inout ImportContext) -> ImportedSuite {
        var suite = ImportedSuite(name: name, source: source.file.name)
        var defaults: [(key: YAMLNode, value: YAMLNode)] = []
        var variables: [[ImportedVariable]] = []
        for document in source.documents where document.mapping != nil {
            if document["is_defaults"]?.isTrue ?? false {
                defaults = document.members
                continue
            }
            let own = Set(document.members.compactMap(\.key.text))
            let members = document.members + defaults.filter { !own.contains($0.key.text ?? "") }
            let (test, notes) = self.test(members, document, &context)
            variables.append(test.variables)
            if test.steps.isEmpty {
                suite.notes += notes + test.notes
            } else {
                var test = test
                test.notes += notes
                suite.tests.append(test)
            }
        }
        Self.share(&suite)
        for (tag, line) in source.unknownTags {
            suite.notes.append(context.untranslated("tag \(tag)", in: source.file, line: line))
        }
        return suite
    }

    /// Makes the variables that all tests define in the same way variables of the suite.
    private static func share(_ suite: inout ImportedSuite) {
        var values: [String: Set<ImportedValue>] = [:]
        for test in suite.tests {
            for variable in test.variables { values[variable.name, default: []].insert(variable.value) }
        }
        let shared = Set(values.filter { $0.value.count == 1 }.keys)
        for index in suite.tests.indices {
            for variable in suite.tests[index].variables where shared.contains(variable.name) {
                if !suite.variables.contains(where: { $0.name == variable.name }) { suite.variables.append(variable) }
            }
            suite.tests[index].variables.removeAll { shared.contains($0.name) }
        }
    }

    private func note(_ construct: String, _ node: YAMLNode, _ context: inout ImportContext) -> ImportNote {
        context.untranslated(construct, in: source.file, line: node.line, source: node.sourceText)
    }

    // MARK: Tests

    private mutating func test(
        _ members: [(key: YAMLNode, value: YAMLNode)], _ document: YAMLNode, _ context: inout ImportContext
    ) -> (ImportedTest, [ImportNote]) {
        func node(_ key: String) -> YAMLNode? { members.first { $0.key.text == key }?.value }
        var test = ImportedTest(node("test_name")?.text ?? "")
        var notes: [ImportNote] = []
        var includes = TavernIncludes()
        var strict: YAMLNode?
        for root in configurations.lazy.compactMap(\.documents.first) { strict = root["strict"] ?? strict }
        for configuration in configurations { includes.add(configuration, &context) }
        if let node = node("includes") { includes.add(node, source, &included, &context) }
        notes += includes.notes
        for variable in includes.variables {
            let values = TavernValues(source: variable.source)
            // Names before values, which may refer to each other.
            let isText =
                variable.node.scalar != nil && variable.source.tag(variable.node) == nil
                && { if case .string? = PythonScalar(variable.node) { true } else { false } }()
            var number: String?
            if case .number(let text)? = PythonScalar(variable.node) { number = text }
            let name = scope.define(
                variable.name, isText: isText, number: number, string: isText ? variable.node.text : nil)
            test.variables.append(ImportedVariable(name, values.value(variable.node, &scope)))
        }
        var conditions: [String] = []
        for mark in node("marks")?.elements ?? [] { marks(mark, &test, &conditions, &notes, &context) }
        if let node = node("_xfail") {
            test.expectedFailure =
                node.text.map { "expected to fail in the Tavern file (\($0))" } ?? "expected to fail in the Tavern file"
        }
        scope.forgetCookies()
        var stages = TavernStages(source: source, strict: node("strict") ?? strict, includes: includes)
        test.steps = stages.steps(node("stages"), &scope, &context)
        test.cleanup = stages.steps(node("finally"), &scope, &context)
        notes += stages.notes
        for name in scope.takeMadeUp() { test.variables.append(ImportedVariable(name, .expression("uuid()"))) }
        for condition in conditions {
            for index in test.steps.indices {
                let other = test.steps[index].condition
                test.steps[index].condition = other.map { "(\($0)) && (\(condition))" } ?? condition
            }
        }
        for (key, value) in members where !Self.known.contains(key.text ?? "") {
            notes.append(note(key.text ?? "", value, &context))
        }
        for construct in scope.takeUntranslated() {
            notes.append(context.untranslated(construct, in: source.file, line: document.line))
        }
        return (test, notes)
    }

    // MARK: Marks

    private mutating func marks(
        _ node: YAMLNode, _ test: inout ImportedTest, _ conditions: inout [String], _ notes: inout [ImportNote],
        _ context: inout ImportContext
    ) {
        if let text = node.text {
            let name = text.prefix { $0 != "(" }
            switch name {
            case "skip": test.skip = "skipped in the Tavern file"
            case "xfail": test.expectedFailure = "expected to fail in the Tavern file"
            case _ where text.contains("("): notes.append(note("mark \(name)", node, &context))
            default: if TavernFormat(text)?.parts.count == 1 { test.tags.append(Self.tag(text)) }
            }
            return
        }
        for (key, value) in node.members {
            switch key.text {
            case "skipif":
                if let condition = TavernCondition.expression(value.text ?? "", &scope) {
                    conditions.append("!(\(condition))")
                } else {
                    notes.append(note("skipif", value, &context))
                }
            case "parametrize": parametrize(value, &test, &notes, &context)
            case "usefixtures": notes.append(note("usefixtures", value, &context))
            case "xfail": test.expectedFailure = value.text ?? "expected to fail in the Tavern file"
            case "skip": test.skip = value.text ?? "skipped in the Tavern file"
            default: notes.append(note("mark \(key.text ?? "")", value, &context))
            }
        }
    }

    /// Returns the contents of the file that a node includes, or the node itself.
    private mutating func loaded(_ node: YAMLNode, _ context: inout ImportContext) -> YAMLNode {
        guard source.tag(node) == "include", let path = node.text,
            let bytes = try? context.files.read(path, from: source.file)
        else { return source.resolved(node) }
        let included = TavernSource(SourceFile(name: path, text: bytes), &context)
        self.included[path] = included
        return included.documents.first ?? node
    }

    private static func tag(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "-" })
    }

    /// Adds the rows of a `parametrize` mark to those of the marks before it.
    private mutating func parametrize(
        _ node: YAMLNode, _ test: inout ImportedTest, _ notes: inout [ImportNote], _ context: inout ImportContext
    ) {
        let node = loaded(node, &context)
        guard let key = node["key"].map({ loaded($0, &context) }),
            let list = node["vals"].map({ loaded($0, &context) })?.sequence,
            !list.contains(where: { $0["$ext"] != nil })
        else { return notes.append(note("parametrize", node, &context)) }
        let keys = key.listed.compactMap(\.text)
        let values = TavernValues(source: source)
        var rows: [[ImportedValue.Member]] = []
        let isList = key.sequence != nil
        let isText = list.allSatisfy { element in
            if case .string? = PythonScalar(element) { source.tag(element) == nil } else { false }
        }
        let names = keys.map { scope.define($0, isText: isText && !isList) }
        for element in list {
            let cells = isList ? element.listed : [element]
            guard cells.count == names.count else { return notes.append(note("parametrize", node, &context)) }
            rows.append(zip(names, cells).map { ImportedValue.Member(ImportedText($0), values.value($1, &scope)) })
        }
        switch test.rows {
        case .rows(let others)?:
            guard others.count * rows.count <= Self.maximumRows else {
                return notes.append(note("parametrize", node, &context))
            }
            test.rows = .rows(others.flatMap { first in rows.map { first + $0 } })
        default: if !rows.isEmpty { test.rows = .rows(rows) }
        }
    }
}
