/// Runs of the digits of base64 or hexadecimal in a text, and the bytes that they stand for.
struct DigitRun {
    /// Where the run stands.
    let range: Range<Int>
    /// The values of its digits, and where each stands, as the run may be broken into lines.
    private let digits: DecodedText

    /// The values of the digits of base64 in both alphabets (RFC 4648); 255 for all other bytes.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in alphabet.utf8.enumerated() { values[Int(byte)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    /// Calls a function with each run of base64 digits; line breaks in a run, as in MIME, do not end it (RFC 2045,
    /// section 6.8).
    ///
    /// - Parameter isWorthIt: Whether a run that stands somewhere, of so many bytes, is wanted.
    static func forEach(
        in text: UnsafeBufferPointer<UInt8>, isWorthIt: (Range<Int>) -> Bool, _ body: (DigitRun) -> Void
    ) {
        values.withUnsafeBufferPointer { values in
            var position = 0
            while position < text.count {
                guard values[Int(text[position])] < 64 else {
                    position += 1
                    continue
                }
                let start = position
                var breaks: [Range<Int>] = []
                while true {
                    while position < text.count, values[Int(text[position])] < 64 { position += 1 }
                    guard let next = lineBreakEnd(in: text, at: position), values[Int(text[next])] < 64 else { break }
                    breaks.append(position..<next)
                    position = next
                }
                guard isWorthIt(start..<position) else { continue }
                var digits = DecodedText()
                var copied = start
                if start > 0 { digits.replace(0..<start) { _ in } }
                for range in breaks {
                    digits.copy(text, copied..<range.lowerBound)
                    digits.replace(range) { _ in }
                    copied = range.upperBound
                }
                digits.copy(text, copied..<position)
                body(DigitRun(range: start..<position, digits: digits))
            }
        }
    }

    /// The end of a line break, with what indents the next line; nil when there is none, and at the end of the text.
    private static func lineBreakEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        var position = start
        while position < text.count, text[position] == 0x0D { position += 1 }
        guard position < text.count, text[position] == 0x0A else { return nil }
        position += 1
        while position < text.count, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
        return position < text.count ? position : nil
    }

    /// The bytes that the digits from the nth on stand for in base64.
    func base64(from first: Int) -> [UInt8] {
        let digits = digits.bytes
        guard first < digits.count else { return [] }
        var result: [UInt8] = []
        result.reserveCapacity((digits.count - first) * 3 / 4)
        Self.values.withUnsafeBufferPointer { values in
            var bits: UInt32 = 0
            var count = 0
            for index in first..<digits.count {
                bits = bits << 6 | UInt32(values[Int(digits[index])])
                count += 6
                if count >= 8 {
                    count -= 8
                    result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                }
            }
        }
        return result
    }

    /// Where the digits stand that decide some bits of bytes that they stand for in base64.
    func source(ofBase64 bytes: Range<Int>, from first: Int) -> Range<Int> {
        let last = min(first + (bytes.upperBound * 8 + 5) / 6, digits.bytes.count)
        return digits.source(of: first + bytes.lowerBound * 8 / 6..<last)
    }

    /// The bytes that the digits from the nth on stand for in hexadecimal; nil where they do not.
    func hexadecimal(from first: Int) -> [UInt8]? {
        let digits = digits.bytes
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        var index = first
        while index + 1 < digits.count {
            guard let high = Escapes.hexadecimalDigit(digits[index]),
                let low = Escapes.hexadecimalDigit(digits[index + 1])
            else { return nil }
            result.append(high << 4 | low)
            index += 2
        }
        return result
    }

    /// Where the digits stand that are some bytes in hexadecimal.
    func source(ofHexadecimal bytes: Range<Int>, from first: Int) -> Range<Int> {
        digits.source(of: first + bytes.lowerBound * 2..<first + bytes.upperBound * 2)
    }
}
