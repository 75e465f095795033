import SuiteModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Lists of names and values in an HTTP Archive.
enum HARFields {
    static func writeEmpty(_ name: StaticString, into json: inout JSONText) {
        json.beginArray(name)
        json.endArray()
    }

    /// Writes the parameters of a URL as the elements of an array.
    static func writeQuery(of url: String, into json: inout JSONText) {
        guard index(of: UInt8(ascii: "?"), in: url) != nil else { return }
        let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        if let mark = text.firstIndex(of: UInt8(ascii: "?")) {
            writePairs(String(decoding: text[mark...].dropFirst(), as: UTF8.self), into: &json)
        }
    }

    /// Writes the elements for pairs such as `a=1&b=2` (WHATWG URL standard, section 5.1).
    static func writePairs(_ text: String, into json: inout JSONText) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let value = equals.map { pair[$0...].dropFirst() } ?? pair[pair.endIndex...]
            json.pair(decoded(pair[..<(equals ?? pair.endIndex)]), decoded(value))
        }
    }

    /// How many bytes stand before the first of a value.
    static func index(of byte: UInt8, in text: String) -> Int? {
        text.withBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    private static func decoded(_ bytes: Substring.UTF8View) -> String {
        PercentEncoding.decode(Substring(bytes), plusIsSpace: true)
    }
}
