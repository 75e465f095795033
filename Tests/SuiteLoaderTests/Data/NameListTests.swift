import SuiteModel
import Testing

@Testing.Suite("Names in little memory")
struct NameListTests {
    @Test(
        "A list of names returns each name that was added",
        arguments: [
            [], [""], ["a", "", "a", "ab", "b", "żółw 🐢", "żółw", "żółwie"],
            (0..<100).map { "item \($0)" },
            (0..<40).map { String(repeating: "x", count: ($0 * 37) % 300) + "y" },
            (0..<33).map { _ in "the same" },
            (0..<70).map { String(repeating: "ab", count: [3, 14, 15, 16, 29, 300][$0 % 6]) + "\($0)" },
        ])
    func names(_ names: [String]) {
        let list = NameList(names)
        #expect(list.count == names.count)
        #expect(Array(list) == names)
        #expect(names.indices.map { list[$0] } == names)
        #expect(names.indices.reversed().map { list[$0] } == names.reversed())
    }

    @Test("Names can be read while others are added, and an index out of range returns nothing")
    func appending() {
        var list = NameList()
        for number in 0..<50 {
            list.append("book \(number * number)")
            #expect(list[number] == "book \(number * number)")
        }
        #expect(list[50].isEmpty)
        #expect(list[-1].isEmpty)
    }

    @Test("Names that are too many for memory are read in any order")
    func many() {
        func name(_ number: Int) -> String { "book \(number * 7_919 % 1_000_003)" }
        let count = 200_000
        let list = NameList((0..<count).lazy.map(name))
        #expect(list.enumerated().allSatisfy { $1 == name($0) })
        #expect((0..<count).allSatisfy { list[$0] == name($0) })
        #expect(stride(from: count - 1, to: 0, by: -101).allSatisfy { list[$0] == name($0) })
    }
}
