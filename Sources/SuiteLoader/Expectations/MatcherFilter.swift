import Basics
import Diagnostics
import SuiteModel
import YAML

/// The keys of a matcher that select or convert the value to which its operators apply: `regex` and `as`.
struct MatcherFilter {
    /// The key and the value of `regex`.
    var regex: (key: YAMLNode, value: YAMLNode)?
    /// The key and the value of `as`.
    var conversion: (key: YAMLNode, value: YAMLNode)?

    /// Whether the matcher has neither key.
    var isEmpty: Bool { regex == nil && conversion == nil }

    /// Reports a matcher whose filters no operator follows.
    ///
    /// - Parameter count: The number of keys of the matcher.
    func checkUse(by count: Int, _ context: LoadContext) {
        guard count == (regex == nil ? 0 : 1) + (conversion == nil ? 0 : 1), let key = (regex ?? conversion)?.key
        else { return }
        if regex != nil {
            context.report(
                "missing-operator", "\"regex\" selects a part of the string, but no operator checks it", key.range,
                suggestion: conversion == nil
                    ? "did you mean \"matches\"?" : "add an operator such as \"gt\", or write \"matches\" alone")
        } else {
            context.report(
                "missing-operator", "\"as\" converts the value, but no operator checks it", key.range,
                suggestion: "add an operator such as \"gt\", or write \"type\"")
        }
    }

    /// Returns the operations of a matcher with its filters around all others: first `regex`, then `as`.
    static func filtering(_ operations: [Matcher.Operation], range: SourceRange) -> [Matcher.Operation] {
        var inner: [Matcher.Operation] = []
        var regex: (pattern: Matcher.Pattern, range: SourceRange)?
        var conversion: (type: Capture.Conversion, range: SourceRange)?
        for operation in operations {
            switch operation.operator {
            case .regex(let pattern, _): regex = (pattern, operation.range)
            case .as(let type, _): conversion = (type, operation.range)
            default: inner.append(operation)
            }
        }
        if let conversion {
            let matcher = Matcher(inner, range: range)
            inner = [Matcher.Operation(.as(conversion.type, matcher), range: conversion.range)]
        }
        if let regex {
            let matcher = Matcher(inner, range: range)
            inner = [Matcher.Operation(.regex(regex.pattern, matcher), range: regex.range)]
        }
        return inner
    }
}

/// Reads the operands of `like` and `strictLike` that contain matchers, as mappings with the single key `$match`.
struct PartialValueReader {
    /// The reader of matchers.
    let matchers: MatcherReader

    private var context: LoadContext { matchers.context }

    /// Returns whether a node contains a matcher. Parsing limits the depth of nodes, so this recursion is bounded.
    func hasMatcher(_ node: YAMLNode) -> Bool {
        if node.scalar != nil { return false }
        for element in node.elements where hasMatcher(element) { return true }
        for (key, value) in node.members where key.scalar?.text == PartialValue.key || hasMatcher(value) { return true }
        return false
    }

    /// Returns the value of a node.
    func value(_ node: YAMLNode) -> PartialValue {
        guard hasMatcher(node) else { return .value(matchers.templates.value(node)) }
        if node.kind == .sequence { return .array(node.elements.map(value)) }
        guard let mapping = node.mapping else { return .value(matchers.templates.value(node)) }
        if let holder = mapping.first(where: { $0.key.scalar?.text == PartialValue.key }) {
            if mapping.count > 1 {
                let other = mapping.first { $0.key.scalar?.text != PartialValue.key }
                context.report(
                    "conflicting-keys", "\"\(PartialValue.key)\" must be the only key of its mapping",
                    holder.key.range,
                    related: [Diagnostic.Related(message: "the other key is here", range: other?.key.range)],
                    suggestion: "move the other key into the matcher, or out of the mapping")
            }
            return .matcher(matchers.matcher(holder.value))
        }
        return .object(
            mapping.map { key, value in
                PartialValue.Member(name: matchers.templates.template(key), value: self.value(value))
            })
    }
}
