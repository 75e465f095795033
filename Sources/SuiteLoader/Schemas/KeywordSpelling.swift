import Basics
import Diagnostics
import JSON

/// Finds probably misspelled keywords in schemas, because validators must ignore unknown keywords.
enum KeywordSpelling {
    /// A probably misspelled keyword.
    struct Slip: Equatable {
        /// The tokens of a JSON Pointer to the keyword.
        var tokens: [String]
        /// The keyword that was probably meant.
        var nearest: String
    }

    /// The maximum number of misspellings to find.
    private static let maximum = 20
    /// Keywords whose values are objects of schemas.
    private static let maps: Set = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
    ]
    /// Keywords whose values are arrays of schemas.
    private static let lists: Set = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
    /// Keywords whose values are schemas.
    private static let schemas: Set = [
        "items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties",
        "propertyNames", "not", "if", "then", "else", "contentSchema",
    ]
    /// All other keywords of all drafts, and those of OpenAPI.
    private static let others: Set = [
        "$schema", "$id", "id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef",
        "$recursiveAnchor", "$vocabulary", "$comment", "type", "enum", "const", "multipleOf", "maximum",
        "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems",
        "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required", "dependentRequired",
        "format", "contentEncoding", "contentMediaType", "title", "description", "default", "deprecated", "readOnly",
        "writeOnly", "examples", "example", "nullable", "discriminator", "xml", "externalDocs",
    ]
    private static let known = maps.union(lists).union(schemas).union(others)
    private static let sorted = known.sorted()

    /// Returns the probable misspellings in a schema and its subschemas.
    static func slips(in schema: JSONValue) -> [Slip] {
        var slips: [Slip] = []
        var pending: [(schema: JSONValue, tokens: [String])] = [(schema, [])]
        while let (schema, tokens) = pending.popLast(), slips.count < maximum {
            for (name, value) in schema.objectValue ?? JSONObject() {
                let location = tokens + [name]
                if maps.contains(name) {
                    for (key, value) in value.objectValue ?? JSONObject() { pending.append((value, location + [key])) }
                } else if lists.contains(name), let elements = value.arrayValue {
                    for (index, element) in elements.enumerated() {
                        pending.append((element, location + [String(index)]))
                    }
                } else if schemas.contains(name) {
                    pending.append((value, location))
                } else if !known.contains(name), let nearest = nearest(to: name) {
                    slips.append(Slip(tokens: location, nearest: nearest))
                }
            }
        }
        return slips
    }

    /// Returns the keyword that was probably meant.
    ///
    /// Keywords of other tools, such as `tsType`, are longer than the ones that they resemble, and are not reported.
    private static func nearest(to name: String) -> String? {
        guard !name.hasPrefix("x-"), let nearest = Spelling.nearest(to: name, among: sorted),
            abs(nearest.utf8.count - name.utf8.count) <= max(1, name.utf8.count / 8)
        else { return nil }
        return nearest
    }
}
