import Basics
import Diagnostics

/// A tree of path templates by segment, which finds a path without trying every template.
struct PathTree: Sendable {
    /// A template that matches a path.
    struct Match: Sendable {
        /// The indices of the template's operations, by method.
        let operations: [String: Int]
        /// The values of the parameters, in order, still percent-encoded.
        let values: [ArraySlice<UInt8>]
        /// The rank of each segment: 0 for a literal, 1 for a mix of literals and parameters, 2 for a single parameter.
        let ranks: [UInt8]

        /// Returns whether the template has a literal at the first segment where the ranks differ.
        func isMoreConcrete(than other: Match) -> Bool { ranks.lexicographicallyPrecedes(other.ranks) }
    }

    /// A node of the tree.
    struct Node: Sendable {
        /// The nodes after literal segments, by decoded string.
        var literals: [String: Int] = [:]
        /// The nodes after mixed segments, longest literals first.
        var mixed: [(pieces: [PathTemplate.Piece], node: Int)] = []
        /// The node after a parameter segment, or -1 if there is none.
        var parameter = -1
        /// The indices of the operations whose templates end here, by method.
        var operations: [String: Int] = [:]
    }

    private(set) var nodes = [Node()]

    init() {}

    /// Adds an operation. The first one wins among operations with the same method and shape.
    mutating func insert(_ template: PathTemplate, method: String, operation: Int) {
        var node = 0
        for segment in template.segments { node = child(of: node, for: segment) }
        if nodes[node].operations[method] == nil { nodes[node].operations[method] = operation }
    }

    private mutating func child(of node: Int, for segment: [PathTemplate.Piece]) -> Int {
        switch (segment.count, segment.first) {
        case (0, _): return literalChild(of: node, "")
        case (1, .literal(let text)): return literalChild(of: node, PercentEncoding.decodedText(text.utf8))
        case (1, .parameter):
            if nodes[node].parameter < 0 {
                nodes[node].parameter = nodes.count
                nodes.append(Node())
            }
            return nodes[node].parameter
        default:
            let shape = Self.shape(segment)
            if let known = nodes[node].mixed.first(where: { Self.shape($0.pieces) == shape }) { return known.node }
            let new = nodes.count
            nodes[node].mixed.append((segment, new))
            nodes[node].mixed.sort { Self.textLength($0.pieces) > Self.textLength($1.pieces) }
            nodes.append(Node())
            return new
        }
    }

    private mutating func literalChild(of node: Int, _ text: String) -> Int {
        if let known = nodes[node].literals[text] { return known }
        let new = nodes.count
        nodes[node].literals[text] = new
        nodes.append(Node())
        return new
    }

    private static func shape(_ segment: [PathTemplate.Piece]) -> [String] {
        segment.map { if case .literal(let text) = $0 { text } else { "{}" } }
    }

