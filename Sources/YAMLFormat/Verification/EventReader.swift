import CLibYAML

/// Reads the documents of a text through libyaml's parser, independently of the formatter's own.
enum EventReader {
    /// Nesting is at most this deep.
    private static let maximumDepth = 300

    /// The roots of a text's documents, or nil when it has an error.
    static func documents(of bytes: [UInt8]) -> [EventNode]? {
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
        // libyaml needs an address also for no bytes at all.
        let bytes = bytes.isEmpty ? [UInt8(ascii: "\n")] : bytes
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
