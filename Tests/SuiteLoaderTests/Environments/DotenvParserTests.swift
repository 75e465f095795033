import Diagnostics
import Testing

@testable import SuiteLoader

struct DotenvParserTests {
    private func parse(_ text: String) -> DotenvParser.Result {
        DotenvParser.parse(Array(text.utf8), name: ".env") { $0 == "PROCESS" ? "outside" : nil }
    }

    @Test(arguments: [
        ("A=b", "b"), ("A = b ", "b"), ("export A=b", "b"), ("\u{FEFF}A=b\r\n", "b"), ("A=", ""), ("A= # c", ""),
        ("A=b#c", "b#c"), ("A=b # c", "b"), ("A=b c  ", "b c"), ("A='b # c'", "b # c"), ("A='b\\n' # c", "b\\n"),
        ("A=\"b # c\" # d", "b # c"), (#"A="\n\r\t\"\\\$\d""#, "\n\r\t\"\\$\\d"), ("A=\"b\nc\n\"", "b\nc\n"),
        ("A='b\nc'", "b\nc"), ("A=\"\"", ""), ("A=b\"c\"", "b\"c\""), ("A=$B\\${C}", "$B${C}"), ("A=é", "é"),
        ("B=1\nA=${B}2", "12"), ("B=1\nA=\"${B}2\"", "12"), ("B=1\nA='${B}2'", "${B}2"), ("A=${PROCESS}", "outside"),
        ("PROCESS=inside\nA=${PROCESS}", "outside"), ("A=${X:-y z}!", "y z!"), ("X=\nA=${X:-y}", "y"),
        ("X=\nA=${X}", ""),
        ("A=${X:-}", ""), ("# A=c\n\n   \nA=b", "b"), ("A.b-c=1\nA=${A.b-c}", "1"), ("export=1\nA=${export}", "1"),
        ("export\tA=b", "b"), ("A=a=b==", "a=b=="),
    ])
    func values(text: String, value: String) {
        let result = parse(text)
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
        #expect(result.values.last?.value == value)
    }

    @Test(arguments: [
        ("A", 1, 1, "missing \"=\" after the name"),
        ("x\nA B=c", 1, 1, "missing \"=\" after the name"),
        ("1A=b", 1, 1, "a line must be NAME=value, a comment starting with \"#\", or empty"),
        ("=b", 1, 1, "a line must be NAME=value, a comment starting with \"#\", or empty"),
        ("A: b", 1, 1, "missing \"=\" after the name"),
        ("A='b", 1, 3, "the value has no closing \"'\""), ("A=\"b\\\"", 1, 3, "the value has no closing '\"'"),
        ("A='b'c", 1, 3, "unexpected text after the closing quotation mark"),
        ("A=${b", 1, 3, "a \"${\" in the value is not closed"), ("A=${}", 1, 3, "missing name after \"${\""),
        ("A=${B}", 1, 3, "\"${…}\" refers to a name that is not defined before this line or in the environment"),
        ("A=\0", 1, 3, "the value contains a NUL character"),
        ("A=1\nA=2", 2, 1, "duplicate name \"A\"; the last value is used"),
    ])
    func mistakes(text: String, line: Int32, column: Int32, message: String) throws {
        let diagnostic = try #require(parse(text).diagnostics.first)
        #expect(diagnostic.id == "invalid-dotenv")
        #expect(diagnostic.message == message)
        #expect(diagnostic.range?.start == SourcePosition(line: line, column: column))
    }

    /// The rest of the file after an error is read, and diagnostics do not quote any value.
    @Test func mistakesShowNoValue() {
        let result = parse("A='s3cret\ns3cret\nB=\"s3cret\"s3cret\nexport C=${s3cret\nD=good\ns3cret s3cret=x\n")
        #expect(result.values.map(\.name) == ["D"])
        #expect(result.diagnostics.count == 5)
        let shown = TextRenderer(color: false).render(result.diagnostics)
        #expect(!shown.contains("s3cret"), "\(shown)")
        #expect(shown.contains("export C=***"))
        for diagnostic in result.diagnostics {
            #expect(diagnostic.range.map { !String(decoding: $0.file.text, as: UTF8.self).contains("s3cret") } == true)
        }
    }

    @Test func valuesThatAreNotUTF8AreRefused() {
        let result = DotenvParser.parse([0x41, 0x3D, 0xFF, 0x0A, 0x42, 0x3D, 0x31], name: ".env") { _ in nil }
        #expect(result.values.map(\.name) == ["B"])
        #expect(result.diagnostics.map(\.message) == ["the value is not valid UTF-8"])
    }
}