    private static func textLength(_ segment: [PathTemplate.Piece]) -> Int {
        segment.reduce(0) { if case .literal(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    }

    // MARK: Matching

    /// Returns the first template that matches a path and has the method, with concrete segments tried first.
    ///
    /// - Parameter method: The method, or `nil` to return the first matching template.
    func match(_ path: ArraySlice<UInt8>, method: String?) -> Match? {
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // Each node is visited at most once, because a tree has a single path to each node.
        var stack: [(node: Int, depth: Int, values: [ArraySlice<UInt8>], ranks: [UInt8])] = [(0, 0, [], [])]
        while let (node, depth, values, ranks) = stack.popLast() {
            guard depth < segments.count else {
                let found = nodes[node].operations
                if found.isEmpty || method.map({ found[$0] == nil }) == true { continue }
                return Match(operations: found, values: values, ranks: ranks)
            }
            let segment = segments[depth]
            if nodes[node].parameter >= 0, !segment.isEmpty {
                stack.append((nodes[node].parameter, depth + 1, values + [segment], ranks + [2]))
            }
            for (pieces, child) in nodes[node].mixed.reversed() {
                if let found = Self.values(of: pieces, in: segment) {
                    stack.append((child, depth + 1, values + found, ranks + [1]))
                }
            }
            if let child = nodes[node].literals[PercentEncoding.decodedText(segment)] {
                stack.append((child, depth + 1, values, ranks + [0]))
            }
        }
        return nil
    }

    /// Returns the values of a template's parameters in a path, or `nil` if the path does not match.
    static func values(of template: PathTemplate, in path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count == template.segments.count else { return nil }
        var values: [ArraySlice<UInt8>] = []
        for (pieces, segment) in zip(template.segments, segments) {
            guard let found = Self.values(of: pieces, in: segment) else { return nil }
            values += found
        }
        return values
    }

    private static func values(
        of pieces: [PathTemplate.Piece], in segment: ArraySlice<UInt8>
    ) -> [ArraySlice<UInt8>]? {
        let texts = pieces.map { if case .literal(let text) = $0 { Array(text.utf8) } else { nil as [UInt8]? } }
        // In the encoded form, an encoded string that looks like a piece of the template is part of a value.
        if let values = values(of: texts, in: segment) { return values }
        let isEscaped: ([UInt8]) -> Bool = { $0.contains(UInt8(ascii: "%")) }
        guard isEscaped(Array(segment)) || texts.contains(where: { $0.map(isEscaped) ?? false })
        else { return nil }
        let (bytes, starts) = decoded(segment)
        let decodedTexts = texts.map { $0.map { PercentEncoding.decode($0) } }
        return values(of: decodedTexts, in: bytes[...])?.map { segment[starts[$0.startIndex]..<starts[$0.endIndex]] }
    }

    /// Returns a decoded segment with the original index of each byte, followed by the end index.
    private static func decoded(_ segment: ArraySlice<UInt8>) -> (bytes: [UInt8], starts: [Int]) {
        var bytes: [UInt8] = []
        var starts: [Int] = []
        var index = segment.startIndex
        while index < segment.endIndex {
            starts.append(index)
            // A percent-encoded byte takes three bytes.
            let escape = PercentEncoding.decode(segment[index...].prefix(3))
            if segment[index] == UInt8(ascii: "%"), escape.count == 1, let byte = escape.first,
                segment.endIndex - index >= 3
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(segment[index])
                index += 1
            }
        }
        return (bytes, starts + [segment.endIndex])
    }

    /// Returns the bytes for each parameter among pieces, in which `nil` represents a parameter.
    private static func values(of pieces: [[UInt8]?], in segment: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var values: [ArraySlice<UInt8>] = []
        var rest = segment
        var index = 0
        while index < pieces.count {
            if let text = pieces[index] {
                guard rest.starts(with: text) else { return nil }
                rest = rest.dropFirst(text.count)
                index += 1
            } else {
                var end = rest.endIndex
                if index + 1 < pieces.count, let text = pieces[index + 1] {
                    guard let found = position(of: text, in: rest, isLast: index + 2 == pieces.count) else {
                        return nil
                    }
                    end = found
                }
                guard end > rest.startIndex else { return nil }
                values.append(rest[..<end])
                rest = rest[end...]
                index += 1
            }
        }
        return rest.isEmpty ? values : nil
    }

    /// Returns the index of a string after at least one byte: at the end for the last piece, otherwise the first one.
    private static func position(of needle: [UInt8], in bytes: ArraySlice<UInt8>, isLast: Bool) -> Int? {
        guard bytes.count > needle.count else { return nil }
        if isLast {
            let start = bytes.endIndex - needle.count
            return bytes[start...].elementsEqual(needle) ? start : nil
        }
        var start = bytes.startIndex + 1
        while start + needle.count <= bytes.endIndex {
            if bytes[start...].starts(with: needle) { return start }
            start += 1
        }
        return nil
    }
}

/// The similarity of a path and a template, for suggestions.
enum PathLikeness {
    /// Returns the number of different segments, or `nil` if the path and the template have little in common.
    static func distance(_ segments: [String], _ template: PathTemplate) -> Int? {
        // A missing or additional trailing slash is the most likely error.
        var own = segments
        if own.last == "", own.count > 1 { own.removeLast() }
        var others = template.segments
        if others.last?.isEmpty == true, others.count > 1 { others.removeLast() }
        guard own.count == others.count else { return nil }
        var distance = own.count == segments.count && others.count == template.segments.count ? 0 : 1
        for (segment, pieces) in zip(own, others) {
            if pieces.isEmpty, !segment.isEmpty { return nil }
            guard pieces.count == 1, case .literal(let text)? = pieces.first else { continue }
            if text == segment { continue }
            guard Spelling.nearest(to: segment, among: [text]) != nil else { return nil }
            distance += 2
        }
        return distance
    }
}
