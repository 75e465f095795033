import JSON

/// The variables of a collection, of globals and of environments.
enum PostmanVariables {
    /// Returns the enabled variables of an array, and the number of disabled ones.
    static func list(_ value: JSONValue?) -> (variables: [ScriptVariable], disabled: Int) {
        var variables: [ScriptVariable] = []
        var disabled = 0
        for entry in value?.arrayValue ?? [] {
            guard let key = entry["key"]?.stringValue ?? entry["id"]?.stringValue, !key.isEmpty else { continue }
            if entry["disabled"]?.boolValue == true || entry["enabled"]?.boolValue == false {
                disabled += 1
                continue
            }
            variables.append(
                ScriptVariable(key: key, value: text(entry["value"]), isSecret: entry["type"]?.stringValue == "secret"))
        }
        return (variables, disabled)
    }

    /// Returns a value as Postman inserts it into text.
    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.literal
        case .array(let elements): json(.array(elements))
        case .object(let object): json(.object(object))
        }
    }

    /// Returns a value as JSON text.
    static func json(_ value: JSONValue) -> String {
        var bytes: [UInt8] = []
        JSONWriter().write(value, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
