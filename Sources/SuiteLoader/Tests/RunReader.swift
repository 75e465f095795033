import Basics
import Diagnostics
import FileSystem
import JSON
import SuiteModel
import YAML

/// Reads `run`.
struct RunReader {
    /// The shared state of the readers.
    let context: LoadContext
    private let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
    }

    /// Returns the command of a sequence or a mapping; reports an error and returns nil if it is incomplete.
    func command(_ node: YAMLNode) -> CommandSpec? {
        var spec = CommandSpec(line: .program([]), range: node.range)
        // A program that a settings file names runs in the directory of that file.
        if context.isElsewhere { spec.directory = .constant(context.rebased(".")) }
        guard node.kind == .mapping else {
            spec.line = .program(ServeReader(context).arguments(node))
            return spec
        }
        var command: YAMLNode?
        var usesShell = false
        MapReader(context, RunKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .command: command = value
            case .shell: usesShell = value.isTrue
            case .stdin: spec.input = templates.template(value)
            case .env: spec.environment = ServeReader(context).environment(value)
            case .directory:
                let directory = templates.template(value)
                spec.directory = context.rebased(directory)
                spec.directoryRange = value.range
                if let path = directory.constantText { _ = context.existingDirectory(path, value.range) }
            case .timeout: spec.timeout = context.duration(value, keyNode, isPositive: true)
            }
        }
        guard let command else { return nil }
        spec.range = command.range
        spec.line = line(command, usesShell: usesShell)
        return spec
    }

    private func line(_ node: YAMLNode, usesShell: Bool) -> CommandSpec.Line {
        guard node.kind == .scalar else {
            if usesShell {
                context.report(
                    "invalid-command", "the command line for a shell must be one string", node.range,
                    suggestion: "write it as a string, or remove \"shell: true\"")
            }
            return .program(ServeReader(context).arguments(node))
        }
        let line = templates.template(node)
        if !usesShell {
            let sequence = CommandText.sequence(node.scalar?.text ?? "") ?? "[PROGRAM, ARGUMENT, …]"
            context.report(
                "invalid-command", "a command is a sequence of the program and its arguments", node.range,
                suggestion: "write \(sequence), or add \"shell: true\" for a command line")
        }
        return .shell(line)
    }
}

extension TestReader {
    /// Returns the content of a step that runs a program.
    func command(
        _ parts: Parts, _ run: (key: YAMLNode, value: YAMLNode), entry: inout SuiteScope.StepEntry,
        flow stepFlow: inout StepFlow
    ) -> Content {
        for (name, node) in [("request", parts.request), ("websocket", parts.webSocket?.value)] {
            guard let node else { continue }
            context.report(
                "conflicting-keys", "a step has either \"run\" or \"\(name)\", not both", node.range,
                related: [Diagnostic.Related(message: "the command is here", range: run.key.range)],
                suggestion: "split it into two steps")
        }
        checkNoCall(parts.call)
        let spec = RunReader(context).command(run.value)
        let firstUse = context.uses.count
        var set = ExpectationSet(isDefault: false)
        if let node = parts.expect { ExpectReader(context, of: .command).read(node, into: &set) { _ in } }
        if let node = parts.assert { set.assertions = AssertReader(context).assertions(node) }
        if let (key, value) = parts.until {
            var rule = UntilReader(context, of: .command).rule(value, key)
            Self.addExit(to: &rule.expectations, node: value, range: key.range)
            stepFlow.until = rule
            checkPolling(key, RequestSpec(url: .constant(""), urlRange: key.range, range: key.range), parts)
        } else {
            Self.addExit(to: &set, node: parts.expect, range: run.key.range)
        }
        set.isDefault = false
        let captures = parts.capture.map(CaptureReader(context, of: .command).captures) ?? []
        for capture in captures { check(capture) }
        CommandNames.apply(to: &context.uses, from: firstUse)
        entry.uses = entry.uses.lowerBound..<context.uses.count
        let firstOutput = context.uses.count
        let output = OutputReader(context).output(save: parts.save, print: parts.print)
        CommandNames.apply(to: &context.uses, from: firstOutput)
        entry.outputUses = firstOutput..<context.uses.count
        let placeholder = RequestSpec(url: .constant(""), urlRange: run.key.range, range: run.key.range)
        var content = Content(
            action: spec.map(SuiteStep.Action.command) ?? .exchange(CopyOnWrite(wrappedValue: placeholder)),
            expectations: set,
            captures: captures, range: spec?.range ?? run.value.range)
        content.output = output
        return content
    }

    /// Expects the exit status 0 unless the expectations specify the exit status.
    private static func addExit(to set: inout ExpectationSet, node: YAMLNode?, range: SourceRange) {
        guard node?[ExpectKey.exit.rawValue] == nil else { return }
        var extras = set.extras ?? ExpectationExtras()
        extras.exit = Matcher([Matcher.Operation(.equals(.constant(.number(0))), range: range)], range: range)
        set.extras = extras
    }

    private func check(_ capture: Capture) {
        switch capture.source {
        case .header, .cookie, .status:
            context.report(
                "invalid-capture", "a command has no headers, cookies or status", capture.sourceRange,
                suggestion: "for example, write ${text}, ${exit} or a JSONPath")
        default: break
        }
    }
}

/// The notation of command lines in a suite.
enum CommandText {
    /// Returns a command line as a sequence, such as `[echo, hello]`; nil if only a shell divides it correctly.
    static func sequence(_ line: String) -> String? {
        let words = line.split(whereSeparator: \.isWhitespace)
        let isPlain = words.allSatisfy { word in
            word != "-" && word.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-_./=+".utf8.contains($0) }
        }
        return isPlain && !words.isEmpty ? "[\(words.joined(separator: ", "))]" : nil
    }

    /// Returns a command line as the value of `run`, such as `{ command: [echo, hello] }`.
    static func mapping(_ line: String) -> String {
        sequence(line).map { "{ command: \($0) }" } ?? "{ command: \(YAMLNode.quoted(line)), shell: true }"
    }
}

/// The names that expressions can use after a command.
enum CommandNames {
    /// The names of the parts of the result.
    static let all = ["exit", "text", "body", "stderr", "duration"]

    /// Resolves the uses of these names, and removes the meaning of names that only a response has.
    ///
    /// - Parameters:
    ///   - uses: The uses of names.
    ///   - first: The index of the first use after the command.
    static func apply(to uses: inout [NameUse], from first: Int) {
        let others: [NameUse] = uses[first...].compactMap { use in
            if use.phase == .response || use.phase == .expectation, all.contains(use.name) { return nil }
            var use = use
            if NameRules.responseNames.contains(use.name) { use.phase = .request }
            return use
        }
        uses.replaceSubrange(first..., with: others)
    }
}
