import Basics
import JSON
import SuiteModel

/// An encoder of names and values as a query or an `application/x-www-form-urlencoded` body.
struct QueryWriter {
    /// The encoding of a space.
    enum Space {
        /// `%20`, in queries.
        case percent
        /// `+`, in forms (WHATWG URL, section 5.2).
        case plus
    }

    private let style: RequestSpec.QueryStyle
    private let space: Space
    private(set) var bytes: [UInt8] = []

    /// Creates an encoder without any pairs.
    init(style: RequestSpec.QueryStyle, space: Space) {
        self.style = style
        self.space = space
    }

    /// The encoded pairs as a string.
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a name with its value. A nested value becomes a pair for each scalar in it; null values are omitted.
    mutating func append(_ name: String, _ value: JSONValue) {
        append(name: name[...], value, depth: 0)
    }

    private mutating func append(name: Substring, _ value: JSONValue, depth: Int) {
        switch value {
        case .null: break
        case .bool(let flag): pair(String(name), flag ? "true" : "false")
        case .number(let number): pair(String(name), number.literal)
        case .string(let text): pair(String(name), text)
        case .array(let elements): append(name: name, elements: elements, depth: depth)
        case .object(let object):
            for (member, value) in object {
                append(name: "\(name)[\(member)]"[...], value, depth: depth + 1)
            }
        }
    }

    private mutating func append(name: Substring, elements: [JSONValue], depth: Int) {
        switch style {
        case .comma where elements.allSatisfy(Self.isScalar):
            pair(String(name), elements.map(Self.scalarText).joined(separator: ","))
        case .brackets, .comma:
            for element in elements { append(name: "\(name)[]"[...], element, depth: depth + 1) }
        case .repeat:
            for element in elements { append(name: name, element, depth: depth + 1) }
        case .indices:
            for (index, element) in elements.enumerated() {
                append(name: "\(name)[\(index)]"[...], element, depth: depth + 1)
            }
        }
    }

    private static func isScalar(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: false
        case .null, .bool, .number, .string: true
        }
    }

    private static func scalarText(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: ""
        }
    }

    private mutating func pair(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        encode(name)
        bytes.append(UInt8(ascii: "="))
        encode(value)
    }

    /// Appends text, percent-encoding everything but the unreserved characters of RFC 3986.
    private mutating func encode(_ text: String) {
        for byte in text.utf8 {
            if ASCII.isUnreserved(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), space == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                PercentEncoding.append(byte, to: &bytes)
            }
        }
    }
}
