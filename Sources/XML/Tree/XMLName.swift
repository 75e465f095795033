/// The name of an element or attribute (Namespaces in XML 1.0, section 4).
public struct XMLName: Sendable, Hashable {
    /// The prefix as it was written; nil for none.
    public var prefix: String?
    /// The name without its prefix.
    public var localName: String
    /// The namespace's name; nil for none.
    public var namespace: String?

    /// Creates a name.
    public init(_ localName: String, prefix: String? = nil, namespace: String? = nil) {
        self.prefix = prefix
        self.localName = localName
        self.namespace = namespace
    }

    /// Whether a text is a name without a colon, as prefixes are (NCName; Namespaces in XML 1.0, section 3).
    public static func isNameWithoutColon(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isNameStart(first) else { return false }
        return text.unicodeScalars.allSatisfy(isNamePart)
    }

    /// Whether a name can begin with a scalar (XML 1.0, section 2.3, without the colon).
    static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: true
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// Whether a name can go on with a scalar (XML 1.0, section 2.3, without the colon).
    static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: isNameStart(scalar)
        }
    }
}

extension XMLName: CustomStringConvertible {
    /// Prefix and name as they were written.
    public var description: String { prefix.map { "\($0):\(localName)" } ?? localName }
}
