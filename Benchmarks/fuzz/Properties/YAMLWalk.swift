import Basics
import Diagnostics
import JSON
import YAML

/// Visits every node of a document with aliases expanded, and checks locations and limits.
struct YAMLWalk {
    let limits: YAMLLimits
    /// The maximum number of nodes.
    let maximumCount: Int
    /// Whether the file is UTF-8. Columns in other files are estimated.
    let isText: Bool
    /// Whether scalars equal the source text. Errors can be replaced by other values.
    let checksText: Bool
    private var count = 0

    init(limits: YAMLLimits, maximumCount: Int, isText: Bool, checksText: Bool) {
        self.limits = limits
        self.maximumCount = maximumCount
        self.isText = isText
        self.checksText = checksText
    }

    mutating func check(_ node: YAMLNode, parent: SourceRange?, depth: Int) throws(PropertyViolation) {
        count += 1
        try require(count <= maximumCount, "more than \(maximumCount) nodes")
        try require(depth <= limits.maximumDepth, "nested more than \(limits.maximumDepth) deep")
        let range = node.range
        try Self.check(range, isText: isText, "of a node")
        if let alias = node.aliasRange { try Self.check(alias, isText: isText, "of an alias") }
        if let parent, node.aliasRange == nil {
            // An omitted value is located where the next token begins.
            let isEmpty = range.start == range.end
            let isInside = parent.start <= range.start && (range.end <= parent.end || isEmpty)
            try require(isInside, "the \(node.typeDescription) at \(range) is outside of what it belongs to")
        }
        try require(!node.typeDescription.text.isEmpty, "no type")
        switch node.kind {
        case .scalar: try checkScalar(node)
        case .sequence:
            guard let sequence = node.sequence else { throw PropertyViolation("no elements") }
            for element in sequence { try check(element, parent: range, depth: depth + 1) }
        case .mapping:
            guard let mapping = node.mapping else { throw PropertyViolation("no members") }
            try check(mapping, range, depth)
        }
    }

    private mutating func check(
        _ mapping: YAMLMapping, _ range: SourceRange, _ depth: Int
    ) throws(PropertyViolation) {
        // The members of merged mappings are located elsewhere.
        let isMerged = range.text.contains("<<")
        for (key, value) in mapping {
            guard let text = key.scalar?.text else { throw PropertyViolation("a key that is no scalar") }
            try check(key, parent: isMerged ? nil : range, depth: depth + 1)
            try check(value, parent: isMerged ? nil : range, depth: depth + 1)
            try require(mapping[text]?.range == value.range, "the key \(text) leads to another value")
            try require(mapping.keyNode(text)?.range == key.range, "the key \(text) is given twice")
        }
    }

    private func checkScalar(_ node: YAMLNode) throws(PropertyViolation) {
        guard let scalar = node.scalar else { throw PropertyViolation("no scalar") }
        _ = scalar.value.serialized().utf8.count
        let scalars = Array(scalar.text.unicodeScalars)
        let whole = node.range
        for index in 0...min(scalars.count, 40) {
            let part = node.range(ofText: index..<min(index + 3, scalars.count))
            try Self.check(part, isText: isText, "of a part of a scalar")
            try require(part.start >= whole.start, "a part of the scalar at \(whole) begins before it, at \(part)")
        }
        // The parser follows YAML 1.1, in which more characters end a line.
        let isOneLine =
            whole.isOneLine
            && !whole.text.unicodeScalars.contains { "\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
        guard checksText, scalar.style == .plain, isOneLine else { return }
        try require(whole.text.utf8.elementsEqual(scalar.text.utf8), "the text \(scalar.text) is at \(whole.text)")
    }

    /// Checks that a range lies within its file and, if the file is UTF-8, locates its own bytes.
    static func check(
        _ range: SourceRange, isText: Bool, _ what: @autoclosure () -> String
    ) throws(PropertyViolation) {
        let file = range.file
        func location() -> String {
            "\(range.start.line):\(range.start.column) to \(range.end.line):\(range.end.column) \(what())"
        }
        try require(
            range.start.line >= 1 && range.start.column >= 1 && range.start <= range.end, "no range: \(location())")
        try require(Int(range.end.line) <= file.lineCount, "a range behind the file: \(location())")
        let bytes = range.byteRange
        try require(bytes.lowerBound >= 0 && bytes.upperBound <= file.text.count, "bytes outside: \(location())")
        guard isText else { return }
        let start = file.position(atByteOffset: bytes.lowerBound)
        try require(start == range.start, "the range begins outside of its line: \(location())")
        let end = file.position(atByteOffset: bytes.upperBound)
        try require(end == range.end, "the range ends outside of its line: \(location())")
    }
}
