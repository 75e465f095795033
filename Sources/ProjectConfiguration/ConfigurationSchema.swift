import JSON

/// The JSON Schema of configuration files.
public enum ConfigurationSchema {
    /// Returns the schema as JSON text (JSON Schema 2020-12) with a final line break.
    ///
    /// - Parameter options: The options of each command, by command name.
    public static func json(options: [String: [ConfigurationOption]]) -> String {
        var schema = JSONObject()
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "apitest configuration"
        schema["description"] = "The defaults of a project for the options of apitest, in .apitest.yaml."
        schema["type"] = "object"
        let main = options[ConfigurationReader.mainCommand] ?? []
        var properties = JSONObject()
        properties[ConfigurationReader.paths] = described(
            texts(of: ["type": ["string", "number"]]), "The paths to use if none is given on the command line.")
        add(main, to: &properties)
        for (command, own) in options.sorted(by: { $0.key < $1.key }) {
            var members = JSONObject()
            if command == ConfigurationReader.mainCommand { continue }
            add(own, to: &members)
            properties[command] = .object([
                "description": .string("Options for \"apitest \(command)\" only."), "type": "object",
                "properties": .object(members), "additionalProperties": false,
            ])
        }
        properties[ConfigurationReader.mainCommand] = .object([
            "description": "Options for \"apitest run\" only.", "type": "object",
            "properties": .object(object(of: main)), "additionalProperties": false,
        ])
        schema["properties"] = .object(properties)
        schema["patternProperties"] = .object(["^x-": true])
        schema["additionalProperties"] = false
        return JSONValue.object(schema).serialized(.pretty) + "\n"
    }

    private static func object(of options: [ConfigurationOption]) -> JSONObject {
        var object = JSONObject()
        add(options, to: &object)
        return object
    }

    private static func add(_ options: [ConfigurationOption], to properties: inout JSONObject) {
        for option in options where !ConfigurationReader.excluded.contains(option.name) {
            properties[option.name] = described(schema(of: option), option.documentation)
        }
    }

    private static func schema(of option: ConfigurationOption) -> JSONObject {
        let value: JSONObject =
            option.choices.isEmpty
            ? ["type": ["string", "number"]] : ["enum": .array(option.choices.map { .string($0) })]
        switch option.kind {
        case .flag: return ["type": "boolean"]
        case .count:
            return [
                "anyOf": .array([
                    .object(["type": "boolean"]), .object(["type": "integer", "minimum": 0, "maximum": 9]),
                ])
            ]
        case .value:
            if option.name == "fail-fast" { return ["type": ["integer", "boolean"]] }
            return value
        case .values:
            if option.name == "variable" {
                let list = texts(of: value)["anyOf"]?.arrayValue ?? []
                return ["anyOf": .array(list + [.object(["type": "object"])])]
            }
            return texts(of: value)
        }
    }

    private static func texts(of value: JSONObject) -> JSONObject {
        ["anyOf": .array([.object(value), .object(["type": "array", "items": .object(value)])])]
    }

    private static func described(_ schema: JSONObject, _ documentation: String) -> JSONValue {
        var object = JSONObject()
        object["description"] = .string(documentation)
        for (name, value) in schema { object[name] = value }
        return .object(object)
    }
}
