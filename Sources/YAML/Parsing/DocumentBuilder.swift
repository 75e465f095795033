import Basics
import Diagnostics

/// Builds the nodes of one document from parser events.
///
/// Noncopyable, because a copy would retain each of its arrays.
struct DocumentBuilder: ~Copyable {
    /// A collection whose end has not been reached.
    struct Frame {
        var node: Int32
        /// The index in `scratch` at which the children start.
        var scratchStart: Int
        /// The height of the tree below the node so far.
        var height = 0
        /// The size of the expanded nodes before the start of the node.
        var expandedBefore: ExpandedSize
        var anchor: String?
        var isMapping: Bool
        /// Whether the mapping has the key `<<`.
        var hasMergeKey = false
    }

    /// A number of nodes and the bytes of their scalars, counting aliased nodes once per alias.
    struct ExpandedSize {
        var nodes = 0
        var bytes = 0

        static func + (left: Self, right: Self) -> Self {
            Self(nodes: left.nodes + right.nodes, bytes: left.bytes + right.bytes)
        }

        static func - (left: Self, right: Self) -> Self {
            Self(nodes: left.nodes - right.nodes, bytes: left.bytes - right.bytes)
        }
    }

    /// A node that aliases can refer to.
    struct Anchor {
        var node: Int32
        var height: Int
        /// The size of the nodes that an alias adds.
        var expandedSize: ExpandedSize
        var isOpen: Bool
    }

    let file: SourceFile
    let limits: YAMLLimits
    var records: [NodeRecord] = []
    /// The text of all scalars, concatenated.
    var bytes: [UInt8] = []
    var children: [Int32] = []
    var scratch: [Int32] = []
    var frames: [Frame] = []
    var anchors: [String: Anchor] = [:]
    var keyIndexes: [Int32: [ExactKey: Int32]] = [:]
    /// The size of the nodes so far.
    private var expandedSize = ExpandedSize()
    /// The size of those nodes that exist only through aliases.
    private var aliasedSize = ExpandedSize()
    private var root: Int32?

    init(file: SourceFile, limits: YAMLLimits) {
        self.file = file
        self.limits = limits
    }

    /// Reserves memory for the nodes of a document with an approximate size in bytes.
    mutating func reserveCapacity(bytes: Int) {
        // The unused part of a large reservation takes no physical memory.
        let nodes = min(bytes / 6, 1 << 20)
        records.reserveCapacity(nodes)
        children.reserveCapacity(nodes)
        self.bytes.reserveCapacity(bytes)
    }

    /// Whether the next node is a key of a mapping.
    var isAtKey: Bool {
        guard let frame = frames.last, frame.isMapping else { return false }
        return (scratch.count - frame.scratchStart) & 1 == 0
    }

    /// Whether the next node is the value of `<<`.
    private var isAtMergeValue: Bool {
        guard let frame = frames.last, frame.hasMergeKey, !isAtKey, let key = scratch.last else { return false }
        let record = resolved(key)
        return record.kind == .scalar && record.style == .plain && isMergeText(record)
    }

    /// Returns whether the text of a scalar is `<<`.
    func isMergeText(_ record: NodeRecord) -> Bool {
        record.count == 2 && bytes[record.content].allSatisfy { $0 == UInt8(ascii: "<") }
    }

    /// Returns the root node of the document; nil if the document is empty.
    func finished() -> YAMLNode? {
        guard let root else { return nil }
        let arena = YAMLArena(
            file: file, records: records, bytes: bytes, children: children, keyIndexes: keyIndexes)
        return YAMLNode(arena: arena, site: root)
    }

