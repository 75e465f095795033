import Testing

@testable import Output

struct ByteBufferTests {
    @Test func growsAndKeepsItsBytes() {
        var buffer = ByteBuffer()
        var expected: [UInt8] = []
        #expect(buffer.isEmpty && buffer.array.isEmpty)
        for number in 0..<2_000 {
            buffer.append(UInt8(truncatingIfNeeded: number))
            expected.append(UInt8(truncatingIfNeeded: number))
            let part = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 7)
            buffer.append(part)
            expected += part
            buffer.append("word")
            expected += "word".utf8
        }
        #expect(buffer.array == expected)
        #expect(buffer.count == expected.count)
        #expect(buffer.array(from: 9_000) == Array(expected[9_000...]))
        #expect(buffer.array(from: expected.count + 5).isEmpty)
        var other = ByteBuffer()
        other.append(buffer)
        buffer.removeAll()
        #expect(buffer.isEmpty && other.array == expected)
        buffer.append("x")
        #expect(buffer.array == [0x78])
    }

    @Test(arguments: [(0, "abcdef"), (-1, "abcdef"), (2, "cdef"), (5, "f"), (6, ""), (9, "")])
    func firstBytesAreForgotten(_ dropped: Int, _ expected: String) {
        var buffer = ByteBuffer()
        buffer.append("abcdef")
        buffer.removeFirst(dropped)
        #expect(buffer.array == Array(expected.utf8))
        buffer.append("g")
        #expect(buffer.array == Array((expected + "g").utf8))
    }

    @Test func aClosureWritesNoMoreThanItSays() {
        var buffer = ByteBuffer()
        var array: [UInt8] = []
        for room in [0, 1, 300, 5] {
            func write(_ start: UnsafeMutablePointer<UInt8>) -> Int {
                for index in 0..<room / 2 { start[index] = UInt8(truncatingIfNeeded: room) }
                return room / 2
            }
            buffer.append(maximum: room, write)
            array.append(maximum: room, write)
        }
        #expect(buffer.array == array)
        #expect(array.count == 152)
    }
}
