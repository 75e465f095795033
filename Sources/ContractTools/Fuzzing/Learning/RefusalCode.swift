import JSON

/// The machine-readable description of one fault in a response that refused a request: a code with arguments.
struct RefusalCode {
    /// The members with a code, most specific first.
    private static let codeKeys = [
        "keyword", "tag", "validation", "type", "code", "rule", "validator", "errorType", "errorCode", "error_code",
        "kind", "format",
    ]
    /// The members with the arguments of a code.
    private static let argumentKeys = [
        "params", "ctx", "context", "constraints", "parameters", "arguments", "args", "attributes", "meta",
    ]

    private let object: JSONObject

    /// Creates the description from an element of a response.
    init(_ object: JSONObject) { self.object = object }

    /// The rules of the code. Members have their names if the code is about the members of its subject.
    var statements: [RefusalSentence.Statement] {
        for key in Self.codeKeys {
            guard let code = object[key]?.stringValue, code.utf8.count <= 100 else { continue }
            let found = statements(of: code.lowercased())
            if !found.isEmpty { return found }
        }
        return []
    }

    // MARK: Codes

    private func statements(of code: String) -> [RefusalSentence.Statement] {
        let members = members(of: code)
        if let members { return members.rules.isEmpty ? [] : [members] }
        let rules = rules(of: code)
        return rules.isEmpty ? [] : [.init(rules: rules)]
    }

    /// Returns the rule of a code about members, or `nil` if it is about a value.
    private func members(of code: String) -> RefusalSentence.Statement? {
        switch code {
        // ajv
        case "additionalproperties", "unevaluatedproperties":
            return .init(rules: [.forbidden], members: texts("additionalProperty", "unevaluatedProperty"))
        // Zod
        case "unrecognized_keys": return .init(rules: [.forbidden], members: texts("keys"))
        // Pydantic, Joi
        case "extra_forbidden", "value_error.extra", "object.unknown", "unknown_field", "unrecognizedproperty":
            return .init(rules: [.forbidden])
        case "required" where argument("missingProperty") != nil:
            return .init(rules: [.required], members: texts("missingProperty"))
        case "required", "missing", "value_error.missing", "any.required", "notnull", "isrequired", "null", "presence",
            "missing_field", "missing_argument", "isdefined":
            return .init(rules: [.required])
        case "notblank", "notempty", "blank", "isnotempty", "string.empty", "empty":
            return .init(rules: [.required, .minimumLength(1)])
        default: return nil
        }
    }

    private func rules(of code: String) -> [Lesson.Rule] {
        switch code {
        case "minlength", "min_length", "string_too_short", "value_error.any_str.min_length", "string.min":
            return count("limit", "min_length", "minLength", "limit_value", "minimum", "min", "param")
                .map { [.minimumLength($0)] } ?? []
        case "maxlength", "max_length", "string_too_long", "value_error.any_str.max_length", "string.max":
            return count("limit", "max_length", "maxLength", "limit_value", "maximum", "max", "param")
                .map { [.maximumLength($0)] } ?? []
        case "too_short", "minitems", "array.min", "value_error.list.min_items":
            return count("limit", "min_length", "minItems", "limit_value", "min").map { [.minimumItems($0)] } ?? []
        case "too_long", "maxitems", "array.max", "value_error.list.max_items":
            return count("limit", "max_length", "maxItems", "limit_value", "max").map { [.maximumItems($0)] } ?? []
        case "minimum", "greater_than_equal", "value_error.number.not_ge", "number.min", "min_value":
            return number("limit", "ge", "limit_value", "minimum", "min", "min_value")
                .map { [.minimum($0, isExclusive: false)] } ?? []
        case "maximum", "less_than_equal", "value_error.number.not_le", "number.max", "max_value":
            return number("limit", "le", "limit_value", "maximum", "max", "max_value")
                .map { [.maximum($0, isExclusive: false)] } ?? []
        case "exclusiveminimum", "greater_than", "value_error.number.not_gt", "number.greater":
            return number("limit", "gt", "limit_value", "exclusiveMinimum").map { [.minimum($0, isExclusive: true)] }
                ?? []
        case "exclusivemaximum", "less_than", "value_error.number.not_lt", "number.less":
            return number("limit", "lt", "limit_value", "exclusiveMaximum").map { [.maximum($0, isExclusive: true)] }
                ?? []
        case "min", "max", "len", "gte", "lte", "gt", "lt", "too_small", "too_big": return bounds(code)
        case "enum", "literal_error", "type_error.enum", "any.only", "oneof", "invalid_enum_value", "invalid_value",
            "isenum", "isin", "invalid_choice":
            return allowed
        case "pattern", "string_pattern_mismatch", "value_error.str.regex", "string.pattern.base", "regex", "regexp":
            guard let text = argument("pattern", "regex", "regexp")?.stringValue else { return [] }
            // Joi states `/^[a-z]+$/`.
            let isDelimited = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
            return [.pattern(isDelimited ? String(text.dropFirst().dropLast()) : text)]
        case "format", "invalid_format", "invalid_string":
            let name = argument("format", "validation")?.stringValue
            return name.flatMap { Lesson.Rule.format(named: $0) }.map { [.format($0)] } ?? []
        case "type", "invalid_type": return expectedType
        case "date_from_datetime_parsing", "date_from_datetime_inexact", "date_parsing", "date_type":
            return [.format("date")]
        case "datetime_from_date_parsing", "datetime_parsing", "datetime_type", "timezone_aware",
            "datetime_object_invalid":
            return [.format("date-time")]
        case "alphanum": return [.pattern("[A-Za-z0-9]+")]
        case "alpha": return [.pattern("[A-Za-z]+")]
        case "numeric": return [.pattern("[0-9]+")]
        default: return parsed(code)
        }
    }

