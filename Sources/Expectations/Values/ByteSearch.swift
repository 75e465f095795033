/// Looks for a text in another, byte by byte, in linear time (Knuth, Morris and Pratt).
enum ByteSearch {
    /// Whether the bytes of a part occur in the text; unlike a comparison of characters it finds parts of them.
    static func contains(_ text: String, _ part: String) -> Bool {
        var text = text
        var part = part
        return text.withUTF8 { text in part.withUTF8 { part in contains(text, part) } }
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard part.count <= text.count, !part.isEmpty else { return part.isEmpty }
        // borders[i]: the length of the longest proper prefix of part[...i] that is also its suffix.
        var borders = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            if part[index] == part[length] { length += 1 }
            borders[index] = length
        }
        length = 0
        for byte in text {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
