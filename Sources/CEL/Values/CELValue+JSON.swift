public import JSON

extension CELValue {
    /// The value as JSON; nil for what JSON cannot say (types, absent optionals, not-a-number, infinity).
    ///
    /// Timestamps become RFC 3339 text, durations seconds such as `"1.5s"`, bytes base64; a map's keys become text.
    public var json: JSONValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .number(JSONNumber(value))
        case .uint(let value): return .number(JSONNumber(value))
        case .double(let value): return JSONNumber(value).map { .number($0) }
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .bytes(let bytes): return .string(Base64.encode(bytes))
        case .list(let list): return Self.json(of: list)
        case .map(let map): return Self.json(of: map)
        case .timestamp(let timestamp): return .string(timestamp.description)
        case .duration(let duration): return .string(duration.description)
        case .type: return nil
        case .optional(let optional): return optional.value?.json
        }
    }

    /// How the value is joined into text.
    ///
    /// Strings are as they are, numbers have the digits they were written with, lists and maps are compact JSON, bytes
    /// are their UTF-8 text or else base64, timestamps are RFC 3339.
    public var text: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .int(let value): return String(value)
        case .uint(let value): return String(value)
        case .double(let value): return NumberText.text(of: value)
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

    private static func json(of list: CELList) -> JSONValue? {
        switch list.storage {
        case .json(let elements): return .array(elements)
        case .values(let values):
            var elements: [JSONValue] = []
            elements.reserveCapacity(values.count)
            for value in values {
                guard let element = value.json else { return nil }
                elements.append(element)
            }
            return .array(elements)
        }
    }

    private static func json(of map: CELMap) -> JSONValue? {
        switch map.storage {
        case .json(let object): return .object(object)
        case .entries(let entries):
            var members: [(String, JSONValue)] = []
            members.reserveCapacity(entries.list.count)
            for (key, value) in entries.list {
                guard let member = value.json else { return nil }
                members.append((key.text, member))
            }
            return .object(JSONObject(members))
        }
    }
}
