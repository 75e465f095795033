import Diagnostics

/// References that lead nowhere: one problem for each reason, however many refer to the same.
struct BrokenReferences {
    private struct Entry {
        var node: DescriptionNode
        var suggestion: String?
        var count = 1
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// Adds a reference.
    ///
    /// - Parameter node: The value of the `$ref`.
    mutating func add(_ node: DescriptionNode, _ problem: DescriptionFiles.ReferenceProblem) {
        guard var entry = entries[problem.message] else {
            order.append(problem.message)
            entries[problem.message] = Entry(node: node, suggestion: problem.suggestion)
            return
        }
        entry.count += 1
        // The first in the files, in whatever order they are looked at.
        if let new = node.range, let known = entry.node.range,
            (new.file.name, new.start.line, new.start.column) < (known.file.name, known.start.line, known.start.column)
        {
            entry.node = node
        }
        entries[problem.message] = entry
    }

    /// Adds a problem for each reason.
    func tell(_ problems: inout ProblemList) {
        for message in order {
            guard let entry = entries[message] else { continue }
            problems.add(
                "unresolved-reference",
                message + (entry.count > 1 ? " (\(entry.count) references)" : ""), at: entry.node,
                suggestion: entry.suggestion)
        }
    }
}
