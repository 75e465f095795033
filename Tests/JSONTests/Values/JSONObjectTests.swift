import JSON
import Testing

struct JSONObjectTests {
    /// Numbers of members around the size at which an object gets an index.
    @Test(arguments: [0, 1, 11, 12, 13, 14, 100, 1000])
    func membersAreFoundAndKeepTheirOrder(_ count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["name \(number)"] = .number(JSONNumber(number)) }
        #expect(object.count == count)
        #expect(object.isEmpty == (count == 0))
        #expect(Array(object.keys) == (0..<count).map { "name \($0)" })
        #expect(Array(object.values) == (0..<count).map { .number(JSONNumber($0)) })
        for number in 0..<count {
            #expect(object["name \(number)"] == .number(JSONNumber(number)))
            #expect(object.position(of: "name \(number)") == number)
        }
        #expect(object["name \(count)"] == nil)
        #expect(!object.contains(""))
    }

    @Test(arguments: [5, 14, 40])
    func removingAndReplacing(_ count: Int) {
        var object = JSONObject((0..<count).map { ("\($0)", .number(JSONNumber($0))) })
        let original = object
        #expect(object.removeValue(forKey: "1") == 1)
        #expect(object.removeValue(forKey: "1") == nil)
        object["0"] = "new"
        object["1"] = "back"
        object["3"] = nil
        let rest = (4..<count).map(String.init)
        #expect(Array(object.keys) == ["0", "2"] + rest + ["1"])
        #expect(object["0"] == "new")
        #expect(object["1"] == "back")
        #expect(object["3"] == nil)
        #expect(original["3"] == 3, "the original must not change")
        #expect(original.count == count)
    }

    @Test(arguments: [3, 50])
    func orderDoesNotMatterForEquality(_ count: Int) {
        let members = (0..<count).map { ("\($0)", JSONValue.number(JSONNumber($0))) }
        let forwards = JSONObject(members)
        let backwards = JSONObject(members.reversed())
        var changed = backwards
        changed["0"] = nil
        changed["other"] = 0
        #expect(forwards == backwards)
        #expect(forwards.hashValue == backwards.hashValue)
        #expect(forwards != changed)
        #expect(Array(forwards.keys) != Array(backwards.keys))
    }

    @Test(arguments: [5, 14, 40])
    func removingManyAndMapping(_ count: Int) {
        var object = JSONObject((0..<count).map { ("\($0)", .number(JSONNumber($0))) })
        object.removeAll { $0.value == 0 || $0.key == "2" }
        #expect(Array(object.keys) == ["1"] + (3..<count).map(String.init))
        #expect(object["3"] == 3)
        #expect(object["2"] == nil)
        let texts = object.mapValues { .string($0.serialized()) }
        #expect(Array(texts.keys) == Array(object.keys))
        #expect(texts["3"] == "3")
        #expect(JSONObject(object.filter { $0.key == "3" }) == ["3": 3])
    }

    @Test func ofEqualNamesTheLastValueIsKept() {
        let object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.map(\.key) == ["a", "b"])
        #expect(object["a"] == 3)
    }

    @Test func sortingOrdersByCodePoint() {
        var object: JSONObject = ["b": 1, "\u{1F600}": 2, "a": 3, "\u{FFFD}": 4, "": 5]
        object.sortMembers()
        #expect(Array(object.keys) == ["", "a", "b", "\u{FFFD}", "\u{1F600}"])
        #expect(object["b"] == 1)
    }
}
