import Testing

@testable import FileSystem

@Suite("Bytes beyond those in memory")
struct SpilledBytesTests {
    /// Appends parts of different lengths, and returns their ranges.
    private func append(_ count: Int, to bytes: inout SpilledBytes, marked mark: UInt8 = 0) -> [Range<Int>] {
        (0..<count).map { number in
            bytes.spillIfLong()
            let start = bytes.count
            bytes.append { $0 += Self.part(number, marked: mark) }
            return start..<bytes.count
        }
    }

    private static func part(_ number: Int, marked mark: UInt8) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number) ^ mark, count: number % 100)
    }

    private func isRead(_ ranges: [Range<Int>], of bytes: SpilledBytes, order: [Int], marked mark: UInt8 = 0) -> Bool {
        order.allSatisfy { number in
            bytes.withBytes(in: ranges[number]) { Array($0) } == Self.part(number, marked: mark)
        }
    }

    @Test("Parts are read in any order, from the file and from memory")
    func order() {
        var bytes = SpilledBytes()
        let ranges = append(20_000, to: &bytes)
        bytes.finish()
        #expect(bytes.isSpilled)
        #expect(bytes.count == ranges.last?.upperBound)
        let order = Array(ranges.indices)
        #expect(isRead(ranges, of: bytes, order: order))
        #expect(isRead(ranges, of: bytes, order: order.reversed()))
        #expect(isRead(ranges, of: bytes, order: order.shuffled()))
    }

    @Test("Few bytes need no file")
    func few() {
        var bytes = SpilledBytes()
        let ranges = append(1_000, to: &bytes)
        #expect(!bytes.isSpilled)
        #expect(isRead(ranges, of: bytes, order: Array(ranges.indices)))
    }

    @Test("Appending to a copy does not affect the original")
    func copies() {
        var original = SpilledBytes()
        let common = append(10_000, to: &original)
        var copy = original
        let ofCopy = append(20_000, to: &copy, marked: 0x55)
        let ofOriginal = append(20_000, to: &original, marked: 0xAA)
        #expect(isRead(common, of: original, order: Array(common.indices)))
        #expect(isRead(common, of: copy, order: Array(common.indices)))
        #expect(isRead(ofCopy, of: copy, order: Array(ofCopy.indices), marked: 0x55))
        #expect(isRead(ofOriginal, of: original, order: Array(ofOriginal.indices), marked: 0xAA))
    }
}
