import Basics

/// The name of a certificate's subject or issuer (RFC 5280, section 4.1.2.4).
struct DistinguishedName {
    /// The relative distinguished names, outermost first, each of one or more attributes.
    private var parts: [String] = []
    /// The value of the innermost common name.
    private(set) var commonName: String?

    init(_ element: DERReader.Element) {
        var sets = element.reader
        while var set = sets.next()?.reader {
            var attributes: [String] = []
            while var attribute = set.next(DERReader.Tag.sequence)?.reader {
                guard let type = attribute.next(DERReader.Tag.objectIdentifier), let value = attribute.next() else {
                    continue
                }
                let name = Self.name(type.content)
                let text = Self.text(value)
                if name == "CN", let text { commonName = text }
                attributes.append(name + "=" + (text.map(Self.escaped) ?? "#" + Hexadecimal.encode(value.encoded)))
            }
            parts.append(attributes.joined(separator: "+"))
        }
    }

    private static func text(_ value: DERReader.Element) -> String? {
        switch value.tag {
        case 0x0C, 0x13, 0x16, 0x12, 0x1A: return String(validating: value.content, as: UTF8.self)
        case 0x14:
            var text = ""
            for byte in value.content { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            return text
        case 0x1E:
            guard value.content.count % 2 == 0 else { return nil }
            var units: [UInt16] = []
            var high: UInt16?
            for byte in value.content {
                if let first = high {
                    units.append(first << 8 | UInt16(byte))
                    high = nil
                } else {
                    high = UInt16(byte)
                }
            }
            return String(validating: units, as: UTF16.self)
        default: return nil
        }
    }

    /// Returns the short name of an attribute (RFC 4514, section 3, and other common ones), or its dotted OID.
    private static func name(_ identifier: ArraySlice<UInt8>) -> String {
        switch Array(identifier) {
        case [0x55, 4, 3]: return "CN"
        case [0x55, 4, 4]: return "SN"
        case [0x55, 4, 5]: return "serialNumber"
        case [0x55, 4, 6]: return "C"
        case [0x55, 4, 7]: return "L"
        case [0x55, 4, 8]: return "ST"
        case [0x55, 4, 9]: return "STREET"
        case [0x55, 4, 10]: return "O"
        case [0x55, 4, 11]: return "OU"
        case [0x55, 4, 12]: return "title"
        case [0x55, 4, 42]: return "GN"
        case [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1]: return "emailAddress"
        case [9, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 25]: return "DC"
        case [9, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 1]: return "UID"
        default: return dotted(identifier)
        }
    }

    private static func dotted(_ identifier: ArraySlice<UInt8>) -> String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        for byte in identifier {
            guard number < 1 << 56 else { return "OID" }
            number = number << 7 | UInt64(byte & 0x7F)
            guard byte < 0x80 else { continue }
            if numbers.isEmpty {
                let first = min(number / 40, 2)
                numbers = [first, number - first * 40]
            } else {
                numbers.append(number)
            }
            number = 0
        }
        return numbers.map(String.init).joined(separator: ".")
    }

    /// Returns a value with special characters escaped (RFC 4514, section 2.4).
    private static func escaped(_ text: String) -> String {
        var result = ""
        let last = text.unicodeScalars.indices.last
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            switch scalar {
            case ",", "+", "\"", "\\", "<", ">", ";": result += "\\"
            case "#" where index == text.startIndex: result += "\\"
            case " " where index == text.startIndex || index == last: result += "\\"
            case "\0":
                result += "\\00"
                continue
            default: break
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

extension DistinguishedName: CustomStringConvertible {
    /// The name as a string, innermost part first (RFC 4514).
    var description: String { parts.reversed().joined(separator: ",") }
}

/// A sequential reader of DER elements (X.690), which stops at malformed data.
struct DERReader {
    /// A DER element.
    struct Element {
        /// The identifier octet; certificates use no multi-octet identifiers.
        var tag: UInt8
        /// The content octets.
        var content: ArraySlice<UInt8>
        /// The complete encoding of the element.
        var encoded: ArraySlice<UInt8>

        /// A reader of the nested elements.
        var reader: DERReader { DERReader(content) }
    }

    /// The tags used in certificates.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next element; nil at the end, and if the rest is malformed.
    mutating func next() -> Element? {
        guard rest.count >= 2 else { return nil }
        let tag = rest[rest.startIndex]
        var position = rest.startIndex + 2
        var length = Int(rest[rest.startIndex + 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard count > 0, count <= 4, count <= rest.endIndex - position else { return nil }
            length = rest[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        guard length <= rest.endIndex - position else { return nil }
        let end = position + length
        let element = Element(tag: tag, content: rest[position..<end], encoded: rest[rest.startIndex..<end])
        rest = rest[end...]
        return element
    }

    /// Returns the next element if it has the given tag; otherwise it is not consumed.
    mutating func next(_ tag: UInt8) -> Element? {
        guard rest.first == tag else { return nil }
        return next()
    }
}
