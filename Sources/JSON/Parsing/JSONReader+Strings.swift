extension JSONReader {
    /// A run of plain characters in a string.
    private struct Run {
        /// The place of the byte that ends it: `"`, `\`, a control character, or the end of the text.
        var end: Int
        /// Whether all its bytes are ASCII.
        var isASCII: Bool
    }

    /// Reads the string whose opening quotation mark is at the position.
    @inline(__always)
    mutating func readString() throws(JSONParseError) -> String {
        let start = position + 1
        let run = plainRun(from: start)
        if run.end < count, bytes[run.end] == UInt8(ascii: "\"") {
            position = run.end + 1
            if !run.isASCII { try checkUTF8(from: start, to: run.end) }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<run.end]), as: UTF8.self)
        }
        return try readStringWithEscapes(openedAt: position, firstRun: run)
    }

    /// The run of plain characters that starts at `start`, looked at eight bytes at a time.
    @inline(__always)
    private func plainRun(from start: Int) -> Run {
        var index = start
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var seen: UInt64 = 0
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 8 <= count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            // The high bit of a byte is set where it is zero, zero and below 0x20 respectively; borrows may set it for
            // later bytes too, so that only "none set" is relied upon.
            let special =
                ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- (ones &* 0x20)) & ~word)
            if special & highs != 0 { break }
            seen |= word
            index += 8
        }
        while index < count {
            let byte = bytes[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            seen |= UInt64(byte)
            index += 1
        }
        return Run(end: index, isASCII: seen & highs == 0)
    }

    private mutating func readStringWithEscapes(openedAt opening: Int, firstRun: Run) throws(JSONParseError) -> String {
        scratch.removeAll(keepingCapacity: true)
        var start = opening + 1
        var run = firstRun
        while true {
            guard run.end < count else {
                throw failure("the string that starts here has no closing quotation mark", at: opening)
            }
            // Checked run by run, so that no sequence is put together across an escape.
            if !run.isASCII { try checkUTF8(from: start, to: run.end) }
            scratch.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<run.end]))
            switch bytes[run.end] {
            case UInt8(ascii: "\""):
                position = run.end + 1
                return String(decoding: scratch, as: UTF8.self)
            case UInt8(ascii: "\\"):
                start = try readEscape(at: run.end)
                run = plainRun(from: start)
            default:
                throw failure(controlCharacterMessage(bytes[run.end]), at: run.end)
            }
        }
    }

    /// Checks that the bytes from `start` up to `end` are UTF-8 (RFC 3629 §4).
    private func checkUTF8(from start: Int, to end: Int) throws(JSONParseError) {
        var index = start
        while index < end {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
            guard length > 0, index + length <= end else { throw invalidUTF8(at: index) }
            let second = bytes[index + 1]
            let isAllowed =
                switch lead {
                case 0xE0: second >= 0xA0
                case 0xED: second < 0xA0
                case 0xF0: second >= 0x90
                case 0xF4: second < 0x90
                default: true
                }
            guard isAllowed, second & 0xC0 == 0x80 else { throw invalidUTF8(at: index) }
            var offset = 2
            while offset < length {
                guard bytes[index + offset] & 0xC0 == 0x80 else { throw invalidUTF8(at: index) }
                offset += 1
            }
            index += length
        }
    }

    /// Decodes the escape at `backslash` into the scratch bytes; returns where it ends.
    private mutating func readEscape(at backslash: Int) throws(JSONParseError) -> Int {
        guard backslash + 1 < count else {
            throw unexpected("an escape sequence after \"\\\"", at: backslash + 1)
        }
        let byte = bytes[backslash + 1]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): return try readUnicodeEscape(at: backslash)
        default:
            throw failure(
                "unknown escape sequence: \"\\\" is followed by \(found(at: backslash + 1)); "
                    + "JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX", at: backslash)
        }
        return backslash + 2
    }

    private mutating func readUnicodeEscape(at backslash: Int) throws(JSONParseError) -> Int {
        let first = try hexadecimalDigits(at: backslash + 2)
        var end = backslash + 6
        var code = UInt32(first)
        if first & 0xFC00 == 0xD800 {
            guard end + 1 < count, bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u") else {
                throw failure(
                    "\(escapeText(backslash)) is the first half of a surrogate pair; its second half must follow",
                    at: backslash)
            }
            let second = try hexadecimalDigits(at: end + 2)
            guard second & 0xFC00 == 0xDC00 else {
                throw failure(
                    "\(escapeText(backslash)) is the first half of a surrogate pair; "
                        + "\(escapeText(end)) is no second half", at: backslash)
            }
            code = 0x10000 + (UInt32(first & 0x3FF) << 10) + UInt32(second & 0x3FF)
            end += 6
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure(
                "\(escapeText(backslash)) is the second half of a surrogate pair without a first half", at: backslash)
        }
        scratch.append(contentsOf: scalar.utf8)
        return end
    }

    /// The value of the four hexadecimal digits that must stand at `start`.
    private func hexadecimalDigits(at start: Int) throws(JSONParseError) -> UInt16 {
        var value: UInt16 = 0
        for index in start..<start + 4 {
            guard index < count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80
            else {
                throw unexpected("four hexadecimal digits after \"\\u\"", at: index)
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private func escapeText(_ start: Int) -> String {
        "\"" + String(decoding: bytes[start..<min(start + 6, count)], as: UTF8.self) + "\""
    }

    private func controlCharacterMessage(_ byte: UInt8) -> String {
        let escape =
            switch byte {
            case 0x08: "\\b"
            case 0x09: "\\t"
            case 0x0A: "\\n"
            case 0x0C: "\\f"
            case 0x0D: "\\r"
            default: "\\u00" + hexadecimal(byte)
            }
        return "a control character (U+00\(hexadecimal(byte))) must be written as \"\(escape)\" in a string"
    }
}
