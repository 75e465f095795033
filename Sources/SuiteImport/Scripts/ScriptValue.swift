/// A value of a script as far as it is known before the script runs: constants, and parts of the response.
indirect enum ScriptValue: Sendable {
    /// A part of the response.
    enum Part: Sendable, Hashable {
        case status
        /// The reason phrase.
        case reason
        /// The body as text.
        case text
        /// The time of the exchange in milliseconds.
        case milliseconds
        /// The size of the body in bytes.
        case size
        case header(String)
        case cookie(String)
        /// The body: a value if it is JSON, otherwise text.
        case content
    }

    /// The type of a computed value.
    enum Kind: Sendable, Hashable {
        case any, string, number, bool, list
    }

    /// The value of an expression that may be missing, or that is one of several values.
    struct Selection: Sendable {
        /// The CEL expression.
        var source: String
        /// The condition that the value exists; nil if it always does.
        var existence: ScriptCondition?
        /// The condition that the value is not false, null, 0 or empty; nil if only the value tells.
        var truth: ScriptCondition?
        /// Whether the value is a text that the suite writes as a number or Boolean.
        var isScalarText = false
    }

    case undefined
    case null
    case bool(Bool)
    case number(String)
    /// A string, which may contain variables.
    case text(ImportedText)
    case array([ScriptValue])
    case object([(name: String, value: ScriptValue)])
    /// A pattern in the syntax of suites.
    case pattern(String)
    case body(BodyPath)
    case part(Part)
    /// The length of a value.
    case length(ScriptValue)
    /// The name of the type of a value, as `typeof` returns it.
    case typeName(ScriptValue)
    /// A condition, such as a comparison.
    case condition(ScriptCondition)
    /// The value of a CEL expression.
    case computed(String, Kind)
    /// Bytes, by the CEL expression of these, and that of the text that stands for them.
    case bytes(String, text: String)
    /// The value of a CEL expression about which more is known than its source.
    case selected(Selection)
    case function(JSFunction)
    /// A function that validates its argument by a JSON Schema.
    case validator(ImportedValue)
    /// The index of a loop over the elements of a list in the body.
    case position(BodyPath)
    /// An object or a function that the environment of the script provides, by its path, such as `pm.response`.
    case host(String)
    /// A date that a text names, by the CEL expression of its time.
    case date(String)
    /// An unfinished assertion.
    case chain(ChaiChain)
    /// A value that has no translation, with the construct that is the reason.
    case opaque(String)

    /// Returns a string without variables.
    static func literal(_ text: String) -> ScriptValue { .text(ImportedText(text)) }

    /// The text of a string without variables.
    var literalText: String? {
        switch self {
        case .text(let text): text.literal
        case .number(let number): number
        default: nil
        }
    }

    /// Whether the value is a constant that is not an object or an array.
    var isLiteral: Bool {
        switch self {
        case .text(let text): text.literal != nil
        case .number, .bool, .null: true
        default: false
        }
    }

    /// Whether the value is an object or an array of the script.
    var isCollection: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }

    /// The value as a part of a template literal, in which a number has the notation of JavaScript.
    var templateText: ImportedText? {
        guard case .number(let literal) = self, let number = Double(literal), number.isFinite, abs(number) < 1e15 else {
            return importedText
        }
        return ImportedText(Int(exactly: number).map { String($0) } ?? "\(number)")
    }

    /// Whether the value is a part of the body.
    var isBody: Bool { if case .body = self { true } else { false } }

    /// The path of a value in the body; nil for another value.
    var path: BodyPath? {
        switch self {
        case .body(let path): path
        case .part(.content): BodyPath(steps: [])
        default: nil
        }
    }

    /// Returns whether the value is another part of the response, or a part of the body that contains it.
    func contains(_ other: ScriptValue) -> Bool {
        switch (self, other) {
        case (.part(let part), .part(let otherPart)) where part == otherPart: return true
        default:
            guard let path, let otherPath = other.path else { return false }
            return otherPath.steps.starts(with: path.steps)
        }
    }

    /// The condition of an assertion; nil for another value.
    var assertion: ScriptCondition? { if case .chain(let chain) = self { .all(chain.conditions) } else { nil } }

    /// Whether the value is `undefined`.
    var isUndefined: Bool { if case .undefined = self { true } else { false } }

    /// Whether the value is known only as an expression.
    var isExpression: Bool {
        switch self {
        case .computed, .selected: true
        default: false
        }
    }

    /// The construct that is the reason why the value has no translation.
    var opaqueReason: String? {
        switch self {
        case .opaque(let reason): reason
        case .host(let name): name
        case .function, .validator: "function"
        case .position: "for"
        case .date: "new Date"
        case .array(let elements): elements.lazy.compactMap(\.opaqueReason).first
        case .object(let members): members.lazy.compactMap(\.value.opaqueReason).first
        case .length(let value), .typeName(let value): value.opaqueReason
        default: nil
        }
    }

    /// Subtracts the size of the value from a limit, and stops when nothing is left.
    func charge(_ rest: inout Int) {
        rest -= 1
        if rest < 0 { return }
        switch self {
        case .array(let elements): for element in elements where rest >= 0 { element.charge(&rest) }
        case .object(let members): for member in members where rest >= 0 { member.value.charge(&rest) }
        case .text(let text):
            for part in text.parts where rest >= 0 {
                switch part {
                case .literal(let text), .expression(let text): rest -= 1 + text.utf8.count / 64
                }
            }
        case .computed(let source, _), .bytes(_, let source): rest -= source.utf8.count / 64
        case .selected(let selection): rest -= selection.source.utf8.count / 64
        case .length(let value), .typeName(let value): value.charge(&rest)
        case .condition(let condition): condition.charge(&rest)
        default: break
        }
    }

    // MARK: CEL

    /// The source of a CEL expression with the value; nil if there is none.
    var expression: String? {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return number
        case .text(let text): return text.soleExpression ?? text.concatenation
        case .array(let elements):
            let sources = elements.compactMap(\.expression)
            return sources.count == elements.count ? "[\(sources.joined(separator: ", "))]" : nil
        case .object(let members):
            var sources: [String] = []
            for member in members {
                guard let value = member.value.expression else { return nil }
                sources.append("\(ImportedNames.literal(member.name)): \(value)")
            }
            return "{\(sources.joined(separator: ", "))}"
        case .body(let path): return path.expression
        case .part(let part):
            switch part {
            case .status: return "status"
            case .reason: return "response.reason"
            case .text: return "text"
            case .milliseconds: return "duration.getSeconds() * 1000 + duration.getMilliseconds()"
            case .size: return "response.size"
            case .header(let name): return "headers[\(ImportedNames.literal(name.lowercased()))]"
            case .content: return "body"
            case .cookie(let name): return "cookies[\(ImportedNames.literal(name))]"
            }
        case .length(let value): return value.expression.map { "size(\($0))" }
        case .condition(let condition): return condition.expression
        case .computed(let source, _), .bytes(_, let source): return source
        case .selected(let selection): return selection.source
        case .undefined, .pattern, .typeName, .function, .validator, .position, .date, .host, .chain, .opaque:
            return nil
        }
    }

    /// The source of a CEL expression to which an operator or a method can be applied.
    var operand: String? {
        expression.map { Self.operand($0) }
    }

    /// Returns an expression to which an operator or a method can be applied.
    static func operand(_ source: String) -> String { isSimple(source) ? source : "(\(source))" }

    /// Returns whether an expression needs no parentheses around it: it has no operator outside of brackets.
    static func isSimple(_ source: String) -> Bool {
        var depth = 0
        var quote: UInt8?
        var isEscaped = false
        for byte in source.utf8 {
            if let end = quote {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == end {
                    quote = nil
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: " "), UInt8(ascii: "!"), UInt8(ascii: "-"): if depth == 0 { return false }
            default: break
            }
        }
        return true
    }

    // MARK: Values of suites

    /// The value in a suite, with expressions for what is known only during the run; nil if there is none.
    var imported: ImportedValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return .plain(number)
        case .text(let text): return .text(text)
        case .array(let elements):
            let values = elements.compactMap(\.imported)
            return values.count == elements.count ? .sequence(values) : nil
        case .object(let members):
            var values: [ImportedValue.Member] = []
            for member in members {
                if case .undefined = member.value { continue }
                guard let value = member.value.imported else { return nil }
                values.append(ImportedValue.Member(ImportedText(member.name), value))
            }
            return .mapping(values)
        default: return expression.map { .expression($0) }
        }
    }

    /// The value as a part of a string; nil if there is none.
    var importedText: ImportedText? {
        switch self {
        case .null: ImportedText("null")
        case .undefined: ImportedText("undefined")
        case .bool(let value): ImportedText(value ? "true" : "false")
        case .number(let number): ImportedText(number)
        case .text(let text): text
        case .array, .object: nil
        default: expression.map { ImportedText(expression: $0) }
        }
    }

    /// The type, as far as it is known.
    var kind: Kind {
        switch self {
        case .text, .typeName, .bytes: .string
        case .number, .length: .number
        case .bool, .condition: .bool
        case .array: .list
        case .part(let part):
            switch part {
            case .status, .milliseconds, .size: .number
            case .reason, .text, .header, .cookie: .string
            case .content: .any
            }
        case .computed(_, let kind): kind
        default: .any
        }
    }
}
