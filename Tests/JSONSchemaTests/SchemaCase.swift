import JSON
import JSONSchema
import Testing

/// A schema with valid and invalid values, all as JSON texts.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    let dialect: JSONSchemaDialect
    let schema: String
    let valid: [String]
    let invalid: [String]

    init(_ dialect: JSONSchemaDialect, _ schema: String, valid: [String] = [], invalid: [String] = []) {
        self.dialect = dialect
        self.schema = schema
        self.valid = valid
        self.invalid = invalid
    }

    var testDescription: String { "\(dialect): \(schema)" }

    /// Checks the results, and that exactly the invalid values have violations.
    func check(_ resources: JSONSchemaResources = .init()) throws {
        let compiled = try JSONSchema(
            JSONValue(parsing: schema), resources: resources, options: JSONSchemaOptions(dialect: dialect))
        for text in valid {
            let value = try JSONValue(parsing: text)
            #expect(compiled.isValid(value), "\(text) must match \(schema)")
            #expect(compiled.violations(of: value) == [])
        }
        for text in invalid {
            let value = try JSONValue(parsing: text)
            #expect(!compiled.isValid(value), "\(text) must not match \(schema)")
            #expect(compiled.violations(of: value).first?.kind == .invalid)
        }
    }
}

extension JSONSchema {
    /// Creates a schema by compiling a JSON text.
    init(
        text: String, dialect: JSONSchemaDialect = .draft202012, resources: JSONSchemaResources = .init(),
        limits: JSONSchemaLimits = .init()
    ) throws {
        self = try JSONSchema(
            JSONValue(parsing: text), resources: resources,
            options: JSONSchemaOptions(dialect: dialect, limits: limits))
    }
}
