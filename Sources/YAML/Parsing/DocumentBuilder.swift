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

/// Finishes mappings: validates their keys and applies merge keys.
extension DocumentBuilder {
    /// Validates the keys of a completed mapping and applies its merge key.
    mutating func finishMapping(_ frame: Frame, problems: inout ProblemList) {
        removeUnusableKeys(from: frame.scratchStart, problems: &problems)
        removeDuplicates(from: frame.scratchStart, map: frame.node, problems: &problems)
        if frame.hasMergeKey {
            keyIndexes[frame.node] = nil
            applyMergeKey(from: frame.scratchStart, problems: &problems)
            let count = (scratch.count - frame.scratchStart) / 2
            if count > YAMLArena.maximumUnindexedCount {
                keyIndexes[frame.node] = keyIndex(from: frame.scratchStart)
            }
        }
    }

    /// Returns the text of the key at a position in `scratch`, where all keys are scalars.
    private func keyText(_ location: Int) -> String { text(of: resolved(scratch[location])) }

    private func text(of record: NodeRecord) -> String { String(decoding: bytes[record.content], as: UTF8.self) }

    /// Returns whether the keys at two positions in `scratch` have the same bytes.
    private func haveEqualKeys(_ location: Int, _ other: Int) -> Bool {
        let record = resolved(scratch[location])
        let otherRecord = resolved(scratch[other])
        return record.count == otherRecord.count
            && bytes[record.content].elementsEqual(bytes[otherRecord.content])
    }

    private func isMergeKey(_ location: Int) -> Bool {
        let record = resolved(scratch[location])
        return record.style == .plain && record.tag == .none && isMergeText(record)
    }

    private mutating func removeUnusableKeys(from start: Int, problems: inout ProblemList) {
        var hasUnusable = false
        var location = start
        while location + 1 < scratch.count {
            let target = resolved(scratch[location])
            let isEmpty =
                target.kind == .scalar && target.count == 0 && target.style == .plain && target.tag == .none
            if target.kind != .scalar || isEmpty {
                let key = records[Int(scratch[location])]
                problems.add(isEmpty ? missingKey(key) : complexKey(key, target))
                markRemoved(location)
                hasUnusable = true
            }
            location += 2
        }
        if hasUnusable { compact(from: start) }
    }

    private func missingKey(_ key: NodeRecord) -> Diagnostic {
        Diagnostic(
            id: "missing-key", message: "missing key before \":\"",
            range: SourceRange(file: file, start: key.start, end: key.end), suggestion: "write a key")
    }

    private func complexKey(_ key: NodeRecord, _ target: NodeRecord) -> Diagnostic {
        let type = target.kind == .mapping ? "a mapping" : "a sequence"
        let isBraces = target.isFlow && target.kind == .mapping
        return Diagnostic(
            id: "complex-key", message: "a key must be a string, not \(type)",
            range: SourceRange(file: file, start: key.start, end: key.end),
            suggestion: isBraces
                ? "quote it if it is a string; a template is written \"${…}\"" : "write a string as the key")
    }

    private mutating func removeDuplicates(from start: Int, map: Int32, problems: inout ProblemList) {
        let count = (scratch.count - start) / 2
        if count > YAMLArena.maximumUnindexedCount {
            var seen: [ExactKey: Int32] = [:]
            seen.reserveCapacity(count)
            var location = start
            while location < scratch.count {
                let key = ExactKey(text: keyText(location))
                if let first = seen[key] {
                    reportDuplicate(location, of: start + Int(first), problems: &problems)
                    markRemoved(location)
                } else {
                    seen[key] = Int32(truncatingIfNeeded: location - start)
                }
                location += 2
            }
            if compact(from: start) { seen = keyIndex(from: start) }
            keyIndexes[map] = seen
            return
        }
        var hasDuplicates = false
        var location = start + 2
        while location < scratch.count {
            var other = start
            while other < location {
                if haveEqualKeys(other, location) {
                    reportDuplicate(location, of: other, problems: &problems)
                    hasDuplicates = true
                    break
                }
                other += 2
            }
            location += 2
        }
        if hasDuplicates {
            // Compares from the end, so that the first of several equal keys is kept.
            location = scratch.count - 2
            while location > start {
                var other = start
                while other < location, !haveEqualKeys(other, location) { other += 2 }
                if other < location { markRemoved(location) }
                location -= 2
            }
            compact(from: start)
        }
    }

