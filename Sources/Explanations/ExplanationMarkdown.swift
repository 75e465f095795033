/// The Markdown of explanations: a page has a title (`# YAML`) and a section for each id (`## unknown-key`).
package enum ExplanationMarkdown {
    /// Returns the explanations in a text of one or more pages.
    package static func explanations(in text: String) -> [Explanation] {
        var explanations: [Explanation] = []
        var topic = ""
        var section: (id: String, lines: [Substring])?
        var isInBlock = false
        func finish() {
            guard let (id, lines) = section else { return }
            let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
            let text = lines[..<end].drop(while: \.isEmpty).map { $0 + "\n" }.joined()
            explanations.append(Explanation(id: id, topic: topic, text: text))
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isInBlock.toggle() }
            if !isInBlock, line.hasPrefix("## ") {
                finish()
                section = (String(line.dropFirst(3)), [])
            } else if !isInBlock, line.hasPrefix("# ") {
                finish()
                section = nil
                topic = String(line.dropFirst(2))
            } else {
                section?.lines.append(line)
            }
        }
        finish()
        return explanations
    }

    /// Returns a text with its links replaced by their labels: `[rows](suite-language.md#rows)` becomes `rows`.
    ///
    /// Code between backticks stays unchanged.
    static func withoutLinks(_ text: some StringProtocol) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "]"), rest[close...].hasPrefix("]("),
                let end = rest[close...].firstIndex(of: ")"),
                result.utf8.count(where: { $0 == UInt8(ascii: "`") }) % 2 == 0
            else {
                result += "["
                rest = rest.dropFirst()
                continue
            }
            result += rest[rest.index(after: open)..<close]
            rest = rest[end...].dropFirst()
        }
        return result + rest
    }
}
