import JSON
import SuiteModel
import YAML

/// Converts mapping descriptions to a JSON Schema (2020-12).
enum SchemaWriter {
    /// The pattern of a string that consists of a single expression.
    private static let expressionPattern = #"^\$\{[\s\S]*\}$"#

    private static let fixedDurationPattern = #"^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h|d))+$"#
    private static let durationPattern = fixedDurationPattern + #"|\$\{"#
    private static let ratePattern = #"^[0-9]+(\.[0-9]+)?/(s|m|h)$"#
    private static let sizePattern = #"^[0-9]+(\.[0-9]+)?(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$|\$\{"#

    /// Returns the text of a schema for a root mapping and the definitions that it references.
    static func document(root: MapDescription, maps: [MapDescription]) -> String {
        var schema = JSONObject()
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = .string("apitest \(root.title.split(separator: " ").dropFirst().joined(separator: " "))")
        for (name, value) in object(of: root) { schema[name] = value }
        var definitions = JSONObject()
        for map in maps where map.name != root.name { definitions[map.name] = .object(object(of: map)) }
        definitions["matcher"] = matcher
        definitions["partialValue"] = partialValue
        definitions["durationMatcher"] = quantityMatcher(.duration)
        definitions["sizeMatcher"] = quantityMatcher(.size)
        definitions["status"] = status
        definitions["duration"] = .object([
            "description": "A duration: 250ms, 2s, 1m30s; or an expression.", "type": "string",
            "pattern": .string(durationPattern),
        ])
        definitions["size"] = .object([
            "description": "A size: 500B, 64KB (of 1,000), 5MiB (of 1,024); or an expression.", "type": "string",
            "pattern": .string(sizePattern),
        ])
        schema["$defs"] = .object(definitions)
        return JSONValue.object(schema).serialized(.pretty)
    }

    // MARK: Mappings

    private static func object(of map: MapDescription) -> JSONObject {
        var object = JSONObject()
        object["description"] = .string(map.documentation)
        object["type"] = "object"
        var properties = JSONObject()
        for entry in map.entries {
            var schema = schema(of: entry.kind)
            if namedValues.contains("\(map.name).\(entry.name)") {
                schema["propertyNames"] = .object(["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"])
            }
            SchemaNotes.all["\(map.name).\(entry.name)"]?.add(to: &schema)
            properties[entry.name] = described(schema, entry.documentation)
        }
        object["properties"] = .object(properties)
        if map.allowsExtensions {
            object["patternProperties"] = .object(["^x-": described(JSONObject(), "Any value; it is kept and ignored.")]
            )
        }
        if map.name == OperatorKey.schema.description.name { object["minProperties"] = 1 }
        let required = map.entries.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { object["required"] = .array(required) }
        // A test or step requires at least one of the actions.
        let actions = map.entries.map(\.name).filter(["request", "run", "steps", "websocket", "call"].contains)
        if actions.count > 1, map.name == "test" || map.name == "step" {
            object["anyOf"] = .array(actions.map { .object(["required": .array([.string($0)])]) })
        }
        object["additionalProperties"] = false
        return object
    }

    private static func described(_ schema: JSONObject, _ documentation: String) -> JSONValue {
        var object = JSONObject()
        object["description"] = .string(documentation)
        // Editors that support this keyword render code spans; others show the plain description.
        if documentation.contains("`") { object["markdownDescription"] = .string(documentation) }
        for (name, value) in schema { object[name] = value }
        return .object(object)
    }

    /// The mappings whose keys are variable names.
    private static let namedValues: Set<String> = [
        "suite.variables", "settings.variables", "environment.variables", "test.variables", "step.variables",
        "test.capture", "step.capture",
    ]

    // MARK: Values

