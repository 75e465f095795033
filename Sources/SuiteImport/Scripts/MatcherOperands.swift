import Basics
import JSON
import JSONSchema

/// The operands that matchers accept, so that every expectation loads.
enum MatcherOperands {
    /// Returns whether a value can be compared by `gt` and similar.
    static func isOrdered(_ value: ScriptValue) -> Bool {
        switch value {
        case .number: return true
        case .text(let text):
            guard let literal = text.literal else { return true }
            // Numbers in quotes and dates are refused there.
            return JSONNumber(literal: literal) == nil && !startsWithYear(literal)
        case .null, .undefined, .bool, .array, .object: return false
        default: return true
        }
    }

    private static func startsWithYear(_ text: String) -> Bool {
        text.utf8.count > 4 && text.utf8.prefix(4).allSatisfy(ASCII.isDigit)
            && text.utf8.dropFirst(4).first == UInt8(ascii: "-")
    }

    /// Returns whether two values are the bounds of a range.
    static func areBounds(_ low: ScriptValue, _ high: ScriptValue) -> Bool {
        guard isOrdered(low), isOrdered(high) else { return false }
        switch (low, high) {
        case (.number(let low), .number(let high)):
            guard let low = JSONNumber(literal: low), let high = JSONNumber(literal: high) else { return false }
            return !(high < low)
        case (.number, .text(let text)), (.text(let text), .number): return text.literal == nil
        case (.text(let low), .text(let high)):
            guard let low = low.literal, let high = high.literal else { return true }
            return !high.utf8.lexicographicallyPrecedes(low.utf8)
        default: return true
        }
    }

    /// Returns whether a value can be the distance or the center of `closeTo`.
    static func isNumber(_ value: ScriptValue, isDistance: Bool) -> Bool {
        switch value {
        case .number(let number): !(isDistance && number.hasPrefix("-"))
        case .null, .undefined, .bool, .array, .object, .text: false
        default: true
        }
    }

    /// Returns whether a value is a string or may be one.
    static func isText(_ value: ScriptValue) -> Bool {
        switch value {
        case .number, .null, .undefined, .bool, .array, .object: false
        default: true
        }
    }

    /// Returns whether a value can be a length.
    static func isLength(_ value: ScriptValue) -> Bool {
        switch value {
        case .number(let number): number.utf8.allSatisfy(ASCII.isDigit)
        case .text(let text): text.soleExpression != nil
        case .null, .undefined, .bool, .array, .object: false
        default: true
        }
    }

    /// Returns whether a text is a status of HTTP.
    static func isStatus(_ text: String) -> Bool { Int(text).map { (100...999).contains($0) } ?? false }

    /// Returns whether a text can be the name of a header field.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-_.".utf8.contains($0) }
    }

    /// Returns the operand of `schema` for a validator that asserts `format`, as ajv does; nil if there is none.
    static func schemaWithFormats(_ value: ScriptValue) -> ImportedValue? {
        guard let schema = schema(value) else { return nil }
        guard value.constant.map(hasFormat) ?? false else { return schema }
        return .map([("inline", schema), ("format", "assert")])
    }

    /// Returns whether a schema has the keyword `format`.
    private static func hasFormat(_ schema: JSONValue) -> Bool {
        switch schema {
        case .object(let members):
            return members.contains { member in
                if member.key == "format", case .string = member.value { return true }
                return hasFormat(member.value)
            }
        case .array(let elements): return elements.contains(where: hasFormat)
        case .null, .bool, .number, .string: return false
        }
    }

    /// Returns the operand of `schema` for a validator that ignores `format`, as tv4 does; nil if the schema does not
    /// compile.
    static func schema(_ value: ScriptValue) -> ImportedValue? {
        guard let schema = value.constant, case .object(let members) = schema else { return nil }
        if (try? JSONSchema(schema)) != nil { return ImportedValue(schema) }
        if members.contains("$schema") { return nil }
        // The validators of scripts use older versions by default.
        for version in ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#"] {
            var versioned = JSONObject([("$schema", .string(version))])
            for (name, value) in members { versioned.append(name, value) }
            if (try? JSONSchema(.object(versioned))) != nil { return ImportedValue(.object(versioned)) }
        }
        return nil
    }
}

extension ScriptValue {
    /// The value as JSON if it is a constant; otherwise nil.
    var constant: JSONValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let text): return JSONNumber(literal: text).map { .number($0) }
        case .text(let text): return text.literal.map { .string($0) }
        case .pattern(let pattern): return .string(pattern)
        case .array(let elements):
            let values = elements.compactMap(\.constant)
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            var object = JSONObject()
            for member in members {
                guard let value = member.value.constant else { return nil }
                object[member.name] = value
            }
            return .object(object)
        default: return nil
        }
    }
}
