import JSON
import JSONSchema
import Testing

/// The official JSON Schema test suite.
///
/// It runs if the environment variable `APITEST_CORPORA` names a directory with `json-schema`. Otherwise, the tests are
/// reported as skipped, because the data of the suite is not part of this package.
struct ConformanceTests {
    @Test(.enabled(if: ConformanceSuite.corpora != nil, "APITEST_CORPORA is not set"))
    func draft202012() throws {
        let result = try ConformanceSuite(directory: "draft2020-12").run(.draft202012)
        for problem in result.problems { Issue.record("\(problem)") }
        print("JSON Schema 2020-12 \(result.passed)/\(result.count)")
        #expect(result.count >= 1299)
    }

    @Test(.enabled(if: ConformanceSuite.corpora != nil, "APITEST_CORPORA is not set"))
    func draft7() throws {
        let result = try ConformanceSuite(directory: "draft7").run(.draft7)
        for problem in result.problems { Issue.record("\(problem)") }
        print("JSON Schema draft-07 \(result.passed)/\(result.count)")
        #expect(result.count >= 927)
    }

    /// The files of draft 7 whose keywords have the same meaning in another draft.
    @Test(.enabled(if: ConformanceSuite.corpora != nil, "APITEST_CORPORA is not set"))
    func draft7UnderOtherDrafts() throws {
        let suite = try ConformanceSuite(directory: "draft7")
        let same: [JSONSchemaDialect: Set<String>] = [
            .draft4: [
                "additionalItems", "additionalProperties", "allOf", "anyOf", "definitions", "dependencies", "enum",
                "items",
                "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties",
                "minimum",
                "multipleOf", "not", "oneOf", "pattern", "patternProperties", "properties", "required", "uniqueItems",
            ],
            .draft6: Set(suite.groups.map { String($0.file.dropLast(5)) }).subtracting(["if-then-else", "definitions"]),
            .draft201909: Set(suite.groups.map { String($0.file.dropLast(5)) }).subtracting([
                "ref", "refRemote", "definitions",
            ]),
        ]
        for (dialect, files) in same.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let result = suite.run(dialect) { group in
                guard files.contains(String(group.file.dropLast(5))) else { return false }
                // In draft 6, unknown keywords do not contain identifiers.
                let isOfConditions = ["ref to if", "ref to then", "ref to else"].contains(group.description)
                if dialect == .draft6, isOfConditions { return false }
                // Draft 4 has no Boolean schemas, no 1.0 as an integer in keywords, and no later keywords.
                return dialect != .draft4 || !ConformanceTests.needsMoreThanDraft4(group.schema, group.description)
            } adapt: { schema in
                ConformanceTests.with(dialect, schema)
            }
            for problem in result.problems { Issue.record("\(dialect): \(problem)") }
            print("JSON Schema \(dialect), cases of draft-07: \(result.passed)/\(result.count)")
            #expect(result.count > 300)
        }
    }

    private static func with(_ dialect: JSONSchemaDialect, _ schema: JSONValue) -> JSONValue {
        guard case .object(var object) = schema else { return schema }
        object["$schema"] = .string(dialect.uri)
        return .object(object)
    }

    private static func needsMoreThanDraft4(_ schema: JSONValue, _ description: String) -> Bool {
        if description.contains("decimal") || description.contains("const") { return true }
        switch schema {
        case .bool: return true
        case .array(let elements): return elements.contains { needsMoreThanDraft4($0, "") }
        case .object(let object):
            return object.contains { name, value in
                let isLater = ["const", "contains", "propertyNames", "if", "$id", "exclusiveMinimum"].contains(name)
                if isLater { return true }
                // Arrays of names and Booleans are not schemas.
                if ["enum", "required", "default", "uniqueItems"].contains(name) {
                    return name == "required" && value == []
                }
                if case .array(let names) = value, names.isEmpty { return true }
                return needsMoreThanDraft4(value, "")
            }
        default: return false
        }
    }
}
