public import Basics

/// The path pattern of a route: literal segments, parameters (`{id}`), wildcards (`*`), and `**` for any number of
/// segments.
///
/// A segment may have a prefix and a suffix around `{name}` (`{id}.json`). `*` matches any characters of one segment
/// and may also be part of a segment (`report-*`). `**` may occur once, at any position.
public struct MockPath: Sendable, Hashable {
    /// One segment of the pattern.
    public enum Segment: Sendable, Hashable {
        /// A literal, percent-decoded.
        case literal(String)
        /// A named parameter that matches a nonempty string between a prefix and a suffix.
        case parameter(name: String, prefix: String, suffix: String)
        /// The pieces of a segment between its `*` wildcards. Each wildcard matches any run of characters.
        case glob([String])
    }

    /// The pattern as written.
    public let text: String
    /// The segments before `**`, or all segments.
    public let leading: [Segment]
    /// The segments after `**`; nil if the pattern has none.
    public let trailing: [Segment]?

    /// The decoded segments of a pattern that is entirely literal; nil for any other pattern.
    public var literalSegments: [String]? {
        guard trailing == nil else { return nil }
        var result: [String] = []
        for segment in leading {
            guard case .literal(let text) = segment else { return nil }
            result.append(text)
        }
        return result
    }

    /// The names of the parameters, in order.
    public var parameterNames: [String] {
        (leading + (trailing ?? [])).compactMap {
            if case .parameter(let name, _, _) = $0 { name } else { nil }
        }
    }

    /// Creates a pattern by parsing its text.
    ///
    /// - Parameter text: The pattern, which must start with `/`.
    /// - Throws: ``MockPathError`` with the location of the error.
    public init(_ text: String) throws(MockPathError) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.first == "/" else {
            throw MockPathError(message: "a path must start with \"/\"", offset: 0, length: max(1, scalars.count))
        }
        var leading: [Segment] = []
        var trailing: [Segment]?
        var names: Set<String> = []
        var start = 1
        while start <= scalars.count {
            let end = scalars[start...].firstIndex(of: "/") ?? scalars.count
            let segment = scalars[start..<end]
            if segment.elementsEqual(["*", "*"]) {
                guard trailing == nil else {
                    throw MockPathError(message: "\"**\" can occur only once in a path", offset: start, length: 2)
                }
                trailing = []
            } else {
                let read = try MockPath.segment(segment)
                if case .parameter(let name, _, _) = read, !names.insert(name).inserted {
                    throw MockPathError(
                        message: "the path has two parameters named \"\(name)\"", offset: start, length: segment.count)
                }
                if trailing == nil { leading.append(read) } else { trailing?.append(read) }
            }
            start = end + 1
        }
        self.text = text
        self.leading = leading
        self.trailing = trailing
    }

    /// Matches a path and returns the values of the parameters; nil if the path does not match.
    ///
    /// - Parameter segments: The percent-decoded segments of the path.
    public func match(_ segments: [String]) -> [(name: String, value: String)]? {
        let trailing = self.trailing ?? []
        let fixed = leading.count + trailing.count
        guard self.trailing == nil ? segments.count == fixed : segments.count >= fixed else { return nil }
        var parameters: [(name: String, value: String)] = []
        for (segment, text) in zip(leading, segments) {
            guard segment.takes(text, into: &parameters) else { return nil }
        }
        for (segment, text) in zip(trailing, segments.suffix(trailing.count)) {
            guard segment.takes(text, into: &parameters) else { return nil }
        }
        return parameters
    }

    private static func segment(_ scalars: ArraySlice<Unicode.Scalar>) throws(MockPathError) -> Segment {
        if let bad = scalars.firstIndex(where: { $0 == "?" || $0 == "#" || $0.value <= 0x20 || $0.value == 0x7F }) {
            throw MockPathError(
                message: scalars[bad] == "?"
                    ? "the path of a route cannot have a query; put conditions on it under \"when: query:\""
                    : "this character is not allowed in a path", offset: bad, length: 1)
        }
        if let open = scalars.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            return try parameter(scalars, open: open)
        }
        if scalars.contains("*") {
            let pieces = scalars.split(separator: "*", omittingEmptySubsequences: false)
            if let double = zip(pieces.indices, pieces).first(where: {
                $0.0 > 0 && $0.0 < pieces.count - 1 && $0.1.isEmpty
            }) {
                throw MockPathError(
                    message: "\"**\" must be a whole segment", offset: double.1.startIndex - 1, length: 2)
            }
            return .glob(pieces.map { decoded($0) })
        }
        return .literal(decoded(scalars))
    }

    private static func parameter(
        _ scalars: ArraySlice<Unicode.Scalar>, open: Int
    ) throws(MockPathError) -> Segment {
        guard scalars[open] == "{", let close = scalars[open...].firstIndex(of: "}") else {
            throw MockPathError(
                message: scalars[open] == "{" ? "unmatched \"{\"" : "unmatched \"}\"", offset: open, length: 1)
        }
        let name = scalars[(open + 1)..<close]
        guard let first = name.first, first == "_" || first.properties.isAlphabetic,
            name.allSatisfy({ $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) })
        else {
            throw MockPathError(
                message: "a path parameter must be a name in braces, such as \"{id}\"", offset: open,
                length: close - open + 1)
        }
        let suffix = scalars[(close + 1)...]
        let prefix = scalars[..<open]
        if let other = (Array(prefix.indices) + Array(suffix.indices)).first(where: {
            scalars[$0] == "{" || scalars[$0] == "}" || scalars[$0] == "*"
        }) {
            throw MockPathError(
                message: "a segment can have only one parameter, and no \"*\" with it", offset: other, length: 1)
        }
        return .parameter(name: text(name), prefix: decoded(prefix), suffix: decoded(suffix))
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func decoded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        PercentEncoding.decode(text(scalars))
    }
}

