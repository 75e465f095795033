#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Doubles with a given number of decimals, rounded as C's `printf` does.
enum PrintedDouble {
    /// `123.500`
    static func fixed(_ value: Double, _ precision: Int) -> String { print(value, "%.*f", precision) }

    /// `1.235000e+02`
    static func scientific(_ value: Double, _ precision: Int) -> String { print(value, "%.*e", precision) }

    private static func print(_ value: Double, _ format: String, _ precision: Int) -> String {
        withVaList([Int32(clamping: precision), value]) { arguments in
            // The greatest double has 309 digits before the point.
            var buffer = [CChar](repeating: 0, count: precision + 330)
            let length = vsnprintf(&buffer, buffer.count, format, arguments)
            let text = buffer.prefix(max(0, min(Int(length), buffer.count - 1)))
            return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
