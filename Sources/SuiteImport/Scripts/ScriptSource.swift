import Diagnostics

/// A script with the lines of the file that it stands on.
struct ScriptSource {
    /// The text.
    let text: [UInt8]
    /// The statements.
    let statements: [JSStatement]
    /// The offset of each line of the text.
    private var starts: [Int] = [0]
    /// The line of the file for each line of the text.
    private var lines: [Int?] = []

    /// Creates a script of lines of text with the lines of the file that they stand on.
    ///
    /// - Returns: nil if the script is empty.
    init?(_ parts: [(text: String, line: Int?)]) {
        var text: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { text.append(0x0A) }
            text += Array(part.text.utf8)
            lines += Array(repeating: part.line, count: part.text.utf8.count { $0 == 0x0A } + 1)
        }
        guard text.contains(where: { $0 > 0x20 }) else { return nil }
        self.text = text
        for (index, byte) in text.enumerated() where byte == 0x0A { starts.append(index + 1) }
        statements = JSParser.statements(of: text)
    }

    /// Returns the line of the file for an offset in the text.
    func line(_ offset: Int) -> Int? {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return lines.indices.contains(low) ? lines[low] : nil
    }

    /// Returns the text of a range, with the start of its first line if there is only space before.
    func source(_ range: Range<Int>) -> String {
        var start = range.lowerBound
        while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
        return String(decoding: text[start..<range.upperBound], as: UTF8.self)
    }
}

extension ImportContext {
    /// Counts a part of a script without a translation, and returns its comment.
    mutating func note(_ issue: ScriptOutcome.Issue, of script: ScriptSource, in file: SourceFile) -> ImportNote {
        for _ in 1..<max(1, issue.assertions) {
            _ = untranslated(issue.construct, in: file, line: nil, isAssertion: true)
        }
        return untranslated(
            issue.construct, in: file, line: script.line(issue.range.lowerBound), source: script.source(issue.range),
            isAssertion: issue.assertions > 0)
    }
}
