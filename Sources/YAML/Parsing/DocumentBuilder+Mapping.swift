import Diagnostics

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
