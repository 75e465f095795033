/// An element from a minimal, strict XML 1.0 parser, sufficient to check that a report is well-formed and to read it.
///
/// It supports elements, attributes, character data, the five predefined entities, and decimal references. Anything
/// else, including every character that XML 1.0 forbids, is an error.
struct XMLElement {
    struct Failure: Error {
        let message: String
        let offset: Int
    }

    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    var text = ""

    /// Returns the children with a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// Returns the first child with a name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// Parses a document.
    init(parsing bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(message: "not UTF-8", offset: 0)
        }
        var reader = Reader(scalars: Array(text.unicodeScalars))
        try reader.expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        self = try reader.element()
        reader.skipSpace()
        guard reader.position == reader.scalars.count else { throw reader.failure("text after the root element") }
    }

    init(name: String) { self.name = name }

    private struct Reader {
        let scalars: [Unicode.Scalar]
        var position = 0

        func failure(_ message: String) -> Failure { Failure(message: message, offset: position) }

        var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

        mutating func skipSpace() {
            while let next, " \n\t\r".unicodeScalars.contains(next) { position += 1 }
        }

        mutating func skip(_ text: String) -> Bool {
            guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
            position += text.unicodeScalars.count
            return true
        }

        mutating func expect(_ text: String) throws {
            guard skip(text) else { throw failure("expected \(text)") }
        }

        mutating func take() throws -> Unicode.Scalar {
            guard let next else { throw failure("unexpected end") }
            switch next.value {
            case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: break
            default: throw failure("forbidden character U+\(String(next.value, radix: 16))")
            }
            position += 1
            return next
        }

        mutating func name() throws -> String {
            var name = ""
            while let next, next.properties.isAlphabetic || next == "-" { name.unicodeScalars.append(try take()) }
            if name.isEmpty { throw failure("expected a name") }
            return name
        }

        mutating func character() throws -> Unicode.Scalar {
            let scalar = try take()
            if scalar == "<" { throw failure("unescaped <") }
            if scalar == "\r" { throw failure("a CR would become a LF") }
            guard scalar == "&" else { return scalar }
            for (entity, value) in [("lt;", "<"), ("gt;", ">"), ("amp;", "&"), ("quot;", "\"")]
                as [(String, Unicode.Scalar)] where skip(entity)
            {
                return value
            }
            try expect("#")
            var digits = ""
            while let next, next != ";" { digits.unicodeScalars.append(try take()) }
            try expect(";")
            guard let value = UInt32(digits), [9, 10, 13].contains(value), let scalar = Unicode.Scalar(value) else {
                throw failure("bad reference")
            }
            return scalar
        }

        mutating func element() throws -> XMLElement {
            try expect("<")
            var element = XMLElement(name: try name())
            while next == " " {
                position += 1
                let attribute = try name()
                try expect("=\"")
                var value = ""
                while next != "\"" {
                    if next == "\n" || next == "\t" { throw failure("a line break or tab would become a space") }
                    value.unicodeScalars.append(try character())
                }
                position += 1
                guard element.attributes.updateValue(value, forKey: attribute) == nil else {
                    throw failure("attribute twice: \(attribute)")
                }
            }
            if skip("/>") { return element }
            try expect(">")
            while true {
                if skip("</") {
                    try expect(element.name + ">")
                    return element
                }
                if next == "<" {
                    element.children.append(try self.element())
                } else {
                    if skip("]]>") { throw failure("]]> in text") }
                    element.text.unicodeScalars.append(try character())
                }
            }
        }
    }
}
