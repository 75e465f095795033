import Basics
import JSON

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
