import Basics
import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing
import YAML

/// Two descriptions and the IDs of their differences: an entry of a file in `Pairs`.
struct ComparisonPair: Sendable, CustomTestStringConvertible {
    let name: String
    let old: JSONValue
    let new: JSONValue
    let deprecationDays: Int
    /// The expected differences, sorted: `breaking api-removed-without-deprecation`.
    let expected: [String]
    /// Some of the expected messages.
    let messages: [String]

    var testDescription: String { name }

    /// Reads an entry.
    init(_ entry: JSONValue, in file: String) throws {
        let title = try #require(entry["name"]?.stringValue)
        name = "\(file): \(title)"
        let days = entry["deprecationDays"]?.numberValue?.int64 ?? 0
        deprecationDays = Int(days)
        let version = entry["openapi"]?.stringValue ?? "3.1.0"
        let location = try #require(Self.locations[file] ?? (file.hasPrefix("schema-") ? Self.uses : nil))
        let schemas = entry["schemas"]
        old = Self.document(location(try #require(entry["old"])), version, schemas)
        new = Self.document(
            location(try #require(entry["new"])), entry["newOpenapi"]?.stringValue ?? version,
            entry["newSchemas"] ?? schemas)
        expected = ["breaking", "warning", "info"].flatMap { level in
            (entry[level]?.arrayValue ?? []).compactMap { $0.stringValue.map { "\(level) \($0)" } }
        }.sorted()
        messages = (entry["messages"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    private static func document(_ content: JSONValue, _ version: String, _ schemas: JSONValue?) -> JSONValue {
        var document: JSONObject = ["openapi": .string(version), "info": ["title": "a", "version": "1"]]
        for (name, value) in content.objectValue ?? [:] { document[name] = value }
        if let schemas { document["components"] = ["schemas": schemas] }
        return .object(document)
    }

    /// The conversions of the values in a file to descriptions.
    private static let locations: [String: @Sendable (JSONValue) -> JSONValue] = [
        "documents": { $0 },
        "operations": { ["paths": ["/x": ["post": $0]]] },
        "parameters": { ["paths": ["/x": ["get": ["parameters": $0]]]] },
    ]

    /// Returns a description with a schema in every possible role.
    @Sendable
    private static func uses(_ schema: JSONValue) -> JSONValue {
        func content(_ schema: JSONValue) -> JSONValue { ["content": ["application/json": ["schema": schema]]] }
        func response(_ members: JSONValue) -> JSONValue {
            var members = members.objectValue ?? [:]
            members["description"] = "a"
            return ["get": ["responses": ["200": .object(members)]]]
        }
        func parameter(_ schema: JSONValue) -> JSONValue {
            ["get": ["parameters": [["name": "p", "in": "query", "style": "deepObject", "schema": schema]]]]
        }
        let member: JSONValue = ["type": "object", "properties": ["x": schema]]
        return [
            "paths": [
                "/request-body": ["post": ["requestBody": content(schema)]],
                "/request-property": ["post": ["requestBody": content(member)]],
                "/parameter": parameter(schema),
                "/parameter-property": parameter(member),
                "/response-body": response(content(schema)),
                "/response-property": response(content(member)),
                "/response-header": response(["headers": ["X": ["schema": schema]]]),
            ]
        ]
    }

    /// All entries of all files.
    static let all: [ComparisonPair] = {
        let names = [
            "documents", "operations", "parameters", "schema-arrays", "schema-composition", "schema-discriminators",
            "schema-inside", "schema-lifecycle", "schema-limits", "schema-members", "schema-objects", "schema-same",
            "schema-strings", "schema-types", "schema-values",
        ]
        return names.flatMap { name -> [ComparisonPair] in
            guard let text = try? TestFiles.text("Comparison/Pairs/\(name).yaml"),
                case .document(let document) = LocatedDocument.read(SourceFile(name: name, text: text))
            else { return [] }
            return (document.value.arrayValue ?? []).compactMap { try? ComparisonPair($0, in: name) }
        }
    }()

    /// Returns the differences in the format of ``expected``.
    func changes(backwards: Bool = false, sameTwice: Bool = false) throws -> [Change] {
        let before = try Self.load(backwards ? new : old, "/old.json")
        let after = sameTwice ? before : try Self.load(backwards ? old : new, "/new.json")
        let today = try #require(CalendarDate(fullDate: "2026-11-22"))
        return DescriptionComparison(
            old: before, new: after, options: ComparisonOptions(today: today, deprecationDays: deprecationDays)
        ).changes
    }

    private static func load(_ document: JSONValue, _ location: String) throws -> OpenAPIDescription {
        try #require(TextSource([location: document.serialized()]).load(location).description)
    }
}
