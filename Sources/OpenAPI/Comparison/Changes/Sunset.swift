package import Basics
import JSON

/// The options for comparing two descriptions.
public struct ComparisonOptions: Sendable {
    /// The date of the comparison, which `x-sunset` dates are compared with.
    package var today: CalendarDate
    /// The minimum number of days between a deprecation and its sunset. If 0, `x-sunset` is optional.
    public var deprecationDays: Int
    /// The minimum stability level. Changes to operations below it are informational.
    public var minimumStability: Stability

    /// Creates options.
    package init(today: CalendarDate, deprecationDays: Int = 0, minimumStability: Stability = .beta) {
        self.today = today
        self.deprecationDays = deprecationDays
        self.minimumStability = minimumStability
    }
}

/// The stability of an operation or a property (`x-stability-level`).
public enum Stability: String, Sendable, Comparable, CaseIterable {
    case draft, alpha, beta, stable

    private var rank: Int {
        switch self {
        case .draft: 0
        case .alpha: 1
        case .beta: 2
        case .stable: 3
        }
    }

    /// Returns the level of an extension, `stable` if it is missing, or `nil` if it is invalid.
    static func level(_ node: DescriptionNode?) -> Stability? {
        guard let node else { return .stable }
        return node.value.stringValue.flatMap { Stability(rawValue: $0) }
    }

    /// Returns an invalid value of the old description in the form that a sentence uses.
    static func inOldDescription(_ text: String) -> String { "\"\(text)\" (in the old description)" }

    /// Orders levels from least to most stable.
    public static func < (left: Stability, right: Stability) -> Bool { left.rank < right.rank }
}

/// The value of `x-sunset` for a deprecated element.
enum Sunset {
    case absent
    case invalid(String)
    case day(CalendarDate)

    /// Parses the extension.
    init(_ node: DescriptionNode?) {
        guard let node else {
            self = .absent
            return
        }
        let text = node.value.stringValue ?? node.value.serialized()
        self = CalendarDate(dateOrDateTime: text).map { .day($0) } ?? .invalid(text)
    }

    /// Returns the kind of a new deprecation and its details for the message.
    ///
    /// - Parameters:
    ///   - today: The date of the comparison.
    ///   - minimumDays: The minimum number of days until the sunset. If 0, no sunset is required.
    func announcement(today: CalendarDate, minimumDays: Int) -> (kind: Announcement, detail: String?) {
        switch self {
        case .absent: return (minimumDays > 0 ? .missing : .deprecated, nil)
        case .invalid(let text): return (.invalid, "\"\(text)\"")
        case .day(let day):
            if day.daysSince1970 < today.daysSince1970.addingReportingOverflow(minimumDays).partialValue {
                let asked = minimumDays > 0 ? ", less than \(minimumDays) days from \(today)" : ", before \(today)"
                return (.tooEarly, " (\(day)\(asked))")
            }
            return (.announced, "on \(day)")
        }
    }

    /// The kind of a deprecation's announcement.
    enum Announcement {
        case deprecated, missing, invalid, tooEarly, announced
    }
}

extension CalendarDate {
    /// Creates a date from a `full-date` (RFC 3339, section 5.6), alone or as the start of a `date-time`.
    ///
    /// The result is `nil` for any other string.
    package init?(dateOrDateTime text: String) {
        let bytes = text.utf8
        if let next = bytes.dropFirst(10).first, !"Tt ".utf8.contains(next) { return nil }
        self.init(fullDate: String(decoding: bytes.prefix(10), as: UTF8.self))
    }
}
