/// A text to look for in others, in time linear in their length whatever both are (Knuth, Morris and Pratt).
struct TextSearch {
    /// The bytes looked for.
    let part: [UInt8]
    /// For each length of a matched beginning, the length of the longest one that it also ends with.
    private let fallbacks: [Int]

    init(_ text: String) {
        let part = Array(text.utf8)
        var fallbacks = [Int](repeating: 0, count: part.count)
        var matched = 0
        for index in part.indices.dropFirst() {
            while matched > 0, part[index] != part[matched] { matched = fallbacks[matched - 1] }
            if part[index] == part[matched] { matched += 1 }
            fallbacks[index] = matched
        }
        self.part = part
        self.fallbacks = fallbacks
    }

    /// The byte offset of the first occurrence at or behind another offset, or nil.
    func firstOffset(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let first = part.first else { return start <= bytes.count ? start : nil }
        var matched = 0
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if matched == 0, byte != first {
                index += 1
                continue
            }
            while matched > 0, byte != part[matched] { matched = fallbacks[matched - 1] }
            if byte == part[matched] { matched += 1 }
            index += 1
            if matched == part.count { return index - matched }
        }
        return nil
    }

    func firstOffset(in bytes: [UInt8], from start: Int = 0) -> Int? {
        bytes.withUnsafeBufferPointer { firstOffset(in: $0, from: start) }
    }

    func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { firstOffset(in: $0) != nil }
    }
}
