/// Sorts the entries of mappings with known keys.
struct EntryOrder {
    let order: KeyOrder
    let source: SourceText

    /// Sorts all documents of a stream.
    func sort(_ stream: inout FormatStream, layouts: [NodeLayout]) {
        for index in stream.documents.indices where index < layouts.count {
            var root = stream.documents[index].root
            if case .blockMapping(let entries, _) = root.content {
                let moved = permutation(of: entries.map(\.key), names(entries, stream), layouts[index], stream)
                if let moved, moved.first != 0, let first = entries.first?.firstToken {
                    stream.documents[index].head = takeHead(before: first, &stream)
                }
            }
            sort(&root, layouts[index], &stream)
            stream.documents[index].root = root
        }
    }

    private func sort(_ node: inout FormatNode, _ layout: NodeLayout, _ stream: inout FormatStream) {
        switch node.content {
        case .empty, .token, .blockScalar: break
        case .blockSequence(var items, let tail):
            for index in items.indices { sort(&items[index].value, layout.ofElements, &stream) }
            node.content = .blockSequence(items, tail: tail)
        case .blockMapping(var entries, let tail):
            for index in entries.indices {
                sort(&entries[index].value, self.layout(of: entries[index].key, layout, stream), &stream)
            }
            if let moved = permutation(of: entries.map(\.key), names(entries, stream), layout, stream) {
                let blanks = entries.map { isAfterBlank($0, stream) }
                entries = moved.map { entries[$0] }
                // Blank lines separate the entries into groups. They stay at their positions, and before the entries
                // that had one.
                for (index, entry) in entries.enumerated() {
                    let isAfterBlank =
                        blanks[index] || index > 0 && moved[index] > 0 && self.isAfterBlank(entry, stream)
                    setAfterBlank(entry, isAfterBlank, &stream)
                }
            }
            node.content = .blockMapping(entries, tail: tail)
        case .flow(var collection):
            for index in collection.entries.indices {
                let entry = collection.entries[index]
                let inner = entry.key.map { self.layout(of: $0, layout, stream) } ?? layout.ofElements
                sort(&collection.entries[index].value, inner, &stream)
            }
            if collection.isMap, isOneLine(collection, stream) {
                let keys = collection.entries.map { $0.key ?? FormatNode() }
                let names = collection.entries.map { entry in
                    var names = AnchorNames()
                    if let key = entry.key { add(key, to: &names, stream) }
                    add(entry.value, to: &names, stream)
                    return names
                }
                if let moved = permutation(of: keys, names, layout, stream) {
                    collection.entries = moved.map { collection.entries[$0] }
                }
            }
            node.content = .flow(collection)
        }
    }

    /// Returns whether a flow collection will be on one line. A line break between empty brackets is removed.
    private func isOneLine(_ collection: FormatNode.FlowCollection, _ stream: FormatStream) -> Bool {
        for index in (collection.open + 1)...collection.close {
            let token = stream.tokens[index]
            if token.kind == .scalar, source.hasBreak(token.range) { return false }
            guard stream.trivia[index].hasBreak else { continue }
            let previous = stream.tokens[index - 1].kind
            let isEmpty =
                token.kind == .mappingEnd && previous == .mappingStart
                || token.kind == .sequenceEnd && previous == .sequenceStart
            guard isEmpty, stream.trivia[index].comments.isEmpty, stream.trailing[index - 1] == nil else {
                return false
            }
        }
        return true
    }

    private func layout(of key: FormatNode, _ layout: NodeLayout, _ stream: FormatStream) -> NodeLayout {
        guard let text = KeyText.text(of: key, tokens: stream.tokens, source: source) else { return .any }
        return order.layout(of: text, in: layout)
    }

    // MARK: Order

    /// Returns the indices of entries in sorted order; nil if they are already sorted or must not move.
    ///
    /// An unknown key, such as `x-…` or `<<`, stays after the known key that it follows.
    private func permutation(
        of keys: [FormatNode], _ names: @autoclosure () -> [AnchorNames], _ layout: NodeLayout, _ stream: FormatStream
    ) -> [Int]? {
        guard let map = order.map(layout), map.isSorted else { return nil }
        var last = -1
        let ranks = keys.map { key in
            if let text = KeyText.text(of: key, tokens: stream.tokens, source: source),
                let position = map.positions[text]
            {
                last = position
            }
            return last
        }
        let moved = keys.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        guard moved != Array(keys.indices), keepsAnchors(names(), moved) else { return nil }
        return moved
    }

