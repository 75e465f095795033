import Basics

/// The errors: made only when reading has failed, so that they may look at the text again.
extension JSONReader {
    /// An error at a byte offset.
    func failure(_ message: String, at offset: Int, hint: String? = nil) -> JSONParseError {
        JSONParseError(message: message, hint: hint, byteOffset: offset, in: bytes)
    }

    /// An error that says what should stand at a byte offset, what does, and what to do about it.
    @inline(never)
    func unexpected(_ expected: String, at offset: Int, hint: String? = nil) -> JSONParseError {
        failure("expected \(expected), found \(found(at: offset))", at: offset, hint: hint)
    }

    /// The error for a place where no value begins.
    @inline(never)
    func noValue() -> JSONParseError {
        var expected = "a value"
        switch byteBefore(position) {
        case UInt8(ascii: "["): expected += " or \"]\""
        case UInt8(ascii: ","): expected += " after \",\""
        case UInt8(ascii: ":"): expected += " after \":\""
        default: break
        }
        return unexpected(expected, at: position, hint: hintForValue())
    }

    /// The error for a place where no member name begins.
    @inline(never)
    func noName() -> JSONParseError {
        let isFirst = byteBefore(position) == UInt8(ascii: "{")
        return unexpected(
            "a member name in double quotes" + (isFirst ? " or \"}\"" : " after \",\""), at: position,
            hint: hintForName(isFirst: isFirst))
    }

    /// The error for a place where a container neither goes on nor ends.
    @inline(never)
    func noEnd() -> JSONParseError {
        unexpected(
            container.isObject ? "\",\" or \"}\" after the member" : "\",\" or \"]\" after the array element",
            at: position, hint: hintForComment())
    }

    @inline(never)
    func tooDeep() -> JSONParseError {
        failure("the text is nested more than \(maximumDepth) levels deep", at: position)
    }

    /// The error for a number literal.
    @inline(never)
    func failure(_ problem: NumberScan.Problem, at offset: Int, numberAt start: Int) -> JSONParseError {
        switch problem {
        case .digitAfterMinus:
            unexpected(
                "a digit after \"-\"", at: offset,
                hint: startsWord("Inf", at: offset) ? "JSON has no infinity: null or a string can stand for it" : nil)
        case .digitAfterPoint: unexpected("a digit after the decimal point", at: offset)
        case .digitInExponent: unexpected("a digit in the exponent", at: offset)
        case .leadingZero: failure("a number must not have leading zeros", at: start)
        }
    }

    /// The error for a member with a name that its object has already.
    @inline(never)
    func duplicate(_ name: Name) -> JSONParseError {
        failure("the object has a second member named \(JSONValue.string(name.name).serialized())", at: name.offset)
    }

    /// Keeps in mind that a member of the innermost object has a name of an earlier one.
    @inline(never)
    mutating func note(duplicate name: Name) {
        guard duplicates.count < JSONParser.largestDuplicateCount else { return }
        var steps: [NormalizedPath.Step] = []
        // The first one is no container, but stands for the whole text.
        for level in 1..<max(1, containers.count) {
            steps.append(
                step(from: containers[level], to: level + 1 < containers.count ? containers[level + 1] : container))
        }
        steps.append(.name(name.name))
        let place = failure("", at: name.offset)
        duplicates.append(
            JSONDuplicateMember(
                location: NormalizedPath(steps), byteOffset: name.offset, line: place.line, column: place.column))
    }

    /// The way from a container to one that is directly in it.
    private func step(from outer: Container, to inner: Container) -> NormalizedPath.Step {
        outer.isObject ? .name(names[inner.firstName - 1].name) : .index(inner.firstValue - outer.firstValue)
    }

    // MARK: What to do

