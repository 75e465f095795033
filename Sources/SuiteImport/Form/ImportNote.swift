/// A part of a source that has no translation, which becomes a comment at its location in the suite.
///
/// Notes are created by ``ImportContext``, which counts them.
package struct ImportNote: Sendable, Hashable {
    /// The construct, such as `pm.sendRequest`; equal ones are counted together.
    package var construct: String
    /// The name of the source file.
    package var file: String
    /// The line of the source, from 1; nil if it is unknown.
    package var line: Int?
    /// The text of the source, for the reader to translate by hand; empty if the construct says it all.
    package var source = ""

    /// The maximum number of lines of source in a comment.
    private static let maximumLines = 20
    /// The maximum length of a line in a comment in characters.
    private static let maximumLength = 160

    /// The lines of the comment.
    var comment: [String] {
        let location = line.map { "\(file):\($0)" } ?? file
        var lines = ["not translated: \(Self.shortened(construct)), \(location)"]
        let code = source.split(separator: "\n", omittingEmptySubsequences: true)
        let margin = code.map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
        for line in code.prefix(Self.maximumLines) {
            lines.append("  " + Self.shortened(String(line.dropFirst(margin))))
        }
        if code.count > Self.maximumLines { lines.append("  … (\(code.count - Self.maximumLines) more lines)") }
        return lines
    }

    private static func shortened(_ text: String) -> String {
        // The linter obeys comments with this text.
        let text = text.split(separator: "# apitest:", omittingEmptySubsequences: false).joined(separator: "#apitest:")
        return text.count > maximumLength ? text.prefix(maximumLength) + "…" : text
    }
}

/// The numbers of an import, for its report.
package struct ImportCounts: Sendable {
    /// Numbers by name, in order of first appearance.
    package struct Tally: Sendable {
        private var names: [String] = []
        private var numbers: [String: Int] = [:]

        /// The names with their numbers.
        package var entries: [(name: String, count: Int)] { names.map { ($0, numbers[$0] ?? 0) } }
        /// Whether nothing was counted.
        package var isEmpty: Bool { names.isEmpty }

        mutating func add(_ name: String, _ count: Int) {
            if numbers[name] == nil { names.append(name) }
            numbers[name, default: 0] += count
        }
    }

    /// The number of assertions of the sources that were translated.
    package var translatedAssertions = 0
    /// The number of assertions of the sources.
    package var assertions = 0
    /// The constructs without a translation.
    package var untranslated = Tally()
    /// The kinds of requests that were left out on purpose.
    package var omitted = Tally()

    /// Creates zero counts.
    package init() {}
}
