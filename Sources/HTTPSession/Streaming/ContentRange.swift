/// The `Content-Range` of a response about bytes (RFC 9110 section 14.4).
struct ContentRange: Hashable {
    /// The first byte of the part; nil in an answer of status 416.
    var first: Int?
    /// The length of the whole, where it is known.
    var total: Int?

    /// Reads `bytes 0-9/20`, `bytes 0-9/*` and `bytes */20`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, ByteClass.equalIgnoringCase(String(parts[0]), "bytes") else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[1] != "*" {
            guard let total = Self.number(sides[1]) else { return nil }
            self.total = total
        }
        guard sides[0] != "*" else { return }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        self.first = first
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
        return Int(text)
    }
}