    /// What to do about a text that is written where a value should stand.
    private func hintForValue() -> String? {
        guard position < count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "'"): return "JSON strings are written in double quotes"
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            return byteBefore(position) == UInt8(ascii: ",") ? "there must be no comma after the last element" : nil
        case UInt8(ascii: "+"): return "a JSON number has no plus sign"
        case UInt8(ascii: "."): return "a JSON number has a digit before the decimal point"
        default: break
        }
        for (word, value) in [("True", "true"), ("False", "false"), ("None", "null"), ("nil", "null")]
        where startsWord(word, at: position) {
            return "JSON writes \(value)"
        }
        for word in ["NaN", "Infinity", "undefined"] where startsWord(word, at: position) {
            return "JSON has no such value: null or a string can stand for it"
        }
        return hintForComment()
    }

    private func hintForName(isFirst: Bool) -> String? {
        guard position < count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "'"): return "JSON strings are written in double quotes"
        case UInt8(ascii: "}") where !isFirst: return "there must be no comma after the last member"
        default: return hintForComment()
        }
    }

    private func hintForComment() -> String? {
        guard position + 1 < count, bytes[position] == UInt8(ascii: "/"),
            bytes[position + 1] == UInt8(ascii: "/") || bytes[position + 1] == UInt8(ascii: "*")
        else { return nil }
        return "JSON has no comments"
    }

    private func startsWord(_ word: String, at offset: Int) -> Bool {
        bytes.dropFirst(offset).starts(with: word.utf8)
    }

    // MARK: What there is

    /// The last byte before an offset that is not white space; 0 at the beginning of the text.
    private func byteBefore(_ offset: Int) -> UInt8 {
        var index = offset
        while index > 0 {
            index -= 1
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: continue
            default: return bytes[index]
            }
        }
        return 0
    }

    /// What stands at a byte offset: a word or a character in quotation marks, or the end of the text.
    func found(at offset: Int) -> String {
        guard offset < count else { return "the end of the text" }
        let byte = bytes[offset]
        if JSONReader.isWordByte(byte) {
            let word = bytes[offset...].prefix(24).prefix { JSONReader.isWordByte($0) }
            // The ellipses also tell those who mask secrets that the word may be a part of one.
            let start = isWithinText(offset) ? "…" : ""
            let end = word.endIndex < count && !isDelimiter(bytes[word.endIndex]) ? "…" : ""
            return "\"\(start)\(String(decoding: word, as: UTF8.self))\(end)\""
        }
        if byte == UInt8(ascii: "\"") { return "a quotation mark" }
        if byte < 0x20 || byte == 0x7F {
            return "the control character U+00\(hexadecimal(byte))"
        }
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let slice = UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + length, count)])
        if let character = String(validating: slice, as: UTF8.self) { return "\"\(character)\"" }
        return "the byte 0x\(hexadecimal(byte)), which is not UTF-8"
    }

    /// Whether what stands before an offset is of the same word, or of the number that the word was taken for.
    private func isWithinText(_ offset: Int) -> Bool {
        guard offset > 0 else { return false }
        if JSONReader.isWordByte(bytes[offset - 1]) { return true }
        return offset > 1 && "+-.".utf8.contains(bytes[offset - 1]) && JSONReader.isWordByte(bytes[offset - 2])
    }

    /// Whether a byte separates values, so that a word is whole before it.
    private func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",:[]{}\"".utf8.contains(byte)
    }

    /// The error for the first byte from `start` up to `end` that is not part of a character.
    @inline(never)
    func invalidUTF8(from start: Int, to end: Int) -> JSONParseError {
        let offset = UTF8Check.firstInvalidByte(bytes, from: start, to: end) ?? start
        return failure(
            "invalid UTF-8 in a string: the byte 0x\(hexadecimal(bytes[offset])) does not start a character",
            at: offset)
    }

    func escapeText(_ start: Int) -> String {
        "\"" + String(decoding: bytes[start..<min(start + 6, count)], as: UTF8.self) + "\""
    }

    func controlCharacterMessage(_ byte: UInt8) -> String {
        let escape =
            switch byte {
            case 0x08: "\\b"
            case 0x09: "\\t"
            case 0x0A: "\\n"
            case 0x0C: "\\f"
            case 0x0D: "\\r"
            default: "\\u00" + hexadecimal(byte)
            }
        return
            "a control character (U+00\(hexadecimal(byte))) must be written as \"\(escape)\" in a string"
    }

    private func hexadecimal(_ byte: UInt8) -> String { Hexadecimal.encode([byte], uppercase: true) }

    /// Whether a byte continues a word or number, for messages.
    static func isWordByte(_ byte: UInt8) -> Bool { ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }
}
