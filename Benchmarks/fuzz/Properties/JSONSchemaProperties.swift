import JSON
import JSONSchema

/// The properties of any JSON that is compiled as a schema and applied to any value.
enum JSONSchemaProperties {
    private static let limits = JSONSchemaLimits(
        maximumDepth: 200, maximumSteps: 20_000, maximumViolations: 20, maximumSchemas: 2_000)

    /// The resources that references can reach besides the schema.
    private static let resources: JSONSchemaResources = {
        var resources = JSONSchemaResources()
        resources.add(
            ["$id": "http://localhost/o", "$defs": ["a": ["type": "integer"], "b": ["$ref": "#"]], "maxItems": 2],
            uri: "http://localhost/o")
        return resources
    }()

    static func check(_ input: FuzzInput) throws(PropertyViolation) {
        guard let schema = try? JSONParser(limits: JSONParser.Limits(maximumDepth: 100)).parse(input.first) else {
            return
        }
        let value = input.document
        for dialect in [JSONSchemaDialect.draft202012, .draft201909, .draft7, .draft4] {
            let options = JSONSchemaOptions(
                dialect: dialect, assertsFormat: dialect != .draft7, limits: limits)
            let compiled: JSONSchema
            do {
                compiled = try JSONSchema(schema, resources: resources, options: options)
            } catch {
                try require(!error.message.isEmpty, "no message")
                if error.uri.isEmpty {
                    try require(error.pointer.evaluate(in: schema) != nil, "the error is nowhere: \(error)")
                }
                continue
            }
            guard let isValid = try verdict(of: compiled, on: value) else { continue }
            try checkCombinations(schema, options, value, isValid)
        }
    }

    /// Returns whether a value is valid, or nil if a limit was reached.
    ///
    /// Checks that only an invalid value has violations.
    private static func verdict(of schema: JSONSchema, on value: JSONValue) throws(PropertyViolation) -> Bool? {
        let isValid = schema.isValid(value)
        let violations = schema.violations(of: value)
        try require(isValid == violations.isEmpty, "valid is \(isValid), with \(violations.count) violations")
        try require(violations.count <= limits.maximumViolations + 1, "\(violations.count) violations")
        for violation in violations { try check(violation, in: value, depth: 0) }
        return violations.contains { hasLimit($0, depth: 0) } ? nil : isValid
    }

    // Causes are nested as deep as the evaluation, whose depth is limited.
    private static func hasLimit(_ violation: JSONSchemaViolation, depth: Int) -> Bool {
        violation.kind == .limit || depth > limits.maximumDepth
            || violation.causes.contains { hasLimit($0, depth: depth + 1) }
    }

    private static func check(
        _ violation: JSONSchemaViolation, in value: JSONValue, depth: Int
    ) throws(PropertyViolation) {
        try require(depth <= limits.maximumDepth, "causes nested more than \(limits.maximumDepth) deep")
        try require(!violation.message.isEmpty && !violation.description.isEmpty, "no message")
        let what = "\(violation) of \(violation.keyword) at \(violation.schemaPath)"
        try require(violation.instancePath.value(in: value) != nil, "a violation of what is not there: \(what)")
        try require(violation.schemaLocation.contains("#"), "no place in the schema: \(what)")
        try require(violation.causes.count <= limits.maximumViolations + 1, "too many causes: \(what)")
        for cause in violation.causes { try check(cause, in: value, depth: depth + 1) }
    }

    /// Checks that a schema in `allOf`, `anyOf` or `oneOf` has the same result, and in `not` the opposite.
    private static func checkCombinations(
        _ schema: JSONValue, _ options: JSONSchemaOptions, _ value: JSONValue, _ isValid: Bool
    ) throws(PropertyViolation) {
        // References and identifiers depend on the location of the schema in its document.
        let text = schema.serialized()
        guard !text.contains("\"$"), !text.contains("\"id\"") else { return }
        let combinations: [(JSONValue, Bool)] = [
            (["allOf": [schema]], isValid), (["anyOf": [schema]], isValid), (["oneOf": [schema]], isValid),
            (["not": schema], !isValid), (["not": ["not": schema]], isValid),
        ]
        for (combination, expected) in combinations {
            let compiled: JSONSchema
            do {
                compiled = try JSONSchema(combination, resources: resources, options: options)
            } catch {
                throw PropertyViolation("refused only inside of another schema: \(error)")
            }
            guard let verdict = try verdict(of: compiled, on: value) else { continue }
            try require(verdict == expected, "\(combination) gives \(verdict), \(options.dialect.rawValue)")
        }
    }
}
