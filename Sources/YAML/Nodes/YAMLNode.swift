public import Basics
public import Diagnostics
public import JSON

/// A node of a YAML document, with its source range: a scalar, a sequence, or a mapping.
///
/// A node is a lightweight handle to the storage of the document. Aliases are replaced by their target, and merge keys
/// are applied.
public struct YAMLNode: Sendable {
    /// The kind of a node.
    public enum Kind: Sendable, Hashable {
        /// A string, number, Boolean, or null.
        case scalar
        /// A sequence.
        case sequence
        /// A mapping.
        case mapping
    }

    let arena: YAMLArena
    /// The index of the node's record.
    let index: Int32
    /// The index of the record at this location: the node's own, or that of an alias.
    private let site: Int32

    @inline(__always)
    init(arena: YAMLArena, site: Int32) {
        self.arena = arena
        self.site = site
        let record = arena.records[Int(site)]
        index = record.kind == .alias ? Int32(bitPattern: record.first) : site
    }

    var record: NodeRecord { arena.records[Int(index)] }

    /// The file that contains the node.
    public var file: SourceFile { arena.file }

    /// The source range of the node's content, without anchor and tag; for an alias, the range of its target.
    public var range: SourceRange {
        let record = record
        return SourceRange(file: arena.file, start: record.start, end: arena.visibleEnd(of: record))
    }

    /// The source range of the alias that refers to the node, if any.
    public var aliasRange: SourceRange? {
        guard site != index else { return nil }
        let record = arena.records[Int(site)]
        return SourceRange(file: arena.file, start: record.start, end: record.end)
    }

    /// Returns the source range of a part of a scalar's text, considering quotes, escapes, folding, and indentation.
    ///
    /// - Parameter scalars: The part, in Unicode scalars of the text.
    /// - Returns: The range of the part, or of the whole node if it is not a scalar.
    public func range(ofText scalars: Range<Int>) -> SourceRange {
        let whole = range
        guard let scalar else { return whole }
        let record = record
        let lower = arena.file.byteOffset(of: record.start)
        // The parser's end position includes the line break that belongs to the text of a block scalar.
        let source = lower..<max(lower, arena.file.byteOffset(of: record.end))
        guard let sources = ScalarAlignment.sources(of: scalar, in: arena.file, source: source) else { return whole }
        let start = max(0, min(scalars.lowerBound, sources.count))
        let end = max(start, min(scalars.upperBound, sources.count))
        let first = start < sources.count ? sources[start].lowerBound : sources.last?.upperBound
        guard let first else { return whole }
        return SourceRange(
            file: arena.file, bytes: first..<(end > start ? max(first, sources[end - 1].upperBound) : first))
    }

    /// The kind of the node.
    public var kind: Kind {
        switch record.kind {
        case .mapping: .mapping
        case .sequence: .sequence
        // The index never refers to an alias.
        case .scalar, .alias: .scalar
        }
    }

    /// The scalar, if the node is one.
    public var scalar: YAMLScalar? {
        let record = record
        guard record.kind == .scalar else { return nil }
        return YAMLScalar(arena: arena, record: record)
    }

    /// The elements, if the node is a sequence.
    public var sequence: YAMLSequence? {
        let record = record
        return record.kind == .sequence ? YAMLSequence(arena: arena, record: record) : nil
    }

    /// The members in file order, with merge keys applied, if the node is a mapping.
    public var mapping: YAMLMapping? {
        let record = record
        return record.kind == .mapping ? YAMLMapping(arena: arena, record: record, index: index) : nil
    }

    /// Whether the node is a sequence or mapping in flow style, which is written with brackets.
    public var isFlow: Bool { record.isFlow }

    /// Returns the value of a key, if the node is a mapping that contains it.
    public subscript(_ key: String) -> YAMLNode? { mapping?[key] }

    /// Whether the node is null: `null`, `~`, or empty.
    public var isNull: Bool { form == .null }

    /// The scalar and the comment after it in quotes, such as `'f(" #1")'`, if the comment starts within a string of the
    /// scalar; nil for any other scalar.
    package var quotedWithComment: String? {
        guard let scalar, scalar.style == .plain, range.start.line == range.end.line,
            let line = range.file.byteRange(ofLine: Int(range.end.line))
        else { return nil }
        let lower = range.file.byteOffset(of: range.start)
        let upper = range.file.byteOffset(of: range.end)
        guard lower <= upper, upper < line.upperBound else { return nil }
        let quotes = scalar.text.utf8.filter { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        guard quotes.count % 2 == 1 else { return nil }
        let rest = range.file.text[upper..<line.upperBound].drop(while: SourceScan.isBlank)
        guard rest.first == UInt8(ascii: "#") else { return nil }
        let whole = ASCII.trimmed(range.file.text[lower..<line.upperBound], ASCII.isWhitespace)
        return Quoting.quoted(String(decoding: whole, as: UTF8.self))
    }

    /// Returns the text of the file from this node to another one; nil unless it is a part of one line.
    package func source(through last: YAMLNode) -> String? {
        let range = SourceRange(file: range.file, start: range.start, end: last.range.end)
        return range.isOneLine && range.start < range.end ? range.text : nil
    }

    /// Returns a text as a scalar in quotes, with as few escapes as possible.
    package static func quoted(_ text: String) -> String { Quoting.quoted(text) }

    /// Whether the node is null because nothing is written in its place.
    package var isAbsent: Bool { isNull && range.start == range.end }

    /// The type of the node in messages such as "expected a list, got …".
    public var typeDescription: MessageText {
        switch form {
        case .sequence: return "a sequence"
        case .mapping: return "a mapping"
        case .null: return "null"
        case .boolean: return "a boolean"
        case .string: return "a string"
        case .number:
            if case .number(let number)? = scalar?.value, number.isInteger { return "an integer" }
            return "a number"
        }
    }
}

extension YAMLNode {
    /// The type of a node; scalars are distinguished by the YAML 1.2 core schema (section 10.3.2).
    public enum Form: Sendable, Hashable {
        /// `null`, `~`, or an empty node.
        case null
        /// `true` or `false`.
        case boolean
        /// A number, including infinity and NaN.
        case number
        /// A string.
        case string
        /// A sequence.
        case sequence
        /// A mapping.
        case mapping

