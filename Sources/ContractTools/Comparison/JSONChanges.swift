import Diagnostics
import JSON
import OpenAPI

/// A comparison as JSON.
struct JSONChanges {
    private let report: ComparisonReport

    /// Creates the JSON of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// The text: an object with `summary`, `old`, `new`, `failed`, `changes`, and `ignored`.
    var text: String {
        func count(_ level: ChangeLevel) -> JSONValue {
            .number(JSONNumber(report.changes.count { $0.level == level }))
        }
        let value: JSONValue = [
            "summary": [
                "text": .string(report.summary), "breaking": count(.breaking), "warning": count(.warning),
                "info": count(.info), "ignored": .number(JSONNumber(report.ignored.count)),
            ],
            "old": .string(report.oldName),
            "new": .string(report.newName),
            "failed": .bool(report.hasFailed),
            "changes": .array(report.shown.map { .object(object($0)) }),
            "ignored": .array(
                report.ignored.map { change, entry in
                    var object = self.object(change)
                    object["reason"] = .string(entry.reason)
                    if let until = entry.until { object["until"] = .string("\(until)") }
                    return .object(object)
                }),
        ]
        return value.serialized(.pretty) + "\n"
    }

    private func object(_ change: Change) -> JSONObject {
        var object: JSONObject = ["id": .string(change.id), "level": .string(change.level.rawValue)]
        object["message"] = .string(change.message)
        if let operation = change.operation { object["operation"] = .string(operation) }
        object["section"] = .string(change.section.rawValue)
        if let location = location(change.oldLocation) { object["old"] = location }
        if let location = location(change.newLocation) { object["new"] = location }
        return object
    }

    private func location(_ node: DescriptionNode?) -> JSONValue? {
        guard let node else { return nil }
        var object: JSONObject = ["file": .string(node.file.name), "pointer": .string("\(node.pointer)")]
        if let range = report.range(of: node) {
            object["line"] = .number(JSONNumber(Int(range.start.line)))
            object["column"] = .number(JSONNumber(Int(range.start.column)))
        }
        return .object(object)
    }
}
