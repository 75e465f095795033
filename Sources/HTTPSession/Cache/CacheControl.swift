/// The directives of `Cache-Control` fields (RFC 9111 section 5.2).
struct CacheControl: Sendable, Hashable {
    private var directives: [String: String] = [:]

    /// Reads the directives of a header; names in any case, the first of a name counts.
    init(_ headers: HTTPHeaders) {
        for value in headers.values("Cache-Control") {
            var scanner = Scanner(value)
            while let (name, argument) = scanner.next() {
                if directives[name] == nil { directives[name] = argument }
            }
        }
        if directives.isEmpty, headers["Pragma"]?.lowercased() == "no-cache" { directives["no-cache"] = "" }
    }

    /// Whether a directive is there.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The whole number of seconds that a directive has; nil without the directive, zero if it has no valid number.
    func seconds(_ name: String) -> Double? { directives[name].map { Self.seconds(of: $0) ?? 0 } }

    /// Returns the seconds of a delta-seconds value (RFC 9111 section 1.2.2), at most 2^31; nil if it is not one.
    static func seconds(of text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        let most: Int64 = 1 << 31
        return Double(min(most, Int64(text) ?? most))
    }

    /// Whether a directive has no argument.
    func isBare(_ name: String) -> Bool { directives[name]?.isEmpty ?? false }

    /// Takes directives one after the other from a list with quoted strings.
    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = Substring(text).utf8 }

        mutating func next() -> (String, String)? {
            while let byte = rest.first, byte == 32 || byte == 9 || byte == UInt8(ascii: ",") { rest.removeFirst() }
            guard !rest.isEmpty else { return nil }
            let name = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") && $0 != 32 }
            rest = rest.dropFirst(name.count)
            let key = (String(Substring(name))).lowercased()
            guard rest.first == UInt8(ascii: "=") else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }
                return (key, "")
            }
            rest.removeFirst()
            guard rest.first == UInt8(ascii: "\"") else {
                let value = rest.prefix { $0 != UInt8(ascii: ",") && $0 != 32 }
                rest = rest.dropFirst(value.count).drop { $0 != UInt8(ascii: ",") }
                return (key, String(Substring(value)))
            }
            rest.removeFirst()
            var value: [UInt8] = []
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    value.append(escaped)
                } else {
                    value.append(byte)
                }
            }
            return (key, String(decoding: value, as: UTF8.self))
        }
    }
}