        @inline(__always)
        init(_ record: NodeRecord) {
            switch record.kind {
            case .sequence: self = .sequence
            case .mapping: self = .mapping
            // This is never called for an alias.
            case .scalar, .alias:
                switch record.form {
                case .null: self = .null
                case .boolean: self = .boolean
                case .number, .nonFinite: self = .number
                case .string: self = .string
                }
            }
        }
    }

    /// The type of the node, determined without creating its text or value.
    public var form: Form { Form(record) }

    /// The packed text of a scalar; nil if it is too long or the node is not a scalar.
    public var packedName: PackedName? {
        let record = record
        guard record.kind == .scalar else { return nil }
        return arena.withText(of: record) { PackedName($0) }
    }

    /// Returns whether the node is a scalar whose text, as UTF-8, satisfies a predicate.
    @inline(__always)
    public func hasText(where predicate: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        let record = record
        guard record.kind == .scalar else { return false }
        return arena.withText(of: record, predicate)
    }
}

extension YAMLNode {
    /// The node and its descendants as a JSON value. Members keep their order; keys are strings as written.
    ///
    /// Infinity and NaN, which JSON cannot represent, become strings.
    public var json: JSONValue {
        // Reading limits the depth, including aliases, so this recursion is bounded.
        if let sequence { return .array(sequence.map(\.json)) }
        if let mapping {
            var object = JSONObject()
            object.reserveCapacity(mapping.count)
            for (key, value) in mapping { object.append(key.scalar?.text ?? "", value.json) }
            return .object(object)
        }
        return scalar?.value ?? .null
    }
}

/// The members of a mapping node. Keys are scalars, and their text is unique.
public struct YAMLMapping: RandomAccessCollection, Sendable {
    /// A member: its key and its value.
    public typealias Element = (key: YAMLNode, value: YAMLNode)

    let arena: YAMLArena
    /// The index of the mapping's record.
    private let index: Int32
    /// The index of the mapping's first child; children are alternating keys and values.
    private let first: Int
    /// The number of members.
    private let memberCount: Int

    init(arena: YAMLArena, record: NodeRecord, index: Int32) {
        self.arena = arena
        self.index = index
        first = record.content.lowerBound
        memberCount = record.content.count / 2
    }

    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { memberCount }

    /// Returns the member at a position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "the position is outside the mapping")
        return (node(2 * position), node(2 * position + 1))
    }

    /// Returns the value of a key; nil if the mapping does not contain the key.
    public subscript(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map { node($0 + 1) }
    }

    /// Returns the node of a key; nil if the mapping does not contain the key.
    public func keyNode(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map(node)
    }

    @inline(__always)
    private func node(_ child: Int) -> YAMLNode {
        YAMLNode(arena: arena, site: arena.children[first + child])
    }
}

/// The elements of a sequence node.
public struct YAMLSequence: RandomAccessCollection, Sendable {
    let arena: YAMLArena
    private let children: Range<Int>

    init(arena: YAMLArena, record: NodeRecord) {
        self.arena = arena
        children = record.content
    }

    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position after the last element.
    public var endIndex: Int { children.count }

    /// Returns the element at a position.
    public subscript(position: Int) -> YAMLNode {
        precondition(position >= 0 && position < endIndex, "the position is outside the sequence")
        return YAMLNode(arena: arena, site: arena.children[children.lowerBound + position])
    }
}

extension YAMLNode {
    /// The members of a mapping; empty for any other node.
    package var members: [YAMLMapping.Element] { mapping.map(Array.init) ?? [] }

    /// The elements of a sequence; empty for any other node.
    package var elements: [YAMLNode] { sequence.map(Array.init) ?? [] }

    /// The elements of a sequence; for any other node, the node itself as the only element.
    package var listed: [YAMLNode] { sequence.map(Array.init) ?? [self] }

    /// Whether the node is the Boolean `true`.
    package var isTrue: Bool { scalar?.value == .bool(true) }

    /// Whether the node is an alias without an anchor or an unknown tag, which is parsed as null despite its characters
    /// and was already reported.
    package var isReported: Bool {
        guard isNull, scalar?.text.isEmpty == true else { return false }
        let range = range
        guard range.start < range.end, let first = range.text.utf8.first else { return false }
        return first == UInt8(ascii: "*") || first == UInt8(ascii: "!")
    }
}
