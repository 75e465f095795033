public import Basics

/// The result of an evaluation and the values that led to it.
public struct CELExplanation: Sendable {
    /// A part of the expression with its value, or a note about the result.
    public struct Part: Sendable {
        /// The content of a part.
        public enum Content: Sendable {
            /// A variable, selection, call, or operation, and its value.
            case value(source: String, CELValue)
            /// A condition, and whether it is true.
            case condition(source: String, Bool)
            /// A part that failed and that `&&`, `||`, or a macro did not need, with its error message.
            case failure(source: String, message: MessageText)
            /// The element that decided a macro or failed: its variable, its list index or map key, and its value.
            case element(variable: String, key: CELValue, value: CELValue)
            /// An element of a macro that no element decided; its relevant values are the children.
            case sample(key: CELValue)
            /// A note: one sentence without a final period.
            case note(MessageText)
        }

        /// The content of the part.
        public let content: Content
        /// The start of the part in the expression, in Unicode scalars.
        public let offset: Int
        /// The length of the part in Unicode scalars.
        public let length: Int
        /// The parts that led to this one, in source order.
        public let children: [Part]
    }

    /// The value of the expression, or the error.
    public let result: Result<CELValue, CELEvaluationError>
    /// The parts that led to the result, in source order, without the expression itself.
    ///
    /// For `&&` and `||`, operands that were not decisive have no children. For `?:`, only the selected branch is
    /// included. For a macro, only the decisive element is included, or a few samples if no element was decisive.
    public let parts: [Part]
}

/// Converts a trace to the parts of an explanation.
struct ExplanationBuilder {
    private let program: Program
    private let scalars: [Unicode.Scalar]
    private let failure: CELEvaluationError?
    /// The enclosing parts that are already shown; the same source text has the same value within them.
    private var shown: Set<String> = []

    /// The maximum length of a part's source text in characters.
    private static let maximumSourceLength = 120

    private init(_ program: Program, _ source: String, _ failure: CELEvaluationError?) {
        self.program = program
        self.failure = failure
        scalars = Array(source.unicodeScalars)
    }

    /// Returns the explanation of a result.
    static func explanation(
        _ result: Result<CELValue, CELEvaluationError>, _ trace: Trace, _ program: Program, source: String
    ) -> CELExplanation {
        var failure: CELEvaluationError?
        if case .failure(let error) = result { failure = error }
        var builder = ExplanationBuilder(program, source, failure)
        let parts = trace.root.map { builder.contents(of: $0) } ?? []
        return CELExplanation(result: result, parts: parts)
    }

    // MARK: Parts

    /// Returns the part for a record, or the contents of the record if it adds nothing itself.
    private mutating func parts(of record: Trace.Record) -> [CELExplanation.Part] {
        guard case .success(let value) = record.result else {
            let contents = contents(of: record)
            guard case .failure(let error) = record.result, error != failure, !contents.contains(where: \.isFailure),
                !record.children.contains(where: { $0.value == nil }), record.macro.elements.isEmpty
            else { return contents }
            return [part(record, .failure(source: source(of: record), message: error.message), contents)]
        }
        if isHidden(record) { return contents(of: record) }
        let text = source(of: record)
        guard shown.insert(text).inserted else { return [] }
        return [part(record, content(record, text, value), contents(of: record))]
    }

    /// Returns a part without its children.
    private func summary(of record: Trace.Record) -> [CELExplanation.Part] {
        guard let value = record.value else { return [] }
        if case .constant = program.nodes[record.id] { return [] }
        return [part(record, content(record, source(of: record), value), [])]
    }

    private func content(
        _ record: Trace.Record, _ source: String, _ value: CELValue
    ) -> CELExplanation.Part.Content {
        switch (program.nodes[record.id], value) {
        case (.local, _), (.variable, _), (.path, _), (.qualified, _), (.select, _), (.index, _):
            .value(source: source, value)
        case (_, .bool(let flag)): .condition(source: source, flag)
        default: .value(source: source, value)
        }
    }

