import JSON
import JSONSchema
import Testing

@testable import SuiteLoader

/// Tests of the information about keys in the JSON Schema of suites, apart from their kinds.
@Suite("Defaults, examples, and snippets in the JSON Schema of suites")
struct SchemaNotesTests {
    @Test("Each note belongs to a key", arguments: SchemaNotes.all.keys.sorted())
    func keysAreKnown(_ name: String) throws {
        let parts = name.split(separator: ".").map(String.init)
        let map = try #require(SuiteSchema.maps.first { $0.name == parts[0] })
        #expect(map.entries.contains { $0.name == parts[1] })
    }

    @Test("Each default and each example is valid for its key", arguments: SchemaNotes.all.keys.sorted())
    func examplesAreValid(_ name: String) throws {
        let parts = name.split(separator: ".").map(String.init)
        let schema = try JSONValue(parsing: Array(SuiteSchema.json.utf8))
        let isRoot = parts[0] == "suite"
        let object = isRoot ? schema : schema["$defs"]?[parts[0]]
        var key = try #require(object?["properties"]?[parts[1]]?.objectValue)
        key["$schema"] = schema["$schema"]
        key["$defs"] = schema["$defs"]
        let compiled = try JSONSchema(.object(key))
        let note = try #require(SchemaNotes.all[name])
        for value in note.examples + [note.defaultValue].compactMap({ $0 }) {
            let violations = compiled.violations(of: value)
            #expect(violations.isEmpty, "\(name): \(value.serialized()): \(violations.map(\.message))")
        }
    }
}
