import Testing

@testable import Reports

struct JSONTextStyleTests {
    private static let characters = ["a", "\"", "\\", "<", "\u{7F}", "\u{0}", "\u{1F}", "\n", "é", "\u{85}", "✓", "😀"]

    private static func escaped(_ text: String, _ style: JSONTextStyle) -> String {
        var buffer = ByteBuffer()
        style.append(text, to: &buffer, limit: nil)
        return String(decoding: buffer.array.dropFirst().dropLast(), as: UTF8.self)
    }

    @Test(arguments: [JSONTextStyle.visible, .embedded, .record])
    func aCharacterIsEscapedWhereverItStands(_ style: JSONTextStyle) {
        for character in Self.characters {
            let alone = Self.escaped(character, style)
            for length in 0..<26 {
                for place in 0...length {
                    let (before, behind) = (
                        String(repeating: "x", count: place), String(repeating: "y", count: length - place)
                    )
                    #expect(Self.escaped(before + character + behind, style) == before + alone + behind)
                }
            }
        }
    }

    @Test(arguments: [JSONTextStyle.visible, .embedded, .record])
    func contentIsTheStringWithoutItsMarks(_ style: JSONTextStyle) {
        for text in ["", "a", "plain and long enough for two words", "a\"b", #"{"id": 1, "title": "Dune"}"#, "\u{1B}"] {
            var buffer = ByteBuffer()
            style.append(content: text, to: &buffer)
            #expect(String(decoding: buffer.array, as: UTF8.self) == Self.escaped(text, style))
        }
    }

    @Test func longTextsOfWhichMuchIsEscaped() {
        let text = String(repeating: "\"ab\\c\u{2028}é\u{1}", count: 2_000)
        let one = Self.escaped("\"ab\\c\u{2028}é\u{1}", .visible)
        #expect(Self.escaped(text, .visible) == String(repeating: one, count: 2_000))
    }
}
