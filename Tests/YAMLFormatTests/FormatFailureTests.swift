import Testing
import YAMLFormat

/// Tests of texts that are rejected rather than damaged.
struct FormatFailureTests {
    @Test(arguments: [
        "a: [1", "a: 'x", "a: 1\n b: 2\n", "? [a]\n: 1\n", "? {a: 1}\n: 1\n", "? - a\n: 1\n", ": 1\n", "[a]: 1\n",
        "a: *x b\n", "\ta: 1\n",
    ])
    func refused(_ text: String) {
        #expect(throws: FormatFailure.self) { try YAMLFormatterTests.format(text) }
    }

    /// libyaml also ends lines and comments at these characters; the formatter does not.
    @Test(arguments: ["# one\u{2028}a: 1\n", "# one\u{85}a: 1\n"])
    func otherLineBreaks(_ text: String) {
        #expect(throws: FormatFailure.self) { try YAMLFormatterTests.format(text) }
    }

    @Test func deepNestingEnds() {
        let text = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(throws: FormatFailure.self) { try YAMLFormatterTests.format(text) }
    }

    @Test func aFailureSaysWhy() {
        do throws(FormatFailure) {
            _ = try YAMLFormatter().format(Array("# one\u{2028}a: 1\n".utf8))
            Issue.record("expected an error")
        } catch {
            #expect(error.reason == "a comment contains a different kind of line break")
            #expect(error.offset == 0)
        }
    }
}
