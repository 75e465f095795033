import Basics

extension JSONReader {
    /// A run of plain characters in a string.
    private struct Run {
        /// The position of the byte that ends it: `"`, `\`, a control character, or the end of the text.
        var end: Int
        /// Whether all bytes are ASCII.
        var isASCII: Bool
    }

    /// Reads the string whose opening quotation mark is at the position.
    @inline(__always)
    mutating func readString() throws(JSONParseError) -> String {
        let start = position &+ 1
        let run = plainRun(from: start)
        guard run.end < count, bytes[run.end] == UInt8(ascii: "\"") else {
            return try readStringWithEscapes(openedAt: position, firstRun: run)
        }
        position = run.end &+ 1
        return try makeString(slice(start, run.end), isASCII: run.isASCII, start, run.end)
    }

    /// Reads a member name and the colon after it: string ":"
    @inline(__always)
    mutating func readName() throws(JSONParseError) {
        let opening = position
        guard opening < count, bytes[opening] == UInt8(ascii: "\"") else { throw noName() }
        let start = opening &+ 1
        let run = plainRun(from: start)
        if run.end < count, bytes[run.end] == UInt8(ascii: "\"") {
            position = run.end &+ 1
            let text = slice(start, run.end)
            let hash = NameHash.hash(text, seed: seed)
            if let name = cache.name(hash: hash, bytes: text, in: bytes) {
                names.push(Name(name: name, hash: hash, offset: opening))
            } else {
                let name = try makeString(text, isASCII: run.isASCII, start, run.end)
                cache.keep(name, hash: hash, length: text.count, offset: start)
                names.push(Name(name: name, hash: hash, offset: opening))
            }
        } else {
            let name = try readStringWithEscapes(openedAt: opening, firstRun: run)
            let hash = scratch.withUnsafeBufferPointer { NameHash.hash($0, seed: seed) }
            names.push(Name(name: name, hash: hash, offset: opening))
        }
        skipWhiteSpace()
        guard position < count, bytes[position] == UInt8(ascii: ":") else {
            throw unexpected("\":\" after the member name", at: position)
        }
        position &+= 1
        skipWhiteSpace()
    }

