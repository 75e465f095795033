import Basics
import Diagnostics
import SuiteModel
import YAML

/// The fragments that steps can call.
protocol CallableFragments: AnyObject {
    /// The names that calls can use, sorted.
    var names: [String] { get }
    /// Whether all fragment files were read. If not, an unknown name may belong to a file that could not be read.
    var isComplete: Bool { get }

    /// Returns whether there is a fragment with a name.
    func contains(_ name: String) -> Bool

    /// Returns the fragment with a name; nil if it cannot be called, which was reported.
    func fragment(named name: String) -> Fragment?
}

extension TestReader {
    /// The keys of a step that calls a fragment.
    struct CallParts {
        /// The key and the value of `call`.
        var call: (key: YAMLNode, value: YAMLNode)?
        /// The key and the value of `with`.
        var with: (key: YAMLNode, value: YAMLNode)?
        /// The key and the value of `once`.
        var once: (key: YAMLNode, value: YAMLNode)?
    }

    /// Returns the content of a step that calls a fragment.
    func call(_ parts: Parts, _ node: YAMLNode, entry: inout SuiteScope.StepEntry) -> Content {
        checkCall(
            node,
            excludes: [
                ("request", parts.request), ("run", parts.run?.value), ("expect", parts.expect),
                ("websocket", parts.webSocket?.value),
                ("until", parts.until?.value), ("save", parts.save), ("print", parts.print),
            ])
        let read = call(parts.call, assert: parts.assert, capture: parts.capture)
        entry.uses = entry.uses.lowerBound..<context.uses.count
        let placeholder = RequestSpec(url: .constant(""), urlRange: node.range, range: node.range)
        return Content(
            action: read.map { .call($0.call) } ?? .exchange(CopyOnWrite(wrappedValue: placeholder)),
            expectations: ExpectationSet(assertions: read?.assertions ?? [], isDefault: false),
            captures: read?.captures ?? [], range: node.range)
    }

    /// Reports keys of a call in a step without one.
    func checkNoCall(_ parts: CallParts) {
        for (key, _) in [parts.with, parts.once].compactMap({ $0 }) {
            context.report(
                "conflicting-keys", "\"\(key.scalar?.text ?? "")\" requires \"call\"", key.range,
                suggestion: "add \"call: …\" with the name of a fragment")
        }
    }

    /// Reports keys that require a response, in a step that calls a fragment.
    ///
    /// - Parameters:
    ///   - call: The node of the call.
    ///   - keys: The keys that a call cannot have, with their values if present.
    func checkCall(_ call: YAMLNode, excludes keys: [(name: String, node: YAMLNode?)]) {
        for (name, node) in keys {
            guard let node else { continue }
            context.report(
                "conflicting-keys",
                name == "request"
                    ? "a step either sends a request or calls a fragment, not both"
                    : name == "run"
                        ? "a step either runs a program or calls a fragment, not both"
                        : "\"\(name)\" applies to a response, but a call has no response", node.range,
                related: [Diagnostic.Related(message: "the call is here", range: call.range)],
                suggestion: name == "request" || name == "run"
                    ? "split it into two steps"
                    : "write \"assert\" for the outputs, or \"\(name)\" in the steps of the fragment")
        }
    }

    /// Returns the call of a step with its assertions and captures; reports an error and returns nil if the fragment is
    /// unknown.
    func call(
        _ parts: CallParts, assert: YAMLNode?, capture: YAMLNode?
    ) -> (call: FragmentCall, assertions: [EmbeddedExpression], captures: [Capture])? {
        guard let node = parts.call?.value, let name = node.scalar?.text else { return nil }
        guard let fragment = fragment(name, node) else {
            if let with = parts.with { _ = templates.value(with.value) }
            return nil
        }
        if let url = fragment.relativeURL { context.noteRelativeURL(url, node.range) }
        let call = FragmentCall(
            fragment: fragment, arguments: arguments(parts.with?.value, of: fragment, node),
            runsOnce: parts.once?.value.scalar.map { checkOnce($0.text, parts.once?.value) } ?? false,
            range: node.range)
        let firstUse = context.uses.count
        let assertions = context.recordingUses(.afterCaptures) {
            assert.map(AssertReader(context, phase: .request).assertions) ?? []
        }
        let captures = capture.map { self.captures($0, of: fragment) } ?? []
        // In these expressions, the outputs take precedence over all other names.
        let outputs = Set(fragment.outputs.map(\.name))
        let others = context.uses[firstUse...].filter { !outputs.contains($0.name) }
        context.uses.replaceSubrange(firstUse..., with: others)
        return (call, assertions, captures)
    }

