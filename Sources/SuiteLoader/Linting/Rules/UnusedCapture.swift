import Diagnostics
import SuiteModel
import YAML

/// Reports captures that nothing reads.
enum UnusedCapture: LintCheck {
    static let rule = LintRule("unused-capture", "A capture that no expression uses")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let names = subject.names
        var sites: [String: [Int]] = [:]
        for capture in names.definitions where capture.kind == .capture {
            guard let unit = capture.unit, names.units[unit].kind != .fragment else { continue }
            if sites[capture.name]?.last != unit { sites[capture.name, default: []].append(unit) }
        }
        // What an alias puts into several places is unused only where it is so in all of them.
        var used: Set<SourcePosition> = []
        var unused: [NameTable.Definition] = []
        for capture in names.definitions where capture.kind == .capture {
            let isSecret = capture.value["secret"]?.isTrue == true || subject.suite.secrets.contains(capture.name)
            if isSecret || isUsed(capture, sites[capture.name] ?? [], in: names) {
                used.insert(capture.range.start)
            } else {
                unused.append(capture)
            }
        }
        for capture in unused where used.insert(capture.range.start).inserted {
            report(
                LintFinding(
                    message: "nothing uses the capture \"\(capture.name)\"", range: capture.range,
                    suggestion: "remove it; to check that there is a value, expect { exists: true }"))
        }
    }

    private static func isUsed(_ capture: NameTable.Definition, _ sites: [Int], in names: NameTable) -> Bool {
        guard let unit = capture.unit, let step = capture.step else { return true }
        let kind = names.units[unit].kind
        for use in names.uses[capture.name] ?? [] {
            guard let user = use.unit else { return true }
            if user == unit {
                guard let place = use.step, place <= step else { return true }
                // Only in a loop may a step read what it captured itself.
                if place == step, names.units[unit].steps[step]["forEach"] != nil { return true }
                // What is said over a WebSocket reads what was captured before it.
                if place == step, let element = use.element, (capture.element ?? -1) < element { return true }
                continue
            }
            // A fragment sees nothing of its caller, and its caller only its outputs.
            if kind == .fragment || names.units[user].kind == .fragment { continue }
            if names.units[user].kind == .teardown { return true }
            let before = sites.last { $0 < user }
            if before == unit || (before == nil && unit > user) { return true }
        }
        return false
    }
}
