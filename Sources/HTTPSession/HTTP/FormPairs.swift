import Basics

/// The encoding of queries and forms: `application/x-www-form-urlencoded` (WHATWG URL standard, section 5.1).
enum FormPairs {
    /// Parses a string such as `a=1&b=2` into percent-decoded names and values, with "+" as a space.
    static func parse(_ text: some StringProtocol) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        PercentEncoding.eachFormPair(of: text) { pairs.append(($0, $1)) }
        return pairs
    }

    /// Decodes percent escapes and "+" as a space; invalid UTF-8 becomes U+FFFD.
    static func decoded(_ text: Substring) -> String { PercentEncoding.decode(text, plusIsSpace: true) }

    /// Encodes names and values as a form, as strictly as any standard requires.
    static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }

    /// Percent-encodes every byte that is not unreserved (RFC 3986, section 2.3), with "+" for a space.
    static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: { ASCII.isUnreserved($0) || $0 == 32 }).replacing(" ", with: "+")
    }
}
