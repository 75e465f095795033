import Basics
import JSON

/// The replacement in a snapshot for a value that changes with each response.
///
/// A placeholder such as `<uuid 1>` has a number. Equal values have the same number everywhere in a snapshot, and
/// different values have different numbers.
struct Placeholder: Hashable {
    /// The kind of the values.
    enum Kind: String, CaseIterable, Hashable {
        /// A UUID in the 8-4-4-4-12 format (RFC 9562, section 4).
        case uuid
        /// A date and time (RFC 3339, or ISO 8601 without an offset).
        case dateTime
        /// An HTTP date (RFC 9110, section 5.6.7).
        case httpDate
        /// Seconds or milliseconds since 1970, in a member whose name indicates a date.
        case timestamp
        /// A JSON Web Token in compact serialization (RFC 7519).
        case jwt
    }

    /// The replacement for the suite's base URL.
    static let baseURL = "<baseURL>"

    let kind: Kind
    let number: Int

    /// The text of the placeholder.
    var text: String { "<\(kind.rawValue) \(number)>" }

    private static let words: [(kind: Kind, bytes: [UInt8])] = Kind.allCases.map {
        ($0, Array("<\($0.rawValue) ".utf8))
    }

    /// Returns the placeholders in a string and their byte ranges, in order.
    static func all(in text: String) -> [(placeholder: Placeholder, range: Range<Int>)] {
        var text = text
        return text.withUTF8 { bytes in
            var found: [(placeholder: Placeholder, range: Range<Int>)] = []
            var position = 0
            while position < bytes.count {
                if bytes[position] == UInt8(ascii: "<"), let placeholder = parse(bytes, at: position) {
                    found.append(placeholder)
                    position = placeholder.range.upperBound
                } else {
                    position += 1
                }
            }
            return found
        }
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (placeholder: Placeholder, range: Range<Int>)? {
        for (kind, word) in words {
            var position = start + word.count
            guard position < bytes.count, bytes[start..<position].elementsEqual(word) else { continue }
            var number = 0
            let first = position
            while position < bytes.count, position < first + 9, ASCII.isDigit(bytes[position]) {
                number = number * 10 + Int(bytes[position] & 15)
                position += 1
            }
            guard position > first, position < bytes.count, bytes[position] == UInt8(ascii: ">") else { return nil }
            return (Placeholder(kind: kind, number: number), start..<position + 1)
        }
        return nil
    }
}

/// The numbers of the values in one snapshot, in order of occurrence.
struct PlaceholderNumbering {
    private var numbers: [Placeholder.Kind: [String: Int]] = [:]

    /// Whether no value has been numbered.
    var isEmpty: Bool { numbers.isEmpty }

    /// Returns the placeholder of a value.
    mutating func placeholder(_ kind: Placeholder.Kind, _ value: String) -> String {
        // Hexadecimal digits in a UUID are case-insensitive.
        let value = kind == .uuid ? value.lowercased() : value
        var known = numbers[kind] ?? [:]
        numbers[kind] = nil
        let number = known[value] ?? known.count + 1
        known[value] = number
        numbers[kind] = known
        return Placeholder(kind: kind, number: number).text
    }
}

/// Members whose numbers are times since 1970-01-01T00:00:00Z.
///
/// The last word of such a member's name indicates a time, as in `createdAt`, `expires_at`, `timestamp` or `exp`. The
/// value is in seconds or milliseconds, from the year 2000 up to 2100.
enum DateMember {
    private static let words: Set<String> = [
        "at", "date", "time", "timestamp", "ts", "created", "updated", "modified", "expires", "expiry", "expiration",
        "iat", "exp", "nbf",
    ]
    private static let seconds = 946_684_800..<4_102_444_800

    /// Returns whether a number in a member with the given name is a time.
    static func isTime(_ number: JSONNumber, in name: String) -> Bool {
        guard let value = wholePart(of: number), seconds.contains(value) || seconds.contains(value / 1_000) else {
            return false
        }
        return words.contains(lastWord(of: name))
    }

    private static func wholePart(of number: JSONNumber) -> Int? {
        if let value = number.int64 { return Int(exactly: value) }
        let digits = number.literal.utf8.prefix { ASCII.isDigit($0) }
        guard number.literal.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Returns the last word of a name such as `createdAt`, `created_at` or `Created-At`, in lowercase.
    private static func lastWord(of name: String) -> String {
        var word: [UInt8] = []
        var isCapital = false
        for byte in name.utf8.reversed() {
            guard ASCII.isLetter(byte) else { break }
            let isUpper = byte & 0x20 == 0
            // Backwards, a lowercase letter before an uppercase one belongs to the previous word.
            if isCapital, !isUpper { break }
            word.append(byte | 0x20)
            isCapital = isUpper
        }
        return String(decoding: word.reversed(), as: UTF8.self)
    }
}
