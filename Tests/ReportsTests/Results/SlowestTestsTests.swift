import Testing

@testable import Reports

struct SlowestTestsTests {
    @Test func slowest() {
        var list = SlowestList<String>(limit: 3)
        for (duration, name) in [(5, "a"), (1, "b"), (5, "c"), (9, "d"), (5, "e"), (0, "f")] as [(Int64, String)] {
            list.add(duration, name)
        }
        #expect(list.items.map(\.item) == ["d", "a", "c"])
    }
}
