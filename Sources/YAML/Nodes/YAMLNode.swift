public import Diagnostics
import JSON

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