    @inline(__always)
    private func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + start }, count: end &- start)
    }

    /// Creates a string after validating its UTF-8; `start` and `end` are its range in the text.
    @inline(__always)
    private func makeString(
        _ text: UnsafeBufferPointer<UInt8>, isASCII: Bool, _ start: Int, _ end: Int
    ) throws(JSONParseError) -> String {
        if isASCII { return String(decoding: text, as: UTF8.self) }
        guard UTF8Check.isValid(text, in: bytes) else { throw invalidUTF8(from: start, to: end) }
        return JSONReader.makeString(valid: text)
    }

    /// Creates a string from validated UTF-8.
    private static func makeString(valid text: UnsafeBufferPointer<UInt8>) -> String {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            return String(copying: UTF8Span(unchecked: text.span))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the run of plain characters that starts at `start`, scanning eight bytes at a time.
    @inline(__always)
    private func plainRun(from start: Int) -> Run {
        var index = start
        let highs: UInt64 = 0x8080_8080_8080_8080
        var seen: UInt64 = 0
        let raw = UnsafeRawBufferPointer(bytes)
        while index &+ 8 <= count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let special = SpecialBytes.mask(word)
            if special != 0 {
                seen |= UInt64(littleEndian: word) & ((special & (0 &- special)) &- 1)
                return Run(end: index &+ special.trailingZeroBitCount &>> 3, isASCII: seen & highs == 0)
            }
            seen |= word
            index &+= 8
        }
        while index < count {
            let byte = bytes[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            seen |= UInt64(byte)
            index &+= 1
        }
        return Run(end: index, isASCII: seen & highs == 0)
    }

    private mutating func readStringWithEscapes(openedAt opening: Int, firstRun: Run) throws(JSONParseError) -> String {
        scratch.removeAll(keepingCapacity: true)
        var isASCII = true
        var start = opening + 1
        var run = firstRun
        while true {
            guard run.end < count else {
                throw failure("unterminated string: expected a closing quotation mark", at: opening)
            }
            isASCII = isASCII && run.isASCII
            scratch.append(contentsOf: slice(start, run.end))
            switch bytes[run.end] {
            case UInt8(ascii: "\""):
                position = run.end + 1
                // An escape represents a whole character and is ASCII itself. The text around escapes is therefore
                // valid UTF-8 if and only if the unescaped text is.
                if isASCII { return String(decoding: scratch, as: UTF8.self) }
                return try scratch.withUnsafeBufferPointer { text throws(JSONParseError) in
                    guard UTF8Check.isValid(text, in: text) else {
                        throw invalidUTF8(from: opening + 1, to: run.end)
                    }
                    return JSONReader.makeString(valid: text)
                }
            case UInt8(ascii: "\\"):
                start = try readEscape(at: run.end)
                run = plainRun(from: start)
            default:
                if !run.isASCII, UTF8Check.firstInvalidByte(bytes, from: start, to: run.end) != nil {
                    throw invalidUTF8(from: start, to: run.end)
                }
                throw failure(controlCharacterMessage(bytes[run.end]), at: run.end)
            }
        }
    }

    /// Decodes the escape at `backslash` into the scratch buffer and returns its end.
    @inline(__always)
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
                "unknown escape sequence: \"\\\" is followed by \(found(at: backslash + 1))", at: backslash,
                hint: "expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX")
        }
        return backslash + 2
    }

    private mutating func readUnicodeEscape(at backslash: Int) throws(JSONParseError) -> Int {
        let first = try hexadecimalDigits(at: backslash + 2)
        var end = backslash + 6
        var code = first
        if first & 0xFC00 == 0xD800 {
            guard end + 1 < count, bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u") else {
                throw failure(
                    "\(escapeText(backslash)) is a high surrogate: expected a low surrogate after it",
                    at: backslash)
            }
            let second = try hexadecimalDigits(at: end + 2)
            guard second & 0xFC00 == 0xDC00 else {
                throw failure(
                    "\(escapeText(backslash)) is a high surrogate, but "
                        + "\(escapeText(end)) after it is not a low surrogate", at: backslash)
            }
            code = 0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)
            end += 6
        } else if first & 0xFC00 == 0xDC00 {
            throw failure(
                "\(escapeText(backslash)) is a low surrogate without a high surrogate before it", at: backslash)
        }
        append(code)
        return end
    }

    /// Appends the UTF-8 of a code point other than a surrogate to the scratch buffer (RFC 3629, section 3).
    @inline(__always)
    private mutating func append(_ code: UInt32) {
        if code < 0x80 {
            scratch.append(UInt8(truncatingIfNeeded: code))
            return
        }
        if code < 0x800 {
            scratch.append(0xC0 | UInt8(truncatingIfNeeded: code >> 6))
        } else {
            if code < 0x10000 {
                scratch.append(0xE0 | UInt8(truncatingIfNeeded: code >> 12))
            } else {
                scratch.append(0xF0 | UInt8(truncatingIfNeeded: code >> 18))
                scratch.append(0x80 | UInt8(truncatingIfNeeded: code >> 12) & 0x3F)
            }
            scratch.append(0x80 | UInt8(truncatingIfNeeded: code >> 6) & 0x3F)
        }
        scratch.append(0x80 | UInt8(truncatingIfNeeded: code) & 0x3F)
    }

    /// Returns the value of the four hexadecimal digits that must be at `start`.
    @inline(__always)
    private func hexadecimalDigits(at start: Int) throws(JSONParseError) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<start + 4 {
            guard index < count, let digit = Hexadecimal.value(of: bytes[index]) else {
                throw unexpected("four hexadecimal digits after \"\\u\"", at: index)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

/// A search for the bytes that end a run of plain characters in a string, eight bytes at a time.
enum SpecialBytes {
    /// Returns a mask with the high bit set for the first byte that is `"`, `\` or below U+0020; 0 if there is none.
    ///
    /// The word is in memory order; the first byte of the text is the lowest byte of the result. Bits above the lowest
    /// set bit are meaningless.
    @inline(__always)
    static func mask(_ loaded: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: loaded)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // Subtracting sets the high bit of a byte that is zero, zero and below 0x20, respectively. A borrow may also
        // set it for later bytes.
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- (ones &* 0x20)) & ~word)
        return found & 0x8080_8080_8080_8080
    }
}

