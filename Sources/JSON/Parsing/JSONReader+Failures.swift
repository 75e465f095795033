import Basics

/// The errors of the reader, created only after reading has failed, so they may rescan the text.
extension JSONReader {
    /// Returns an error at a byte offset.
    func failure(_ message: MessageText, at offset: Int, hint: MessageText? = nil) -> JSONParseError {
        JSONParseError(message: message, hint: hint, byteOffset: offset, in: bytes)
    }

    /// Returns an error with the expected and actual text at a byte offset, and a hint.
    @inline(never)
    func unexpected(_ expected: MessageText, at offset: Int, hint: MessageText? = nil) -> JSONParseError {
        failure("expected \(expected), found \(found(at: offset))", at: offset, hint: hint)
    }

    /// Returns the error for a missing value.
    @inline(never)
    func noValue() -> JSONParseError {
        var expected: MessageText = "a value"
        switch byteBefore(position) {
        case UInt8(ascii: "["): expected += " or \"]\""
        case UInt8(ascii: ","): expected += " after \",\""
        case UInt8(ascii: ":"): expected += " after \":\""
        default: break
        }
        return unexpected(expected, at: position, hint: hintForValue())
    }

    /// Returns the error for a missing member name.
    @inline(never)
    func noName() -> JSONParseError {
        let isFirst = byteBefore(position) == UInt8(ascii: "{")
        return unexpected(
            "a member name in double quotes" + (isFirst ? " or \"}\"" : " after \",\""), at: position,
            hint: hintForName(isFirst: isFirst))
    }

    /// Returns the error for a container that neither continues nor ends.
    @inline(never)
    func noEnd() -> JSONParseError {
        unexpected(
            container.isObject ? "\",\" or \"}\" after the member" : "\",\" or \"]\" after the array element",
            at: position, hint: hintForComment())
    }

    /// Returns the error for a text that exceeds the maximum depth.
    @inline(never)
    func tooDeep() -> JSONParseError {
        failure("the JSON text exceeds the maximum depth of \(maximumDepth) levels", at: position)
    }

    /// Returns the error for a number literal.
    @inline(never)
    func failure(_ problem: NumberScan.Problem, at offset: Int, numberAt start: Int) -> JSONParseError {
        switch problem {
        case .digitAfterMinus:
            unexpected(
                "a digit after \"-\"", at: offset,
                hint: startsWord("Inf", at: offset) ? "JSON has no infinity: write null or a string" : nil)
        case .digitAfterPoint: unexpected("a digit after the decimal point", at: offset)
        case .digitInExponent: unexpected("a digit in the exponent", at: offset)
        case .leadingZero: failure("a number must not have leading zeros", at: start)
        }
    }

    /// Returns the error for a member whose name its object already has.
    @inline(never)
    func duplicate(_ name: Name) -> JSONParseError {
        failure("duplicate member \(JSONValue.string(name.name).serialized())", at: name.offset)
    }

    /// Records that a member of the innermost object repeats a previous name.
    @inline(never)
    mutating func note(duplicate name: Name) {
        guard duplicates.count < JSONParser.maximumDuplicateCount else { return }
        var steps: [NormalizedPath.Step] = []
        // The first entry is not a container but represents the whole text.
        for level in 1..<max(1, containers.count) {
            steps.append(
                step(from: containers[level], to: level + 1 < containers.count ? containers[level + 1] : container))
        }
        steps.append(.name(name.name))
        let location = failure("", at: name.offset)
        duplicates.append(
            JSONDuplicateMember(
                location: NormalizedPath(steps), byteOffset: name.offset, line: location.line, column: location.column))
    }

    /// Returns the step from a container to one of its direct children.
    private func step(from outer: Container, to inner: Container) -> NormalizedPath.Step {
        outer.isObject ? .name(names[inner.firstName - 1].name) : .index(inner.firstValue - outer.firstValue)
    }

    // MARK: Hints

