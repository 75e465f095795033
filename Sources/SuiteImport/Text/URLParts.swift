import Basics

/// The parts of a URL that may contain expressions.
package struct URLParts: Sendable, Hashable {
    /// The scheme and the authority, such as `https://api.example.org`, or the expression that stands for them; empty
    /// for a relative URL.
    package private(set) var origin = ImportedText()
    /// The path.
    package private(set) var path = ImportedText()
    /// The query without `?`; nil if there is none.
    package private(set) var query: ImportedText?

    private enum Part {
        case origin, path, query, fragment
    }

    /// Splits a URL. The fragment, which is not sent, is dropped.
    package init(_ url: ImportedText) {
        var part = Part.origin
        if case .literal(let first)? = url.parts.first, !Self.hasScheme(first) { part = .path }
        var isFirst = true
        for piece in url.parts {
            switch piece {
            case .expression(let source): append(part) { $0.append(expression: source) }
            case .literal(let text):
                var rest = text.utf8[...]
                if isFirst, part == .origin, let end = text.firstRange(of: "://")?.upperBound {
                    origin.append(literal: text[..<end])
                    rest = text[end...].utf8
                }
                while !rest.isEmpty {
                    let end = rest.firstIndex { Self.ends(part, at: $0) } ?? rest.endIndex
                    append(part) { $0.append(literal: String(decoding: rest[..<end], as: UTF8.self)) }
                    rest = rest[end...]
                    guard let delimiter = rest.first else { break }
                    switch delimiter {
                    case UInt8(ascii: "/"): part = .path
                    case UInt8(ascii: "?"):
                        part = .query
                        query = ImportedText()
                        rest = rest.dropFirst()
                    default:
                        part = .fragment
                        rest = rest.dropFirst()
                    }
                }
            }
            isFirst = false
        }
    }

    /// The host and port; nil for a relative URL or if an expression stands for them.
    package var authority: String? {
        guard let origin = origin.literal, let range = origin.firstRange(of: "://") else { return nil }
        return String(origin[range.upperBound...])
    }

    /// The pairs of the query, still percent-encoded, without their separators; a pair without `=` has a nil value.
    package var pairs: [(name: ImportedText, value: ImportedText?)] {
        guard let query, !query.isEmpty else { return [] }
        return query.split(UInt8(ascii: "&"), maximum: .max).map { pair in
            let halves = pair.split(UInt8(ascii: "="), maximum: 2)
            return (halves[0], halves.count > 1 ? halves[1] : nil)
        }
    }

    private mutating func append(_ part: Part, _ body: (inout ImportedText) -> Void) {
        switch part {
        case .origin: body(&origin)
        case .path: body(&path)
        case .query:
            var text = query ?? ImportedText()
            body(&text)
            query = text
        case .fragment: break
        }
    }

    private static func ends(_ part: Part, at byte: UInt8) -> Bool {
        switch part {
        case .origin: byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        case .path: byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        case .query: byte == UInt8(ascii: "#")
        case .fragment: false
        }
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: "://") else { return false }
        return !text[..<colon.lowerBound].isEmpty
            && text[..<colon.lowerBound].utf8.allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }
}

extension ImportedText {
    /// The URL without the user information of its authority (RFC 3986, section 3.2.1); then also without a fragment.
    package var withoutUserInformation: ImportedText {
        let parts = URLParts(self)
        let pieces = parts.origin.split(UInt8(ascii: "@"), maximum: .max)
        guard pieces.count > 1, let host = pieces.last, case .literal(let first)? = parts.origin.parts.first,
            let end = first.firstRange(of: "://")?.upperBound
        else { return self }
        var result = ImportedText(first[..<end]) + host + parts.path
        if let query = parts.query { result = result + "?" + query }
        return result
    }

    /// The URL without the segments `.` and `..` in its path (RFC 3986, section 5.2.4); then also without a fragment.
    package var withoutDotSegments: ImportedText {
        let parts = URLParts(self)
        let segments = parts.path.split(UInt8(ascii: "/"), maximum: .max)
        guard segments.contains(where: { $0.literal == "." || $0.literal == ".." }) else { return self }
        var kept: [ImportedText] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.literal == "." {
                if isLast { kept.append("") }
            } else if segment.literal == ".." {
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            } else {
                kept.append(segment)
            }
        }
        var result = parts.origin
        for (index, segment) in kept.enumerated() {
            if index > 0 { result.append(literal: "/") }
            result.append(segment)
        }
        if let query = parts.query { result = result + "?" + query }
        return result
    }

    /// Splits the string at an ASCII character of its literals.
    ///
    /// - Parameter maximum: The maximum number of parts; the last one contains the rest.
    package func split(_ separator: UInt8, maximum: Int) -> [ImportedText] {
        var result = [ImportedText()]
        for part in parts {
            switch part {
            case .expression(let source): result[result.count - 1].append(expression: source)
            case .literal(let text):
                var rest = text.utf8[...]
                while result.count < maximum, let index = rest.firstIndex(of: separator) {
                    result[result.count - 1].append(literal: String(decoding: rest[..<index], as: UTF8.self))
                    result.append(ImportedText())
                    rest = rest[index...].dropFirst()
                }
                result[result.count - 1].append(literal: String(decoding: rest, as: UTF8.self))
            }
        }
        return result
    }
}
