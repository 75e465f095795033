/// Double-quoted notation of strings.
enum Quoting {
    /// The text in double quotes, with CEL's escapes for control characters, quotes and backslashes.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 2)
        bytes.append(0x22)
        for byte in text.utf8 {
            if let escape = escape(of: byte) {
                bytes.append(0x5C)
                bytes.append(escape)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(0x22)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x07: UInt8(ascii: "a")
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        case 0x0B: UInt8(ascii: "v")
        case 0x22, 0x5C: byte
        default: nil
        }
    }
}
