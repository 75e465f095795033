import Basics

/// A finder of values that change with each response: UUIDs, dates with times, HTTP dates, tokens, and the base URL.
///
/// The time is proportional to the length of the text.
struct VolatileText {
    /// The minimum length of a value other than the base URL, in bytes.
    private static let shortest = 19

    /// The suite's base URL without trailing slashes; empty if it is not replaced.
    private let baseURL: [UInt8]

    init(baseURL: String?) {
        var bytes = Array((baseURL ?? "").utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        // A value without a scheme and host would occur everywhere.
        self.baseURL = bytes.count > 8 ? bytes : []
    }

    /// Returns the text with placeholders for the values found; nil if there are none.
    func replaced(in text: String, _ numbering: inout PlaceholderNumbering) -> String? {
        let length = text.utf8.count
        guard length >= Self.shortest || (!baseURL.isEmpty && length >= baseURL.count) else { return nil }
        var text = text
        return text.withUTF8 { bytes -> String? in
            var output: [UInt8] = []
            var copied = 0
            var position = 0
            while position < bytes.count {
                guard Self.mayBegin(bytes[position]), position == 0 || !Self.isWord(bytes[position - 1]),
                    let (end, kind) = match(bytes, at: position)
                else {
                    position += 1
                    continue
                }
                output += bytes[copied..<position]
                if let kind {
                    let value = String(decoding: bytes[position..<end], as: UTF8.self)
                    output += numbering.placeholder(kind, value).utf8
                } else {
                    output += Placeholder.baseURL.utf8
                }
                position = end
                copied = end
            }
            guard copied > 0 else { return nil }
            output += bytes[copied...]
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// Returns the end and kind of the value at a position. The base URL has no kind.
    private func match(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (end: Int, kind: Placeholder.Kind?)? {
        if let end = Self.uuidEnd(bytes, at: start) { return (end, .uuid) }
        switch bytes[start] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Self.dateTimeEnd(bytes, at: start).map { ($0, .dateTime) }
        case UInt8(ascii: "e"):
            return Self.tokenEnd(bytes, at: start).map { ($0, .jwt) }
        case UInt8(ascii: "F"), UInt8(ascii: "M"), UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "W"):
            return Self.httpDateEnd(bytes, at: start).map { ($0, .httpDate) }
        case UInt8(ascii: "h"), UInt8(ascii: "H"):
            let end = start + baseURL.count
            guard !baseURL.isEmpty, end <= bytes.count, bytes[start..<end].elementsEqual(baseURL),
                end == bytes.count || !(Self.isWord(bytes[end]) || bytes[end] == UInt8(ascii: "."))
            else { return nil }
            return (end, nil)
        default: return nil
        }
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "h"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "H"), UInt8(ascii: "M"), UInt8(ascii: "S"),
            UInt8(ascii: "T"), UInt8(ascii: "W"):
            true
        default: false
        }
    }

    /// Returns whether a byte belongs to a word, so that no value starts or ends next to it.
    private static func isWord(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        position == bytes.count || !isWord(bytes[position])
    }

    // MARK: Formats

    /// Returns whether bytes have a format.
    ///
    /// In the format, `x` is a hexadecimal digit, `0` a decimal digit, and `a` a letter. Any other character represents
    /// itself.
    private static func has(
        _ form: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> Bool {
        guard start + form.utf8CodeUnitCount <= bytes.count else { return false }
        return form.withUTF8Buffer { form in
            for (offset, wanted) in form.enumerated() {
                let byte = bytes[start + offset]
                let isRight =
                    switch wanted {
                    case UInt8(ascii: "x"): Hexadecimal.isDigit(byte)
                    case UInt8(ascii: "0"): ASCII.isDigit(byte)
                    case UInt8(ascii: "a"): ASCII.isLetter(byte)
                    default: byte == wanted
                    }
                guard isRight else { return false }
            }
            return true
        }
    }

    private static func uuidEnd(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let end = start + 36
        guard has("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", bytes, at: start), isEnd(bytes, end) else { return nil }
        return end
    }

    /// Returns the two digits at a position as a number.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> UInt8 {
        (bytes[position] & 15) * 10 + (bytes[position + 1] & 15)
    }

    private static func dateTimeEnd(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard has("0000-00-00", bytes, at: start), start + 10 < bytes.count,
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[start + 10]),
            has("00:00:00", bytes, at: start + 11), (1...12).contains(number(bytes, start + 5)),
            (1...31).contains(number(bytes, start + 8)), number(bytes, start + 11) <= 24,
            number(bytes, start + 14) <= 59, number(bytes, start + 17) <= 60
        else { return nil }
        var end = start + 19
        if end + 1 < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ","),
            ASCII.isDigit(bytes[end + 1])
        {
            end += 1
            while end < bytes.count, ASCII.isDigit(bytes[end]) { end += 1 }
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "z") {
            end += 1
        } else if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") {
            if has("00:00", bytes, at: end + 1) {
                end += 6
            } else if has("0000", bytes, at: end + 1) {
                end += 5
            } else if has("00", bytes, at: end + 1) {
                end += 3
            }
        }
        return isEnd(bytes, end) ? end : nil
    }

    private static func httpDateEnd(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard
            has("aaa, 00 aaa 0000 00:00:00 GMT", bytes, at: start)
                || has("aaa, 00-aaa-0000 00:00:00 GMT", bytes, at: start)
        else { return nil }
        return isEnd(bytes, start + 29) ? start + 29 : nil
    }

    /// Returns the end of three base64url parts that start like an encoded JSON object.
    private static func tokenEnd(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard has("eyJ", bytes, at: start) else { return nil }
        var position = start
        func part() -> Int {
            let first = position
            while position < bytes.count, isWord(bytes[position]) && bytes[position] < 0x80 || bytes[position] == 0x2D {
                position += 1
            }
            return position - first
        }
        func stop() -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return false }
            position += 1
            return true
        }
        guard part() >= 10, stop(), part() >= 2, stop() else { return nil }
        _ = part()
        return position
    }
}
