import Basics
import SuiteModel

/// A format of strings that shapes know, each so narrow that a text hardly has it by chance.
public enum ShapeFormat: String, Sendable, Hashable, CaseIterable {
    case dateTime = "date-time"
    case date
    case uuid
    case email
    case uri
    case ipv4
    case ipv6

    /// The longest text that is looked at.
    private static let longest = 2_048

    /// The format of a text, or nil when it has none of them.
    init?(of text: String) {
        let bytes = text.utf8
        guard (3...Self.longest).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
            return nil
        }
        if bytes.count == 36, TextFormat.holds(text, .uuid) {
            self = .uuid
        } else if ASCII.isDigit(first), bytes.count == 10, TextFormat.holds(text, .date) {
            self = .date
        } else if ASCII.isDigit(first), bytes.count >= 20, Self.isDateTime(text, last: last) {
            self = .dateTime
        } else if ASCII.isDigit(first), TextFormat.holds(text, .ipv4) {
            self = .ipv4
        } else if Hexadecimal.isDigit(first) || first == UInt8(ascii: ":"), TextFormat.holds(text, .ipv6) {
            self = .ipv6
        } else if ASCII.isLetter(first), Self.hasAuthority(text), TextFormat.holds(text, .uri) {
            self = .uri
        } else if ASCII.isAlphanumeric(first), Self.isPlainAddress(text), TextFormat.holds(text, .email) {
            self = .email
        } else {
            return nil
        }
    }

    /// Whether a text is a date and time with its offset (RFC 3339).
    private static func isDateTime(_ text: String, last: UInt8) -> Bool {
        var text = text
        let hasForm = text.withUTF8 { bytes -> Bool in
            guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":") else {
                return false
            }
            if last == UInt8(ascii: "Z") { return true }
            guard bytes.count >= 25 else { return false }
            let sign = bytes[bytes.count - 6]
            return bytes[bytes.count - 3] == UInt8(ascii: ":")
                && (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"))
        }
        return hasForm && TextFormat.holds(text, .dateTime)
    }

    /// Whether a text goes on with `://` behind what may be a scheme; a URN or `a:b` could be anything.
    private static func hasAuthority(_ text: String) -> Bool {
        guard let colon = text.utf8.prefix(32).firstIndex(of: UInt8(ascii: ":")) else { return false }
        return text.utf8[colon...].starts(with: "://".utf8)
    }

    /// Whether a text is ASCII without spaces and quotes, has one `@`, and a point behind it.
    private static func isPlainAddress(_ text: String) -> Bool {
        var ats = 0
        var hasPoint = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "@"): ats += 1
            case UInt8(ascii: "."): hasPoint = hasPoint || ats == 1
            case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "["), 0x7F...: return false
            default: break
            }
        }
        return ats == 1 && hasPoint
    }
}
