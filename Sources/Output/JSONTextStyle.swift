import Basics

/// What is escaped in the strings of JSON text beside what JSON demands, and how long ones are cut.
package enum JSONTextStyle {
    /// For people and programs: also what would drive a terminal, or change the direction of writing.
    case visible
    /// For a `script` element: also `<`, so that nothing in a text can end the element or begin a comment in it.
    case embedded
    /// For a record of a run: nothing else, and texts are cut that are too long to be kept.
    case record

    /// The most bytes of a text in a record, unless another limit is given.
    package static let longestRecordedText = 65_536

    /// Appends a text as a JSON string.
    ///
    /// - Parameter limit: The most bytes of the text that are written; nil for as many as the style allows. An ellipsis
    ///   stands for the rest, followed by its size but in a record, where it counts as a part of the text.
    package func append(_ text: String, to output: inout (some ByteSink & ~Copyable), limit: Int?) {
        let limit = limit ?? (self == .record ? Self.longestRecordedText : .max)
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

    /// Whether nothing in a text must be escaped or cut.
    package func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        (self != .record || bytes.count <= Self.longestRecordedText) && plainRun(bytes, from: 0) == bytes.count
    }

    /// Appends a text without quotation marks.
    package func append(content text: String, to output: inout (some ByteSink & ~Copyable)) {
        text.withBytes { bytes in
            var isCopied = false
            output.append(most: bytes.count) { start in
                isCopied = copyIfPlain(bytes, to: start)
                return isCopied ? bytes.count : 0
            }
            if !isCopied { append(bytes, to: &output) }
        }
    }

    /// Appends valid UTF-8 with quotation marks around it, most often at once.
    package func append(whole bytes: UnsafeBufferPointer<UInt8>, to output: inout (some ByteSink & ~Copyable)) {
        var isCopied = false
        output.append(most: bytes.count &+ 2) { start in
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

    /// Appends JSON text, in the strings of which what JSON lets stand is escaped as the style demands.
    package func append(json text: [UInt8], to output: inout (some ByteSink & ~Copyable)) {
        text.withUnsafeBufferPointer { bytes in
            var start = 0
            var index = 0
            while true {
                index = plainRun(bytes, from: index)
                guard index < bytes.count else { break }
                let byte = bytes[index]
                // What JSON demands to be escaped is punctuation or white space where it stands in JSON text.
                let isJSON = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                guard !isJSON, let (value, length) = special(bytes, at: index) else {
                    index += 1
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                output.append(most: 6) { Self.writeEscape(value, at: $0) }
                index += length
                start = index
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// The bytes that are escaped at a time, each of which may take six.
    private static let pieceCount = 4_096

    /// Appends valid UTF-8, escaped.
    private func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout (some ByteSink & ~Copyable)) {
        var index = 0
        while index < bytes.count {
            let end = min(index &+ Self.pieceCount, bytes.count)
            let piece = UnsafeBufferPointer(rebasing: bytes[..<end])
            output.append(most: (end &- index) &* 6) { start in
                var next = start
                while index < end {
                    index = copyPlainRun(piece, from: index, to: &next)
                    if index == end { break }
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                        // Most escapes of most texts, such as JSON in JSON.
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

    /// The third byte that stops a run, and the high bits where those of characters beyond ASCII do.
    @inline(__always)
    private var stops: (third: UInt64, others: UInt64) {
        switch self {
        case .visible: (0x7F, Self.high)
        case .embedded: (UInt64(UInt8(ascii: "<")), 0)
        case .record: (UInt64(UInt8(ascii: "\"")), 0)
        }
    }

    /// The high bits of bytes that need a second look; of them only the first counts.
    @inline(__always)
    private static func marks(_ word: UInt64, _ stops: (third: UInt64, others: UInt64)) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let other = word ^ (ones &* stops.third)
        // Subtracting sets the high bit of a byte that is zero, or below 0x20. It may by its borrow set that of later
        // bytes too: only the first counts.
        return
            ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (other &- ones) & ~other
            | (word &- ones &* 0x20) & ~word) & high | word & stops.others
    }

    /// Copies a text unless something in it needs a second look; then what was copied is not to be used.
    ///
    /// - Parameter start: Where it goes, with room for all of it.
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
                // The last eight may be in part those before.
                index = min(index &+ 8, count &- 8)
            }
        }
        // Eight bytes that are those of the text and, behind them, plain ones.
        var word: UInt64 = 0x6161_6161_6161_6161
        var index = 0
        while index < count {
            start[index] = base[index]
            word = word &<< 8 | UInt64(base[index])
            index &+= 1
        }
        // The first byte of a text stands highest: of marks it only counts whether there is one.
        return Self.marks(word, stops) == 0
    }

    /// Copies the bytes from `start` on that need no second look, eight at a time.
    ///
    /// - Parameter next: Where they go, with room for those of the piece and what escapes add to them.
    /// - Returns: Where they end.
    @inline(__always)
    private func copyPlainRun(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to next: inout UnsafeMutablePointer<UInt8>
    ) -> Int {
        let stops = stops
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index &+ 8 <= bytes.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // All eight, of which those behind the run are written over.
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

    /// Whether a byte needs no second look.
    @inline(__always)
    private static func isPlain(_ byte: UInt8, _ stops: (third: UInt64, others: UInt64)) -> Bool {
        byte >= 0x20 && byte != 0x22 && byte != 0x5C && UInt64(byte) != stops.third
            && (stops.others == 0 || byte < 0x80)
    }

    /// Where the bytes from `start` on end that need no second look, found eight at a time.
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

    /// The character at the end of a plain run and its length in bytes, when it is to be escaped.
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

    /// Writes an escape, which takes at most six bytes.
    ///
    /// - Returns: The number of bytes.
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
            for place in 0..<4 {
                start[2 + place] = Hexadecimal.digit(UInt8(truncatingIfNeeded: value >> UInt32(12 - 4 * place) & 0xF))
            }
            return 6
        }
        return 2
    }
}
