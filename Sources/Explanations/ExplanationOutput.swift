public import JSON
package import Output

/// The forms of explanations for output.
public enum ExplanationOutput {
    /// Returns explanations for a terminal: examples are indented, and links are replaced by their labels.
    package static func terminal(_ explanations: [Explanation], painter: Painter) -> String {
        explanations.map { explanation in
            let head = "\(painter.paint(explanation.id, .bold))  \(painter.paint(explanation.topic, .dim))\n\n"
            return head + body(explanation.text, painter: painter)
        }.joined(separator: "\n")
    }

    private static func body(_ markdown: String, painter: Painter) -> String {
        var output = ""
        var isInBlock = false
        var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            if line.hasPrefix("```") {
                isInBlock.toggle()
                let words = line.split(separator: " ")
                if isInBlock, words.count == 2 { output += "    \(painter.paint(words[1] + ":", .dim))\n" }
            } else if isInBlock {
                output += line.isEmpty ? "\n" : "    \(painter.paint(String(line), .location))\n"
            } else {
                output += ExplanationMarkdown.withoutLinks(line) + "\n"
            }
        }
        return output
    }

    /// Returns explanations as Markdown, with a heading for each.
    public static func markdown(_ explanations: [Explanation]) -> String {
        explanations.map { "## \($0.id)\n\n\($0.text)" }.joined(separator: "\n")
    }

    /// Returns an array of objects with `id`, `topic`, and `text`, which is Markdown.
    public static func json(_ explanations: [Explanation]) -> JSONValue {
        .array(
            explanations.map { ["id": .string($0.id), "topic": .string($0.topic), "text": .string($0.text)] })
    }

    /// Returns a list of the ids of the pages by topic, with the first sentence of each.
    package static func list(_ explanations: [Explanation], painter: Painter) -> String {
        let width = explanations.reduce(0) { max($0, $1.id.utf8.count) }
        var output = ""
        var topic: String?
        for explanation in explanations {
            if explanation.topic != topic {
                output += "\(topic == nil ? "" : "\n")\(painter.paint(explanation.topic, .bold))\n"
                topic = explanation.topic
            }
            let padding = String(repeating: " ", count: width - explanation.id.utf8.count)
            output += "  \(explanation.id)\(padding)  \(explanation.abstract)\n"
        }
        return output
    }
}
