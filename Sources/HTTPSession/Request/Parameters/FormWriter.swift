import Basics
import FoundationEssentials

/// A writer that converts a form tree to the text of a query.
struct FormWriter {
    private let options: QueryEncoder

    init(_ options: QueryEncoder) {
        self.options = options
    }

    /// Returns the query of a root node.
    func text(_ node: FormNode) -> String {
        var output: [UInt8] = []
        write(node, nil, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns a value in AFNetworking's dialect, which is also the sort key for the values of a set.
    static func sortingText(of value: ParameterValue, null: String = "<null>") -> String {
        let options = QueryEncoder.afNetworking
        if value == .null { return null }
        guard let node = try? FormNode(value, options) else { return "" }
        return FormWriter(options).sortingText(node)
    }

    private func sortingText(_ node: FormNode) -> String {
        if let text = node.sortingText { return text }
        var output: [UInt8] = []
        write(node, "", into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(_ node: FormNode, _ name: String?, into output: inout [UInt8]) {
        switch node.content {
        case .empty: return
        case .bare:
            if !output.isEmpty { output.append(UInt8(ascii: "&")) }
            escape(options.keys.name(name ?? ""), into: &output)
        case .text(let text):
            if !output.isEmpty { output.append(UInt8(ascii: "&")) }
            escape(options.keys.name(name ?? ""), into: &output)
            output.append(UInt8(ascii: "="))
            escape(text, into: &output)
        case .list(let nodes): write(list: nodes, isSet: node.isUnordered, name ?? "", into: &output)
        case .members(let members): write(members: members, isUnordered: node.isUnordered, name, into: &output)
        }
    }

    private func write(list: [FormNode], isSet: Bool, _ name: String, into output: inout [UInt8]) {
        var nodes = list
        if isSet {
            let keyed = nodes.map { (text: sortingText($0), node: $0) }
            nodes = keyed.sorted { $0.text < $1.text }.map(\.node)
        }
        let sorts: Bool =
            switch options.sorting {
            case .pairsAndArrays: true
            case .pairs: isSet
            case .none, .keys: false
            }
        let repeatsKey = if isSet, case .repeatedKey = options.sets { true } else { false }
        var segments: [[UInt8]] = []
        // A value that writes nothing does not advance the index.
        var index = 0
        for node in nodes {
            let itsName = repeatsKey ? name : options.arrays.name(name, index)
            if sorts {
                var segment: [UInt8] = []
                write(node, itsName, into: &segment)
                guard !segment.isEmpty else { continue }
                segments.append(segment)
            } else {
                let before = output.count
                write(node, itsName, into: &output)
                guard output.count > before else { continue }
            }
            index += 1
        }
        if sorts { append(sorted: segments, to: &output) }
    }

    private func write(
        members: [(key: String, node: FormNode)], isUnordered: Bool, _ name: String?, into output: inout [UInt8]
    ) {
        var members = members
        var sortsPairs = false
        switch options.sorting {
        case .keys: members.sort { $0.key < $1.key }
        case .none: if isUnordered { members.sort { $0.key < $1.key } }
        case .pairs, .pairsAndArrays: sortsPairs = true
        }
        var segments: [[UInt8]] = []
        for (key, node) in members {
            let itsName = name.map { options.keyPaths.name($0, key) } ?? key
            if sortsPairs {
                var segment: [UInt8] = []
                write(node, itsName, into: &segment)
                if !segment.isEmpty { segments.append(segment) }
            } else {
                write(node, itsName, into: &output)
            }
        }
        if sortsPairs { append(sorted: segments, to: &output) }
    }

    private func append(sorted segments: [[UInt8]], to output: inout [UInt8]) {
        for segment in segments.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if !output.isEmpty { output.append(UInt8(ascii: "&")) }
            output += segment
        }
    }

    /// Appends a string, percent-encoded byte by byte, which keeps every character intact.
    private func escape(_ text: String, into output: inout [UInt8]) {
        let allowed = options.allowedCharacters
        let plusForSpace = if case .plusReplaced = options.spaces { true } else { false }
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes {
                if byte == UInt8(ascii: " "), plusForSpace {
                    output.append(UInt8(ascii: "+"))
                } else if allowed.contains(byte), byte != UInt8(ascii: " ") {
                    output.append(byte)
                } else {
                    PercentEncoding.append(byte, to: &output)
                }
            }
        }
    }
}

/// A value to be written to a query; its leaves are already strings.
final class FormNode {
    /// The content of a node.
    enum Content {
        /// No content: neither the name nor a value is written.
        case empty
        /// A name without "=" and value.
        case bare
        /// A single value.
        case text(String)
        /// The values of an array or a set.
        case list([FormNode])
        /// The named members of a dictionary or a type.
        case members([(key: String, node: FormNode)])
    }

    var content = Content.empty
    /// Whether the content has no order of its own, as in a set or a Swift dictionary.
    var isUnordered = false
    private var positions: [String: Int] = [:]

    init() {}

    /// Creates a node from a value.
    init(_ value: ParameterValue, _ options: QueryEncoder) throws {
        switch value {
        case .null: content = options.nils.content
        case .bool(let value): content = .text(options.bools.text(value))
        case .int(let value): content = .text(String(value))
        case .double(let value): content = .text(options.numbers.text(value))
        case .string(let value): content = .text(value)
        case .date(let date):
            content = .text(try options.dates.text(date) ?? options.numbers.text(date.timeIntervalSinceReferenceDate))
        case .data(let bytes):
            if let text = try options.data.text(bytes) {
                content = .text(text)
            } else {
                content = .list(bytes.map { FormNode(text: String($0)) })
            }
        case .array(let values):
            content = .list(try values.map { try FormNode($0, options) })
        case .set(let values):
            content = .list(try values.map { try FormNode($0, options) })
            isUnordered = true
        case .dictionary(let parameters):
            content = .members(try parameters.map { ($0.key, try FormNode($0.value, options)) })
        }
    }

    private init(text: String) {
        content = .text(text)
    }

    /// Whether the node can be the root of a query.
    var isRoot: Bool {
        switch content {
        case .empty, .members: true
        case .list(let nodes): nodes.isEmpty
        case .text, .bare: false
        }
    }

    /// Changes the node's content to members.
    func holdMembers() {
        if case .members = content { return }
        content = .members([])
        positions = [:]
    }

    /// Changes an empty node's content to a list. Other content is replaced when the first element is added.
    func offerList() {
        if case .empty = content { content = .list([]) }
    }

    /// The number of elements in the node's list.
    var count: Int {
        if case .list(let nodes) = content { nodes.count } else { 0 }
    }

    /// Returns the member with a name, and creates it if it does not exist.
    func member(_ name: String) -> FormNode {
        guard case .members(var members) = content else {
            holdMembers()
            return member(name)
        }
        if let position = positions[name] { return members[position].node }
        let node = FormNode()
        // Move the members out of the node while they grow, to avoid a copy.
        content = .empty
        positions[name] = members.count
        members.append((name, node))
        content = .members(members)
        return node
    }

    /// Returns a new element at the end of the node's list.
    func element() -> FormNode {
        let node = FormNode()
        guard case .list(var nodes) = content else {
            content = .list([node])
            return node
        }
        content = .empty
        nodes.append(node)
        content = .list(nodes)
        return node
    }

    /// The sort key of the node in a set.
    var sortingText: String? {
        switch content {
        case .text(let text): text
        case .bare: "<null>"
        default: nil
        }
    }
}