/// A validator of UTF-8 (RFC 3629, section 4): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// Returns whether `bytes` are valid UTF-8.
    ///
    /// - Parameter text: The buffer that contains `bytes`; up to three bytes after them may be read.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, let textStart = text.baseAddress else { return true }
        let raw = UnsafeRawPointer(start)
        let readable = text.count - (start - textStart)
        let count = bytes.count
        var index = 0
        while index &+ 8 <= readable, index < count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            if high == 0 {
                index &+= 8
                continue
            }
            // Skip the ASCII characters before the first multibyte character.
            let ascii = high.trailingZeroBitCount &>> 3
            index &+= ascii
            if index >= count { return true }
            guard index &+ 4 <= readable else { break }
            let sequence = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            let length: Int
            if sequence & 0x00C0_C0F0 == 0x0080_80E0 {
                // Zero would fit in two bytes; 0x200D is a surrogate.
                let start = sequence & 0x0000_200F
                if start == 0 || start == 0x0000_200D { return false }
                length = 3
            } else if sequence & 0x0000_C0E0 == 0x0000_80C0 {
                if sequence & 0x0000_001E == 0 { return false }
                length = 2
            } else if sequence & 0xC0C0_C0F8 == 0x8080_80F0 {
                let plane = (sequence & 7) << 2 | (sequence >> 12) & 3
                if plane == 0 || plane > 16 { return false }
                length = 4
            } else {
                return false
            }
            index &+= length
            if index > count { return false }
        }
        return index >= count || firstInvalidByte(bytes, from: index, to: count) == nil
    }

    /// Returns the first position in `start..<end` without a valid character that ends before `end`; nil if none.
    static func firstInvalidByte(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
            guard length > 0, index + length <= end else { return index }
            let second = bytes[index + 1]
            let isAllowed =
                switch lead {
                case 0xE0: second >= 0xA0
                case 0xED: second < 0xA0
                case 0xF0: second >= 0x90
                case 0xF4: second < 0x90
                default: true
                }
            guard isAllowed, second & 0xC0 == 0x80 else { return index }
            for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return index }
            index += length
        }
        return nil
    }
}

/// A cache of member names, so a repeated name is neither validated nor converted to a string again.
///
/// A name is looked up by its bytes in the text. If names collide, the last one is kept.
struct NameCache: ~Copyable {
    private struct Entry {
        var hash: UInt32
        var length: Int
        /// The position of the name in the text.
        var offset: Int
        var name: String
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let capacity: Int

    /// Creates a cache for a text of the given length; a short text gets a small cache, because initializing it takes
    /// time.
    init(textLength: Int) {
        var capacity = 16
        while capacity < 1024, capacity * 64 < textLength { capacity *= 2 }
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        // No name has a length of -1, so this entry matches none.
        entries.initialize(repeating: Entry(hash: 0, length: -1, offset: 0, name: ""), count: capacity)
    }

    deinit {
        entries.deinitialize(count: capacity)
        entries.deallocate()
    }

    /// Returns the cached name with the given hash and bytes; nil if there is none.
    @inline(__always)
    func name(hash: UInt32, bytes: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> String? {
        let entry = entries + (Int(hash) & (capacity &- 1))
        guard entry.pointee.hash == hash, entry.pointee.length == bytes.count else { return nil }
        let offset = entry.pointee.offset
        let known = UnsafeBufferPointer(rebasing: text[offset..<offset &+ bytes.count])
        return ExactText.equal(known, bytes) ? entry.pointee.name : nil
    }

    /// Stores a name that is in the text at `offset`.
    @inline(__always)
    func keep(_ name: String, hash: UInt32, length: Int, offset: Int) {
        entries[Int(hash) & (capacity &- 1)] = Entry(hash: hash, length: length, offset: offset, name: name)
    }
}
