import SuiteModel

/// A body in an HTTP Archive: as text where it is text, else in base64, and only its beginning where it is long.
struct HARBody {
    /// The most bytes of a body that are written.
    static let longest = 1 << 20

    let text: String
    let isBase64: Bool
    /// What is missing.
    let comment: String?

    /// Whether a body is written whole as it is: as a text in ASCII without NUL.
    static func isPlain(_ body: [UInt8]) -> Bool {
        guard body.count <= longest else { return false }
        let ones: UInt64 = 0x0101_0101_0101_0101
        return body.withUnsafeBytes { bytes in
            var index = 0
            while index &+ 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // A high bit is set where a byte is beyond ASCII, or zero.
                if (word | (word &- ones)) & (ones &* 0x80) != 0 { return false }
                index &+= 8
            }
            while index < bytes.count {
                if bytes[index] == 0 || bytes[index] >= 0x80 { return false }
                index &+= 1
            }
            return true
        }
    }

    /// - Parameters:
    ///   - size: The size of the body before it was masked or cut; nil when that is its own.
    ///   - isCut: Whether only its first bytes are there.
    init(_ body: [UInt8], size: Int?, isCut: Bool) {
        guard body.count > Self.longest else {
            (text, isBase64) = Self.encoded(body[...])
            comment = isCut ? "the first \(body.count) of \(size ?? body.count) bytes" : nil
            return
        }
        var part = body.prefix(Self.longest)
        // A character takes at most four bytes.
        for _ in 0..<3 where body[part.endIndex] & 0xC0 == 0x80 { part = part.dropLast() }
        (text, isBase64) = Self.encoded(part)
        comment = "the first \(part.count) of \(size ?? body.count) bytes"
    }

    private static func encoded(_ bytes: ArraySlice<UInt8>) -> (String, Bool) {
        if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (Base64.encode(Array(bytes)), true)
    }
}
