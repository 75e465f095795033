import Testing

@testable import CEL

@Suite struct TextSearchTests {
    /// All short strings of two letters, compared with a simple search.
    @Test func agreesWithPlainSearch() {
        func texts(_ length: Int) -> [String] {
            (0..<(1 << length)).map { bits in
                String((0..<length).map { (bits >> $0) & 1 == 0 ? "a" : "b" })
            }
        }
        for part in (0...4).flatMap(texts) {
            let search = TextSearch(part)
            for text in (0...7).flatMap(texts) {
                let bytes = Array(text.utf8)
                for start in 0...bytes.count {
                    let plain = (start...bytes.count).first { bytes[$0...].starts(with: part.utf8) }
                    #expect(search.firstOffset(in: bytes, from: start) == plain)
                }
            }
        }
    }

    @Test func repetitiveTextsTakeLinearTime() {
        let text = String(repeating: "a", count: 200_000)
        #expect(!TextSearch(String(repeating: "a", count: 100_000) + "b").isIn(text))
        #expect(!TextSearch("b" + String(repeating: "a", count: 100_000)).isIn(text))
    }
}