    private static func schema(of kind: ValueKind) -> JSONObject {
        switch kind {
        case .string, .template: return ["type": "string"]
        case .text: return ["type": ["string", "number", "boolean"]]
        case .boolean: return ["type": "boolean"]
        case .integer(let range):
            return [
                "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
                "maximum": .number(JSONNumber(range.upperBound)),
            ]
        case .count(let range):
            return [
                "anyOf": .array([
                    .object(schema(of: .integer(range))), .object(schema(of: .expression)),
                ])
            ]
        case .fraction: return ["type": "number", "minimum": 0, "maximum": 1]
        case .version(let words):
            let numbers = words.compactMap { JSONNumber(literal: $0).map(JSONValue.number) }
            return ["enum": .array(words.map { .string($0) } + numbers)]
        case .ordered: return ["type": ["number", "string"]]
        case .duration: return reference("duration")
        case .fixedDuration: return ["type": "string", "pattern": .string(fixedDurationPattern)]
        case .rate: return ["type": "string", "pattern": .string(ratePattern)]
        case .size: return reference("size")
        case .choice(let words): return ["enum": .array(words.map { .string($0) })]
        case .pattern: return ["type": "string"]
        case .value: return [:]
        case .partialValue: return reference("partialValue")
        case .null: return ["type": "null"]
        case .expression: return ["type": "string", "pattern": .string(expressionPattern)]
        case .map(let name): return reference(name)
        case .members(let kind): return ["type": "object", "additionalProperties": .object(schema(of: kind))]
        case .list(.map(let name)) where name == "test" || name == "step":
            return ["type": "array", "items": .object(reference(name)), "minItems": 1]
        case .list(let kind): return ["type": "array", "items": .object(schema(of: kind))]
        case .pair(let kind):
            return ["type": "array", "items": .object(schema(of: kind)), "minItems": 2, "maxItems": 2]
        case .anyOf(let kinds): return ["anyOf": .array(kinds.map { .object(schema(of: $0)) })]
        case .matcher(let domain):
            switch domain {
            case .value, .status: return reference("matcher")
            case .duration: return reference("durationMatcher")
            case .size: return reference("sizeMatcher")
            }
        case .status: return reference("status")
        case .jsonPaths:
            return [
                "type": "object", "propertyNames": .object(["pattern": "^\\$"]),
                "additionalProperties": .object(reference("matcher")),
            ]
        case .schema:
            // The keywords differ between drafts, so any other mapping may be a schema.
            return [
                "anyOf": .array([
                    .object(["type": ["string", "boolean"]]), .object(reference(SchemaKey.schema.description.name)),
                    .object(["type": "object"]),
                ])
            ]
        case .captureSource: return ["type": "string", "pattern": "^\\$"]
        }
    }

    private static func reference(_ name: String) -> JSONObject { ["$ref": .string("#/$defs/\(name)")] }

    private static var matcher: JSONValue {
        .object([
            "description": "A value to equal, or a mapping of operators that must all match.",
            "anyOf": .array([
                .object(["type": ["null", "boolean", "number", "string", "array"]]),
                .object(reference(OperatorKey.schema.description.name)),
            ]),
        ])
    }

    private static var partialValue: JSONValue {
        let value = JSONValue.object(reference("partialValue"))
        let holder = described(reference("matcher"), "The matcher for the value at this position.")
        return .object([
            "description": "The expected value; `{ $match: … }` holds a matcher.",
            "anyOf": .array([
                .object(["type": ["null", "boolean", "number", "string"]]),
                .object(["type": "array", "items": value]),
                .object([
                    "type": "object", "properties": .object([PartialValue.key: holder]),
                    "required": .array([.string(PartialValue.key)]), "additionalProperties": false,
                ]),
                .object([
                    "type": "object", "properties": .object([PartialValue.key: false]), "additionalProperties": value,
                ]),
            ]),
        ])
    }

    private static func quantityMatcher(_ domain: Matcher.Domain) -> JSONValue {
        let quantity = reference(domain == .size ? "size" : "duration")
        let matcher = reference(domain == .size ? "sizeMatcher" : "durationMatcher")
        var properties = JSONObject()
        for entry in OperatorKey.schema.description.entries {
            guard let key = OperatorKey(rawValue: entry.name), key.allowsQuantity else { continue }
            let operand = operand(of: entry.kind, quantity: quantity, matcher: matcher)
            properties[entry.name] = described(operand, entry.documentation)
        }
        return .object([
            "description": .string("A \(domain == .size ? "size" : "duration"), or a mapping of operators."),
            "anyOf": .array([
                .object(quantity),
                .object(["type": "object", "properties": .object(properties), "additionalProperties": false]),
            ]),
        ])
    }

    /// Returns the schema of an operand in which quantities replace values, and their matchers replace other matchers.
    private static func operand(of kind: ValueKind, quantity: JSONObject, matcher: JSONObject) -> JSONObject {
        switch kind {
        case .value, .ordered: return quantity
        case .matcher: return matcher
        case .list(let kind):
            return ["type": "array", "items": .object(operand(of: kind, quantity: quantity, matcher: matcher))]
        case .pair(let kind):
            let element = operand(of: kind, quantity: quantity, matcher: matcher)
            return ["type": "array", "items": .object(element), "minItems": 2, "maxItems": 2]
        case .map(CloseToKey.schema.description.name):
            return [
                "type": "object",
                "properties": .object([
                    "value": described(quantity, "The value to be close to."),
                    "within": described(quantity, "The maximum distance."),
                ]),
                "required": ["value", "within"], "additionalProperties": false,
            ]
        default: return schema(of: kind)
        }
    }

    private static var status: JSONValue {
        let code = JSONValue.object(["type": "integer", "minimum": 100, "maximum": 999])
        let words = JSONValue.object(["type": "string", "pattern": #"^([1-9][0-9]{2}(-[1-9][0-9]{2})?|[1-9][xX]{2})$"#])
        let expression = JSONValue.object(["type": "string", "pattern": .string(expressionPattern)])
        return .object([
            "description": "A status: 200, 2xx, 200-204, a sequence of these, or a mapping of operators.",
            "anyOf": .array([
                code, words, expression,
                .object(["type": "array", "items": .object(["anyOf": .array([code, words])]), "minItems": 1]),
                .object(reference(OperatorKey.schema.description.name)),
            ]),
        ])
    }
}
