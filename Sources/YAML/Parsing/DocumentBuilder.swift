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

/// What happens at the end of a map: keys are checked, and merge keys applied.
extension DocumentBuilder {
    mutating func finishMapping(_ frame: Frame, problems: inout ProblemList) {
        removeUnusableKeys(from: frame.scratchStart, problems: &problems)
        removeDuplicates(from: frame.scratchStart, map: frame.node, problems: &problems)
        if frame.hasMergeKey {
            keyIndexes[frame.node] = nil
            applyMergeKey(from: frame.scratchStart, problems: &problems)
            let count = (scratch.count - frame.scratchStart) / 2
            if count > YAMLArena.largestUnindexedCount {
                keyIndexes[frame.node] = keyIndex(from: frame.scratchStart)
            }
        }
    }

    /// The text of the key at a place of `scratch`, all keys being scalars.
    private func keyText(_ place: Int) -> String { text(of: resolved(scratch[place])) }

    private func text(of record: NodeRecord) -> String { String(decoding: bytes[record.content], as: UTF8.self) }

    /// Whether the keys at two places of `scratch` have the same bytes.
    private func haveEqualKeys(_ place: Int, _ other: Int) -> Bool {
        let record = resolved(scratch[place])
        let otherRecord = resolved(scratch[other])
        return record.count == otherRecord.count
            && bytes[record.content].elementsEqual(bytes[otherRecord.content])
    }

    private func isMergeKey(_ place: Int) -> Bool {
        let record = resolved(scratch[place])
        return record.style == .plain && record.tag == .none && isMergeText(record)
    }

    private mutating func removeUnusableKeys(from start: Int, problems: inout ProblemList) {
        var hasUnusable = false
        var place = start
        while place + 1 < scratch.count {
            let target = resolved(scratch[place])
            let isEmpty =
                target.kind == .scalar && target.count == 0 && target.style == .plain && target.tag == .none
            if target.kind != .scalar || isEmpty {
                let key = records[Int(scratch[place])]
                problems.add(isEmpty ? missingKey(key) : complexKey(key, target))
                markRemoved(place)
                hasUnusable = true
            }
            place += 2
        }
        if hasUnusable { compact(from: start) }
    }

    private func missingKey(_ key: NodeRecord) -> Diagnostic {
        Diagnostic(
            id: "missing-key", message: "a key is missing before \":\"",
            range: SourceRange(file: file, start: key.start, end: key.end), suggestion: "write a key")
    }

    private func complexKey(_ key: NodeRecord, _ target: NodeRecord) -> Diagnostic {
        let type = target.kind == .mapping ? "a map" : "a list"
        let isBraces = target.isFlow && target.kind == .mapping
        return Diagnostic(
            id: "complex-key", message: "a key must be text, not \(type)",
            range: SourceRange(file: file, start: key.start, end: key.end),
            suggestion: isBraces ? "quote it if it is text; a template is written \"${…}\"" : "write text as the key")
    }

    private mutating func removeDuplicates(from start: Int, map: Int32, problems: inout ProblemList) {
        let count = (scratch.count - start) / 2
        if count > YAMLArena.largestUnindexedCount {
            var seen: [ExactKey: Int32] = [:]
            seen.reserveCapacity(count)
            var place = start
            while place < scratch.count {
                let key = ExactKey(text: keyText(place))
                if let first = seen[key] {
                    reportDuplicate(place, of: start + Int(first), problems: &problems)
                    markRemoved(place)
                } else {
                    seen[key] = Int32(truncatingIfNeeded: place - start)
                }
                place += 2
            }
            if compact(from: start) { seen = keyIndex(from: start) }
            keyIndexes[map] = seen
            return
        }
        var hasDuplicates = false
        var place = start + 2
        while place < scratch.count {
            var other = start
            while other < place {
                if haveEqualKeys(other, place) {
                    reportDuplicate(place, of: other, problems: &problems)
                    hasDuplicates = true
                    break
                }
                other += 2
            }
            place += 2
        }
        if hasDuplicates {
            // Compared again from the end, so that the first of equal keys stays.
            place = scratch.count - 2
            while place > start {
                var other = start
                while other < place, !haveEqualKeys(other, place) { other += 2 }
                if other < place { markRemoved(place) }
                place -= 2
            }
            compact(from: start)
        }
    }

    private func reportDuplicate(_ place: Int, of first: Int, problems: inout ProblemList) {
        let name = DisplayWidth.printable(keyText(place))
        let range = SourceRange(
            file: file, start: records[Int(scratch[place])].start, end: records[Int(scratch[place])].end)
        let earlier = records[Int(scratch[first])]
        problems.add(
            Diagnostic(
                id: "duplicate-key", message: "the key \"\(name)\" is given twice", range: range,
                label: "the second \"\(name)\"",
                related: [
                    Diagnostic.Related(
                        message: "first given here",
                        range: SourceRange(file: file, start: earlier.start, end: earlier.end))
                ]))
    }

    private mutating func markRemoved(_ place: Int) {
        scratch[place + 1] = -1
    }

    /// Removes the members that are marked.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    private mutating func compact(from start: Int) -> Bool {
        var target = start
        var place = start
        while place + 1 < scratch.count {
            if scratch[place + 1] >= 0 {
                scratch[target] = scratch[place]
                scratch[target + 1] = scratch[place + 1]
                target += 2
            }
            place += 2
        }
        let isChanged = target < scratch.count
        scratch.removeSubrange(target...)
        return isChanged
    }

    private func keyIndex(from start: Int) -> [ExactKey: Int32] {
        var index: [ExactKey: Int32] = [:]
        index.reserveCapacity((scratch.count - start) / 2)
        for place in stride(from: start, to: scratch.count, by: 2) {
            index[ExactKey(text: keyText(place))] = Int32(truncatingIfNeeded: place - start)
        }
        return index
    }

    /// Puts the members of merged maps in the place of `<<`; keys of the map itself win, then earlier merged maps.
    private mutating func applyMergeKey(from start: Int, problems: inout ProblemList) {
        var place = start
        while place < scratch.count, !isMergeKey(place) { place += 2 }
        guard place < scratch.count else { return }
        var names = Set<ExactKey>()
        for other in stride(from: start, to: scratch.count, by: 2) where other != place {
            names.insert(ExactKey(text: keyText(other)))
        }
        var merged: [Int32] = []
        let value = scratch[place + 1]
        let source = resolved(value)
        switch source.kind {
        case .mapping: merge(source, into: &merged, names: &names)
        case .sequence:
            let elements = children[source.content]
            var other: Int32?
            for element in elements where other == nil && resolved(element).kind != .mapping { other = element }
            if records[Int(value)].kind == .alias, let other {
                // The list stands elsewhere, where nothing is wrong with it: one problem, at the alias.
                let kind = resolved(other).kind == .sequence ? "lists" : "scalars"
                problems.add(badMerge(records[Int(value)], "a list of \(kind)", problems))
                break
            }
            for element in elements {
                let map = resolved(element)
                if map.kind == .mapping {
                    merge(map, into: &merged, names: &names)
                } else {
                    let kind = map.kind == .sequence ? "a list" : "a scalar"
                    problems.add(badMerge(records[Int(element)], kind, problems))
                }
            }
        case .scalar, .alias: problems.add(badMerge(records[Int(value)], "a scalar", problems))
        }
        scratch.replaceSubrange(place...(place + 1), with: merged)
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
            id: "bad-merge", message: "\"<<\" takes a map or a list of maps, not \(found)",
            range: problems.range(of: site), suggestion: "write an alias of a map, such as *name")
    }
}
