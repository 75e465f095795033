#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The texts that Objective-C's Foundation gives as the description of values, which AFNetworking sends.
enum FoundationDescription {
    /// A number as `NSNumber` writes it: at most `digits` significant digits, as C's `%g`.
    static func text(_ value: Double, digits: Int) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = withVaList([Int32(clamping: digits), value]) { arguments in
            vsnprintf(&buffer, buffer.count, "%.*g", arguments)
        }
        let length = max(0, min(Int(count), buffer.count - 1))
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Bytes as `NSData` describes them: all up to 24, else the first 16 and the last 8.
    static func text(_ bytes: [UInt8]) -> String {
        var text = "{length = " + String(bytes.count) + ", bytes = 0x"
        if bytes.count <= 24 {
            for byte in bytes { append(byte, to: &text) }
            return text + "}"
        }
        append(groups: bytes.prefix(16), to: &text)
        text += "... "
        append(groups: bytes.suffix(8), to: &text)
        return text + "}"
    }

    private static func append(groups bytes: ArraySlice<UInt8>, to text: inout String) {
        for (index, byte) in bytes.enumerated() {
            append(byte, to: &text)
            if index % 4 == 3 { text += " " }
        }
    }

    private static func append(_ byte: UInt8, to text: inout String) {
        if byte < 16 { text += "0" }
        text += String(byte, radix: 16)
    }
}
