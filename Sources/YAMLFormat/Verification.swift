import CLibYAML

/// Verifies that formatted text has the same meaning as the original.
struct Verification {
    let order: KeyOrder

    /// Checks that two texts have the same documents and the same comments.
    ///
    /// - Throws: ``FormatFailure`` if they differ.
    func check(_ source: SourceText, _ result: [UInt8], layouts: [NodeLayout]) throws(FormatFailure) {
        guard let before = EventReader.documents(of: source) else {
            throw FormatFailure("syntax error")
        }
        let result = SourceText(result)
        if source.isJSON, !result.isJSON { throw FormatFailure("the result would not be valid JSON") }
        guard let after = EventReader.documents(of: result), before.count == after.count else {
            throw FormatFailure("the documents of the result would differ")
        }
        for (index, pair) in zip(before, after).enumerated() {
            let layout = index < layouts.count ? layouts[index] : .any
            if let difference = difference(pair.0, pair.1, layout) {
                throw FormatFailure("a value of the result would differ: \(difference)")
            }
        }
        guard try TreeParser.comments(of: source) == TreeParser.comments(of: result) else {
            throw FormatFailure("the comments of the result would differ")
        }
    }

    /// Describes the first difference between two nodes; nil if they are equivalent.
    private func difference(_ before: EventNode, _ after: EventNode, _ layout: NodeLayout) -> String? {
        guard before.kind == after.kind, before.anchor == after.anchor, before.tag == after.tag,
            before.text == after.text, before.children.count == after.children.count
        else { return excerpt(before) }
        // Quotes determine the type of a scalar, and a tag can depend on them.
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
            // A known key may lose its quotes because it is a word.
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
        case .sequence: "a sequence of \(node.children.count)"
        case .mapping: "a mapping of \(node.children.count / 2)"
        }
    }
}

/// Parses the documents of a text with libyaml's parser, independently of the formatter's own parser.
enum EventReader {
    /// The maximum nesting depth.
    private static let maximumDepth = 300

    /// Returns the roots of the documents; nil if the text is invalid.
    static func documents(of source: SourceText) -> [EventNode]? {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
        defer {
            event.deallocate()
            parser.deallocate()
        }
        guard yaml_parser_initialize(parser) != 0 else { return nil }
        defer { yaml_parser_delete(parser) }
        var documents: [EventNode] = []
        var open: [EventNode] = []
        // libyaml requires an address even for empty input.
        let bytes = source.bytes.isEmpty ? [UInt8(ascii: "\n")] : source.scannedBytes
        let isComplete = bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
            while true {
                guard yaml_parser_parse(parser, event) != 0 else { return false }
                defer { yaml_event_delete(event) }
                var finished: EventNode?
                switch event.pointee.type {
                case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return true
                case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                    guard open.count < maximumDepth else { return false }
                    open.append(node(event))
                case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: finished = open.popLast()
                case YAML_SCALAR_EVENT, YAML_ALIAS_EVENT: finished = node(event)
                default: break
                }
                guard let finished else { continue }
                if open.isEmpty { documents.append(finished) } else { open[open.count - 1].children.append(finished) }
            }
        }
        return isComplete ? documents : nil
    }

    private static func node(_ event: UnsafeMutablePointer<yaml_event_t>) -> EventNode {
        let data = event.pointee.data
        switch event.pointee.type {
        case YAML_SEQUENCE_START_EVENT:
            return EventNode(
                kind: .sequence, anchor: text(data.sequence_start.anchor) ?? [], tag: text(data.sequence_start.tag))
        case YAML_MAPPING_START_EVENT:
            return EventNode(
                kind: .mapping, anchor: text(data.mapping_start.anchor) ?? [], tag: text(data.mapping_start.tag))
        case YAML_ALIAS_EVENT: return EventNode(kind: .alias, text: text(data.alias.anchor) ?? [])
        default:
            let scalar = data.scalar
            return EventNode(
                kind: .scalar, anchor: text(scalar.anchor) ?? [], tag: text(scalar.tag),
                text: Array(UnsafeBufferPointer(start: scalar.value, count: Int(truncatingIfNeeded: scalar.length))),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> [UInt8]? {
        guard let pointer else { return nil }
        var count = 0
        while pointer[count] != 0 { count += 1 }
        return Array(UnsafeBufferPointer(start: pointer, count: count))
    }
}

/// A node as reported by libyaml's parser, with all meaningful properties.
struct EventNode {
    enum Kind {
        case scalar, sequence, mapping, alias
    }

    var kind: Kind
    var anchor: [UInt8] = []
    var tag: [UInt8]?
    /// The text of a scalar, or the name of an alias.
    var text: [UInt8] = []
    var isPlain = false
    /// The elements, or alternating keys and values.
    var children: [EventNode] = []
}
