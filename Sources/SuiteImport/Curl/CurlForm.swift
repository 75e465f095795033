import Basics

/// The parts of a multipart form, as `-F` describes them.
struct CurlForm {
    /// A unit of a word: a byte, or an expansion.
    private enum Unit {
        case byte(UInt8)
        case expansion(ShellWord.Part)

        var byte: UInt8? { if case .byte(let byte) = self { byte } else { nil } }
    }

    /// A part of a form, before its words are translated.
    struct Part {
        /// The content of a part.
        enum Content {
            case text(ShellWord)
            case file(ShellWord)
            /// The content of a file as text, without its name.
            case textFile(ShellWord)
        }

        var name: ShellWord
        var content: Content
        var type: ShellWord?
        var fileName: ShellWord?
        var headers: [ShellWord] = []
    }

    private var units: ArraySlice<Unit>
    private let offset: Int
    /// The attributes and forms without a translation.
    private(set) var untranslated: [String] = []

    private init(_ word: ShellWord) {
        offset = word.range.lowerBound
        units =
            word.parts.flatMap { part -> [Unit] in
                if case .bytes(let bytes) = part { return bytes.map(Unit.byte) }
                return [.expansion(part)]
            }[...]
    }

    /// Returns the parts of a value, and the names of what has no translation.
    static func parts(_ value: ShellWord, isString: Bool) -> (parts: [Part], untranslated: [String]) {
        var form = CurlForm(value)
        let name = form.word { $0 == UInt8(ascii: "=") }
        form.units = form.units.dropFirst()
        if isString { return ([Part(name: name, content: .text(form.word { _ in false }))], []) }
        switch form.units.first?.byte {
        case UInt8(ascii: "@"): return (form.files(name), form.untranslated)
        case UInt8(ascii: "<"):
            form.units = form.units.dropFirst()
            var part = Part(name: name, content: .textFile(form.value(endsAtComma: false)))
            form.attributes(of: &part)
            return ([part], form.untranslated)
        case UInt8(ascii: "(") where value.leadingBytes.count > 1: return ([], ["nested multipart form"])
        case UInt8(ascii: "="):
            // A nested form ends with `=)`, anything else after `=` is text.
            if form.units.dropFirst().first?.byte == UInt8(ascii: ")") { return ([], ["nested multipart form"]) }
        default: break
        }
        var part = Part(name: name, content: .text(form.value(endsAtComma: false)))
        form.attributes(of: &part)
        return ([part], form.untranslated)
    }

    private mutating func files(_ name: ShellWord) -> [Part] {
        var parts: [Part] = []
        repeat {
            // The `@` at first, then the commas.
            units = units.dropFirst()
            var part = Part(name: name, content: .file(value(endsAtComma: true)))
            attributes(of: &part)
            parts.append(part)
        } while units.first?.byte == UInt8(ascii: ",")
        return parts
    }

    private mutating func attributes(of part: inout Part) {
        var isOfFile = false
        if case .file = part.content { isOfFile = true }
        while units.first?.byte == UInt8(ascii: ";") {
            units = units.dropFirst()
            skipSpace()
            if skip("type=") {
                part.type = type(endsAtComma: isOfFile)
            } else if skip("filename=") {
                part.fileName = value(endsAtComma: isOfFile)
            } else if skip("headers=") {
                let isFile = units.first?.byte == UInt8(ascii: "@") || units.first?.byte == UInt8(ascii: "<")
                let header = value(endsAtComma: isOfFile)
                if isFile {
                    untranslated.append("headers of a form part from a file")
                } else {
                    part.headers.append(header)
                }
            } else if skip("encoder=") {
                _ = value(endsAtComma: isOfFile)
                untranslated.append("encoder of a form part")
            } else {
                let unknown = value(endsAtComma: isOfFile)
                // curl ignores it as well.
                if unknown.bytes?.isEmpty == false { untranslated.append("unknown attribute of a form part") }
            }
        }
    }

    /// Reads a media type, whose parameters also follow semicolons.
    private mutating func type(endsAtComma: Bool) -> ShellWord {
        var word = value(endsAtComma: endsAtComma)
        while units.first?.byte == UInt8(ascii: ";") {
            let rest = units.dropFirst().drop { $0.byte.map(ASCII.isBlank) ?? false }
            let isAttribute = ["type=", "filename=", "headers=", "encoder="].contains { Self.starts(rest, with: $0) }
            if isAttribute || rest.isEmpty { break }
            units = units.dropFirst()
            word = ShellWord.joined(
                [word, value(endsAtComma: endsAtComma, keepsSpace: true)], separator: UInt8(ascii: ";"))
        }
        return word
    }

    /// Reads a value up to the next separator; within quotes, separators are text.
    private mutating func value(endsAtComma: Bool, keepsSpace: Bool = false) -> ShellWord {
        if !keepsSpace { skipSpace() }
        if units.first?.byte == UInt8(ascii: "\""), let word = quoted() {
            return word
        }
        var word = self.word { $0 == UInt8(ascii: ";") || endsAtComma && $0 == UInt8(ascii: ",") }
        word.isQuoted = false
        return word
    }

    /// Reads a value in double quotes; nil if they do not end, which makes the quote a part of the value.
    private mutating func quoted() -> ShellWord? {
        var word = ShellWord(at: offset)
        var rest = units.dropFirst()
        while let unit = rest.popFirst() {
            switch unit {
            case .expansion(let part): word.append(part)
            case .byte(UInt8(ascii: "\"")):
                // Only a separator may follow.
                rest = rest.drop { $0.byte.map(ASCII.isBlank) ?? false }
                units = rest
                return word
            case .byte(UInt8(ascii: "\\")):
                if let next = rest.first?.byte, next == UInt8(ascii: "\\") || next == UInt8(ascii: "\"") {
                    word.append(next)
                    rest = rest.dropFirst()
                } else {
                    word.append(UInt8(ascii: "\\"))
                }
            case .byte(let byte): word.append(byte)
            }
        }
        return nil
    }

    private mutating func word(until isEnd: (UInt8) -> Bool) -> ShellWord {
        var word = ShellWord(at: offset)
        while let unit = units.first {
            switch unit {
            case .byte(let byte):
                if isEnd(byte) { return word }
                word.append(byte)
            case .expansion(let part): word.append(part)
            }
            units = units.dropFirst()
        }
        return word
    }

    private mutating func skipSpace() {
        units = units.drop { $0.byte.map(ASCII.isBlank) ?? false }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard Self.starts(units, with: text) else { return false }
        units = units.dropFirst(text.utf8.count)
        return true
    }

    private static func starts(_ units: ArraySlice<Unit>, with text: String) -> Bool {
        let bytes = Array(text.utf8)
        let start = units.prefix(bytes.count)
        return start.count == bytes.count
            && zip(start, bytes).allSatisfy { unit, byte in unit.byte.map { ASCII.lowercased($0) == byte } ?? false }
    }
}
