package import Basics
import JSON

/// What a comparison of two descriptions depends on beside them.
public struct ComparisonOptions: Sendable {
    /// The day of the comparison, which dates of `x-sunset` are held against.
    package var today: CalendarDate
    /// The days that must lie between a deprecation and its sunset; with 0, none need be named.
    public var deprecationDays: Int
    /// The least stability whose changes count: what happens to operations below it is information.
    public var leastStability: Stability

    /// Creates options.
    package init(today: CalendarDate, deprecationDays: Int = 0, leastStability: Stability = .beta) {
        self.today = today
        self.deprecationDays = deprecationDays
        self.leastStability = leastStability
    }
}

/// How far users may rely on an operation or a property (`x-stability-level`).
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

    /// The level that an extension names; stable without one; nil for what is none.
    static func level(_ node: DescriptionNode?) -> Stability? {
        guard let node else { return .stable }
        return node.value.stringValue.flatMap { Stability(rawValue: $0) }
    }

    /// A value that only the old description has wrong, as it stands in a sentence.
    static func inOldDescription(_ text: String) -> String { "\"\(text)\" (in the old description)" }

    /// Orders levels by how much they promise.
    public static func < (left: Stability, right: Stability) -> Bool { left.rank < right.rank }
}

/// What `x-sunset` says of something deprecated.
enum Sunset {
    case absent
    case invalid(String)
    case day(CalendarDate)

    /// Reads the extension.
    init(_ node: DescriptionNode?) {
        guard let node else {
            self = .absent
            return
        }
        let text = node.value.stringValue ?? node.value.serialized()
        self = CalendarDate(dateOrDateTime: text).map { .day($0) } ?? .invalid(text)
    }

    /// What is said when a deprecation begins: the name of the change, and what was found.
    ///
    /// - Parameters:
    ///   - today: The day of the comparison.
    ///   - leastDays: The days that must be left; nothing need be said when there are none.
    func announcement(today: CalendarDate, leastDays: Int) -> (kind: Announcement, detail: String?) {
        switch self {
        case .absent: return (leastDays > 0 ? .missing : .deprecated, nil)
        case .invalid(let text): return (.invalid, "\"\(text)\"")
        case .day(let day):
            if day.daysSince1970 < today.daysSince1970.addingReportingOverflow(leastDays).partialValue {
                let asked = leastDays > 0 ? ", less than \(leastDays) days from \(today)" : ", before \(today)"
                return (.tooEarly, " (\(day)\(asked))")
            }
            return (.announced, "on \(day)")
        }
    }

    /// How a deprecation is announced.
    enum Announcement {
        case deprecated, missing, invalid, tooEarly, announced
    }
}

extension CalendarDate {
    /// Creates the date of a `full-date` (RFC 3339, section 5.6), alone or at the start of a `date-time`; nil otherwise.
    package init?(dateOrDateTime text: String) {
        let bytes = text.utf8
        if let next = bytes.dropFirst(10).first, !"Tt ".utf8.contains(next) { return nil }
        self.init(fullDate: String(decoding: bytes.prefix(10), as: UTF8.self))
    }
}
