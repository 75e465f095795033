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

/// Texts in forms and queries, encoded as strictly as any standard asks for.
enum FormText {
    private static let unreserved = ByteClass.Set(alphanumericAnd: "-._~")

    /// The UTF-8 bytes of a text, each but unreserved ones (RFC 3986 section 2.3) as "%" and two digits.
    /// - Parameters:
    ///   - text: The text.
    ///   - space: What stands for a space: "+" in a form.
    static func encode(_ text: String, space: String) -> String {
        var result: [UInt8] = []
        append(text.utf8, to: &result, keeping: nil, space: Array(space.utf8))
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends bytes, each but unreserved ones and `keeping` as "%" and two digits of hexadecimal in upper case.
    static func append(
        _ bytes: some Sequence<UInt8>, to result: inout [UInt8], keeping: UInt8? = nil, space: [UInt8]? = nil
    ) {
        let set = unreserved
        for byte in bytes {
            if set.contains(byte) || byte == keeping {
                result.append(byte)
            } else if byte == 32, let space {
                result.append(contentsOf: space)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digit(byte >> 4))
                result.append(digit(byte & 15))
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// A form in `application/x-www-form-urlencoded`.
    static func form(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encode($0.name, space: "+") + "=" + encode($0.value, space: "+") }.joined(separator: "&")
    }
}
