import Basics
import Diagnostics
import JSON
import YAML

/// Reads a mapping by its schema: looks up each key, checks the form of its value, and reports violations.
struct MapReader<Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable> {
    /// The shared state of the readers.
    let context: LoadContext
    /// The schema of the mapping.
    let schema: MapSchema<Key>
    /// Advice on unknown keys that takes precedence over that of the schema.
    let hints: [String: KeyHint]

    init(_ context: LoadContext, _ schema: MapSchema<Key>, hints: [String: KeyHint] = [:]) {
        self.context = context
        self.schema = schema
        self.hints = hints
    }

    /// Calls a closure for each known key whose value has an allowed form.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - body: A closure that reads a value, called with the key, the node of the key, and the node of the value.
    /// - Returns: The keys that must not be reported as missing.
    @discardableResult
    @inline(__always)
    func read(_ node: YAMLNode, _ body: (Key, YAMLNode, YAMLNode) -> Void) -> FoundKeys<Key> {
        guard let mapping = node.mapping else {
            context.reportType(node, expected: "a mapping")
            return FoundKeys(bits: .max, keys: schema.keys)
        }
        var seen: UInt64 = 0
        var chosen: YAMLNode?
        var hasConflict = false
        var index = 0
        let count = mapping.count
        while index < count {
            let (key, value) = mapping[index]
            index += 1
            guard let position = schema.position(of: key) else {
                seen |= reportUnknown(key, key.scalar?.text ?? "")
                continue
            }
            seen |= 1 << UInt64(truncatingIfNeeded: position)
            if node.isFlow, index < count, mapping[index].value.isAbsent,
                let end = reportDivision(in: mapping, at: index)
            {
                index = end
                continue
            }
            let forms = schema.forms[position]
            if forms != .any, !forms.contains(NodeForms(of: value)) {
                context.reportType(value, of: schema.description.entries[position].kind, key: key)
                continue
            }
            if schema.choiceBits & (1 << UInt64(truncatingIfNeeded: position)) != 0 {
                if let chosen {
                    reportConflict(key, with: chosen)
                    hasConflict = true
                    continue
                }
                chosen = key
            }
            body(schema.keys[position], key, value)
        }
        for position in schema.required where seen & (1 << UInt64(truncatingIfNeeded: position)) == 0 {
            reportMissing(position, node)
        }
        return FoundKeys(bits: seen, keys: schema.keys, chosen: chosen, hasConflict: hasConflict)
    }

    private func reportConflict(_ key: YAMLNode, with first: YAMLNode) {
        guard let choice = schema.choice else { return }
        context.report(
            "conflicting-keys", choice.conflict, key.range,
            related: [Diagnostic.Related(message: choice.first, range: first.range)],
            suggestion: choice.suggestion.map { MessageText(words: $0.replacing("KEY", with: key.scalar?.text ?? "")) })
    }

    private func reportMissing(_ position: Int, _ node: YAMLNode) {
        let name = schema.description.entries[position].name
        context.report(
            "missing-key", "\(schema.description.title) needs \"\(name)\"",
            node.mapping?.first?.key.range ?? node.range, suggestion: "add \"\(name): …\"")
    }

    /// Reports a value that the commas of a flow mapping divide, such as `{ condition: size(a, b) == 1 }`.
    ///
    /// - Returns: The index after the last part of the value; nil if the key at the index is not a part of the value
    ///   before it.
    private func reportDivision(in mapping: YAMLMapping, at index: Int) -> Int? {
        let (key, first) = mapping[index - 1]
        guard let scalar = first.scalar, scalar.style == .plain, Self.openParentheses(scalar.text) > 0 else {
            return nil
        }
        for end in index..<mapping.count where end < index + 16 {
            let (part, value) = mapping[end]
            guard value.isAbsent, let source = first.source(through: part) else { return nil }
            guard Self.openParentheses(source) == 0 else { continue }
            context.report(
                "unknown-key", "the commas inside braces divide this value",
                SourceRange(file: first.range.file, start: first.range.start, end: part.range.end),
                suggestion: "quote the value: \(key.scalar?.text ?? ""): \(YAMLNode.quoted(source))")
            return end + 1
        }
        return nil
    }