    /// Adds a scalar; the bytes of its text must be valid UTF-8.
    mutating func addScalar(_ record: NodeRecord, text: UnsafeBufferPointer<UInt8>, anchor: String?) {
        var record = record
        record.first = UInt32(truncatingIfNeeded: bytes.count)
        record.count = UInt32(truncatingIfNeeded: text.count)
        record.form = ScalarForm(text, style: record.style, tag: record.tag)
        bytes.append(contentsOf: text)
        if text.count == 2, record.style == .plain, record.tag == .none, isMergeText(record), isAtKey {
            frames[frames.count - 1].hasMergeKey = true
        }
        let size = ExpandedSize(nodes: 1, bytes: text.count)
        expandedSize = expandedSize + size
        let index = append(record)
        if let anchor { anchors[anchor] = Anchor(node: index, height: 0, expandedSize: size, isOpen: false) }
    }

    /// Starts a sequence or mapping.
    ///
    /// - Returns: Whether the nesting depth is within the limit.
    mutating func beginCollection(_ record: NodeRecord, anchor: String?) -> Bool {
        guard frames.count < limits.maximumDepth else { return false }
        let index = append(record)
        if let anchor {
            anchors[anchor] = Anchor(node: index, height: 0, expandedSize: ExpandedSize(), isOpen: true)
        }
        frames.append(
            Frame(
                node: index, scratchStart: scratch.count, expandedBefore: expandedSize, anchor: anchor,
                isMapping: record.kind == .mapping))
        expandedSize.nodes += 1
        return true
    }

    /// Ends the innermost sequence or mapping.
    mutating func endCollection(end: SourcePosition, problems: inout ProblemList) {
        guard let frame = frames.popLast() else { return }
        let node = Int(frame.node)
        if records[node].isFlow {
            records[node].end = end
        } else if let last = scratch.last, scratch.count > frame.scratchStart {
            // The parser reports the end of a block collection at the next token, so the end of its last child is used.
            records[node].end = records[Int(last)].end
        }
        if frame.isMapping { finishMapping(frame, problems: &problems) }
        records[node].first = UInt32(truncatingIfNeeded: children.count)
        records[node].count = UInt32(truncatingIfNeeded: scratch.count - frame.scratchStart)
        for location in frame.scratchStart..<scratch.count { children.append(scratch[location]) }
        scratch.removeLast(scratch.count - frame.scratchStart)
        let height = frame.height + 1
        if !frames.isEmpty {
            let parent = frames.count - 1
            frames[parent].height = max(frames[parent].height, height)
        }
        if let name = frame.anchor, anchors[name]?.node == frame.node {
            anchors[name] = Anchor(
                node: frame.node, height: height, expandedSize: expandedSize - frame.expandedBefore, isOpen: false)
        }
    }

    /// The result of adding an alias.
    enum AliasResult {
        case added, tooDeep, tooMany, tooLong
    }

    /// Adds a reference to an anchored node.
    mutating func addAlias(_ record: NodeRecord, anchor: Anchor) -> AliasResult {
        // The members of a merged mapping move up one level, into this mapping.
        let height = isAtMergeValue ? max(0, anchor.height - 1) : anchor.height
        guard frames.count + height <= limits.maximumDepth else { return .tooDeep }
        aliasedSize = aliasedSize + anchor.expandedSize
        guard aliasedSize.nodes <= limits.maximumExpandedNodes else { return .tooMany }
        guard aliasedSize.bytes <= limits.maximumExpandedBytes else { return .tooLong }
        expandedSize = expandedSize + anchor.expandedSize
        var record = record
        record.first = UInt32(bitPattern: anchor.node)
        append(record)
        if !frames.isEmpty {
            let parent = frames.count - 1
            frames[parent].height = max(frames[parent].height, height)
        }
        return .added
    }

    @discardableResult
    private mutating func append(_ record: NodeRecord) -> Int32 {
        let index = Int32(truncatingIfNeeded: records.count)
        records.append(record)
        if frames.isEmpty { root = index } else { scratch.append(index) }
        return index
    }

    /// Returns the record of a node, or of its target if it is an alias.
    func resolved(_ index: Int32) -> NodeRecord {
        let record = records[Int(index)]
        return record.kind == .alias ? records[Int(record.first)] : record
    }
}
