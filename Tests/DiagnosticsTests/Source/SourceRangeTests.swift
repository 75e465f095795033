import Diagnostics
import Testing

@Suite struct SourceRangeTests {
    private let file = SourceFile(name: "f", text: "ab日cd\nefg\r\nhi")

    private func range(_ start: (Int, Int), _ end: (Int, Int)) -> SourceRange {
        SourceRange(
            file: file, start: SourcePosition(line: start.0, column: start.1),
            end: SourcePosition(line: end.0, column: end.1))
    }

    @Test func textAndBytes() {
        #expect(range((1, 2), (1, 4)).text == "b日")
        #expect(range((1, 2), (1, 4)).byteRange == 1..<5)
        #expect(range((1, 5), (2, 2)).text == "d\ne")
        #expect(SourceRange(file: file, bytes: 1..<5) == range((1, 2), (1, 4)))
        #expect(range((1, 4), (1, 2)).end == SourcePosition(line: 1, column: 4))
        #expect(range((2, 1), (2, 2)).description == "f:2:1")
    }

    @Test(
        arguments: [
            (0, 2, "b日"), (1, 2, "日"), (1, 1, ""), (2, 99, "c"), (50, 99, ""), (-5, 1, "b"), (2, 1, ""),
        ] as [(Int, Int, String)])
    func partsOfOneLine(lower: Int, upper: Int, text: String) {
        #expect(range((1, 2), (1, 5)).subrange(fromScalar: lower, toScalar: upper).text == text)
    }

    @Test(
        arguments: [
            (0, 1, "c"), (1, 4, "d\ne"), (3, 5, "ef"), (8, 9, "h"), (0, 99, "cd\nefg\r\nhi"), (50, 99, ""),
        ] as [(Int, Int, String)])
    func partsOfSeveralLines(lower: Int, upper: Int, text: String) {
        #expect(range((1, 4), (3, 3)).subrange(fromScalar: lower, toScalar: upper).text == text)
    }
}
