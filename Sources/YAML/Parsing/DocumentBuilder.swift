import Diagnostics

/// Collects the nodes of one document while its events arrive.
///
/// It is not copied, for a copy would cost a reference for each of its arrays.
struct DocumentBuilder: ~Copyable {
    /// A list or map whose end has not been reached.
    struct Frame {
        var node: Int32
        /// Where the children begin in `scratch`.
        var scratchStart: Int
        /// The nesting below the node so far.
        var height = 0
        /// The number of expanded nodes when the node began.
        var expandedBefore: Int
        var anchor: String?
        var isMapping: Bool
        /// Whether a key of the map is `<<`.
        var hasMergeKey = false
    }

    /// A node that aliases can stand for.
    struct Anchor {
        var node: Int32
        var height: Int
        /// The number of nodes that an alias adds.
        var expandedCount: Int
        var isOpen: Bool
    }

    let file: SourceFile
    let limits: YAMLLimits
    var records: [NodeRecord] = []
    /// The texts of all scalars, one after another.
    var bytes: [UInt8] = []
    var children: [Int32] = []
    var scratch: [Int32] = []
    var frames: [Frame] = []
    var anchors: [String: Anchor] = [:]
    var keyIndexes: [Int32: [ExactKey: Int32]] = [:]
    /// The nodes so far, counted as often as aliases repeat them.
    private var expandedCount = 0
    /// Those of them that are there only through aliases.
    private var aliasedCount = 0
    private var root: Int32?

    init(file: SourceFile, limits: YAMLLimits) {
        self.file = file
        self.limits = limits
    }

    /// Makes room for the nodes of a document of about so many bytes.
    mutating func reserveCapacity(bytes: Int) {
        // What stays unused of large reservations takes no memory.
        let nodes = min(bytes / 6, 1 << 20)
        records.reserveCapacity(nodes)
        children.reserveCapacity(nodes)
        self.bytes.reserveCapacity(bytes)
    }

    /// Whether the next node is a key of a map.
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

    /// Whether the text of a scalar is `<<`.
    func isMergeText(_ record: NodeRecord) -> Bool {
        record.count == 2 && bytes[record.content].allSatisfy { $0 == UInt8(ascii: "<") }
    }

    /// The root of the document as a node, if there is one.
    func finished() -> YAMLNode? {
        guard let root else { return nil }
        let arena = YAMLArena(
            file: file, records: records, bytes: bytes, children: children, keyIndexes: keyIndexes)
        return YAMLNode(arena: arena, site: root)
    }

    /// Adds a scalar with the bytes of its text, which are valid UTF-8.
    mutating func addScalar(_ record: NodeRecord, text: UnsafeBufferPointer<UInt8>, anchor: String?) {
        var record = record
        record.first = UInt32(truncatingIfNeeded: bytes.count)
        record.count = UInt32(truncatingIfNeeded: text.count)
        record.form = ScalarForm(text, style: record.style, tag: record.tag)
        bytes.append(contentsOf: text)
        if text.count == 2, record.style == .plain, record.tag == .none, isMergeText(record), isAtKey {
            frames[frames.count - 1].hasMergeKey = true
        }
        expandedCount += 1
        let index = append(record)
        if let anchor { anchors[anchor] = Anchor(node: index, height: 0, expandedCount: 1, isOpen: false) }
    }

    /// Begins a list or map.
    ///
    /// - Returns: Whether it may be nested so deep.
    mutating func beginCollection(_ record: NodeRecord, anchor: String?) -> Bool {
        guard frames.count < limits.maximumDepth else { return false }
        let index = append(record)
        if let anchor { anchors[anchor] = Anchor(node: index, height: 0, expandedCount: 0, isOpen: true) }
        frames.append(
            Frame(
                node: index, scratchStart: scratch.count, expandedBefore: expandedCount, anchor: anchor,
                isMapping: record.kind == .mapping))
        expandedCount += 1
        return true
    }

    /// Ends the innermost list or map.
    mutating func endCollection(end: SourcePosition, problems: inout ProblemList) {
        guard let frame = frames.popLast() else { return }
        let node = Int(frame.node)
        if records[node].isFlow {
            records[node].end = end
        } else if let last = scratch.last, scratch.count > frame.scratchStart {
            // A block has no end of its own: for the parser it ends where the next token begins.
            records[node].end = records[Int(last)].end
        }
        if frame.isMapping { finishMapping(frame, problems: &problems) }
        records[node].first = UInt32(truncatingIfNeeded: children.count)
        records[node].count = UInt32(truncatingIfNeeded: scratch.count - frame.scratchStart)
        for place in frame.scratchStart..<scratch.count { children.append(scratch[place]) }
        scratch.removeLast(scratch.count - frame.scratchStart)
        let height = frame.height + 1
        if !frames.isEmpty {
            let parent = frames.count - 1
            frames[parent].height = max(frames[parent].height, height)
        }
        if let name = frame.anchor, anchors[name]?.node == frame.node {
            anchors[name] = Anchor(
                node: frame.node, height: height, expandedCount: expandedCount - frame.expandedBefore, isOpen: false)
        }
    }

    /// What became of an alias.
    enum AliasResult {
        case added, tooDeep, tooMany
    }

    /// Adds a reference to an anchored node.
    mutating func addAlias(_ record: NodeRecord, anchor: Anchor) -> AliasResult {
        // The members of a merged map become members of this map, one level up.
        let height = isAtMergeValue ? max(0, anchor.height - 1) : anchor.height
        guard frames.count + height <= limits.maximumDepth else { return .tooDeep }
        aliasedCount += anchor.expandedCount
        guard aliasedCount <= limits.maximumExpandedNodes else { return .tooMany }
        expandedCount += anchor.expandedCount
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

    /// The record of a node, or of the node that an alias stands for.
    func resolved(_ index: Int32) -> NodeRecord {
        let record = records[Int(index)]
        return record.kind == .alias ? records[Int(record.first)] : record
    }
}