    private static func openParentheses(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
    }

    /// Reports an unknown key, and returns the bits of the known keys that must not be reported as missing because of
    /// it.
    private func reportUnknown(_ key: YAMLNode, _ text: String) -> UInt64 {
        let description = schema.description
        if description.allowsExtensions, text.hasPrefix("x-") { return FoundKeys<Key>.extensionBit }
        if let hint = hints[text] ?? description.misplaced[text] {
            context.report("unknown-key", "unknown key \"\(text)\"", key.range, suggestion: hint.text)
            return hint.isOtherFile ? .max : bits(hint.meant.contains)
        }
        let nearest = Spelling.nearest(to: text, among: description.entries.map(\.name))
        let suggestion: MessageText =
            nearest.map { "did you mean \"\($0)\"?" }
            ?? "\(description.title) has the keys \(description.entries.map(\.name).joined(separator: ", "))"
        context.report("unknown-key", "unknown key \"\(text)\"", key.range, suggestion: suggestion)
        return bits { $0 == nearest }
    }

    /// Returns the bits of the keys whose names satisfy a predicate.
    private func bits(_ isMeant: (String) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        for (position, entry) in schema.description.entries.enumerated() where isMeant(entry.name) {
            bits |= 1 << UInt64(truncatingIfNeeded: position)
        }
        return bits
    }
}

/// The keys that a mapping has, or was evidently supposed to have, which must not be reported as missing.
struct FoundKeys<Key: Equatable> {
    /// A bit set of positions in ``keys``.
    let bits: UInt64
    /// The keys of the schema.
    let keys: [Key]
    /// The node of the mutually exclusive key that is present, if its value has an allowed form.
    var chosen: YAMLNode?
    /// Whether several mutually exclusive keys are present.
    var hasConflict = false

    /// The bit for `x-` keys, which is beyond all positions.
    static var extensionBit: UInt64 { 1 << 63 }

    /// Whether the mapping may have `x-` keys.
    var hasExtensions: Bool { bits & Self.extensionBit != 0 }

    /// Returns whether a key is present, or another one was probably meant to be it.
    func contains(_ key: Key) -> Bool {
        guard let position = keys.firstIndex(of: key) else { return false }
        return bits & (1 << UInt64(truncatingIfNeeded: position)) != 0
    }
}

extension LoadContext {
    /// Calls a closure for each member of a mapping with arbitrary keys whose value has an allowed form.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - kind: The allowed values.
    ///   - body: A closure that reads a value, called with the text of the key, the node of the key, and the node of
    ///     the value.
    func readMembers(_ node: YAMLNode, _ kind: ValueKind, _ body: (String, YAMLNode, YAMLNode) -> Void) {
        guard let mapping = node.mapping else {
            reportType(node, expected: "a mapping")
            return
        }
        let forms = kind.forms
        for (key, value) in mapping {
            guard let name = key.scalar?.text else { continue }
            if forms != .any, !forms.contains(NodeForms(of: value)) {
                if kind.phrase == "a string", isWrittenNull(value) {
                    reportType(
                        value, expected: kind.phrase, key: key, suggestion: "write a string, or remove \"\(name)\"")
                } else {
                    reportType(value, of: kind, key: key)
                }
                continue
            }
            body(name, key, value)
        }
    }

    /// Returns whether a value is an explicit null, such as `~`, which is unlikely to be meant as a string.
    private func isWrittenNull(_ node: YAMLNode) -> Bool {
        node.isNull && node.scalar?.text.isEmpty == false
    }

    /// Returns the strings of a sequence, or of a string that stands for a sequence of one.
    func strings(_ node: YAMLNode, what: String) -> [(text: String, node: YAMLNode)] {
        let templates = TemplateReader(self)
        guard let sequence = node.sequence else { return [(templates.name(node, what: what), node)] }
        var texts: [(text: String, node: YAMLNode)] = []
        for element in sequence {
            guard element.scalar?.isString == true else {
                reportType(
                    element, expected: "a string",
                    suggestion: isWrittenNull(element) ? "write \(what), or remove the element" : nil)
                continue
            }
            texts.append((templates.name(element, what: what), element))
        }
        return texts
    }

