/// What a scalar is by the core schema of YAML 1.2 (section 10.3.2), without its value.
enum ScalarForm: UInt8 {
    case string, null, boolean, number
    /// An infinity or not-a-number.
    case nonFinite

    /// The form of a scalar that has a style and a tag.
    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>, style: YAMLScalar.Style, tag: CoreTag) {
        switch tag {
        case .string: self = .string
        case .none, .map, .sequence:
            if style == .plain { self.init(plain: text) } else { self = .string }
        case .null, .bool, .integer, .float: self.init(plain: text)
        }
    }

    /// The form of an untagged plain scalar.
    init(plain text: UnsafeBufferPointer<UInt8>) {
        guard let first = text.first else {
            self = .null
            return
        }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            // Nearly every number is an integer in the notation of JSON.
            let isInteger =
                (first != UInt8(ascii: "0") || text.count == 1) && text.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
            self = isInteger ? .number : Self(CoreScalar(plain: String(decoding: text, as: UTF8.self)))
        case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"),
            UInt8(ascii: "f"), UInt8(ascii: "F"):
            self = text.count > 5 ? .string : Self(CoreScalar(plain: String(decoding: text, as: UTF8.self)))
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            self = Self(CoreScalar(plain: String(decoding: text, as: UTF8.self)))
        default: self = .string
        }
    }

    private init(_ scalar: CoreScalar) {
        switch scalar {
        case .null: self = .null
        case .bool: self = .boolean
        case .number: self = .number
        case .nonFinite: self = .nonFinite
        case .string: self = .string
        }
    }
}