    /// Returns a hint for text that is not a value.
    private func hintForValue() -> MessageText? {
        guard position < count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "'"): return "write JSON strings in double quotes"
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            return byteBefore(position) == UInt8(ascii: ",") ? "remove the comma after the last element" : nil
        case UInt8(ascii: "+"): return "a JSON number must not have a plus sign"
        case UInt8(ascii: "."): return "a JSON number must have a digit before the decimal point"
        default: break
        }
        for (word, value) in [("True", "true"), ("False", "false"), ("None", "null"), ("nil", "null")]
        where startsWord(word, at: position) {
            return "write \(value)"
        }
        for word in ["NaN", "Infinity", "undefined"] where startsWord(word, at: position) {
            return "JSON has no such value: write null or a string"
        }
        return hintForComment()
    }

    private func hintForName(isFirst: Bool) -> MessageText? {
        guard position < count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "'"): return "write JSON strings in double quotes"
        case UInt8(ascii: "}") where !isFirst: return "remove the comma after the last member"
        default: return hintForComment()
        }
    }

    private func hintForComment() -> MessageText? {
        guard position + 1 < count, bytes[position] == UInt8(ascii: "/"),
            bytes[position + 1] == UInt8(ascii: "/") || bytes[position + 1] == UInt8(ascii: "*")
        else { return nil }
        return "JSON does not allow comments"
    }

    private func startsWord(_ word: String, at offset: Int) -> Bool {
        bytes.dropFirst(offset).starts(with: word.utf8)
    }

    // MARK: Actual text

    /// Returns the last byte before an offset that is not whitespace; 0 at the start of the text.
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

    /// Returns the text at a byte offset: a quoted word or character, or the end of the text.
    func found(at offset: Int) -> MessageText {
        guard offset < count else { return "the end of the text" }
        let byte = bytes[offset]
        if JSONReader.isWordByte(byte) {
            let word = bytes[offset...].prefix(24).prefix { JSONReader.isWordByte($0) }
            // The ellipses also inform the redaction of secrets that the word may be part of one.
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

    /// Returns whether the text before an offset belongs to the same word, or to the number that the word was parsed
    /// as.
    private func isWithinText(_ offset: Int) -> Bool {
        guard offset > 0 else { return false }
        if JSONReader.isWordByte(bytes[offset - 1]) { return true }
        return offset > 1 && "+-.".utf8.contains(bytes[offset - 1]) && JSONReader.isWordByte(bytes[offset - 2])
    }

    /// Returns whether a byte separates values, so that a word before it is complete.
    private func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",:[]{}\"".utf8.contains(byte)
    }

    /// Returns the error for the first invalid UTF-8 byte from `start` up to `end`.
    @inline(never)
    func invalidUTF8(from start: Int, to end: Int) -> JSONParseError {
        let offset = UTF8Check.firstInvalidByte(bytes, from: start, to: end) ?? start
        return failure(
            "invalid UTF-8 in a string: the byte 0x\(hexadecimal(bytes[offset])) is not the start of a character",
            at: offset)
    }

    /// Returns the escape at an offset in quotation marks, for messages.
    func escapeText(_ start: Int) -> MessageText {
        "\"\(String(decoding: bytes[start..<min(start + 6, count)], as: UTF8.self))\""
    }

    /// Returns the message for an unescaped control character.
    func controlCharacterMessage(_ byte: UInt8) -> MessageText {
        let escape: MessageText =
            switch byte {
            case 0x08: "\\b"
            case 0x09: "\\t"
            case 0x0A: "\\n"
            case 0x0C: "\\f"
            case 0x0D: "\\r"
            default: "\\u00\(hexadecimal(byte))"
            }
        return
            "a control character (U+00\(hexadecimal(byte))) in a string must be escaped: \"\(escape)\""
    }

    private func hexadecimal(_ byte: UInt8) -> MessageText {
        MessageText(words: Hexadecimal.encode([byte], uppercase: true))
    }

    /// Returns whether a byte continues a word or number, for messages.
    static func isWordByte(_ byte: UInt8) -> Bool { ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }
}
