import Basics
public import JSON

extension CELValue {
    /// The value as JSON; nil for values that JSON cannot represent: types, absent optionals, NaN, and infinity.
    ///
    /// Timestamps become RFC 3339 strings, durations become seconds such as `"1.5s"`, and bytes become base64. Map keys
    /// become strings.
    public var json: JSONValue? {
        var left = CELLimits.jsonElements
        return json(&left)
    }

    /// Converts the value to JSON with a limited number of elements, including nested ones.
    func json(_ left: inout Int) -> JSONValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .number(JSONNumber(value))
        case .uint(let value): return .number(JSONNumber(value))
        case .double(let value): return JSONNumber(value).map { .number($0) }
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .bytes(let bytes): return .string(Base64.encode(bytes))
        case .list(let list): return Self.json(of: list, &left)
        case .map(let map): return Self.json(of: map, &left)
        case .timestamp(let timestamp): return .string(timestamp.description)
        case .duration(let duration): return .string(duration.description)
        case .type: return nil
        case .optional(let optional): return optional.value?.json(&left)
        }
    }

    /// The value as a string, for concatenation with other text.
    ///
    /// Strings are unchanged, and numbers keep the digits they were written with. Lists and maps become compact JSON.
    /// Bytes become text if they are UTF-8, otherwise base64. Timestamps become RFC 3339.
    public var text: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .int(let value): return String(value)
        case .uint(let value): return String(value)
        case .double(let value): return NumberNotation.text(of: value)
        case .number(let number): return number.literal
        case .string(let text): return text
        case .bytes(let bytes): return String(validating: bytes, as: UTF8.self) ?? Base64.encode(bytes)
        case .list, .map: return json?.serialized() ?? shown
        case .timestamp(let timestamp): return timestamp.description
        case .duration(let duration): return duration.description
        case .type(let type): return type.name
        case .optional(let optional): return optional.value?.text ?? ""
        }
    }

    private static func json(of list: CELList, _ left: inout Int) -> JSONValue? {
        switch list.storage {
        case .json(let elements): return .array(elements)
        case .values(let values):
            guard take(values.count, &left) else { return nil }
            var elements: [JSONValue] = []
            elements.reserveCapacity(values.count)
            for value in values {
                guard takeWrapped(value, &left), let element = value.json(&left) else { return nil }
                elements.append(element)
            }
            return .array(elements)
        }
    }

    private static func json(of map: CELMap, _ left: inout Int) -> JSONValue? {
        switch map.storage {
        case .json(let object), .folded(let object): return .object(object)
        case .entries(let entries):
            guard take(entries.list.count, &left) else { return nil }
            var members: [(String, JSONValue)] = []
            members.reserveCapacity(entries.list.count)
            for (key, value) in entries.list {
                guard takeWrapped(value, &left), let member = value.json(&left) else { return nil }
                members.append((key.text, member))
            }
            return .object(JSONObject(members))
        }
    }

    private static func take(_ count: Int, _ left: inout Int) -> Bool {
        left -= count
        return left >= 0
    }

    /// Deducts a nested string or JSON container once per occurrence, as its JSON repeats it.
    private static func takeWrapped(_ value: CELValue, _ left: inout Int) -> Bool {
        switch value {
        case .string(let text): return take(text.utf8.count >> 5, &left)
        case .list(let list):
            guard case .json(let elements) = list.storage else { return true }
            return take(.array(elements), &left)
        case .map(let map):
            guard case .json(let object) = map.storage else { return true }
            return take(.object(object), &left)
        default: return true
        }
    }

    private static func take(_ json: JSONValue, _ left: inout Int) -> Bool {
        switch json {
        case .array(let elements):
            guard take(elements.count, &left) else { return false }
            for element in elements where !take(element, &left) { return false }
            return true
        case .object(let object):
            guard take(object.count, &left) else { return false }
            for (_, value) in object where !take(value, &left) { return false }
            return true
        case .string(let text): return take(text.utf8.count >> 5, &left)
        case .null, .bool, .number: return true
        }
    }
}
