extension Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text that encodes bytes, with padding and in one line.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            append(bits, characters: 4, to: &text)
            bits = 0
            count = 0
        }
        if count == 1 { append(bits << 16, characters: 2, to: &text) }
        if count == 2 { append(bits << 8, characters: 3, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ bits: UInt32, characters: Int, to text: inout [UInt8]) {
        for index in 0..<4 {
            text.append(index < characters ? alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
        }
    }
}
