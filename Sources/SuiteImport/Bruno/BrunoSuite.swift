import Diagnostics
import JSON

/// Builds the suite of a collection.
struct BrunoSuite {
    private let collection: BrunoCollection
    private var parts: ScriptedSuite

    /// A part of a `.bru` file with code, and the phase in which it runs.
    private struct Code {
        var source: ScriptSource
        var phase: ScriptTranslator.Phase
        var file: SourceFile
        /// The identity of a part that several requests share; nil for that of a request.
        var shared: String?
    }

    /// Reads a collection.
    init(_ collection: BrunoCollection, _ context: inout ImportContext) {
        self.collection = collection
        let isNamed = !collection.root.isEmpty && collection.root != "."
        let source = isNamed ? collection.root : collection.name
        var suite = ImportedSuite(
            name: collection.name, source: source.isEmpty ? collection.items.first?.file.name ?? "" : source)
        if suite.name.isEmpty { suite.name = collection.items.first?.name ?? "" }
        if let docs = collection.settings?.bru.block("docs")?.text, !docs.isEmpty { suite.description = docs }
        parts = ScriptedSuite(suite, rules: ScriptFlow.Rules(selectsLast: false, endsAtUnknownName: false))
        addVariables(&context)
    }

    private mutating func addVariables(_ context: inout ImportContext) {
        func list(_ entries: [BruFile.Entry]) -> [ScriptVariable] {
            let disabled = entries.count { !$0.isEnabled }
            if disabled > 0 { context.omitted("disabled variables", count: disabled) }
            return entries.filter(\.isEnabled).map { ScriptVariable(key: $0.key, value: $0.value, isSecret: false) }
        }
        let own = list(collection.settings?.bru.entries("vars:pre-request") ?? [])
        var lists: [(name: String, variables: [ScriptVariable])] = []
        for environment in collection.environments {
            var variables = list(environment.bru.entries("vars"))
            for name in environment.bru.block("vars:secret")?.words ?? [] where !name.hasPrefix("~") {
                variables.append(ScriptVariable(key: name, value: "", isSecret: true))
            }
            lists.append((environment.name, variables))
        }
        parts.add(own, environments: lists)
    }

    // MARK: Requests

    /// Returns the suite; nil if the collection has no requests.
    mutating func suite(_ context: inout ImportContext) -> ImportedSuite? {
        var files: [SourceFile] = []
        for item in collection.items {
            guard let (test, target) = self.test(item, &context) else {
                context.omitted("files without an HTTP request")
                continue
            }
            parts.add(test, target)
            files.append(item.file)
        }
        return parts.arranged { construct, index in context.untranslated(construct, in: files[index], line: nil) }
    }

    private mutating func test(
        _ item: BrunoCollection.Item, _ context: inout ImportContext
    ) -> (ImportedTest, ScriptTarget)? {
        let codes = code(of: item)
        let body = item.bru.block("body:json").map { JSONComments(removedFrom: $0.text).text }
        var read = ScriptRequest(name: item.name, body: body)
        var outcomes = codes.filter { $0.phase == .beforeRequest }.map { ($0, run($0, read)) }
        let preset = presetVariables(item)
        guard let request = BrunoRequest(item, values: parts.values, &parts.variables, &context) else { return nil }
        for kind in request.omitted { context.omitted(kind) }
        var step = ImportedStep(request.request)
        step.notes = request.notes
        var target = ScriptTarget(step: step)
        target.add(preset, .beforeRequest) { _ in nil }
        // A body that a script replaces is not known afterwards.
        if outcomes.contains(where: { $0.1.replacesBody }) { read.body = nil }
        if outcomes.allSatisfy(\.1.changes.isEmpty) { read.sent = request.request }
        outcomes += codes.filter { $0.phase == .afterResponse }.map { ($0, run($0, read)) }
        for (code, outcome) in outcomes {
            parts.record(outcome, of: code.source, in: code.file, shared: code.shared, code.phase, &target, &context)
        }
        assertions(of: item, &target, &context)
        target.step.notes += parts.unknownDynamicValues(in: item.file, line: nil, &context)
        var test = ImportedTest(item.name, steps: target.setups + [target.step])
        test.group = item.group
        test.description = item.bru.block("docs").map(\.text).flatMap { $0.isEmpty ? nil : $0 }
        test.tags = (item.bru.value("meta", "tags") ?? "").split(separator: " ").map(String.init)
        if target.isSkipped { test.skip = "skipped by bru.runner.skipRequest" }
        for name in ["example", "app"] where item.bru.block(name) != nil { context.omitted("saved \(name)s") }
        return (test, target)
    }

