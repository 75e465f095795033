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
        #expect(Set(SuiteKey.schema.keys) == Set(SuiteKey.allCases))
        #expect(Set(DefaultsKey.schema.keys) == Set(DefaultsKey.allCases))
        #expect(Set(ServeKey.schema.keys) == Set(ServeKey.allCases))
        #expect(Set(TestKey.schema.keys) == Set(TestKey.allCases))
        #expect(Set(StepKey.schema.keys) == Set(StepKey.allCases))
        #expect(Set(RequestKey.schema.keys) == Set(RequestKey.allCases))
        #expect(Set(TimeoutKey.schema.keys) == Set(TimeoutKey.allCases))
        #expect(Set(ExpectKey.schema.keys) == Set(ExpectKey.allCases))
        #expect(Set(OperatorKey.schema.keys) == Set(OperatorKey.allCases))
        #expect(Set(SchemaKey.schema.keys) == Set(SchemaKey.allCases))
        #expect(Set(CloseToKey.schema.keys) == Set(CloseToKey.allCases))
        #expect(Set(WithinKey.schema.keys) == Set(WithinKey.allCases))
        #expect(Set(CaptureKey.schema.keys) == Set(CaptureKey.allCases))
    }
}
