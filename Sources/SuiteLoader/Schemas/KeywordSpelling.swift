import Basics
import Diagnostics
import JSON

/// Finds keywords of schemas that are probably misspelled: validators have to ignore what they do not know.
enum KeywordSpelling {
    /// A keyword that is probably misspelled.
    struct Slip: Equatable {
        /// The way to it.
        var tokens: [String]
        /// What was probably meant.
        var nearest: String
    }

    /// The most slips that are looked for.
    private static let most = 20
    /// Keywords whose values have schemas by names.
    private static let maps: Set = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
    ]
    /// Keywords whose values are lists of schemas.
    private static let lists: Set = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
    /// Keywords whose values are schemas.
    private static let schemas: Set = [
        "items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties",
        "propertyNames", "not", "if", "then", "else", "contentSchema",
    ]
    /// All other keywords of all drafts, and those that OpenAPI adds.
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

    /// The probable slips of a schema and of the schemas in it.
    static func slips(in schema: JSONValue) -> [Slip] {
        var slips: [Slip] = []
        var pending: [(schema: JSONValue, tokens: [String])] = [(schema, [])]
        while let (schema, tokens) = pending.popLast(), slips.count < most {
            for (name, value) in schema.objectValue ?? JSONObject() {
                let place = tokens + [name]
                if maps.contains(name) {
                    for (key, value) in value.objectValue ?? JSONObject() { pending.append((value, place + [key])) }
                } else if lists.contains(name), let elements = value.arrayValue {
                    for (index, element) in elements.enumerated() { pending.append((element, place + [String(index)])) }
                } else if schemas.contains(name) {
                    pending.append((value, place))
                } else if !known.contains(name), let nearest = nearest(to: name) {
                    slips.append(Slip(tokens: place, nearest: nearest))
                }
            }
        }
        return slips
    }

    /// The keyword that was probably meant; names that tools add, such as `tsType`, are longer than the ones they resemble.
    private static func nearest(to name: String) -> String? {
        guard !name.hasPrefix("x-"), let nearest = Spelling.nearest(to: name, among: sorted),
            abs(nearest.utf8.count - name.utf8.count) <= max(1, name.utf8.count / 8)
        else { return nil }
        return nearest
    }
}