    private func isHidden(_ record: Trace.Record) -> Bool {
        switch program.nodes[record.id] {
        case .constant, .list, .map, .not, .negate, .failure, .bind: return true
        case .variable(_, .some):
            if case .type? = record.value { return true }
            return false
        default: return false
        }
    }

    /// Returns the parts that led to the value of a record.
    private mutating func contents(of record: Trace.Record) -> [CELExplanation.Part] {
        switch program.nodes[record.id] {
        case .and: return sides(of: record, deciding: false)
        case .or: return sides(of: record, deciding: true)
        case .conditional: return branch(of: record)
        case .comprehension: return elements(of: record) + children(of: record)
        case .has(_, let field): return presence(of: field, record)
        default: return notes(of: record) + children(of: record)
        }
    }

    private mutating func children(of record: Trace.Record) -> [CELExplanation.Part] {
        let start = program.spans[record.id].offset
        let key = key(of: record)
        var result: [CELExplanation.Part] = []
        for child in record.children where child.id != key && !isPrivateKey(child.value) {
            let parts = parts(of: child)
            // In `body.items.size()`, `body.items` would only repeat the value of the whole.
            if parts.count == 1, program.spans[child.id].offset == start, parts[0].isContainer, isCall(record) {
                continue
            }
            result += parts
        }
        return result
    }

    /// Returns the node of the key of a signature, which is never shown.
    private func key(of record: Trace.Record) -> Int? {
        guard case .call(let call) = program.nodes[record.id], !call.isMethod, call.arguments.count > 1 else {
            return nil
        }
        switch call.name {
        case "jwt.sign", "jwt.verify": return call.arguments[1]
        case let name where name.hasPrefix("hmac"): return call.arguments[0]
        default: return nil
        }
    }

    /// Returns whether a value is a private key in PEM (RFC 7468), which is never shown.
    private func isPrivateKey(_ value: CELValue?) -> Bool {
        guard case .string(let text)? = value else { return false }
        return text.contains("-----BEGIN") && text.contains("PRIVATE KEY-----")
    }

    /// Returns whether a record is a call or selection, whose source starts with the receiver.
    private func isCall(_ record: Trace.Record) -> Bool {
        switch program.nodes[record.id] {
        case .call, .select, .index, .optionalMap, .optionalOr, .matches, .jsonPath: record.value != nil
        default: false
        }
    }

    /// Returns the operands of `&&` or `||`; those that were not decisive are summarized.
    private mutating func sides(of record: Trace.Record, deciding: Bool) -> [CELExplanation.Part] {
        guard case .bool(deciding)? = record.value else { return children(of: record) }
        var result: [CELExplanation.Part] = []
        for child in record.children {
            if case .bool(!deciding)? = child.value {
                result += summary(of: child)
            } else {
                result += parts(of: child)
            }
        }
        return result
    }

    /// Returns the condition of `?:` and the selected branch.
    private mutating func branch(of record: Trace.Record) -> [CELExplanation.Part] {
        guard record.children.count == 2, case .bool(let flag)? = record.children[0].value else {
            return children(of: record)
        }
        let taken = source(of: record.children[1])
        let condition = parts(of: record.children[0])
        let note = part(
            record.children[0], .note("the condition is \(flag), so the result is that of \(taken)"), [])
        return condition + [note] + parts(of: record.children[1])
    }

    /// Returns the decisive elements of a macro, or some samples if there are none.
    private func elements(of record: Trace.Record) -> [CELExplanation.Part] {
        var result: [CELExplanation.Part] = []
        if let note = record.macro.note { result.append(part(record, .note(note), [])) }
        for element in record.macro.elements {
            // The same source text has a different value for each element.
            var builder = self
            builder.shown = []
            if element.isDecisive {
                // The element itself and the value of its condition are already shown.
                builder.shown.insert(element.variable)
                let contents = element.records.flatMap { record in
                    record.value == nil ? builder.parts(of: record) : builder.contents(of: record)
                }
                result.append(
                    part(
                        record, .element(variable: element.variable, key: element.key, value: element.value), contents))
            } else {
                let leaves = element.records.flatMap { builder.parts(of: $0) }.flatMap(\.leaves)
                result.append(part(record, .sample(key: element.key), leaves))
            }
        }
        return result
    }