    /// The names of the anchors and aliases in an entry.
    struct AnchorNames {
        var defined: Set<String> = []
        var used: Set<String> = []
    }

    /// Returns whether every alias refers to the same anchor after reordering.
    private func keepsAnchors(_ names: [AnchorNames], _ moved: [Int]) -> Bool {
        for name in names.reduce(into: Set<String>(), { $0.formUnion($1.defined) }) {
            // Returns the number of anchors with the name before each entry.
            func anchorsBefore(_ order: [Int]) -> [Int] {
                var counts = Array(repeating: 0, count: names.count)
                var count = 0
                for index in order where names[index].defined.contains(name) || names[index].used.contains(name) {
                    counts[index] = count
                    if names[index].defined.contains(name) { count += 1 }
                }
                return counts
            }
            if anchorsBefore(Array(names.indices)) != anchorsBefore(moved) { return false }
        }
        return true
    }

    private func names(_ entries: [FormatNode.BlockEntry], _ stream: FormatStream) -> [AnchorNames] {
        entries.map { entry in
            var names = AnchorNames()
            add(entry.key, to: &names, stream)
            add(entry.value, to: &names, stream)
            return names
        }
    }

    private func add(_ node: FormatNode, to names: inout AnchorNames, _ stream: FormatStream) {
        for property in node.properties where stream.tokens[property].kind == .anchor {
            names.defined.insert(name(stream.tokens[property]))
        }
        switch node.content {
        case .empty, .blockScalar: break
        case .token(let token):
            if stream.tokens[token].kind == .alias { names.used.insert(name(stream.tokens[token])) }
        case .blockSequence(let items, _):
            for item in items { add(item.value, to: &names, stream) }
        case .blockMapping(let entries, _):
            for entry in entries {
                add(entry.key, to: &names, stream)
                add(entry.value, to: &names, stream)
            }
        case .flow(let collection):
            for entry in collection.entries {
                if let key = entry.key { add(key, to: &names, stream) }
                add(entry.value, to: &names, stream)
            }
        }
    }

    private func name(_ token: Token) -> String {
        String(decoding: source.bytes[token.range].dropFirst(), as: UTF8.self)
    }

    // MARK: Comments and blank lines

    /// Removes and returns the comments at the start of a document that concern the whole document.
    ///
    /// These are the comments that a blank line separates from the first key, and those for editors and shells.
    private func takeHead(before token: Int, _ stream: inout FormatStream) -> [Comment] {
        let comments = stream.trivia[token].comments
        var count = stream.trivia[token].isAfterBlank ? comments.count : 0
        for index in comments.indices where index > 0 && comments[index].isAfterBlank { count = max(count, index) }
        while count < comments.count, isForTools(comments[count]) { count += 1 }
        stream.trivia[token].comments.removeFirst(count)
        return Array(comments[..<count])
    }

    private func isForTools(_ comment: Comment) -> Bool {
        let text = source.bytes[comment.text]
        return text.starts(with: "#!".utf8) || text.starts(with: "# yaml-language-server:".utf8)
            || text.starts(with: "# vim:".utf8) || text.starts(with: "# -*-".utf8)
    }

    private func isAfterBlank(_ entry: FormatNode.BlockEntry, _ stream: FormatStream) -> Bool {
        guard let token = entry.firstToken else { return false }
        return stream.trivia[token].comments.first?.isAfterBlank ?? stream.trivia[token].isAfterBlank
    }

    private func setAfterBlank(_ entry: FormatNode.BlockEntry, _ isAfterBlank: Bool, _ stream: inout FormatStream) {
        guard let token = entry.firstToken else { return }
        if stream.trivia[token].comments.isEmpty {
            stream.trivia[token].isAfterBlank = isAfterBlank
        } else {
            stream.trivia[token].comments[0].isAfterBlank = isAfterBlank
        }
    }
}
