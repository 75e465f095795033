import Diagnostics

/// A streaming scanner of the elements of an XML 1.0 document, which skips character data.
///
/// It is strict about errors that truncation or corruption can cause. Elements must nest, attributes must be quoted and
/// unique, and only whitespace, comments, and processing instructions may surround the root element. Document types are
/// rejected, so the only entities are the five predefined ones. The text must be UTF-8.
struct XMLScanner: ~Copyable {
    /// A markup event of the document.
    enum Event {
        /// The start tag of an element.
        ///
        /// An empty-element tag is followed by an end event as well.
        case start(name: String, attributes: [String: String])
        /// The end of the innermost element.
        case end(name: String)
    }

    /// The reason why a document cannot be read, with its location.
    struct Failure: Error {
        /// A sentence without a final period.
        var message: String
        /// A byte offset in the document.
        var offset: Int
    }

    /// The maximum nesting depth of elements.
    private static let maximumDepth = 256

    private let bytes: [UInt8]
    private var index = 0
    private var open: [String] = []
    private var hasRoot = false
    private var isAtEndOfEmpty = false

    /// Creates a scanner at the start of a document.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The byte offset of the current position.
    var offset: Int { index }

    /// Returns the next event, or `nil` at the end of the document.
    mutating func next() throws(Failure) -> Event? {
        if isAtEndOfEmpty {
            isAtEndOfEmpty = false
            return .end(name: open.removeLast())
        }
        while true {
            try passText()
            guard index < bytes.count else {
                if let name = open.last { throw failure("unexpected end of the document in \"\(name)\"") }
                guard hasRoot else { throw failure("missing root element") }
                return nil
            }
            if skip("<!--") {
                try pass("-->", "comment")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw failure("unexpected text outside the root element") }
                try pass("]]>", "CDATA section")
            } else if isAt("<!") {
                throw failure("document type declarations are not supported")
            } else if skip("<?") {
                try passInstruction()
            } else if skip("</") {
                return try endTag()
            } else {
                return try startTag()
            }
        }
    }

    // MARK: Markup

    private mutating func startTag() throws(Failure) -> Event {
        let start = index
        index += 1
        guard !open.isEmpty || !hasRoot else { throw failure("more than one root element", at: start) }
        guard open.count < Self.maximumDepth else { throw failure("elements are nested too deeply", at: start) }
        hasRoot = true
        let name = try name()
        var attributes: [String: String] = [:]
        while true {
            let before = index
            passSpace()
            if skip("/>") {
                isAtEndOfEmpty = true
                break
            }
            if skip(">") { break }
            guard index < bytes.count else { throw failure("unexpected end of the document in \"\(name)\"") }
            guard index > before else { throw failure("missing space before an attribute of \"\(name)\"") }
            let location = index
            let attribute = try self.name()
            passSpace()
            guard skip("=") else { throw failure("the attribute \"\(attribute)\" has no value") }
            passSpace()
            guard attributes.updateValue(try value(), forKey: attribute) == nil else {
                throw failure("duplicate attribute \"\(attribute)\"", at: location)
            }
        }
        open.append(name)
        return .start(name: name, attributes: attributes)
    }

    private mutating func endTag() throws(Failure) -> Event {
        let start = index - 2
        let name = try name()
        passSpace()
        guard skip(">") else { throw failure("the end tag \"\(name)\" is not closed") }
        guard let last = open.popLast() else { throw failure("the end tag \"\(name)\" has no start tag", at: start) }
        guard last == name else { throw failure("expected the end tag \"\(last)\", got \"\(name)\"", at: start) }
        return .end(name: name)
    }

    private mutating func passInstruction() throws(Failure) {
        let start = index
        try pass("?>", "processing instruction")
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard text.hasPrefix("xml ") else { return }
        let isOther = text.contains("encoding") && !["utf-8", "us-ascii"].contains { text.lowercased().contains($0) }
        if isOther { throw failure("the encoding is not UTF-8", at: start) }
    }

    private mutating func name() throws(Failure) -> String {
        let start = index
        while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
        guard index > start else { throw failure("expected a name") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Returns whether a byte is a letter, digit, `-`, `.`, `_`, `:`, or not ASCII.
    ///
    /// This is a simplification of XML 1.0, section 2.3.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
        default: false
        }
    }

    /// Returns the value of an attribute, with whitespace normalized to spaces (section 3.3.3).
    private mutating func value() throws(Failure) -> String {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw failure("an attribute value is not in quotes")
        }
        let quote = bytes[index]
        index += 1
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case quote:
                index += 1
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "<"):
                throw failure("unescaped \"<\" in an attribute value")
            case UInt8(ascii: "&"):
                value.append(contentsOf: String(try reference()).utf8)
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                index += 1
            default:
                value.append(byte)
                index += 1
            }
        }
        throw failure("an attribute value is not closed")
    }

    private mutating func reference() throws(Failure) -> Unicode.Scalar {
        let start = index
        let limit = min(bytes.count, start + 12)
        guard let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("a reference is not closed", at: start)
        }
        let text = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        index = end + 1
        switch text {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number =
            text.hasPrefix("#x")
            ? UInt32(text.dropFirst(2), radix: 16) : text.hasPrefix("#") ? UInt32(text.dropFirst()) : nil
        guard let scalar = number.flatMap(Unicode.Scalar.init) else {
            throw failure("unknown reference \"&\(text);\"", at: start)
        }
        return scalar
    }

    // MARK: Bytes

    /// Skips to the next `<`.
    ///
    /// Only whitespace is allowed outside the root element.
    private mutating func passText() throws(Failure) {
        let start = index
        index = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        if open.isEmpty, let location = bytes[start..<index].firstIndex(where: { !Self.isSpace($0) }) {
            throw failure("unexpected text outside the root element", at: location)
        }
    }

    private mutating func pass(_ end: String, _ what: String) throws(Failure) {
        let start = index
        let end = Array(end.utf8)
        while let found = bytes[index...].firstIndex(of: end[0]) {
            index = found
            if bytes[found...].starts(with: end) {
                index += end.count
                return
            }
            index += 1
        }
        throw failure("a \(what) is not closed", at: start)
    }

    private mutating func passSpace() {
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    private func isAt(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private func failure(_ message: String, at offset: Int? = nil) -> Failure {
        Failure(message: message, offset: min(offset ?? index, bytes.count))
    }
}
