import Basics
import Testing

@Suite("Values stored behind a reference")
struct IndirectTests {
    /// A value with a rarely used property.
    private struct Sample {
        @CopyOnWrite var numbers = [1]
        @Indirect var rare: [Int]?
    }

    @Test("Changing a copy does not change the original")
    func copies() {
        let first = Sample()
        var second = first
        second.numbers.append(2)
        #expect(first.numbers == [1])
        #expect(second.numbers == [1, 2])
        second.numbers[0] = 3
        #expect(second.numbers == [3, 2])
    }

    @Test("An optional value is nil at first and can be set, shared, and removed")
    func rareValues() {
        var first = Sample()
        #expect(first.rare == nil)
        first.rare = [1]
        var second = Sample()
        second.$rare = first.$rare
        #expect(second.rare == [1])
        second.rare = [2]
        #expect(first.rare == [1] && second.rare == [2])
        second.rare = nil
        #expect(second.rare == nil)
    }

    @Test("A value has the size of a pointer, whether or not it is set")
    func sizes() {
        #expect(MemoryLayout<Indirect<[Int]>>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<CopyOnWrite<[Int]>>.size == MemoryLayout<Int>.size)
    }
}
