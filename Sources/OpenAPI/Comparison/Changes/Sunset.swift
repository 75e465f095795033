import JSON

/// What `x-sunset` says of something deprecated.
enum Sunset {
    case absent
    case invalid(String)
    case day(CalendarDay)

    /// Reads the extension.
    init(_ node: DescriptionNode?) {
        guard let node else {
            self = .absent
            return
        }
        let text = node.value.stringValue ?? node.value.serialized()
        self = CalendarDay(text).map { .day($0) } ?? .invalid(text)
    }

    /// What is said when a deprecation begins: the name of the change, and what was found.
    ///
    /// - Parameters:
    ///   - today: The day of the comparison.
    ///   - leastDays: The days that must be left; nothing need be said when there are none.
    func announcement(today: CalendarDay, leastDays: Int) -> (kind: Announcement, detail: String?) {
        switch self {
        case .absent: return (leastDays > 0 ? .missing : .deprecated, nil)
        case .invalid(let text): return (.invalid, "\"\(text)\"")
        case .day(let day):
            if day.number < today.number.addingReportingOverflow(leastDays).partialValue {
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
