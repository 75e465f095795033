import Basics
import Diagnostics

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
