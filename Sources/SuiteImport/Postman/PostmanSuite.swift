import Basics
import Diagnostics
import JSON

/// Builds the suite of a collection.
struct PostmanSuite {
    private let file: SourceFile
    private let root: JSONValue
    private let lines: JSONLines
    private let collection: PostmanCollection
    private var parts: ScriptedSuite

    /// Reads a collection.
    init(
        _ root: JSONValue, pointer: String, in file: SourceFile, environments: [(name: String, values: JSONValue?)],
        globals: [ScriptVariable], _ context: inout ImportContext
    ) {
        self.root = root
        self.file = file
        lines = JSONLines(file.text, stringsOf: ["exec", "script"])
        collection = PostmanCollection(root, pointer: pointer, lines)
        var suite = ImportedSuite(name: root["info"]?["name"]?.stringValue ?? "", source: file.name)
        suite.description = Self.description(root["info"]?["description"])
        parts = ScriptedSuite(suite)
        if collection.isTooDeep {
            context.report(
                "import-too-deep", "directories are nested deeper than \(ImportLimits.depth) levels",
                SourceRange(file: file, bytes: 0..<0))
        }
        addVariables(environments, globals, &context)
    }

    /// Returns the text of a description, which may have a media type.
    private static func description(_ value: JSONValue?) -> String? {
        let text = value?.stringValue ?? value?["content"]?.stringValue
        guard let text, !text.isEmpty else { return nil }
        // Space at the ends of lines would need quotes.
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while let last = line.last, last == " " || last == "\t" || last == "\r" { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }

    private mutating func addVariables(
        _ environments: [(name: String, values: JSONValue?)], _ globals: [ScriptVariable],
        _ context: inout ImportContext
    ) {
        let (own, disabled) = PostmanVariables.list(root["variable"])
        var disabledCount = disabled
        var lists: [(name: String, variables: [ScriptVariable])] = []
        for environment in environments {
            let (list, count) = PostmanVariables.list(environment.values)
            lists.append((environment.name, list))
            disabledCount += count
        }
        if disabledCount > 0 { context.omitted("disabled variables", count: disabledCount) }
        parts.add(globals + own, environments: lists)
        guard let first = lists.first else { return }
        var hidden = Set(first.variables.map(\.key))
        for list in lists.dropFirst() { hidden.formIntersection(list.variables.map(\.key)) }
        parts.variables.hidden = hidden
    }

    // MARK: Items

    /// Returns the suite.
    mutating func suite(_ context: inout ImportContext) -> ImportedSuite {
        for kind in collection.omitted { context.omitted(kind) }
        for item in collection.items {
            let (test, target) = self.test(item, &context)
            parts.add(
                test, target, id: item.value["id"]?.stringValue ?? item.value["_postman_id"]?.stringValue)
        }
        let items = collection.items
        return parts.arranged { construct, index in
            context.untranslated(construct, in: file, line: lines[items[index].pointer])
        }
    }

    private mutating func test(
        _ item: PostmanCollection.Item, _ context: inout ImportContext
    ) -> (ImportedTest, ScriptTarget) {
        let line = lines[item.pointer]
        var item = item
        let kept = keepMadeUpValues(of: &item)
        let body = item.value["request"]?["body"]
        let text = body?["mode"]?.stringValue == "raw" ? body?["raw"]?.stringValue : nil
        var read = ScriptRequest(name: item.name, body: text)
        let scripts = item.before.map { run($0, .beforeRequest, read) }
        let request = PostmanRequest(item, in: file, line: line, values: parts.values, &parts.variables, &context)
        for kind in request.omitted { context.omitted(kind) }
        var step = ImportedStep(request.request)
        step.notes = request.notes
        if let text, case .json? = step.request.body, scripts.contains(where: \.signsBody) {
            step.request.body = .text(ScriptTemplate.text(text, &parts.variables))
            if step.request.header("Content-Type") == nil {
                step.request.headers.append(ImportedField("Content-Type", "application/json"))
            }
        }
        var target = ScriptTarget(step: step)
        target.add(kept, .beforeRequest) { _ in nil }
        for (index, outcome) in zip(item.before, scripts) { record(outcome, index, .beforeRequest, &target, &context) }
        if scripts.contains(where: { $0.issues.contains { $0.construct.hasPrefix("pm.request") } }) {
            // The script may change the request in a way that is not translated.
            read.body = nil
        } else {
            read.sent = target.step.request
        }
        for index in item.after { record(run(index, .afterResponse, read), index, .afterResponse, &target, &context) }
        target.step.notes += parts.unknownDynamicValues(in: file, line: line, &context)
        var test = ImportedTest(item.name, steps: target.setups + [target.step])
        test.group = item.group
        test.description = Self.description(item.value["request"]?["description"] ?? item.value["description"])
        if target.isSkipped { test.skip = "skipped by pm.execution.skipRequest" }
        return (test, target)
    }

    /// Makes variables of the made-up values in the body of a request whose script reads them after the response.
    ///
    /// - Returns: The assignments of the variables.
    private mutating func keepMadeUpValues(of item: inout PostmanCollection.Item) -> ScriptOutcome {
        var outcome = ScriptOutcome()
        guard let text = item.value["request"]?["body"]?["raw"]?.stringValue, text.contains("{{$"),
            item.after.contains(where: { collection.scripts[$0].script.readsBodyOfRequest })
        else { return outcome }
        var result = ""
        var rest = text[...]
        var numbers: [String: Int] = [:]
        while let start = rest.firstRange(of: "{{$"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let name = String(rest[start.upperBound..<end.lowerBound])
            result += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
            guard let source = DynamicValues.expression(name) else {
                result += "{{$\(name)}}"
                continue
            }
            numbers[name, default: 0] += 1
            let number = numbers[name].flatMap { $0 > 1 ? String($0) : nil } ?? ""
            let key = "madeUp\(name.prefix(1).uppercased())\(name.dropFirst())\(number)"
            let variable = parts.variables.name(key)
            let value = ScriptValue.text(ImportedText(expression: source))
            parts.variables.note(value, of: variable)
            outcome.assignments.append(
                ScriptOutcome.Assignment(source: key, name: variable, previous: variable, value: value))
            result += "{{\(key)}}"
        }
        item.value = item.value.replacing(["request", "body", "raw"], with: .string(result + rest))
        return outcome
    }

    private mutating func run(
        _ index: Int, _ phase: ScriptTranslator.Phase, _ request: ScriptRequest
    ) -> ScriptOutcome {
        let script = collection.scripts[index].script
        return ScriptTranslator.translate(
            script.statements, of: script.text, in: phase, .postman, request: request, &parts.variables)
    }

    private mutating func record(
        _ outcome: ScriptOutcome, _ index: Int, _ phase: ScriptTranslator.Phase, _ target: inout ScriptTarget,
        _ context: inout ImportContext
    ) {
        // A script of a directory is counted once, and its comments stand at the first request.
        parts.record(
            outcome, of: collection.scripts[index].script, in: file, shared: String(index), phase, &target, &context)
    }
}

extension JSONValue {
    /// Returns the value with another member at a path of names that exists.
    fileprivate func replacing(_ path: ArraySlice<String>, with value: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        guard case .object(var members) = self, let member = members[name] else { return self }
        members[name] = member.replacing(path.dropFirst(), with: value)
        return .object(members)
    }
}

extension ScriptSource {
    /// Whether the script may read the body of its request.
    fileprivate var readsBodyOfRequest: Bool {
        let text = String(decoding: text, as: UTF8.self)
        return text.contains("request.body") || text.contains("request.data")
    }
}
