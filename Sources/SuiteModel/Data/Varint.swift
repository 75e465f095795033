/// Numbers in as many bytes as they need, seven bits in each, the lowest first.
package enum Varint {
    /// Appends a number, which is not negative.
    package static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads a number and moves the index behind it.
    @inline(__always)
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int {
        var number: UInt = 0
        var shift: UInt = 0
        while true {
            let byte = bytes[index]
            index += 1
            number |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: number) }
            shift += 7
        }
    }
}
