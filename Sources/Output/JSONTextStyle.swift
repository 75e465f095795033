import Basics

/// The escaping of JSON strings beyond the characters that JSON requires, and the limit of their length.
package enum JSONTextStyle {
    /// Output for people and programs.
    ///
    /// Also escapes terminal control characters and changes of text direction.
    case visible
    /// Content of a `script` element.
    ///
    /// Also escapes `<`, so a string can neither close the element nor open a comment.
    case embedded
    /// A run record.
    ///
    /// Escapes nothing else, and truncates strings that are too long to keep.
    case record

    /// The default maximum number of bytes of a string in a record.
    package static let maximumRecordedTextLength = 65_536

    /// Appends a JSON string.
    ///
    /// - Parameter limit: The maximum number of bytes of the string, or `nil` for the limit of the style. An ellipsis
    ///   replaces the rest. The number of omitted bytes follows, except in a record, in which the ellipsis counts
    ///   toward the limit.
    package func append(_ text: String, to output: inout (some ByteSink & ~Copyable), limit: Int?) {
        let limit = limit ?? (self == .record ? Self.maximumRecordedTextLength : .max)
        text.withBytes { bytes in
            if bytes.count <= limit {
                append(whole: bytes, to: &output)
            } else {
                append(bytes, cutTo: limit, to: &output)
            }
        }
    }

    private func append(
        _ bytes: UnsafeBufferPointer<UInt8>, cutTo limit: Int, to output: inout (some ByteSink & ~Copyable)
    ) {
        output.append(UInt8(ascii: "\""))
        var end = max(0, self == .record ? limit - "…".utf8.count : limit)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        append(UnsafeBufferPointer(rebasing: bytes[..<end]), to: &output)
        var rest = self == .record ? "…" : "… (\(bytes.count - end) more bytes)"
        rest.withUTF8 { output.append(contentsOf: $0) }
        output.append(UInt8(ascii: "\""))
    }

    /// Returns whether a string needs neither escaping nor truncation.
    package func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        (self != .record || bytes.count <= Self.maximumRecordedTextLength) && plainRun(bytes, from: 0) == bytes.count
    }

    /// Appends an escaped string without quotation marks.
    package func append(content text: String, to output: inout (some ByteSink & ~Copyable)) {
        text.withBytes { bytes in
            var isCopied = false
            output.append(maximum: bytes.count) { start in
                isCopied = copyIfPlain(bytes, to: start)
                return isCopied ? bytes.count : 0
            }
            if !isCopied { append(bytes, to: &output) }
        }
    }

    /// Appends valid UTF-8 in quotation marks.
    ///
    /// Most strings are copied in one step.
    package func append(whole bytes: UnsafeBufferPointer<UInt8>, to output: inout (some ByteSink & ~Copyable)) {
        var isCopied = false
        output.append(maximum: bytes.count &+ 2) { start in
            isCopied = copyIfPlain(bytes, to: start + 1)
            guard isCopied else { return 0 }
            start[0] = UInt8(ascii: "\"")
            start[bytes.count &+ 1] = UInt8(ascii: "\"")
            return bytes.count &+ 2
        }
        if isCopied { return }
        output.append(UInt8(ascii: "\""))
        append(bytes, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Appends JSON text and escapes the characters of its strings that JSON allows but the style escapes.
    package func append(json text: [UInt8], to output: inout (some ByteSink & ~Copyable)) {
        text.withUnsafeBufferPointer { bytes in
            var start = 0
            var index = 0
            while true {
                index = plainRun(bytes, from: index)
                guard index < bytes.count else { break }
                let byte = bytes[index]
                // Outside strings, the characters that JSON requires to be escaped are punctuation or whitespace.
                let isJSON = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                guard !isJSON, let (value, length) = special(bytes, at: index) else {
                    index += 1
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                output.append(maximum: 6) { Self.writeEscape(value, at: $0) }
                index += length
                start = index
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// The number of bytes escaped at a time.
    ///
    /// Each of them may take up six bytes.
    private static let pieceCount = 4_096

    /// Appends valid UTF-8, escaped.
    private func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout (some ByteSink & ~Copyable)) {
        var index = 0
        while index < bytes.count {
            let end = min(index &+ Self.pieceCount, bytes.count)
            let piece = UnsafeBufferPointer(rebasing: bytes[..<end])
            output.append(maximum: (end &- index) &* 6) { start in
                var next = start
                while index < end {
                    index = copyPlainRun(piece, from: index, to: &next)
                    if index == end { break }
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                        // The most common escapes by far, as in JSON within JSON.
                        next[0] = UInt8(ascii: "\\")
                        next[1] = byte
                        next += 2
                        index &+= 1
                    } else if let (value, length) = special(bytes, at: index) {
                        next += Self.writeEscape(value, at: next)
                        index &+= length
                    } else {
                        next.pointee = byte
                        next += 1
                        index &+= 1
                    }
                }
                return next - start
            }
        }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let high = ones &* 0x80

    /// The third byte that ends a plain run, and the high bits that mark non-ASCII bytes if these end it too.
    @inline(__always)
    private var stops: (third: UInt64, others: UInt64) {
        switch self {
        case .visible: (0x7F, Self.high)
        case .embedded: (UInt64(UInt8(ascii: "<")), 0)
        case .record: (UInt64(UInt8(ascii: "\"")), 0)
        }
    }

    /// Returns the high bits of the bytes that need closer inspection.
    ///
    /// Only the first mark is reliable.
    @inline(__always)
    private static func marks(_ word: UInt64, _ stops: (third: UInt64, others: UInt64)) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let other = word ^ (ones &* stops.third)
        // The subtraction sets the high bit of a byte that is zero or below 0x20. Its borrow may also set the high bits
        // of later bytes, so only the first one counts.
        return
            ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (other &- ones) & ~other
            | (word &- ones &* 0x20) & ~word) & high | word & stops.others
    }

    /// Copies a string unless a byte in it needs closer inspection.
    ///
    /// In that case, the copied bytes must not be used.
    ///
    /// - Parameter start: The destination, with room for the whole string.
    private func copyIfPlain(_ bytes: UnsafeBufferPointer<UInt8>, to start: UnsafeMutablePointer<UInt8>) -> Bool {
        let count = bytes.count
        guard count > 0, let base = bytes.baseAddress else { return true }
        let stops = stops
        let (source, target) = (UnsafeRawPointer(base), UnsafeMutableRawPointer(start))
        if count >= 8 {
            var index = 0
            while true {
                let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
                if Self.marks(UInt64(littleEndian: word), stops) != 0 { return false }
                if index == count &- 8 { return true }
                // The last eight bytes may overlap the previous ones.
                index = min(index &+ 8, count &- 8)
            }
        }
        // Fills the word with the bytes of the string and pads it with plain ones.
        var word: UInt64 = 0x6161_6161_6161_6161
        var index = 0
        while index < count {
            start[index] = base[index]
            word = word &<< 8 | UInt64(base[index])
            index &+= 1
        }
        // The first byte of the string is the most significant one, so the marks only show whether there is any.
        return Self.marks(word, stops) == 0
    }

    /// Copies the run of plain bytes from `start` on, eight at a time.
    ///
    /// - Parameter next: The destination, with room for the piece and the bytes that escapes add to it.
    /// - Returns: The index after the run.
    @inline(__always)
    private func copyPlainRun(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to next: inout UnsafeMutablePointer<UInt8>
    ) -> Int {
        let stops = stops
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index &+ 8 <= bytes.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // Stores all eight. The bytes after the run are overwritten later.
            UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
            let found = Self.marks(UInt64(littleEndian: word), stops)
            if found != 0 {
                let count = found.trailingZeroBitCount &>> 3
                next += count
                return index &+ count
            }
            next += 8
            index &+= 8
        }
        let end = plainRun(bytes, from: index)
        while index < end {
            next.pointee = bytes[index]
            next += 1
            index &+= 1
        }
        return end
    }

    /// Returns whether a byte needs no closer inspection.
    @inline(__always)
    private static func isPlain(_ byte: UInt8, _ stops: (third: UInt64, others: UInt64)) -> Bool {
        byte >= 0x20 && byte != 0x22 && byte != 0x5C && UInt64(byte) != stops.third
            && (stops.others == 0 || byte < 0x80)
    }

    /// Returns the end of the run of plain bytes from `start` on.
    ///
    /// It checks eight bytes at a time.
    private func plainRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let stops = stops
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = Self.marks(word, stops)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < bytes.count {
            if !Self.isPlain(bytes[index], stops) { break }
            index &+= 1
        }
        return index
    }

    /// Returns the character after a plain run and its length in bytes if it must be escaped.
    private func special(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt32, length: Int)? {
        let byte = bytes[index]
        if byte < 0x80 { return (UInt32(byte), 1) }
        guard index + 1 < bytes.count else { return nil }
        let second = bytes[index + 1]
        switch (byte, second) {
        case (0xC2, 0x80..<0xA0), (0xD8, 0x9C):
            return (UInt32(byte & 0x1F) << 6 | UInt32(second & 0x3F), 2)
        case (0xE2, 0x80), (0xE2, 0x81), (0xEF, 0xBB), (0xEF, 0xBF):
            guard index + 2 < bytes.count else { return nil }
            let value = UInt32(byte & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
            switch value {
            case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
                return (value, 3)
            default: return nil
            }
        default: return nil
        }
    }

    /// Writes an escape in at most six bytes.
    ///
    /// - Returns: The number of bytes written.
    private static func writeEscape(_ value: UInt32, at start: UnsafeMutablePointer<UInt8>) -> Int {
        start[0] = UInt8(ascii: "\\")
        switch value {
        case 0x08: start[1] = UInt8(ascii: "b")
        case 0x09: start[1] = UInt8(ascii: "t")
        case 0x0A: start[1] = UInt8(ascii: "n")
        case 0x0C: start[1] = UInt8(ascii: "f")
        case 0x0D: start[1] = UInt8(ascii: "r")
        case 0x22: start[1] = UInt8(ascii: "\"")
        case 0x5C: start[1] = UInt8(ascii: "\\")
        default:
            start[1] = UInt8(ascii: "u")
            for location in 0..<4 {
                start[2 + location] = Hexadecimal.digit(
                    UInt8(truncatingIfNeeded: value >> UInt32(12 - 4 * location) & 0xF))
            }
            return 6
        }
        return 2
    }
}
