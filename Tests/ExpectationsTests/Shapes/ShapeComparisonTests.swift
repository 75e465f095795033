import JSON
import Testing

@testable import Expectations

struct ShapeComparisonTests {
    private static let locked = #"""
        {"type":"object","required":["id","tags","items"],"properties":{
          "id":{"type":"integer"},"note":{"type":"string"},"state":{"type":"string","enum":["closed","open"]},
          "at":{"type":"string","format":"date-time"},"tags":{"type":"array"},
          "items":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"type":"number"}}}},
          "by":{"type":"object","additionalProperties":{"type":["integer","null"]}},"free":{}}}
        """#

    @Test(arguments: [
        (#"{"id":1,"tags":[],"items":[]}"#, []),
        (#"{"id":1,"tags":["x",2],"items":[{"n":1},{"n":1.5}],"free":[[]],"by":{"x":1,"y":null}}"#, []),
        (#"{"tags":[],"items":[]}"#, ["$.id: the member is missing; it is locked as integer"]),
        (#"{"id":"1","tags":[],"items":[]}"#, ["$.id: locked as integer, got string"]),
        (#"{"id":1.5,"tags":[],"items":[]}"#, ["$.id: locked as integer, got number"]),
        (#"{"id":null,"tags":[],"items":[]}"#, ["$.id: locked as integer, got null"]),
        (#"{"id":1,"tags":{},"items":[]}"#, ["$.tags: locked as array, got object"]),
        (
            #"{"id":1,"tags":[],"items":[{"n":1},{},{"m":true},{"n":"1"},{"n":false}]}"#,
            [
                "$.items[*].n: the member is missing; it is locked as number",
                "$.items[*].m: the member is new: boolean",
                "$.items[*].n: locked as number, got string or boolean",
            ]
        ),
        (
            #"{"id":1,"tags":[],"items":[],"state":"new","at":"today","more":{"a b":1}}"#,
            [
                #"$.state: locked as one of "closed", "open", got another value"#,
                "$.at: locked as string (date-time), got string", "$.more: the member is new: object { \"a b\" }",
            ]
        ),
        (#"{"id":1,"tags":[],"items":[],"by":{"x":"y"}}"#, ["$.by.*: locked as integer or null, got string"]),
        (
            "[]",
            [
                "$: locked as object { at?, by?, free?, id, items, note?, state?, tags }, got array"
            ]
        ),
    ])
    func findsDifferences(text: String, expected: [String]) throws {
        let shape = try Shape(schema: try JSONValue(parsing: Array(Self.locked.utf8)))
        let differences = shape.differences(of: try JSONValue(parsing: Array(text.utf8)))
        #expect(differences.map { "\($0.path): \($0.message)" } == expected)
    }

    @Test func additionsAloneBreakNothing() throws {
        let shape = Shape(of: try JSONValue(parsing: Array(#"{"a":1}"#.utf8)))
        let found = shape.differences(of: try JSONValue(parsing: Array(#"{"a":1,"b":2}"#.utf8)))
        #expect(found.map(\.kind.isBreaking) == [false])
        let lost = shape.differences(of: .object([:]))
        #expect(lost.map(\.kind.isBreaking) == [true])
    }

    @Test func differencesAreBounded() {
        let shape = Shape(of: .object(["a": 1]))
        var object = JSONObject()
        for index in 0..<5_000 { object["new \(index)"] = .null }
        #expect(shape.differences(of: .object(object)).count == ShapeLimits.differences)
    }
}
