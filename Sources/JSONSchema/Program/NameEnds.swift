/// The length of a name with its first and its last eight bytes, which may overlap.
struct NameEnds: Equatable, Sendable {
    let count: Int
    let first: UInt64
    let last: UInt64

    @inline(__always)
    init(_ name: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(name)
        count = name.count
        if count >= 8 {
            first = raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            last = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            first = UInt64(raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            last = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            first = UInt64(name[0]) | UInt64(name[count >> 1]) << 8
            last = UInt64(name[count &- 1])
        } else {
            first = 0
            last = 0
        }
    }
}
