/// A parser of XML 1.0 documents in the form that reports use.
struct XMLReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    /// Creates a parser of a document's text.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// Parses the declaration and the root element, which must be the end of the document.
    mutating func document() throws(XMLElement.Failure) -> XMLElement {
        for scalar in scalars where !Self.isAllowed(scalar) {
            throw failure("the character U+\(String(scalar.value, radix: 16)) is not allowed")
        }
        if skip("<?xml") {
            while !skip("?>") { try advance() }
        }
        skipSpace()
        let root = try element(depth: 0)
        skipSpace()
        guard index == scalars.count else { throw failure("something follows the root element") }
        return root
    }

    /// Returns whether XML allows a character (XML 1.0, production 2).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    private mutating func element(depth: Int) throws(XMLElement.Failure) -> XMLElement {
        guard depth < 100, skip("<") else { throw failure("an element is missing, or too deep") }
        var element = XMLElement(name: try name())
        while true {
            let hadSpace = skipSpace()
            if skip("/>") { return element }
            if skip(">") { break }
            guard hadSpace else { throw failure("no space before an attribute") }
            let attribute = try name()
            guard skip("=\"") else { throw failure("no value of the attribute \(attribute)") }
            var value = ""
            while !skip("\"") {
                guard current != "<" else { throw failure("< in an attribute") }
                // A line break that is not a character reference would be normalized to a space (XML 1.0, section
                // 3.3.3).
                guard current != "\n" else { throw failure("a line break in an attribute") }
                value.unicodeScalars.append(contentsOf: try character())
            }
            guard element.attributes.updateValue(value, forKey: attribute) == nil else {
                throw failure("the attribute \(attribute) comes twice")
            }
        }
        while true {
            if skip("</") {
                guard try name() == element.name else { throw failure("another element ends than \(element.name)") }
                skipSpace()
                guard skip(">") else { throw failure("no > at the end of \(element.name)") }
                return element
            }
            if skip("<![CDATA[") {
                while !skip("]]>") {
                    if let current { element.text.unicodeScalars.append(current) }
                    try advance()
                }
            } else if current == "<" {
                element.children.append(try self.element(depth: depth + 1))
            } else {
                guard !isAt("]]>") else { throw failure("]]> outside of a CDATA section") }
                element.text.unicodeScalars.append(contentsOf: try character())
            }
        }
    }

    private mutating func name() throws(XMLElement.Failure) -> String {
        var name = ""
        while let scalar = current, scalar.properties.isAlphabetic || "-_.:0123456789".unicodeScalars.contains(scalar) {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard !name.isEmpty else { throw failure("a name is missing") }
        return name
    }

    /// Parses a character or a reference.
    private mutating func character() throws(XMLElement.Failure) -> [Unicode.Scalar] {
        guard let scalar = current else { throw failure("the document ends too early") }
        index += 1
        guard scalar == "&" else { return [scalar] }
        var reference = ""
        while let scalar = current, scalar != ";" {
            reference.unicodeScalars.append(scalar)
            index += 1
        }
        index += 1
        if let known: Unicode.Scalar = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][reference] {
            return [known]
        }
        let number =
            reference.hasPrefix("#x") ? UInt32(reference.dropFirst(2), radix: 16) : UInt32(reference.dropFirst(1))
        guard reference.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number), Self.isAllowed(scalar) else {
            throw failure("the reference &\(reference); means nothing")
        }
        return [scalar]
    }

    private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func advance() throws(XMLElement.Failure) {
        guard index < scalars.count else { throw failure("the document ends too early") }
        index += 1
    }

    private func isAt(_ text: String) -> Bool {
        scalars[index...].starts(with: text.unicodeScalars)
    }

    private mutating func skip(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while let scalar = current, " \n\t\r".unicodeScalars.contains(scalar) { index += 1 }
        return index > start
    }

    private func failure(_ message: String) -> XMLElement.Failure {
        let line = scalars[..<min(index, scalars.count)].count { $0 == "\n" } + 1
        return XMLElement.Failure(description: "line \(line): \(message)")
    }
}
