import Testing

@testable import RunRecord

@Suite("Sorting outside of memory")
struct SpilledSortTests {
    private struct Element: BitwiseCopyable {
        var key: UInt64
        var index: Int
    }

    /// Returns pseudorandom numbers, with repetitions.
    private func numbers(_ count: Int) -> [UInt64] {
        var state: UInt64 = 42
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % UInt64(max(1, count / 2))
        }
    }

    @Test(
        "All elements come back in order, whatever part of them is in memory",
        arguments: [0, 1, 2, 100, 5_000], [1, 3, 100, 4_999, 5_000, 10_000])
    func order(_ count: Int, _ limit: Int) throws {
        let sort = SpilledSort<Element>(limit: limit) { ($0.key, $0.index) < ($1.key, $1.index) }
        let numbers = numbers(count)
        for (index, key) in numbers.enumerated() { try sort.append(Element(key: key, index: index)) }
        #expect(sort.first == nil)
        try sort.finish()
        var sorted: [Element] = []
        while let element = sort.first {
            sorted.append(element)
            try sort.removeFirst()
        }
        let expected = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
        #expect(sorted.map(\.index) == expected)
        #expect(sorted.map(\.key) == expected.map { numbers[$0] })
    }
}
