import Basics
import JSON

/// What stands in a snapshot for a value that is another one each time.
///
/// A placeholder such as `<uuid 1>` has a number: the same value has the same number wherever it stands in a snapshot, and
/// different values have different ones.
struct Placeholder: Hashable {
    /// What the values are.
    enum Kind: String, CaseIterable, Hashable {
        /// A UUID in the 8-4-4-4-12 form (RFC 9562, section 4).
        case uuid
        /// A date and time (RFC 3339, and ISO 8601 without an offset).
        case dateTime
        /// A date of HTTP (RFC 9110, section 5.6.7).
        case httpDate
        /// Seconds or milliseconds since 1970 in a member whose name says that it is a date.
        case timestamp
        /// A JSON Web Token in its compact form (RFC 7519).
        case jwt
    }

    /// What stands for the suite's base URL.
    static let baseURL = "<baseURL>"

    let kind: Kind
    let number: Int

    /// The placeholder as it is written.
    var text: String { "<\(kind.rawValue) \(number)>" }

    private static let words: [(kind: Kind, bytes: [UInt8])] = Kind.allCases.map {
        ($0, Array("<\($0.rawValue) ".utf8))
    }

    /// The placeholders in a text, with the bytes that they take, in order.
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

/// Numbers the values of one snapshot in the order in which they are met.
struct PlaceholderNumbering {
    private var numbers: [Placeholder.Kind: [String: Int]] = [:]

    /// True when no value was met.
    var isEmpty: Bool { numbers.isEmpty }

    /// The placeholder of a value.
    mutating func placeholder(_ kind: Placeholder.Kind, _ value: String) -> String {
        // The hexadecimal digits of a UUID have no case.
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
/// Such a member has a name whose last word says so, as in `createdAt`, `expires_at`, `timestamp` or `exp`, and its value is
/// in seconds or milliseconds from the year 2000 up to 2100.
enum DateMember {
    private static let words: Set<String> = [
        "at", "date", "time", "timestamp", "ts", "created", "updated", "modified", "expires", "expiry", "expiration",
        "iat", "exp", "nbf",
    ]
    private static let seconds = 946_684_800..<4_102_444_800

    /// Whether a number in a member of that name is a time.
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

    /// The last word of a name such as `createdAt`, `created_at` or `Created-At`, in lower case.
    private static func lastWord(of name: String) -> String {
        var word: [UInt8] = []
        var isCapital = false
        for byte in name.utf8.reversed() {
            guard ASCII.isLetter(byte) else { break }
            let isUpper = byte & 0x20 == 0
            // Going backwards, a small letter before a capital one belongs to the word before.
            if isCapital, !isUpper { break }
            word.append(byte | 0x20)
            isCapital = isUpper
        }
        return String(decoding: word.reversed(), as: UTF8.self)
    }
}
