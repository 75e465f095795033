/// The five parts of a URI reference as ranges of its bytes (RFC 3986 appendix B).
struct URLReference {
    var scheme: Range<Int>?
    var authority: Range<Int>?
    var path: Range<Int>
    var query: Range<Int>?
    var fragment: Range<Int>?

    /// Splits a reference; any bytes can be split.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var end = bytes.count
        var start = 0
        if let colon = Self.endOfScheme(bytes) {
            scheme = 0..<colon
            start = colon + 1
        }
        if start + 1 < end, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") {
            var stop = start + 2
            while stop < end, !Self.endsAuthority(bytes[stop]) { stop += 1 }
            authority = (start + 2)..<stop
            start = stop
        }
        var cursor = start
        var queryMark: Int?
        while cursor < end {
            let byte = bytes[cursor]
            if byte == UInt8(ascii: "#") {
                fragment = (cursor + 1)..<end
                end = cursor
                break
            }
            if byte == UInt8(ascii: "?"), queryMark == nil { queryMark = cursor }
            cursor += 1
        }
        if let queryMark {
            path = start..<queryMark
            query = (queryMark + 1)..<end
        } else {
            path = start..<end
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// The position of the colon after a scheme, or nil where there is no scheme.
    private static func endOfScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for (index, byte) in bytes.enumerated() {
            switch ByteClass.lowercased(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if index == 0 { return nil }
            case UInt8(ascii: ":"): return index == 0 ? nil : index
            default: return nil
            }
        }
        return nil
    }
}
