public import Diagnostics
public import JSON

/// A node of a document: a scalar, a list or a map, with its place in the file.
///
/// A node is a light handle to the document's storage. Aliases are resolved: the node they stand for is found in
/// their place. Merge keys are applied.
public struct YAMLNode: Sendable {
    /// What a node is.
    public enum Kind: Sendable, Hashable {
        /// A string, number, boolean or null.
        case scalar
        /// A list.
        case sequence
        /// A map.
        case mapping
    }

    let arena: YAMLArena
    /// The index of the node's record.
    let index: Int32
    /// The index of the record that stands at this place: the node's own, or that of an alias.
    private let site: Int32

    @inline(__always)
    init(arena: YAMLArena, site: Int32) {
        self.arena = arena
        self.site = site
        let record = arena.records[Int(site)]
        index = record.kind == .alias ? Int32(bitPattern: record.first) : site
    }

    var record: NodeRecord { arena.records[Int(index)] }

    /// The file that holds the node.
    public var file: SourceFile { arena.file }

    /// The place of the node's content, without its anchor and tag; for an alias, of the node it stands for.
    public var range: SourceRange {
        let record = record
        return SourceRange(file: arena.file, start: record.start, end: arena.visibleEnd(of: record))
    }

    /// The place of the alias through which the node was reached, or nil.
    public var aliasRange: SourceRange? {
        guard site != index else { return nil }
        let record = arena.records[Int(site)]
        return SourceRange(file: arena.file, start: record.start, end: record.end)
    }

    /// The place in the file of a part of a scalar's text, through quotes, escapes, folding and indentation.
    ///
    /// - Parameter scalars: The part, in Unicode scalars of the text.
    /// - Returns: The part's place, or the place of the whole node if it is no scalar.
    public func range(ofText scalars: Range<Int>) -> SourceRange {
        let whole = range
        guard let scalar else { return whole }
        let record = record
        let lower = arena.file.byteOffset(of: record.start)
        // The parser's end is behind the line break that belongs to a block's text.
        let source = lower..<max(lower, arena.file.byteOffset(of: record.end))
        guard let sources = ScalarAlignment.sources(of: scalar, in: arena.file, source: source) else { return whole }
        let start = max(0, min(scalars.lowerBound, sources.count))
        let end = max(start, min(scalars.upperBound, sources.count))
        let first = start < sources.count ? sources[start].lowerBound : sources.last?.upperBound
        guard let first else { return whole }
        return SourceRange(
            file: arena.file, bytes: first..<(end > start ? max(first, sources[end - 1].upperBound) : first))
    }

    /// What the node is.
    public var kind: Kind {
        switch record.kind {
        case .mapping: .mapping
        case .sequence: .sequence
        // The index never points at an alias.
        case .scalar, .alias: .scalar
        }
    }

    /// The node's text and value if it is a scalar.
    public var scalar: YAMLScalar? {
        let record = record
        guard record.kind == .scalar else { return nil }
        return YAMLScalar(arena: arena, record: record)
    }

    /// The node's elements if it is a list.
    public var sequence: YAMLSequence? {
        let record = record
        return record.kind == .sequence ? YAMLSequence(arena: arena, record: record) : nil
    }

    /// The node's members if it is a map, in the order of the file, with merge keys applied.
    public var mapping: YAMLMapping? {
        let record = record
        return record.kind == .mapping ? YAMLMapping(arena: arena, record: record, index: index) : nil
    }

    /// Whether the node is a list or map that is written with brackets.
    public var isFlow: Bool { record.isFlow }

    /// The value of a key, if the node is a map that has it.
    public subscript(_ key: String) -> YAMLNode? { mapping?[key] }

    /// Whether the node is a null: `null`, `~` or nothing.
    public var isNull: Bool { form == .null }

    /// What the node is, in words that continue "expected a list, got …".
    public var typeDescription: String {
        switch form {
        case .sequence: return "a list"
        case .mapping: return "a map"
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
    /// What a node is, scalars told apart by the core schema of YAML 1.2 (section 10.3.2).
    public enum Form: Sendable, Hashable {
        /// `null`, `~` or nothing.
        case null
        /// `true` or `false`.
        case boolean
        /// A number, infinity and not-a-number included.
        case number
        /// Text.
        case string
        /// A list.
        case sequence
        /// A map.
        case mapping

        @inline(__always)
        init(_ record: NodeRecord) {
            switch record.kind {
            case .sequence: self = .sequence
            case .mapping: self = .mapping
            // The form is never asked of an alias.
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

    /// What the node is, without making its text or value.
    public var form: Form { Form(record) }

    /// The text of a scalar that is short enough to be packed, or nil.
    public var packedName: PackedName? {
        let record = record
        guard record.kind == .scalar else { return nil }
        return arena.withText(of: record) { PackedName($0) }
    }

    /// Whether the node is a scalar whose text has a byte.
    public func textContains(_ byte: UInt8) -> Bool {
        let record = record
        guard record.kind == .scalar else { return false }
        return arena.withText(of: record) { $0.contains(byte) }
    }
}

extension YAMLNode {
    /// The node with all below it as a value; members keep their order, and keys are the text that is written.
    ///
    /// Infinity and not-a-number, which JSON cannot express, become strings.
    public var json: JSONValue {
        // Reading bounds the depth, aliases included, so this recursion is bounded.
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

/// The members of a map node; every key is a scalar, and no two keys have the same text.
public struct YAMLMapping: RandomAccessCollection, Sendable {
    /// A member: its key and its value.
    public typealias Element = (key: YAMLNode, value: YAMLNode)

    let arena: YAMLArena
    /// The index of the map's record.
    private let index: Int32
    /// Where the map's children begin, keys and values in turn.
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
    /// The position behind the last member.
    public var endIndex: Int { memberCount }

    /// The member at a position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "the position is outside of the map")
        return (node(2 * position), node(2 * position + 1))
    }

    /// The value of a key, or nil.
    public subscript(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map { node($0 + 1) }
    }

    /// The node of a key, or nil when the map has no such key.
    public func keyNode(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map(node)
    }

    @inline(__always)
    private func node(_ child: Int) -> YAMLNode {
        YAMLNode(arena: arena, site: arena.children[first + child])
    }
}

/// The elements of a list node.
public struct YAMLSequence: RandomAccessCollection, Sendable {
    let arena: YAMLArena
    private let children: Range<Int>

    init(arena: YAMLArena, record: NodeRecord) {
        self.arena = arena
        children = record.content
    }

    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position behind the last element.
    public var endIndex: Int { children.count }

    /// The element at a position.
    public subscript(position: Int) -> YAMLNode {
        precondition(position >= 0 && position < endIndex, "the position is outside of the list")
        return YAMLNode(arena: arena, site: arena.children[children.lowerBound + position])
    }
}

extension YAMLNode {
    /// The members of a map; none of any other node.
    package var members: [YAMLMapping.Element] { mapping.map(Array.init) ?? [] }

    /// The elements of a list; none of any other node.
    package var elements: [YAMLNode] { sequence.map(Array.init) ?? [] }

    /// The elements of a list; any other node stands for a list of itself.
    package var listed: [YAMLNode] { sequence.map(Array.init) ?? [self] }

    /// Whether the node is the boolean `true`.
    package var isTrue: Bool { scalar?.value == .bool(true) }

    /// Whether the node is an alias without an anchor: nothing, written with some characters.
    package var isUndefinedAlias: Bool {
        guard isNull, scalar?.text.isEmpty == true else { return false }
        let range = range
        return range.start < range.end && range.text.utf8.first == UInt8(ascii: "*")
    }
}
