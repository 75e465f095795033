import Expectations
import JSON
import SuiteModel

/// Recognizes values of responses that differ from run to run.
enum VolatileValues {
    /// The endings of member names whose values change, in lowercase without `_` and `-`.
    private static let endings = [
        "at", "time", "timestamp", "date", "updated", "created", "modified", "expires", "expiry", "duration", "elapsed",
        "token", "nonce", "signature", "hash", "etag", "digest", "checksum", "cursor", "requestid", "traceid",
        "version",
    ]

    /// Returns a matcher for a value that differs from run to run; nil for a value that stays the same.
    ///
    /// - Parameter name: The name of the member with the value.
    static func matcher(for value: JSONValue, named name: String) -> ImportedMatcher? {
        switch value {
        case .string(let text):
            if let type = type(of: text) { return ImportedMatcher(.type, .literal(type)) }
            return isIdentifier(name) || isOfTime(name) || isOpaque(text) ? ImportedMatcher(.type, "string") : nil
        case .number(let number):
            guard isIdentifier(name) || isOfTime(name) || isTimestamp(number) else { return nil }
            return ImportedMatcher(.type, number.isInteger ? "integer" : "number")
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Returns whether a member name is that of an identifier: `id`, `userId`, `order_id`, `uuid`.
    static func isIdentifier(_ name: String) -> Bool {
        let lower = name.lowercased()
        if ["id", "_id", "uuid", "guid", "key", "slug"].contains(lower) { return true }
        return name.hasSuffix("Id") || name.hasSuffix("ID") || name.hasSuffix("_id") || lower.hasSuffix("uuid")
            || lower.hasSuffix("-id")
    }

    /// Returns whether a text is long and looks random, such as a token or a digest.
    static func isOpaque(_ text: String) -> Bool {
        guard text.utf8.count >= 20, text.utf8.count <= 8_192 else { return false }
        var digits = 0
        var letters = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): letters += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "/"),
                UInt8(ascii: "="):
                break
            default: return false
            }
        }
        return digits >= 4 && letters >= 4
    }

    private static func type(of text: String) -> String? {
        let types: [Matcher.ValueType] = [.uuid, .dateTime, .date]
        return types.first { TextFormat.holds(text, $0) }?.rawValue
    }

    private static func isOfTime(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
        return endings.contains { ending in
            // A short ending needs a word boundary: `createdAt`, but not `format`.
            ending == "at"
                ? name.hasSuffix("At") || name.hasSuffix("_at") || name.hasSuffix("-at") : plain.hasSuffix(ending)
        }
    }

    /// Returns whether a number is a time since 1970 in seconds or milliseconds, between 2001 and 2100.
    private static func isTimestamp(_ number: JSONNumber) -> Bool {
        guard let value = number.int64 else { return false }
        return (1_000_000_000..<4_102_444_800).contains(value)
            || (1_000_000_000_000..<4_102_444_800_000).contains(value)
    }
}
