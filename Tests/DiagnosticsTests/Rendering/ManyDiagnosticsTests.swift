import Basics
import Testing

@testable import Diagnostics

/// Many problems on one long line, such as those of a file of JSON without line breaks.
struct ManyDiagnosticsTests {
    private static let renderers: [any DiagnosticRenderer] = [
        TextRenderer(color: false), JSONRenderer(), GitHubRenderer(),
    ]

    /// The line is read once for all problems together, and not once for each.
    @Test(arguments: renderers.indices)
    func theLineIsReadOnce(_ index: Int) {
        let count = 1_000
        let file = SourceFile(name: "f.json", text: String(repeating: #"{"é": 1},"#, count: 100 * count) + "\n")
        let diagnostics = (0..<count).map { number in
            let column = 900 * number + 2
            let start = SourcePosition(line: 1, column: column)
            // Every second range includes the line break.
            let end = number % 2 == 0 ? SourcePosition(line: 1, column: column + 3) : SourcePosition(line: 2, column: 1)
            let range = SourceRange(file: file, start: start, end: end)
            return Diagnostic(
                id: "x", message: "wrong", range: range, related: [Diagnostic.Related(message: "here", range: range)])
        }
        let output = Self.renderers[index].render(diagnostics)
        #expect(output.split(separator: "wrong").count == count + 1)
        #expect(file.readBytes <= file.text.count)
    }

    /// Fewer characters of a line of printable ASCII are examined, with the same excerpts as of other lines.
    @Test func excerptsOfASCII() throws {
        for length in [1, 10, 20, 39, 40, 41, 42, 60, 100, 400] {
            let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x61 + $0 % 25))) })
            for start in stride(from: 0, through: length, by: max(1, length / 60)) {
                for width in [0, 1, 5, 30, 50, 300] {
                    // This letter is not ASCII, and in the range or next to it.
                    var other = Array(text)
                    other[min(start, length - 1)] = "é"
                    let excerpts = [text, String(other)].map { text in
                        SourceExcerpt(
                            SourceRange(
                                file: SourceFile(name: "f", text: text),
                                start: SourcePosition(line: 1, column: start + 1),
                                end: SourcePosition(line: 1, column: start + width + 1)), width: 40)
                    }
                    let (ascii, any) = (try #require(excerpts[0]), try #require(excerpts[1]))
                    let letter = text.dropFirst(min(start, length - 1)).prefix(1)
                    #expect(ascii.text == any.text.replacing("é", with: letter))
                    #expect(ascii.underlineStart == any.underlineStart)
                    #expect(ascii.underlineWidth == any.underlineWidth)
                }
            }
        }
    }

    @Test func theEndOfALine() {
        let file = SourceFile(name: "f", text: "\u{FEFF}ab\r\n\né👍\rz")
        #expect((1...5).map { file.end(ofLine: $0)?.column } == [3, 1, 3, 2, nil])
        let long = SourceFile(name: "f", text: String(repeating: "é", count: 5_000) + "\nx")
        #expect(long.end(ofLine: 1) == SourcePosition(line: 1, column: 5_001))
    }
}
