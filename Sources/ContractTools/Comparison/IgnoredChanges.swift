package import Basics
public import Diagnostics
import JSON
public import OpenAPI
public import YAML

/// The reviewed and accepted changes: entries with an identifier, an operation, and a reason.
public struct IgnoredChanges: Sendable {
    /// An entry that accepts changes.
    public struct Entry: Sendable {
        /// The identifier of the accepted kind of change.
        public var id: String
        /// The operation, such as `GET /books/{id}`, or `nil` for any operation.
        public var operation: String?
        /// The reason for accepting the change.
        public var reason: String
        /// The last day on which the entry is valid.
        package var until: CalendarDate?
        /// The location of the entry.
        public var range: SourceRange?
    }

    /// The result of applying the entries.
    public struct Result: Sendable {
        /// The changes that no entry accepts.
        public var remaining: [Change] = []
        /// The accepted changes with their entries.
        public var ignored: [(change: Change, entry: Entry)] = []
        /// The entries that accept nothing, as warnings.
        public var problems: [Diagnostic] = []
    }

    /// The entries, in the order of their files.
    public private(set) var entries: [Entry] = []

    /// Creates an empty array of entries.
    public init() {}

    private static let names = ["id", "operation", "reason", "until"]

    /// Adds the entries of a file.
    ///
    /// - Returns: The errors in the file.
    public mutating func read(_ document: LocatedDocument) -> [Diagnostic] {
        if document.value.isNull { return [] }
        guard let elements = document.value.arrayValue else {
            return [
                Diagnostic(
                    id: "invalid-ignore-file",
                    message: "expected a sequence of entries, got \(document.value.typeDescription)",
                    range: document.location(of: []),
                    suggestion: "write an entry such as - { id: request-parameter-removed, reason: nobody sent it }")
            ]
        }
        var problems: [Diagnostic] = []
        for (index, element) in elements.enumerated() { read(element, "\(index)", document, &problems) }
        return problems
    }

    private mutating func read(
        _ element: JSONValue, _ index: String, _ document: LocatedDocument, _ problems: inout [Diagnostic]
    ) {
        func report(
            _ id: String, _ message: MessageText, _ name: String?, atKey: Bool = false, _ suggestion: MessageText? = nil
        ) {
            let tokens = [index] + (name.map { [$0] } ?? [])
            problems.append(
                Diagnostic(
                    id: id, message: message,
                    range: atKey ? document.keyLocation(of: tokens) : document.location(of: tokens),
                    suggestion: suggestion))
        }
        guard let members = element.objectValue else {
            report(
                "invalid-ignore-file", "an entry must be a mapping, got \(element.typeDescription)", nil,
                "write { id: …, reason: … }")
            return
        }
        let before = problems.count
        for name in members.keys where !Self.names.contains(name) {
            report(
                "unknown-key", "unknown key \"\(name)\"", name, atKey: true,
                Spelling.nearest(to: name, among: Self.names).map { "did you mean \"\($0)\"?" }
                    ?? "known keys: \(Self.names.joined(separator: ", "))")
        }
        for name in members.keys where Self.names.contains(name) && members[name]?.stringValue == nil {
            report("invalid-ignore-file", "\"\(name)\" must be a string", name)
        }
        let id = members["id"]?.stringValue ?? ""
        if members["id"] == nil {
            report("missing-member", "the entry has no \"id\"", nil, "name the check whose changes are accepted")
        } else if !id.isEmpty, ChangeCatalog.check(id) == nil {
            report("unknown-check", "unknown check \"\(id)\"", "id", ChangeCatalog.suggestion(for: id))
        }
        let reason = members["reason"]?.stringValue ?? ""
        if members["reason"] == nil || reason.allSatisfy(\.isWhitespace) {
            report("missing-member", "the entry has no \"reason\"", nil, "state why the change is accepted")
        }
        var until: CalendarDate?
        if let text = members["until"]?.stringValue {
            until = CalendarDate(fullDate: text)
            if until == nil {
                report("invalid-date", "\"\(text)\" is not a date", "until", "write a date such as 2027-01-31")
            }
        }
        guard problems.count == before else { return }
        entries.append(
            Entry(
                id: id, operation: members["operation"]?.stringValue, reason: reason, until: until,
                range: document.location(of: [index, "id"])))
    }

    /// Separates the accepted changes from the others.
    ///
    /// - Parameter today: The date of the comparison. Expired entries accept nothing.
    package func applied(to changes: [Change], today: CalendarDate) -> Result {
        var result = Result()
        let positions = Dictionary(grouping: entries.indices) { entries[$0].id }
        var used: Set<Int> = []
        for change in changes {
            let position = positions[change.id]?.first { position in
                let entry = entries[position]
                let isOver = entry.until.map { $0 < today } ?? false
                return !isOver && (entry.operation.map { $0 == change.operation } ?? true)
            }
            if let position {
                used.insert(position)
                result.ignored.append((change, entries[position]))
            } else {
                result.remaining.append(change)
            }
        }
        for (position, entry) in entries.enumerated() where !used.contains(position) {
            let isOver = entry.until.map { $0 < today } ?? false
            let location = entry.operation.map { " of \($0)" } ?? ""
            result.problems.append(
                Diagnostic(
                    id: isOver ? "expired-ignore" : "unused-ignore", severity: .warning,
                    message: isOver
                        ? "the entry for \(entry.id)\(location) has expired: it was accepted until \(entry.until.map(\.description) ?? "")"
                        : "no change matches the entry for \(entry.id)\(location)", range: entry.range,
                    suggestion: isOver ? "review and extend it, or remove it" : "remove the entry"))
        }
        return result
    }
}
