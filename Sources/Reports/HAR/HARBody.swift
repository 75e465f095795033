import SuiteModel

/// A body in an HTTP Archive: as text where it is text, else in base64, and only its beginning where it is long.
struct HARBody {
    /// The most bytes of a body that are written.
    static let longest = 1 << 20

    let text: String
    let isBase64: Bool
    /// What is missing.
    let comment: String?

    /// - Parameter size: The size of the body before it was masked; nil when it was not.
    init(_ body: [UInt8], size: Int?) {
        guard body.count > Self.longest else {
            (text, isBase64) = Self.encoded(body[...])
            comment = nil
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
