import FoundationEssentials
import JSON
import SuiteModel
import Testing
import YAML

@testable import SuiteLoader

/// Tests of the JSON Schema that editors use to complete and validate suites.
@Suite("JSON Schema of suites")
struct SchemaTests {
    private let schema: JSONValue

    init() throws {
        schema = try JSONValue(parsing: Array(SuiteSchema.json.utf8))
    }

    @Test("The file in schemas/ matches the generated schema")
    func fileIsCurrent() throws {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let data = try #require(FileManager.default.contents(atPath: "/\(path)/schemas/suite.schema.json"))
        #expect(String(decoding: data, as: UTF8.self) == SuiteSchema.json, "the file is out of date")
    }

    @Test("The schema contains every key of every table with a description", arguments: SuiteSchema.maps.map(\.name))
    func keysAreThere(name: String) throws {
        let map = try #require(SuiteSchema.maps.first { $0.name == name })
        let object = name == "suite" ? schema : schema["$defs"]?[name]
        let properties = try #require(object?["properties"]?.objectValue)
        #expect(Array(properties.keys) == map.entries.map(\.name))
        for (key, value) in properties {
            #expect(value["description"]?.stringValue?.isEmpty == false, "\(key) has no description")
        }
        #expect(object?["additionalProperties"] == false)
        let required = object?["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(required == map.entries.filter(\.isRequired).map(\.name))
    }

    @Test("Every reference resolves to a definition")
    func referencesResolve() throws {
        let definitions = try #require(schema["$defs"]?.objectValue)
        var pending = [schema]
        var count = 0
        while let value = pending.popLast() {
            pending += value.arrayValue ?? []
            for (name, member) in value.objectValue ?? JSONObject() {
                pending.append(member)
                guard name == "$ref", let reference = member.stringValue else { continue }
                count += 1
                #expect(reference.hasPrefix("#/$defs/"))
                #expect(definitions.contains(String(reference.dropFirst("#/$defs/".count))), "\(reference)")
            }
        }
        #expect(count > 20)
    }

    @Test("Keys are unique in each table and short enough to be compared as words")
    func keysAreUnique() {
        for map in SuiteSchema.maps {
            let names = map.entries.map(\.name)
            #expect(Set(names).count == names.count, "\(map.name)")
            for name in names { #expect(PackedName(name) != nil, "\(name)") }
        }
    }

    @Test("Every case of every key enumeration has a table entry")
    func casesHaveRows() {
        let tables: [any KeyTable] = SuiteSchema.tables + MockSchema.tables + [FragmentFileKey.schema]
        // A header with "all" allows only the operators that are about the list of its values.
        let parts = [OperatorKey.everyField.description.name]
        for table in tables where !parts.contains(table.description.name) {
            #expect(table.missing.isEmpty, "\(table.description.name): \(table.missing)")
        }
    }
}
