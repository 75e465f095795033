import Diagnostics
import YAML

/// Translates the stages of a Tavern test to steps.
struct TavernStages {
    let source: TavernSource
    /// The setting of the test.
    let strict: YAMLNode?
    let includes: TavernIncludes
    /// The parts that belong to no step and were not translated.
    private(set) var notes: [ImportNote] = []

    init(source: TavernSource, strict: YAMLNode?, includes: TavernIncludes) {
        self.source = source
        self.strict = strict
        self.includes = includes
    }

    /// The keys of a stage that are translated.
    private static let known: Set<String> = [
        "name", "id", "type", "request", "response", "max_retries", "delay_before", "delay_after", "skip", "only",
    ]

    /// Returns the steps of a sequence of stages.
    mutating func steps(
        _ node: YAMLNode?, _ scope: inout TavernScope, _ context: inout ImportContext
    ) -> [ImportedStep] {
        var steps: [ImportedStep] = []
        var names: Set<String> = []
        /// The pause after the previous stage.
        var pause: Double = 0
        /// The notes of stages that became no steps, for the next one.
        var waiting: [ImportNote] = []
        let elements = node?.elements.map { source.resolved($0) } ?? []
        let only = elements.firstIndex { Self.isOnly($0) }
        for (index, element) in elements.enumerated() {
            var stage = element
            var file = source
            if element["type"]?.text == "ref" || element["request"] == nil, let id = element["id"]?.text,
                let known = includes.stages[id]
            {
                stage = known.node
                file = known.source
            }
            guard stage["request"]?.mapping != nil, stage["request"]?["url"]?.text?.isEmpty == false else {
                waiting.append(Self.unsupported(stage, file, &context))
                continue
            }
            var step = self.step(stage, file, &pause, &scope, &context)
            step.notes = waiting + step.notes
            // A single stage of the test runs.
            if let only, index != only, step.skip == nil { step.skip = "another stage has `only`" }
            waiting = []
            if var name = step.name {
                var number = 2
                while !names.insert(name).inserted {
                    name = "\(step.name ?? "") (\(number))"
                    number += 1
                }
                step.name = name
            }
            steps.append(step)
        }
        if let index = steps.indices.last { steps[index].checkNotes += waiting } else { notes += waiting }
        return steps
    }

    private static func isOnly(_ stage: YAMLNode) -> Bool {
        stage["only"].flatMap { PythonScalar($0) }?.isTrue ?? false
    }

    /// Returns the note on a stage of another protocol.
    private static func unsupported(
        _ stage: YAMLNode, _ file: TavernSource, _ context: inout ImportContext
    ) -> ImportNote {
        let kinds = ["mqtt_publish", "mqtt_response", "grpc_request", "grpc_response", "graphql_request"]
        let kind = kinds.first { stage[$0] != nil } ?? (stage["id"] != nil ? "stage reference" : "stage")
        let hasResponse = stage.members.contains { $0.key.text?.hasSuffix("response") ?? false }
        return context.untranslated(
            kind, in: file.file, line: stage.line, source: stage.sourceText, isAssertion: hasResponse)
    }

    // MARK: Stages

    private func step(
        _ stage: YAMLNode, _ file: TavernSource, _ pause: inout Double, _ scope: inout TavernScope,
        _ context: inout ImportContext
    ) -> ImportedStep {
        func note(_ construct: String, _ node: YAMLNode, isAssertion: Bool = false) -> ImportNote {
            context.untranslated(
                construct, in: file.file, line: node.line, source: node.sourceText, isAssertion: isAssertion)
        }
        scope.request = stage["request"]
        let requests = TavernRequests(source: file)
        var step = ImportedStep(ImportedRequest(url: ""))
        if let node = stage["request"] { requests.apply(node, to: &step, &scope, &context) }
        step.name = stage["name"]?.text
        var responses = TavernResponses(source: file, strict: stage["response"]?["strict"] ?? strict)
        responses.translate(stage["response"], &scope, &context)
        step.checks = responses.checks
        step.captures = responses.captures
        step.checkNotes = responses.notes
        delays(stage, &step, &pause, &scope, note)
        if let node = stage["skip"] {
            switch PythonScalar(node) {
            case .bool(true)?: step.skip = "skipped in the Tavern file"
            case .bool(false)?: break
            default:
                if let condition = TavernCondition.expression(node.text ?? "", &scope) {
                    step.condition = "!(\(condition))"
                } else {
                    step.notes.append(note("skip", node))
                }
            }
        }
        for (key, value) in stage.members where !Self.known.contains(key.text ?? "") {
            let name = key.text ?? ""
            step.notes.append(note(name, value, isAssertion: name.hasSuffix("_response")))
        }
        for construct in scope.takeUntranslated() {
            step.notes.append(context.untranslated(construct, in: file.file, line: stage.line))
        }
        return step
    }

    private func delays(
        _ stage: YAMLNode, _ step: inout ImportedStep, _ pause: inout Double, _ scope: inout TavernScope,
        _ note: (String, YAMLNode, Bool) -> ImportNote
    ) {
        func seconds(_ key: String) -> Double? {
            guard let node = stage[key] else { return 0 }
            guard let text = node.text, let number = scope.number(text), number >= 0, number < 1_000_000 else {
                step.notes.append(note(key, node, false))
                return nil
            }
            return number
        }
        let before = (seconds("delay_before") ?? 0) + pause
        if before > 0 { step.delay = DurationText.milliseconds(Int(before * 1_000)) }
        pause = seconds("delay_after") ?? 0
        guard let node = stage["max_retries"] else { return }
        let times: ImportedValue
        switch PythonScalar(node) {
        case .number(let number)? where source.tag(node) == nil:
            guard let count = Int(number), count >= 0 else {
                return step.notes.append(note("max_retries", node, false))
            }
            if count == 0 { return }
            times = .integer(min(count, 100))
        default:
            // Without a tag, Tavern refuses text.
            guard source.tag(node) == "int", let expression = scope.expression(node.text ?? "") else {
                step.notes.append(note("max_retries", node, false))
                return
            }
            times = .expression("int(\(expression))")
        }
        if pause > 0 {
            step.retry = .map([
                ("times", times), ("delay", .literal(DurationText.milliseconds(Int(pause * 1_000)))),
            ])
        } else {
            step.retry = times
        }
    }
}
