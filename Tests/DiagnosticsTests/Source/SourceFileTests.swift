import Diagnostics
import Testing

@Suite struct SourceFileTests {
    @Test func locationsInLongLinesAreFound() {
        let file = SourceFile(name: "f", text: "x\n" + String(repeating: "aé👍", count: 2_000) + "\nz")
        for column in [1, 2, 1_024, 1_025, 1_026, 2_048, 2_049, 3_000, 5_999, 6_000, 6_001] {
            let offset = 2 + (column - 1) / 3 * 7 + [0, 1, 3][(column - 1) % 3]
            let position = SourcePosition(line: 2, column: column)
            #expect(file.byteOffset(of: position) == offset)
            #expect(file.position(atByteOffset: offset) == position)
        }
        #expect(file.byteOffset(of: SourcePosition(line: 2, column: 9_000)) == 14_002)
    }

    @Test(
        arguments: [
            ("", [""]),
            ("a", ["a"]),
            ("a\n", ["a", ""]),
            ("a\nb", ["a", "b"]),
            ("a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]),
            ("\u{FEFF}a\nb", ["a", "b"]),
            ("\u{FEFF}", [""]),
            ("a\u{2028}b\u{85}c", ["a\u{2028}b\u{85}c"]),
            ("é\n日本\n👍🏽", ["é", "日本", "👍🏽"]),
        ] as [(String, [String])])
    func linesAreFound(text: String, lines: [String]) {
        let file = SourceFile(name: "f", text: text)
        #expect(file.lineCount == lines.count)
        #expect((1...lines.count).map { file.line($0) } == lines)
        #expect(file.line(0) == nil)
        #expect(file.line(lines.count + 1) == nil)
        #expect(file.line(-1) == nil)
    }

    @Test(
        arguments: [
            ("abc\ndef", 1, 1, 0), ("abc\ndef", 1, 4, 3), ("abc\ndef", 2, 1, 4), ("abc\ndef", 2, 4, 7),
            ("é日👍x", 1, 2, 2), ("é日👍x", 1, 3, 5), ("é日👍x", 1, 4, 9), ("é日👍x", 1, 5, 10),
            ("\u{FEFF}ab", 1, 1, 3), ("\u{FEFF}ab", 1, 2, 4),
            ("a\r\nb", 2, 1, 3), ("a\r\nb", 2, 2, 4),
        ] as [(String, Int, Int, Int)])
    func positionsAndOffsetsAgree(text: String, line: Int, column: Int, offset: Int) {
        let file = SourceFile(name: "f", text: text)
        let position = SourcePosition(line: line, column: column)
        #expect(file.byteOffset(of: position) == offset)
        #expect(file.position(atByteOffset: offset) == position)
    }

    @Test func everyScalarOfATextMapsBack() {
        let file = SourceFile(name: "f", text: "a\té\r\n日本 e\u{301}\n\n👍🏽\r")
        var offset = 0
        for scalar in String(decoding: file.text, as: UTF8.self).unicodeScalars {
            // The LF of a CR LF is within the line break and has no position.
            if scalar != "\n" || file.text[max(0, offset - 1)] != UInt8(ascii: "\r") {
                #expect(file.byteOffset(of: file.position(atByteOffset: offset)) == offset)
            }
            offset += UTF8.width(scalar)
        }
        #expect(file.byteOffset(of: file.end) == file.text.count)
    }

    @Test func outsideIsClamped() {
        let file = SourceFile(name: "f", text: "ab\ncd")
        #expect(file.byteOffset(of: SourcePosition(line: 1, column: 99)) == 2)
        #expect(file.byteOffset(of: SourcePosition(line: 9, column: 1)) == 5)
        #expect(file.byteOffset(of: SourcePosition(line: 0, column: 0)) == 0)
        #expect(file.position(atByteOffset: -5) == SourcePosition(line: 1, column: 1))
        #expect(file.position(atByteOffset: 99) == SourcePosition(line: 2, column: 3))
        #expect(SourcePosition(line: Int.max, column: 1).line == Int32.max)
    }

    @Test func anOffsetWithinACharacterGivesTheCharacter() {
        let file = SourceFile(name: "f", text: "x日y")
        for offset in 1...3 { #expect(file.position(atByteOffset: offset).column == 2) }
        #expect(file.position(atByteOffset: 4).column == 3)
    }

    @Test func aPartOfAFileHasTheFilesLineNumbers() {
        let file = SourceFile(name: "f", text: Array("a: 1\nb: 2".utf8), firstLine: 7)
        #expect(file.line(6) == nil)
        #expect(file.line(7) == "a: 1")
        #expect(file.line(8) == "b: 2")
        #expect(file.line(9) == nil)
        #expect(file.byteOffset(of: SourcePosition(line: 8, column: 4)) == 8)
        #expect(file.byteOffset(of: SourcePosition(line: 1, column: 1)) == 0)
        #expect(file.position(atByteOffset: 8) == SourcePosition(line: 8, column: 4))
    }

    @Test func invalidBytesAreReplaced() {
        #expect(SourceFile(name: "f", text: [0x61, 0xFF, 0x62]).line(1) == "a\u{FFFD}b")
    }

    @Test func filesAreEqualByIdentity() {
        let file = SourceFile(name: "f", text: "a")
        #expect(file == file)
        #expect(file != SourceFile(name: "f", text: "a"))
        #expect(Set([file, file]).count == 1)
    }
}
