import Diagnostics
import Testing
import YAML

@Suite struct EncodingTests {
    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0x00], "not-utf8"),
            ([0xFE, 0xFF, 0x00, 0x61], "not-utf8"),
            ([0x61, 0x00, 0x3A, 0x00], "not-utf8"),
            ([0x00, 0x61, 0x00, 0x3A], "not-utf8"),
            ([0x00, 0x00, 0xFE, 0xFF], "not-utf8"),
            ([0x61, 0x3A, 0x20, 0xFF, 0x0A], "invalid-utf8 1:4-1:5"),
            ([0x61, 0x3A, 0x20, 0xC3, 0x28], "invalid-utf8 1:4-1:5"),
            ([0x61, 0x3A, 0x20, 0xC0, 0x80], "invalid-utf8 1:4-1:5"),
            ([0x61, 0x3A, 0x20, 0xE2, 0x82, 0x61], "invalid-utf8 1:4-1:5"),
            ([0x61, 0x0A, 0x62, 0xE2, 0x82], "invalid-utf8 2:2-2:3"),
            ([0x61, 0x3A, 0x20, 0xED, 0xA0, 0x80], "invalid-utf8 1:4-1:5"),
            ([0x61, 0x3A, 0x20, 0x07, 0x62], "control-character 1:4-1:5"),
            ([0x61, 0x3A, 0x20, 0x62, 0x00], "control-character 1:5-1:6"),
            ([0x61, 0x3A, 0x20, 0xC2, 0x81], "control-character 1:4-1:5"),
            ([0xEF, 0xBB, 0xBF, 0x61, 0x07], "control-character 1:2-1:3"),
        ] as [([UInt8], String)])
    func badBytesHaveTheirLocation(bytes: [UInt8], problem: String) {
        #expect(Reading(bytes: bytes).problems == [problem])
    }

    @Test func wordsForBadBytes() {
        #expect(
            Reading("a: \u{7}b\n").rendered == """
                a.yaml:1:4: error: the control character U+0007 is not allowed in YAML [control-character]
                    1 │ a: \\x07b
                      │    ^^^^ remove it, or write it as an escape in a double-quoted string

                """)
        #expect(
            Reading("a: \u{FFFE}\n").diagnostics.map(\.message) == ["the character U+FFFE is not allowed in YAML"])
        #expect(
            Reading(bytes: [0x61, 0xFF]).diagnostics.map(\.message) == ["the byte 0xFF is not valid UTF-8 here"])
        #expect(Reading(bytes: [0x61, 0xE2]).diagnostics.map(\.message) == ["the file ends within a character"])
        #expect(
            Reading(bytes: [0xFF, 0xFE]).rendered
                == "error: the file is in UTF-16 or another encoding that is not UTF-8 [not-utf8]\n"
                + "      = help: save a.yaml as UTF-8\n")
    }
}