    private func reportDuplicate(_ location: Int, of first: Int, problems: inout ProblemList) {
        let name = DisplayWidth.printable(keyText(location))
        let range = SourceRange(
            file: file, start: records[Int(scratch[location])].start, end: records[Int(scratch[location])].end)
        let previous = records[Int(scratch[first])]
        problems.add(
            Diagnostic(
                id: "duplicate-key", message: "duplicate key \"\(name)\"", range: range,
                label: "the second \"\(name)\"",
                related: [
                    Diagnostic.Related(
                        message: "first defined here",
                        range: SourceRange(file: file, start: previous.start, end: previous.end))
                ]))
    }

    private mutating func markRemoved(_ location: Int) {
        scratch[location + 1] = -1
    }

    /// Removes the marked members.
    ///
    /// - Returns: Whether any member was removed.
    @discardableResult
    private mutating func compact(from start: Int) -> Bool {
        var target = start
        var location = start
        while location + 1 < scratch.count {
            if scratch[location + 1] >= 0 {
                scratch[target] = scratch[location]
                scratch[target + 1] = scratch[location + 1]
                target += 2
            }
            location += 2
        }
        let isChanged = target < scratch.count
        scratch.removeSubrange(target...)
        return isChanged
    }

    private func keyIndex(from start: Int) -> [ExactKey: Int32] {
        var index: [ExactKey: Int32] = [:]
        index.reserveCapacity((scratch.count - start) / 2)
        for location in stride(from: start, to: scratch.count, by: 2) {
            index[ExactKey(text: keyText(location))] = Int32(truncatingIfNeeded: location - start)
        }
        return index
    }

    /// Replaces `<<` with the members of merged mappings. Keys of the mapping itself win, then earlier merged mappings.
    private mutating func applyMergeKey(from start: Int, problems: inout ProblemList) {
        var location = start
        while location < scratch.count, !isMergeKey(location) { location += 2 }
        guard location < scratch.count else { return }
        var names = Set<ExactKey>()
        for other in stride(from: start, to: scratch.count, by: 2) where other != location {
            names.insert(ExactKey(text: keyText(other)))
        }
        var merged: [Int32] = []
        let value = scratch[location + 1]
        let source = resolved(value)
        switch source.kind {
        case .mapping: merge(source, into: &merged, names: &names)
        case .sequence:
            let elements = children[source.content]
            var other: Int32?
            for element in elements where other == nil && resolved(element).kind != .mapping { other = element }
            if records[Int(value)].kind == .alias, let other {
                // The sequence is valid at its own location, so a single problem is reported at the alias.
                let kind = resolved(other).kind == .sequence ? "lists" : "scalars"
                problems.add(badMerge(records[Int(value)], "a sequence of \(kind)", problems))
                break
            }
            for element in elements {
                let map = resolved(element)
                if map.kind == .mapping {
                    merge(map, into: &merged, names: &names)
                } else {
                    let kind = map.kind == .sequence ? "a sequence" : "a scalar"
                    problems.add(badMerge(records[Int(element)], kind, problems))
                }
            }
        case .scalar, .alias: problems.add(badMerge(records[Int(value)], "a scalar", problems))
        }
        scratch.replaceSubrange(location...(location + 1), with: merged)
    }

    private func merge(_ source: NodeRecord, into merged: inout [Int32], names: inout Set<ExactKey>) {
        for offset in stride(from: source.content.lowerBound, to: source.content.upperBound, by: 2) {
            let key = children[offset]
            if names.insert(ExactKey(text: text(of: resolved(key)))).inserted {
                merged.append(key)
                merged.append(children[offset + 1])
            }
        }
    }

    private func badMerge(_ site: NodeRecord, _ found: String, _ problems: ProblemList) -> Diagnostic {
        Diagnostic(
            id: "bad-merge", message: "\"<<\" must be a mapping or a sequence of mappings, got \(found)",
            range: problems.range(of: site), suggestion: "write an alias of a mapping, such as *name")
    }
}