    // MARK: Notes

    /// Explains the result of `has`: the value of the field, or the existing keys.
    private mutating func presence(of field: String, _ record: Trace.Record) -> [CELExplanation.Part] {
        guard case .bool(let isThere)? = record.value, let operand = record.children.first?.value else {
            return children(of: record)
        }
        if isThere {
            guard case .map(let map) = operand, let value = map[field] else { return children(of: record) }
            let text = Self.argument(source(of: record))
            guard shown.insert(text).inserted else { return [] }
            return [part(record, .value(source: text, value), [])]
        }
        guard case .map(let map) = operand else { return children(of: record) }
        return [part(record, .note(ExplanationNotes.absence(of: .string(field), in: map)), [])]
    }

    private func notes(of record: Trace.Record) -> [CELExplanation.Part] {
        guard case .bool(false)? = record.value else { return [] }
        let values = record.children.compactMap(\.value)
        guard let first = values.first else { return [] }
        var note: MessageText?
        switch program.nodes[record.id] {
        case .binary(.equal, _, _) where values.count == 2: note = ExplanationNotes.difference(first, values[1])
        case .binary(.in, _, _) where values.count == 2: note = ExplanationNotes.absence(of: first, in: values[1])
        case .call(let call) where values.count == 2:
            note = ExplanationNotes.absence(of: values[1], in: first, method: call.name)
        case .matches(_, let pattern): note = ExplanationNotes.mismatch(of: first, with: pattern)
        default: break
        }
        return note.map { [part(record, .note($0), [])] } ?? []
    }

    // MARK: Source

    private func part(
        _ record: Trace.Record, _ content: CELExplanation.Part.Content, _ children: [CELExplanation.Part]
    ) -> CELExplanation.Part {
        let span = program.spans[record.id]
        return CELExplanation.Part(
            content: content, offset: Int(span.offset), length: Int(span.length), children: children)
    }

    /// Returns the source text of a record's node in one line, without enclosing parentheses.
    private func source(of record: Trace.Record) -> String {
        let span = program.spans[record.id]
        let start = min(Int(span.offset), scalars.count)
        var text = scalars[start..<min(start + Int(span.length), scalars.count)]
        while Self.isEnclosed(text) { text = text.dropFirst().dropLast() }
        var line = String.UnicodeScalarView()
        for scalar in text {
            let isBlank = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
            if isBlank, line.isEmpty || line.last == " " { continue }
            line.append(isBlank ? " " : scalar)
        }
        if line.last == " " { line.removeLast() }
        guard line.count > Self.maximumSourceLength else { return String(line) }
        return String(String.UnicodeScalarView(line.prefix(Self.maximumSourceLength))) + "…"
    }

    /// Returns whether the first character is a parenthesis that the last character closes.
    private static func isEnclosed(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard text.first == "(", text.last == ")", text.count > 2 else { return false }
        var depth = 0
        var quote: Unicode.Scalar?
        for (index, scalar) in zip(text.indices, text) {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == "(" {
                depth += 1
            } else if scalar == ")" {
                depth -= 1
                if depth == 0 { return index == text.indices.last }
            }
        }
        return false
    }

    /// Returns the argument of `has(…)`.
    private static func argument(_ call: String) -> String {
        guard let open = call.firstIndex(of: "("), call.hasSuffix(")") else { return call }
        let inner = call[call.index(after: open)...].dropLast()
        return String(inner.drop { $0 == " " })
    }
}

extension CELExplanation.Part {
    fileprivate var isFailure: Bool {
        if case .failure = content { true } else { false }
    }

    fileprivate var isContainer: Bool {
        guard case .value(_, let value) = content else { return false }
        return switch value {
        case .map, .list: true
        default: false
        }
    }

    /// The leaf values among the children.
    fileprivate var leaves: [CELExplanation.Part] {
        if case .note = content { return [] }
        return children.isEmpty ? [self] : children.flatMap(\.leaves)
    }
}