    private func checkOnce(_ text: String, _ node: YAMLNode?) -> Bool {
        if text == "run" { return true }
        context.report("unknown-value", "unknown value \"\(text)\"", node?.range, suggestion: "write run")
        return false
    }

    // MARK: Targets

    private func fragment(_ name: String, _ node: YAMLNode) -> Fragment? {
        guard let callees else {
            context.report(
                "unknown-fragment", "unknown fragment \"\(name)\"", node.range,
                suggestion: "define it under \"fragments\", or include its file under \"use\"")
            return nil
        }
        if callees.contains(name) { return callees.fragment(named: name) }
        if name.contains("${") {
            context.report("expression-not-allowed", "the name of a fragment cannot contain an expression", node.range)
            return nil
        }
        guard callees.isComplete else { return nil }
        let names = callees.names
        let nearest = context.nearest(to: name, among: names)
        let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
        context.report(
            "unknown-fragment", "unknown fragment \"\(name)\"", node.range,
            suggestion: nearest.map { "did you mean \"\($0)\"?" }
                ?? (names.isEmpty
                    ? "define it under \"fragments\", or include its file under \"use\"" : "the fragments are \(shown)")
        )
        // The fragment that was probably meant determines the names that later steps can use.
        return nearest.flatMap(callees.fragment)
    }

    private func arguments(_ node: YAMLNode?, of fragment: Fragment, _ call: YAMLNode) -> [FragmentCall.Argument] {
        var arguments: [FragmentCall.Argument] = []
        var unknown: [String] = []
        if let node {
            context.readMembers(node, .value) { name, key, value in
                if !fragment.parameters.contains(where: { $0.name == name }) {
                    let nearest = context.nearest(to: name, among: fragment.parameters.map(\.name))
                    if let nearest { unknown.append(nearest) }
                    context.report(
                        "unknown-argument", "the fragment \"\(fragment.name)\" has no parameter \"\(name)\"", key.range,
                        related: [Diagnostic.Related(message: "the fragment is here", range: fragment.range)],
                        suggestion: nearest.map { "did you mean \"\($0)\"?" } ?? Self.list(fragment.parameters))
                }
                arguments.append(
                    FragmentCall.Argument(name: name, value: templates.value(value), range: key.range))
            }
        }
        let missing = fragment.parameters.filter { parameter in
            parameter.defaultValue == nil && !unknown.contains(parameter.name)
                && !arguments.contains { $0.name == parameter.name }
        }
        if let first = missing.first {
            let names = missing.map { "\"\($0.name)\"" }.joined(separator: ", ")
            context.report(
                "missing-argument", "the fragment \"\(fragment.name)\" needs \(names)", call.range,
                related: [Diagnostic.Related(message: "the parameter is here", range: first.range)],
                suggestion: node == nil
                    ? "add \"with: { \(missing.map { "\($0.name): …" }.joined(separator: ", ")) }\""
                    : Self.list(fragment.parameters))
        }
        return arguments
    }

    private static func list(_ parameters: [Fragment.Parameter]) -> MessageText {
        if parameters.isEmpty { return "it has no parameters" }
        let names = parameters.map { $0.defaultValue == nil ? $0.name : "\($0.name) (optional)" }
        return "its parameters are \(names.joined(separator: ", "))"
    }

    // MARK: Captures

    /// Returns the captures of a call, whose expressions use its outputs.
    private func captures(_ node: YAMLNode, of fragment: Fragment) -> [Capture] {
        var captures: [Capture] = []
        context.readMembers(node, .value) { name, key, value in
            context.checkName(name, key, what: "a capture")
            let text = value.scalar?.text ?? ""
            let moment = NameUse.Moment.duringCapture(Int32(captures.count))
            if text.hasPrefix("${"),
                case .expression(let expression) = context.recordingUses(moment, { templates.template(value) })
            {
                captures.append(
                    Capture(
                        name: name, source: .expression(expression), range: key.range, sourceRange: value.range))
                return
            }
            let isOutput = fragment.outputs.contains { $0.name == text }
            context.report(
                "invalid-capture", "a capture of a call must be an expression on its outputs", value.range,
                suggestion: isOutput
                    ? "write \"${\(text)}\""
                    : fragment.outputs.first.map { "for example, write \"${\($0.name)}\"" }
                        ?? "the fragment \"\(fragment.name)\" has no outputs")
        }
        return captures
    }
}
