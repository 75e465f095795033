import Diagnostics
import SuiteModel
import YAML

/// Reports captures that nothing reads.
enum UnusedCapture: LintCheck {
    static let rule = LintRule("unused-capture", "A capture that no expression uses")

    /// Which of the units that capture a name other units read it from.
    private struct Readers {
        /// The units that are the nearest before one that reads the name.
        var nearest: Set<Int> = []
        /// The first unit that reads the name before any captures it, and so takes it from one behind.
        var first = Int.max
        /// Whether the suite itself, or its teardown, reads the name.
        var isReadByAll = false
    }

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let names = subject.names
        var sites: [String: [Int]] = [:]
        for capture in names.definitions where capture.kind == .capture {
            guard let unit = capture.unit, names.units[unit].kind != .fragment else { continue }
            if sites[capture.name]?.last != unit { sites[capture.name, default: []].append(unit) }
        }
        let readers = Dictionary(
            uniqueKeysWithValues: sites.map { name, units in (name, Self.readers(of: name, units, in: names)) })
        // What an alias puts into several places is unused only where it is so in all of them.
        var used: Set<SourcePosition> = []
        var unused: [NameTable.Definition] = []
        for capture in names.definitions where capture.kind == .capture {
            let isSecret = capture.value["secret"]?.isTrue == true || subject.suite.secrets.contains(capture.name)
            if isSecret || isUsed(capture, readers[capture.name], in: names) {
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

    /// Finds who reads a name that some units, in order, capture.
    private static func readers(of name: String, _ sites: [Int], in names: NameTable) -> Readers {
        var readers = Readers()
        guard let uses = names.uses[name] else { return readers }
        readers.isReadByAll = !uses.inSuite.isEmpty
        for unit in uses.inUnit.keys {
            switch names.units[unit].kind {
            // A fragment sees nothing of its caller.
            case .fragment: continue
            case .teardown: readers.isReadByAll = true
            case .setup, .test:
                var low = 0
                var high = sites.count
                while low < high {
                    let middle = (low + high) / 2
                    if sites[middle] < unit { low = middle + 1 } else { high = middle }
                }
                if low > 0 { readers.nearest.insert(sites[low - 1]) } else { readers.first = min(readers.first, unit) }
            }
        }
        return readers
    }

    private static func isUsed(_ capture: NameTable.Definition, _ readers: Readers?, in names: NameTable) -> Bool {
        guard let unit = capture.unit, let step = capture.step else { return true }
        if names.units[unit].kind != .fragment, let readers,
            readers.isReadByAll || readers.nearest.contains(unit) || readers.first < unit
        {
            return true
        }
        for use in names.uses[capture.name]?.inUnit[unit] ?? [] {
            guard let place = use.step, place <= step else { return true }
            // Only in a loop may a step read what it captured itself.
            if place == step, names.units[unit].steps[step]["forEach"] != nil { return true }
            // What is said over a WebSocket reads what was captured before it.
            if place == step, let element = use.element, (capture.element ?? -1) < element { return true }
        }
        return false
    }
}
