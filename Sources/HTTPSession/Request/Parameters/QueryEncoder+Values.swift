import Basics
public import FoundationEssentials

extension QueryEncoder {
    /// The encoding of Boolean values.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal

        func text(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// The encoding of floating-point numbers.
    public enum NumberEncoding: Sendable {
        /// The shortest string that reads back as the same number, with a fraction: `5.0`, `0.1`, `1e+20`.
        case shortest
        /// Up to 16 significant digits, without a fraction if the number has none: `5`, `0.1`, `1e+20`.
        case sixteenDigits

        func text(_ value: Double) -> String {
            switch self {
            case .shortest: String(value)
            case .sixteenDigits: FoundationDescription.text(value, digits: 16)
            }
        }

        func text(_ value: Float) -> String {
            switch self {
            case .shortest: String(value)
            case .sixteenDigits: FoundationDescription.text(Double(value), digits: 7)
            }
        }
    }

    /// The encoding of bytes.
    public enum DataEncoding: Sendable {
        /// The way `Data` encodes itself: an array of numbers.
        case deferredToData
        /// Base64 (RFC 4648, section 4).
        case base64
        /// The description of `NSData`: `{length = 3, bytes = 0x010203}`.
        case description
        /// The string that a closure returns.
        case custom(@Sendable ([UInt8]) throws -> String)

        /// Returns the encoded bytes, or nil if the value encodes itself.
        func text(_ bytes: [UInt8]) throws -> String? {
            switch self {
            case .deferredToData: nil
            case .base64: Base64.encode(bytes)
            case .description: FoundationDescription.text(bytes)
            case .custom(let text): try text(bytes)
            }
        }
    }

    /// The encoding of dates.
    public enum DateEncoding: Sendable {
        /// The way `Date` encodes itself: seconds since the start of 2001.
        case deferredToDate
        /// Seconds since the Unix epoch, such as `1700000000.5`.
        case secondsSince1970
        /// Milliseconds since the Unix epoch, such as `1700000000500.0`.
        case millisecondsSince1970
        /// The RFC 3339 format in UTC without fractional seconds: `2001-01-01T00:02:03Z`. Half a millisecond rounds up.
        case iso8601
        /// The description of `Date`: `2001-01-01 00:02:03 +0000`.
        case description
        /// The string that a closure returns.
        case custom(@Sendable (Date) throws -> String)

        /// Returns an encoding that uses a format style.
        public static func formatted(_ style: some FormatStyle<Date, String> & Sendable) -> DateEncoding {
            .custom { style.format($0) }
        }

        /// Returns the encoded date, or nil if the value encodes itself.
        func text(_ date: Date) throws -> String? {
            switch self {
            case .deferredToDate: nil
            case .secondsSince1970: String(date.timeIntervalSince1970)
            case .millisecondsSince1970: String(date.timeIntervalSince1970 * 1000)
            case .iso8601:
                // Foundation's formatter uses whole milliseconds.
                Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
                    .formatted(.iso8601)
            case .description: date.description
            case .custom(let text): try text(date)
            }
        }
    }

    /// The encoding of nil values.
    public enum NilEncoding: Sendable {
        /// Omits the pair.
        case dropKey
        /// `k=`
        case dropValue
        /// `k=null`
        case null
        /// `k`
        case bareKey
        /// `k=` and the string that a closure returns; nil omits the pair.
        case custom(@Sendable () -> String?)

        var content: FormNode.Content {
            switch self {
            case .dropKey: .empty
            case .dropValue: .text("")
            case .null: .text("null")
            case .bareKey: .bare
            case .custom(let text): text().map { .text($0) } ?? .empty
            }
        }
    }
}
