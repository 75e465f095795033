import Basics

/// The pairs of a query or of a form in `application/x-www-form-urlencoded` (WHATWG URL standard, section 5.1).
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
    static func decoded(_ text: Substring) -> String { PercentEncoding.decode(text, plusIsSpace: true) }

    /// A form of names and values, encoded as strictly as any standard asks for.
    static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }

    /// A name or value with all bytes but unreserved ones (RFC 3986 section 2.3) percent-encoded, and "+" for a space.
    static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: { ASCII.isUnreserved($0) || $0 == 32 }).replacing(" ", with: "+")
    }
}
