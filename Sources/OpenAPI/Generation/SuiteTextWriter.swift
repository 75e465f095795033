import JSON

/// Writes a suite as YAML: short maps in braces, all others on lines of their own.
struct SuiteTextWriter {
    private static let width = 100
    private(set) var text = ""

    /// Writes a map at the left margin; a blank line separates the entries that are named.
    mutating func write(_ entries: [(String, SuiteNode)], separated: Set<String>) {
        for (position, entry) in entries.enumerated() {
            if position > 0, separated.contains(entry.0) { text += "\n" }
            if entry.0 == "tests", case .list(let tests) = entry.1 {
                text += "tests:\n"
                for (number, test) in tests.enumerated() {
                    if number > 0 { text += "\n" }
                    writeElement(test, 2)
                }
            } else {
                writeEntry(entry.0, entry.1, 0)
            }
        }
    }

    private mutating func writeEntry(_ key: String, _ node: SuiteNode, _ indent: Int) {
        let start = String(repeating: " ", count: indent) + YAMLScalar.key(key) + ":"
        text += start
        let room = Self.width - start.utf8.count - 1
        switch node {
        case .text(let value):
            if let lines = YAMLScalar.blockLines(value) {
                text += value.hasSuffix("\n") ? " |\n" : " |-\n"
                for line in lines {
                    text += line.isEmpty ? "\n" : String(repeating: " ", count: indent + 2) + line + "\n"
                }
            } else {
                text += " " + YAMLScalar.text(value, isInFlow: false) + "\n"
            }
        case .plain(let value): text += " " + value + "\n"
        case .members(let map):
            let entries = map.entries
            if let flow = flow(node, room), !isTestPart(key, entries) {
                text += " " + flow + "\n"
            } else {
                text += "\n"
                for entry in entries { writeEntry(entry.0, entry.1, indent + 2) }
            }
        case .list(let elements):
            if let flow = flow(node, room) {
                text += " " + flow + "\n"
            } else {
                text += "\n"
                for element in elements { writeElement(element, indent + 2) }
            }
        }
    }

    /// Whether a map reads better on lines of its own although it is short.
    private func isTestPart(_ key: String, _ entries: [(String, SuiteNode)]) -> Bool {
        ["environments", "variables", "defaults"].contains(key) || (key == "request" && entries.count > 3)
            || (key == "expect" && entries.contains { $0.0 == "headers" })
    }

    private mutating func writeElement(_ node: SuiteNode, _ indent: Int) {
        let margin = String(repeating: " ", count: indent)
        // Tests have lines of their own.
        if indent > 2, let flow = flow(node, Self.width - indent - 2) {
            text += "\(margin)- \(flow)\n"
            return
        }
        var inner = SuiteTextWriter()
        switch node {
        case .members(let map): for entry in map.entries { inner.writeEntry(entry.0, entry.1, indent + 2) }
        case .list(let elements): for element in elements { inner.writeElement(element, indent + 2) }
        case .text(let value): inner.text = "\(margin)  \(YAMLScalar.text(value, isInFlow: false))\n"
        case .plain(let value): inner.text = "\(margin)  \(value)\n"
        }
        text += margin + "- " + inner.text.dropFirst(indent + 2)
    }

    /// A node on one line, if it has room there.
    private func flow(_ node: SuiteNode, _ room: Int) -> String? {
        guard room > 0 else { return nil }
        var result: String
        switch node {
        case .text(let value): result = YAMLScalar.text(value, isInFlow: true)
        case .plain(let value): result = value
        case .members(let map):
            let entries = map.entries
            if entries.isEmpty { return "{}" }
            result = "{ "
            for (position, entry) in entries.enumerated() {
                if position > 0 { result += ", " }
                guard let value = flow(entry.1, room - result.utf8.count) else { return nil }
                result += YAMLScalar.key(entry.0) + ": " + value
            }
            result += " }"
        case .list(let elements):
            if elements.isEmpty { return "[]" }
            result = "["
            for (position, element) in elements.enumerated() {
                if position > 0 { result += ", " }
                guard let value = flow(element, room - result.utf8.count) else { return nil }
                result += value
            }
            result += "]"
        }
        return result.utf8.count <= room ? result : nil
    }
}
