import YAML

/// Writes a suite as YAML: short maps in braces, all others on lines of their own.
struct SuiteTextWriter {
    private var writer = YAMLWriter(Self.style)

    /// The text so far.
    var text: String { writer.text }

    /// Creates a writer that has written nothing.
    init() {}

    /// Writes a map at the left margin; a blank line separates the entries that are named.
    mutating func write(_ entries: [(String, SuiteNode)], separated: Set<String>) {
        for (position, entry) in entries.enumerated() {
            if position > 0, separated.contains(entry.0) { writer.write(verbatim: "\n") }
            if entry.0 == "tests", case .list(let tests) = entry.1 {
                writer.write(verbatim: "tests:\n")
                for (number, test) in tests.enumerated() {
                    if number > 0 { writer.write(verbatim: "\n") }
                    writer.writeElement(test.output, indentation: 2)
                }
            } else {
                writer.writeEntry(.text(entry.0), entry.1.output, indentation: 0)
            }
        }
    }

    private static let style = {
        var style = YAMLWriter.Style()
        // Tests have lines of their own.
        style.hasShortElements = { $0 > 2 }
        // Some maps read better on lines of their own although they are short.
        style.isOpen = { key, entries in
            ["environments", "variables", "defaults"].contains(key) || (key == "request" && entries.count > 3)
                || (key == "expect" && entries.contains { if case .text("headers") = $0.key { true } else { false } })
        }
        return style
    }()
}

extension SuiteNode {
    /// The part as it is written.
    fileprivate var output: YAMLOutput {
        switch self {
        case .text(let text): .text(text)
        case .plain(let text): .plain(text)
        case .members(let map): .mapping(map.entries.map { (.text($0.0), $0.1.output) })
        case .list(let elements): .sequence(elements.map(\.output))
        }
    }
}
