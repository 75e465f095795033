import Basics
public import FoundationEssentials

extension QueryEncoder {
    /// How truth values are written.
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

    /// How floating-point numbers are written.
    public enum NumberEncoding: Sendable {
        /// The shortest text that is read as the same number, with a fraction: `5.0`, `0.1`, `1e+20`.
        case shortest
        /// At most 16 significant digits, without a fraction where there is none: `5`, `0.1`, `1e+20`.
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

    /// How bytes are written.
    public enum DataEncoding: Sendable {
        /// As `Data` encodes itself: a list of numbers.
        case deferredToData
        /// In base 64 (RFC 4648 section 4).
        case base64
        /// As `NSData` describes itself: `{length = 3, bytes = 0x010203}`.
        case description
        /// What the function gives.
        case custom(@Sendable ([UInt8]) throws -> String)

        /// The text, or nil to leave it to the value.
        func text(_ bytes: [UInt8]) throws -> String? {
            switch self {
            case .deferredToData: nil
            case .base64: Base64.encode(bytes)
            case .description: FoundationDescription.text(bytes)
            case .custom(let text): try text(bytes)
            }
        }
    }

    /// How points in time are written.
    public enum DateEncoding: Sendable {
        /// As `Date` encodes itself: seconds since the start of 2001.
        case deferredToDate
        /// Seconds since the start of 1970, as in `1700000000.5`.
        case secondsSince1970
        /// Milliseconds since the start of 1970, as in `1700000000500.0`.
        case millisecondsSince1970
        /// In UTC without fractions of a second, as in `2001-01-01T00:02:03Z` (RFC 3339); half a millisecond rounds up.
        case iso8601
        /// As `Date` describes itself: `2001-01-01 00:02:03 +0000`.
        case description
        /// What the function gives.
        case custom(@Sendable (Date) throws -> String)

        /// In a format.
        public static func formatted(_ style: some FormatStyle<Date, String> & Sendable) -> DateEncoding {
            .custom { style.format($0) }
        }

        /// The text, or nil to leave it to the value.
        func text(_ date: Date) throws -> String? {
            switch self {
            case .deferredToDate: nil
            case .secondsSince1970: String(date.timeIntervalSince1970)
            case .millisecondsSince1970: String(date.timeIntervalSince1970 * 1000)
            case .iso8601:
                // Foundation's formatter works in whole milliseconds.
                Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
                    .formatted(.iso8601)
            case .description: date.description
            case .custom(let text): try text(date)
            }
        }
    }

    /// How missing values are written.
    public enum NilEncoding: Sendable {
        /// Not at all.
        case dropKey
        /// `k=`
        case dropValue
        /// `k=null`
        case null
        /// `k`
        case bareKey
        /// `k=` and what the function gives; nil leaves the name out.
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
