import Testing

@testable import Basics

@Suite("Stable hashes")
struct StableHashTests {
    /// The expected values are those of the reference implementation (http://www.isthe.com/chongo/tech/comp/fnv/).
    @Test(
        "The hash of a string is its FNV-1a hash",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func reference(text: String, expected: UInt64) {
        #expect(StableHash().adding(text).value == expected)
        var hash = StableHash()
        for byte in text.utf8 { hash.add(byte) }
        #expect(hash.value == expected)
    }

    @Test("A separator distinguishes strings with the same bytes in total")
    func separator() {
        func hash(_ first: String, _ second: String) -> StableHash {
            var hash = StableHash().adding(first)
            hash.addSeparator()
            return hash.adding(second)
        }
        #expect(hash("ab", "c") != hash("a", "bc"))
        #expect(hash("ab", "c") == hash("ab", "c"))
    }

    @Test("Mixed hashes of similar strings have evenly distributed remainders", arguments: [2, 3, 10, 64, 200])
    func distribution(divisor: Int) {
        let count = 1_000 * divisor
        var counts = [Int](repeating: 0, count: divisor)
        for number in 1...count {
            // Even numbers only: the lowest bit of FNV-1a itself depends only on the lowest bits of the bytes.
            counts[Int(StableHash().adding("row [\(2 * number)]").mixed % UInt64(divisor))] += 1
        }
        // Six standard deviations from the expected 1,000.
        #expect(counts.allSatisfy { abs($0 - 1_000) < 190 }, "\(counts)")
    }
}
