import JSON
import JSONSchema
import TestSupport

/// A JSON Schema under `Schemas` with the requirements of a report format.
enum ReportSchema {
    /// Returns the violations of a value.
    ///
    /// - Parameter name: The name of the schema without its extension, such as `ctrf`.
    static func violations(of value: JSONValue, named name: String) throws -> [String] {
        let support = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let text = try TemporaryDirectory.read("/\(support)/Schemas/\(name).schema.json")
        let schema = try JSONSchema(JSONValue(parsing: text))
        return schema.violations(of: value).map(\.description)
    }
}
