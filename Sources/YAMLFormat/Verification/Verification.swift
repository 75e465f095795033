/// Compares what was made of a text with the text.
struct Verification {
    let order: KeyOrder

    /// Checks that two texts have the same documents and the same comments.
    ///
    /// - Throws: ``FormatFailure`` when they have not.
    func check(_ source: SourceText, _ result: [UInt8], layouts: [NodeLayout]) throws(FormatFailure) {
        guard let before = EventReader.documents(of: source.bytes) else {
            throw FormatFailure("it has an error of syntax")
        }
        guard let after = EventReader.documents(of: result), before.count == after.count else {
            throw FormatFailure("its documents would not be the same")
        }
        for (index, pair) in zip(before, after).enumerated() {
            let layout = index < layouts.count ? layouts[index] : .any
            if let difference = difference(pair.0, pair.1, layout) {
                throw FormatFailure("a value would not be the same: \(difference)")
            }
        }
        guard try TreeParser.comments(of: source) == TreeParser.comments(of: SourceText(result)) else {
            throw FormatFailure("its comments would not be the same")
        }
    }

    /// What differs between two nodes, or nil when they mean the same.
    private func difference(_ before: EventNode, _ after: EventNode, _ layout: NodeLayout) -> String? {
        guard before.kind == after.kind, before.anchor == after.anchor, before.tag == after.tag,
            before.text == after.text, before.children.count == after.children.count
        else { return excerpt(before) }
        // Quotes decide what a scalar is, and a tag can depend on them.
        if before.kind == .scalar, before.isPlain != after.isPlain { return excerpt(before) }
        guard before.kind == .mapping else {
            for (left, right) in zip(before.children, after.children) {
                if let difference = difference(left, right, layout.ofElements) { return difference }
            }
            return nil
        }
        let map = order.map(layout)
        let left = entries(of: before, isSorted: map?.isSorted ?? false)
        let right = entries(of: after, isSorted: map?.isSorted ?? false)
        for (left, right) in zip(left, right) {
            let name = String(decoding: left.key.text, as: UTF8.self)
            var key = right.key
            // A key that is known may lose its quotes, being a word.
            if map?.positions[name] != nil, KeyText.isWord(name) { key.isPlain = left.key.isPlain }
            if let difference = difference(left.key, key, .any) { return difference }
            if let difference = difference(left.value, right.value, order.layout(of: name, in: layout)) {
                return difference
            }
        }
        return nil
    }

    private func entries(of map: EventNode, isSorted: Bool) -> [(key: EventNode, value: EventNode)] {
        var entries: [(key: EventNode, value: EventNode)] = []
        for index in stride(from: 0, to: map.children.count - 1, by: 2) {
            entries.append((map.children[index], map.children[index + 1]))
        }
        guard isSorted else { return entries }
        let order = entries.indices.sorted { left, right in
            let texts = (entries[left].key.text, entries[right].key.text)
            return texts.0 == texts.1 ? left < right : texts.0.lexicographicallyPrecedes(texts.1)
        }
        return order.map { entries[$0] }
    }

    private func excerpt(_ node: EventNode) -> String {
        switch node.kind {
        case .scalar:
            "the scalar \"\(String(decoding: node.text.prefix(40), as: UTF8.self))\(node.text.count > 40 ? "…" : "")\""
        case .alias: "the alias *\(String(decoding: node.text, as: UTF8.self))"
        case .sequence: "a list of \(node.children.count)"
        case .mapping: "a map of \(node.children.count / 2)"
        }
    }
}
