import Basics

/// A run of base64 digits in a text, which may also be hexadecimal, and the bytes that it encodes.
struct DigitRun {
    /// The range of the run in the text.
    let range: Range<Int>
    /// The digits without line breaks, mapped to the text; nil if the run has no line breaks.
    private let lines: DecodedText?
    private let text: UnsafeBufferPointer<UInt8>

    /// The values of the digits of both base64 alphabets (RFC 4648); 255 for all other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in alphabet.utf8.enumerated() { values[Int(byte)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    /// Returns whether a byte is a base64 digit.
    static func isDigit(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

    /// The minimum number of digits in the first line of a run with line breaks; no encoder writes shorter lines.
    private static let shortestLine = 32

    /// Calls a closure with each run of digits. Line breaks do not end a run, as in MIME (RFC 2045, section 6.8).
    ///
    /// - Parameters:
    ///   - text: The text to search.
    ///   - minimum: The minimum number of digits of a run.
    ///   - body: The closure to call.
    static func forEach(in text: UnsafeBufferPointer<UInt8>, minimum: Int, _ body: (DigitRun) -> Void) {
        let step = max(1, min(minimum, shortestLine))
        values.withUnsafeBufferPointer { values in
            func isDigit(_ position: Int) -> Bool { values[Int(text[position])] < 64 }
            var end = 0
            // The step guarantees that at least one inspected byte is a digit of each line of a run that is long
            // enough.
            var position = step - 1
            while position < text.count {
                guard isDigit(position) else {
                    position += step
                    continue
                }
                var start = position
                while start > end, isDigit(start - 1) { start -= 1 }
                while position < text.count, isDigit(position) { position += 1 }
                var breaks: [Range<Int>] = []
                var count = position - start
                while count >= shortestLine, let next = lineBreakEnd(in: text, at: position), isDigit(next) {
                    breaks.append(position..<next)
                    position = next
                    while position < text.count, isDigit(position) { position += 1 }
                    count += position - next
                }
                if count >= minimum { body(DigitRun(text, start..<position, breaks: breaks)) }
                end = position
                position += step
            }
        }
    }

    private init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, breaks: [Range<Int>]) {
        self.text = text
        self.range = range
        guard !breaks.isEmpty else {
            lines = nil
            return
        }
        var digits = DecodedText()
        var copied = range.lowerBound
        digits.replace(0..<copied) { _ in }
        for lineBreak in breaks {
            digits.copy(text, copied..<lineBreak.lowerBound)
            digits.replace(lineBreak) { _ in }
            copied = lineBreak.upperBound
        }
        digits.copy(text, copied..<range.upperBound)
        lines = digits
    }

    /// Returns the end of a line break and of the next line's indentation; nil without a line break or at the end of
    /// the text.
    private static func lineBreakEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        var position = start
        while position < text.count, text[position] == 0x0D { position += 1 }
        guard position < text.count, text[position] == 0x0A else { return nil }
        position += 1
        while position < text.count, ASCII.isBlank(text[position]) { position += 1 }
        return position < text.count ? position : nil
    }

    /// The number of digits.
    var count: Int { lines?.bytes.count ?? range.count }

    private func withDigits<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let lines { return lines.bytes.withUnsafeBufferPointer(body) }
        return body(UnsafeBufferPointer(rebasing: text[range]))
    }

    /// Calls a closure with the bytes that the digits from an index on encode in base64.
    func withBase64<Result>(from first: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withDigits { digits in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits.count) { room in
                Self.values.withUnsafeBufferPointer { values in
                    var bits: UInt32 = 0
                    var count = 0
                    var written = 0
                    var index = first
                    while index < digits.count {
                        bits = bits << 6 | UInt32(truncatingIfNeeded: values[Int(digits[index])])
                        count += 6
                        if count >= 8 {
                            count -= 8
                            room[written] = UInt8(truncatingIfNeeded: bits >> UInt32(truncatingIfNeeded: count))
                            written += 1
                        }
                        index += 1
                    }
                    return body(UnsafeBufferPointer(rebasing: room[..<written]))
                }
            }
        }
    }

    /// Returns the range of the digits that determine any bit of a range of base64-decoded bytes.
    func source(ofBase64 bytes: Range<Int>, from first: Int) -> Range<Int> {
        source(of: first + bytes.lowerBound * 8 / 6..<min(first + (bytes.upperBound * 8 + 5) / 6, count))
    }

    /// Returns the bytes that the digits from an index on encode in hexadecimal; nil if not all of them are
    /// hexadecimal.
    func hexadecimal(from first: Int) -> [UInt8]? {
        withDigits { digits in
            // Most runs are base64 and return nil at one of the first digits, before anything is allocated.
            var result: [UInt8] = []
            var index = first
            while index + 1 < digits.count {
                guard let high = Hexadecimal.value(of: digits[index]),
                    let low = Hexadecimal.value(of: digits[index + 1])
                else { return nil }
                result.append(high << 4 | low)
                index += 2
            }
            return result
        }
    }

    /// Returns the range of the digits that encode a range of bytes in hexadecimal.
    func source(ofHexadecimal bytes: Range<Int>, from first: Int) -> Range<Int> {
        source(of: first + bytes.lowerBound * 2..<first + bytes.upperBound * 2)
    }

    private func source(of digits: Range<Int>) -> Range<Int> {
        lines?.source(of: digits) ?? range.lowerBound + digits.lowerBound..<range.lowerBound + digits.upperBound
    }
}
