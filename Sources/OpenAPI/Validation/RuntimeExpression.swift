import JSON

/// The runtime expressions of links and callbacks (section "Runtime Expressions").
enum RuntimeExpression {
    /// Returns what is wrong with an expression, or nil.
    ///
    /// - Parameter text: The expression, from its dollar sign on.
    static func problem(in text: String) -> String? {
        if ["$url", "$method", "$statusCode"].contains(text) { return nil }
        for start in ["$request.", "$response."] where text.hasPrefix(start) {
            return problem(inSource: text.dropFirst(start.count))
        }
        return "it is $url, $method, $statusCode, or begins with $request. or $response."
    }

    private static func problem(inSource source: Substring) -> String? {
        for part in ["header.", "query.", "path."] where source.hasPrefix(part) {
            let name = source.dropFirst(part.count)
            if name.isEmpty { return "a name follows \"\(part)\"" }
            let isHeader = part == "header."
            return isHeader && !name.utf8.allSatisfy(\.isOfToken) ? "\"\(name)\" is no name of a header" : nil
        }
        guard source.hasPrefix("body") else { return "header., query., path. or body follows" }
        let rest = source.dropFirst(4)
        if rest.isEmpty { return nil }
        guard rest.first == "#" else {
            return "a JSON Pointer follows \"body\", such as body#/\(rest.drop { !$0.isLetter })"
        }
        let pointer = rest.dropFirst()
        if pointer.isEmpty { return nil }
        guard pointer.first == "/" else { return "a JSON Pointer begins with a slash: body#/\(pointer)" }
        return (try? JSONPointer(String(pointer))) == nil ? "\"\(pointer)\" is no JSON Pointer" : nil
    }

    /// The expressions in a text: the whole of one that begins with a dollar sign, otherwise those in braces.
    static func expressions(in text: String) -> [String] {
        if text.hasPrefix("$") { return [text] }
        var found: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let inner = rest[rest.index(after: open)..<close]
            if inner.hasPrefix("$") { found.append(String(inner)) }
            rest = rest[rest.index(after: close)...]
        }
        return found
    }
}

extension UInt8 {
    /// Whether the byte may be in a token (RFC 9110, section 5.6.2).
    fileprivate var isOfToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