    /// Reports a name that expressions cannot use.
    func checkName(_ name: String, _ key: YAMLNode, what: String) {
        guard let problem = VariableNames.problem(of: name, what: what) else { return }
        report("invalid-name", problem.message, key.range, suggestion: problem.suggestion)
    }
}

extension LoadContext {
    /// Reports that a value has the wrong type.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - expected: A description of the expected value.
    ///   - key: The key of the value, which the message names.
    ///   - suggestion: A suggested replacement, if there is one.
    func reportType(_ node: YAMLNode, expected: String, key: YAMLNode? = nil, suggestion: MessageText? = nil) {
        let expected = MessageText(words: expected)
        // An undefined alias or an unknown tag has no value, and was already reported as such.
        if node.isReported { return }
        var suggestion = suggestion
        if suggestion == nil, expected == "a string", let scalar = node.scalar, !scalar.isString, !scalar.text.isEmpty {
            suggestion = "quote it: \"\(scalar.text)\""
        }
        let isNothing = node.scalar?.text.isEmpty == true && node.isNull
        let got: MessageText = isNothing ? "nothing" : node.typeDescription
        let name = key?.scalar?.text
        report(
            "wrong-type",
            name.map { "\"\($0)\" must be \(expected), got \(got)" } ?? "expected \(expected), got \(got)",
            isNothing ? key?.range ?? node.range : node.range, suggestion: suggestion)
    }

    /// Reports that the value of a key does not have an allowed kind.
    func reportType(_ node: YAMLNode, of kind: ValueKind, key: YAMLNode) {
        reportType(node, expected: kind.phrase, key: key, suggestion: suggestion(for: node, of: kind))
    }

    /// Returns the key with which the mappings of a sequence usually start.
    private static func firstKey(ofElement name: String) -> String {
        switch name {
        case "test": "name"
        case "webSocketElement": "send"
        default: "request"
        }
    }

    private func suggestion(for node: YAMLNode, of kind: ValueKind) -> MessageText? {
        switch (kind, node.kind) {
        case (.list(.map(let name)), .mapping):
            return "start each with \"- \(Self.firstKey(ofElement: name)):\""
        case (.list, .mapping):
            return "start each with \"- \""
        case (.list(.text), .scalar):
            guard let scalar = node.scalar, scalar.isString, !scalar.text.utf8.contains(where: "\n\"'".utf8.contains)
            else {
                return nil
            }
            let words = scalar.text.split(separator: " ").map { word in
                word.utf8.contains(where: { "{}[],:#\"'&*!|>%@`".utf8.contains($0) }) ? "'\(word)'" : String(word)
            }
            return "write [\(words.joined(separator: ", "))]"
        case (.members, .sequence), (.jsonPaths, .sequence):
            return node.isFlow ? "write { name: value }" : "write \"name: value\", without \"-\""
        case (.map("forEach"), .scalar):
            return node.scalar.flatMap { Int($0.text) }.map { "to run a test \($0) times, write \"repeat: \($0)\"" }
        case (.map("generate"), .scalar):
            return "write { schema: … }"
        case (.map("run"), .scalar):
            guard let scalar = node.scalar, scalar.isString, !scalar.text.utf8.contains(UInt8(ascii: "\n")) else {
                return nil
            }
            return "write \(CommandText.mapping(scalar.text))"
        case (.map("xfail"), .scalar):
            return
                "write the reason, for example \"xfail: umlauts are lost (#12)\"; a condition belongs under \"if\": { reason: …, if: … }"
        case (.anyOf(let kinds), .scalar):
            guard case .map? = kinds.last else { return nil }
            return kinds.last.flatMap { suggestion(for: node, of: $0) }
        case (.anyOf(let kinds), .sequence):
            return kinds.lazy.compactMap { self.suggestion(for: node, of: $0) }.first
        default: return nil
        }
    }
}