    /// Returns the variables that a request and its directories set before it is sent.
    private mutating func presetVariables(_ item: BrunoCollection.Item) -> ScriptOutcome {
        var outcome = ScriptOutcome()
        for bru in item.levels.dropFirst(collection.settings == nil ? 0 : 1) + [item.bru] {
            for entry in bru.entries("vars:pre-request") where entry.isEnabled {
                let value = ScriptValue.text(ScriptTemplate.text(entry.value, &parts.variables))
                let name = parts.variables.name(entry.key)
                parts.variables.note(value, of: name)
                outcome.assignments.append(
                    ScriptOutcome.Assignment(source: entry.key, name: name, previous: name, value: value))
            }
        }
        return outcome
    }

    // MARK: Scripts

    private func code(of item: BrunoCollection.Item) -> [Code] {
        var result: [Code] = []
        let levels = Array(zip(item.levels, item.levelFiles)) + [(item.bru, item.file)]
        for (index, (bru, file)) in levels.enumerated() {
            let isOwn = index == levels.count - 1
            func add(_ source: ScriptSource?, _ name: String, _ phase: ScriptTranslator.Phase) {
                if let source {
                    result.append(
                        Code(source: source, phase: phase, file: file, shared: isOwn ? nil : "\(file.name) \(name)"))
                }
            }
            add(bru.block("script:pre-request").flatMap(ScriptSource.init), "script:pre-request", .beforeRequest)
            add(Self.captures(bru), "vars:post-response", .afterResponse)
            add(bru.block("script:post-response").flatMap(ScriptSource.init), "script:post-response", .afterResponse)
            add(bru.block("tests").flatMap(ScriptSource.init), "tests", .afterResponse)
        }
        return result
    }

    /// Returns the variables of a response as a script.
    private static func captures(_ bru: BruFile) -> ScriptSource? {
        let lines = bru.entries("vars:post-response").filter(\.isEnabled).map { entry in
            (
                "bru.setVar(\(PostmanVariables.json(.string(entry.key))), \(expression(entry.value)));",
                Optional(entry.line)
            )
        }
        return ScriptSource(lines)
    }

    /// Returns an expression without the dollar sign of the first versions, as in `$res.body.id`.
    private static func expression(_ text: String) -> String {
        text.hasPrefix("$res") ? String(text.dropFirst()) : text
    }

    private mutating func run(_ code: Code, _ request: ScriptRequest) -> ScriptOutcome {
        ScriptTranslator.translate(
            code.source.statements, of: code.source.text, in: code.phase, .bruno, request: request, &parts.variables)
    }

    /// Adds the expectations of the `assert` block.
    private mutating func assertions(
        of item: BrunoCollection.Item, _ target: inout ScriptTarget, _ context: inout ImportContext
    ) {
        for entry in item.bru.entries("assert") {
            guard entry.isEnabled else {
                context.omitted("disabled assertions")
                continue
            }
            let subject = ScriptTranslator.value(of: Self.expression(entry.key), .bruno, &parts.variables)
            let checks =
                subject.opaqueReason == nil
                ? BrunoAssertions.condition(subject, entry.value, &parts.variables)?.checks : nil
            if let checks {
                context.translatedAssertions()
                target.add(checks)
            } else {
                target.step.checkNotes.append(
                    context.untranslated(
                        subject.opaqueReason ?? "assert", in: item.file, line: entry.line,
                        source: "\(entry.key): \(entry.value)", isAssertion: true))
            }
        }
    }
}

extension ScriptSource {
    /// Creates the script of a block.
    fileprivate init?(_ block: BruFile.Block) {
        self.init(block.lines.enumerated().map { (String($0.element), block.line + 1 + $0.offset) })
    }
}
