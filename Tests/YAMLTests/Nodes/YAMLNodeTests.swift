import Basics
import Diagnostics
import JSON
import Testing
import YAML

@Suite struct YAMLNodeTests {
    @Test func collections() throws {
        let root = try Reading("b: [1, two, {c: ~}]\na: {}\n").root
        #expect(root.kind == .mapping)
        #expect(root.sequence == nil)
        #expect(root.scalar == nil)
        #expect(root.mapping?.count == 2)
        #expect(root.mapping?.map { $0.key.scalar?.text } == ["b", "a"])
        let list = try #require(root["b"])
        #expect(list.kind == .sequence)
        #expect(list.mapping == nil)
        #expect(list["b"] == nil)
        #expect(list.sequence?.count == 3)
        #expect(list.sequence?.last?["c"]?.isNull == true)
        #expect(list.sequence?[1].kind == .scalar)
        #expect(root["a"]?.mapping?.isEmpty == true)
        #expect(root["x"] == nil)
        #expect(root.json.serialized() == "{\"b\":[1,\"two\",{\"c\":null}],\"a\":{}}")
        #expect(root.file.name == "a.yaml")
    }

    @Test(arguments: [1, 16, 17, 18, 1_000])
    func mapsOfEverySizeFindTheirKeys(count: Int) throws {
        let root = try Reading((0..<count).map { "key\($0): \($0)\n" }.joined()).root
        #expect(root.mapping?.count == count)
        for index in 0..<count { #expect(root["key\(index)"]?.scalar?.text == String(index)) }
        #expect(root["key\(count)"] == nil)
    }

    @Test func keysAreComparedByCodePoint() throws {
        let reading = Reading("\u{E9}: 1\ne\u{301}: 2\n")
        #expect(reading.rendered == "")
        #expect(try reading.root["\u{E9}"]?.scalar?.text == "1")
        #expect(try reading.root["e\u{301}"]?.scalar?.text == "2")
    }

    @Test func scalarKeysAreTextThatKnowsItsType() throws {
        let root = try Reading("200: a\ntrue: b\n1.10: c\n~: d\n'x': e\n").root
        #expect(root.json.serialized() == "{\"200\":\"a\",\"true\":\"b\",\"1.10\":\"c\",\"~\":\"d\",\"x\":\"e\"}")
        #expect(
            root.mapping?.map { $0.key.typeDescription } == ["an integer", "a boolean", "a number", "null", "a string"])
    }
}