extension MockPath.Segment {
    /// Returns whether the segment matches a string, and appends the value of a parameter to `parameters`.
    func takes(_ text: String, into parameters: inout [(name: String, value: String)]) -> Bool {
        switch self {
        case .literal(let literal):
            return literal.utf8.elementsEqual(text.utf8)
        case .parameter(let name, let prefix, let suffix):
            let bytes = text.utf8
            let fixed = prefix.utf8.count + suffix.utf8.count
            guard bytes.count > fixed, bytes.starts(with: prefix.utf8),
                bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            else { return false }
            if fixed == 0 {
                parameters.append((name, text))
            } else {
                let value = bytes.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
                parameters.append((name, String(decoding: value, as: UTF8.self)))
            }
            return true
        case .glob(let pieces):
            return MockPath.Segment.globMatches(pieces, Array(text.utf8))
        }
    }

    /// Returns whether `bytes` consists of the pieces in order, with the first piece at the start and the last at the
    /// end.
    private static func globMatches(_ pieces: [String], _ bytes: [UInt8]) -> Bool {
        guard let first = pieces.first, let last = pieces.last, !bytes.isEmpty else { return false }
        guard bytes.count >= first.utf8.count + last.utf8.count, bytes.starts(with: first.utf8),
            bytes.suffix(last.utf8.count).elementsEqual(last.utf8)
        else { return false }
        var rest = bytes[first.utf8.count..<(bytes.count - last.utf8.count)]
        // Matching each piece at its first occurrence leaves the most bytes for the following pieces.
        for piece in pieces.dropFirst().dropLast() {
            let piece = Array(piece.utf8)
            guard let location = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else { return false }
            rest = rest[(location + piece.count)...]
        }
        return true
    }
}

/// An error that reports an invalid path pattern and the location of the invalid part.
public struct MockPathError: Error, Sendable, Hashable {
    /// The description of the error: one sentence without a final period.
    public let message: MessageText
    /// The start of the invalid part, in Unicode scalars from the start of the pattern.
    public let offset: Int
    /// The length of the invalid part in Unicode scalars.
    public let length: Int
}