    /// Returns the rule of a code such as `int_parsing`, `value_error.email`, `string.guid`, or `isEmail`.
    private func parsed(_ code: String) -> [Lesson.Rule] {
        var word = code.split(separator: ".").last.map(String.init) ?? code
        for ending in ["_parsing", "_type", "_version", "_scheme", "_from_float"] where word.hasSuffix(ending) {
            word.removeLast(ending.count)
        }
        // The type of the value that was sent states no rule.
        if word == code, ["string", "number", "integer", "array", "object", "boolean", "date"].contains(word) {
            return []
        }
        if let format = Lesson.Rule.format(named: word) { return [.format(format)] }
        guard word != code else { return [] }
        return Lesson.Rule.type(named: word).filter { if case .type = $0 { true } else { false } }
    }

    /// The bounds of Zod and of the validator of Go, whose meaning depends on the type of the value.
    private func bounds(_ code: String) -> [Lesson.Rule] {
        let type = (argument("origin") ?? argument("kind") ?? argument("type"))?.stringValue?.lowercased() ?? ""
        let isLower = ["min", "gte", "gt", "too_small", "len"].contains(code)
        guard let limit = number("param", isLower ? "minimum" : "maximum", "limit", isLower ? "min" : "max")
        else { return [] }
        let isExclusive = code == "gt" || code == "lt" || argument("inclusive")?.boolValue == false
        let whole = limit.int64.flatMap { Int(exactly: $0) }.flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
        let shift = isExclusive ? 1 : 0
        switch type {
        case "string", "file":
            guard let whole else { return [] }
            if code == "len" || argument("exact")?.boolValue == true {
                return [.minimumLength(whole), .maximumLength(whole)]
            }
            return [isLower ? .minimumLength(whole + shift) : .maximumLength(max(0, whole - shift))]
        case "array", "slice", "set", "map":
            guard let whole else { return [] }
            return [isLower ? .minimumItems(whole + shift) : .maximumItems(max(0, whole - shift))]
        default:
            if code == "len" { return whole.map { [.minimumLength($0), .maximumLength($0)] } ?? [] }
            return [
                isLower ? .minimum(limit, isExclusive: isExclusive) : .maximum(limit, isExclusive: isExclusive)
            ]
        }
    }

    private var allowed: [Lesson.Rule] {
        let keys = ["allowedValues", "values", "options", "enum_values", "valids", "permitted", "choices"]
        for key in keys {
            if let values = argument(key)?.arrayValue, !values.isEmpty { return [.allowed(Array(values.prefix(100)))] }
        }
        if let values = argument("allowedValue") { return [.allowed([values])] }
        if let text = argument("expected")?.stringValue {
            let values = ListedValues.values(String(text.prefix(1_000)))
            return values.isEmpty ? [] : [.allowed(values.map { .string($0) })]
        }
        guard let text = argument("param")?.stringValue, !text.isEmpty else { return [] }
        return [.allowed(text.split(separator: " ").prefix(100).map { .string(String($0)) })]
    }

    private var expectedType: [Lesson.Rule] {
        guard let type = (argument("expected") ?? arguments("type"))?.stringValue?.lowercased() else { return [] }
        let rules = Lesson.Rule.type(named: type).filter { if case .type = $0 { true } else { false } }
        let isAbsent =
            argument("received")?.stringValue == "undefined"
            || object["message"]?.stringValue.map { $0 == "Required" || $0.hasSuffix("received undefined") } ?? false
        return isAbsent ? [.required] + rules : rules
    }

    // MARK: Arguments

    /// Returns the first argument with one of several names.
    private func argument(_ names: String...) -> JSONValue? {
        for name in names {
            if let value = object[name] ?? arguments(name) { return value }
        }
        return nil
    }

    /// Returns an argument that is not a member of the description itself.
    private func arguments(_ name: String) -> JSONValue? {
        for key in Self.argumentKeys {
            if let value = object[key]?.objectValue?[name] { return value }
        }
        return nil
    }

    private func number(_ names: String...) -> JSONNumber? {
        for name in names {
            guard let value = object[name] ?? arguments(name) else { continue }
            if let number = value.numberValue ?? value.stringValue.flatMap({ JSONNumber(literal: $0) }) {
                return number
            }
        }
        return nil
    }

    private func count(_ names: String...) -> Int? {
        for name in names {
            guard let value = object[name] ?? arguments(name) else { continue }
            let number = value.numberValue ?? value.stringValue.flatMap { JSONNumber(literal: $0) }
            if let count = number?.int64, (0...1_000_000_000).contains(count) { return Int(count) }
        }
        return nil
    }

    private func texts(_ names: String...) -> [String] {
        for name in names {
            guard let value = object[name] ?? arguments(name) else { continue }
            let texts = value.stringValue.map { [$0] } ?? (value.arrayValue ?? []).prefix(20).compactMap(\.stringValue)
            if !texts.isEmpty { return texts }
        }
        return []
    }
}
