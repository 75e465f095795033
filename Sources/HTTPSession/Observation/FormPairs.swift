/// The pairs of a query or of a form (WHATWG URL standard, section 5.1).
enum FormPairs {
    /// The names and values of a text such as `a=1&b=2`, percent-decoded, "+" as a space.
    static func parse(_ text: some StringProtocol) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for pair in Substring(text).split(separator: "&") {
            guard let equals = pair.firstIndex(of: "=") else {
                pairs.append((decoded(pair), ""))
                continue
            }
            pairs.append((decoded(pair[..<equals]), decoded(pair[pair.index(after: equals)...])))
        }
        return pairs
    }

    /// A name or value with escapes undone and "+" as a space; invalid UTF-8 becomes U+FFFD.
    static func decoded(_ text: Substring) -> String {
        var spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? 32 : $0 }
        if spaced.contains(UInt8(ascii: "%")) {
            spaced = PercentEncoding.decode(String(decoding: spaced, as: UTF8.self))
        }
        return String(decoding: spaced, as: UTF8.self)
    }
}
