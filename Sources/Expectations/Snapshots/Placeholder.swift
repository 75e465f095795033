import Basics

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
