/// Looks for a text in another, byte by byte, in linear time.
///
/// Unlike a comparison of characters it finds parts of them.
enum ByteSearch {
    /// Whether the bytes of a part occur in the text.
    static func contains(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { text, part in
            switch attempt(text, part) {
            case .found: true
            case .notThere: false
            case .tooSlow: longestBeginning(of: part, in: text).length == part.count
            }
        }
    }

    /// How many bytes stand before the first occurrence of a part; nil when there is none.
    static func position(of part: String, in text: String) -> Int? {
        let found = longestBeginning(of: part, in: text)
        return found.length == part.utf8.count ? found.offset : nil
    }

    /// The first place where most of a part's beginning stands: how many bytes are before it, and how many agree.
    ///
    /// The length is a whole number of Unicode scalars.
    static func longestBeginning(of part: String, in text: String) -> (offset: Int, length: Int) {
        withBytes(text, part) { text, part in
            var found = longestBeginning(of: part, in: text)
            while found.length < part.count, found.length > 0, part[found.length] & 0xC0 == 0x80 { found.length -= 1 }
            return found
        }
    }

    private static func withBytes<Result>(
        _ text: String, _ part: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var text = text
        var part = part
        return text.withUTF8 { text in part.withUTF8 { part in body(text, part) } }
    }

    /// What came of a search without preparation.
    private enum Attempt {
        case found, notThere, tooSlow
    }

    /// Compares the part at each place, which needs no memory, as long as that stays linear in the text's length.
    private static func attempt(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Attempt {
        guard let first = part.first else { return .found }
        guard part.count <= text.count else { return .notThere }
        var budget = text.count &* 4 &+ part.count
        for start in 0...(text.count - part.count) where text[start] == first {
            var length = 1
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return .found }
            budget -= length
            if budget < 0 { return .tooSlow }
        }
        return .notThere
    }

    /// The algorithm of Knuth, Morris and Pratt.
    private static func longestBeginning(
        of part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
    ) -> (offset: Int, length: Int) {
        guard !part.isEmpty else { return (0, 0) }
        // borders[i]: the length of the longest proper prefix of part[...i] that is also its suffix.
        var borders = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            if part[index] == part[length] { length += 1 }
            borders[index] = length
        }
        var best = (offset: 0, length: 0)
        length = 0
        for (index, byte) in text.enumerated() {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            if length > best.length { best = (index + 1 - length, length) }
            if length == part.count { break }
        }
        return best
    }
}
