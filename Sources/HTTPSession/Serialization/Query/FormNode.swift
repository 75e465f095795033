import FoundationEssentials

/// A value on its way into a query: its leaves are texts already.
final class FormNode {
    /// What a node holds.
    enum Content {
        /// Nothing: neither name nor value is written.
        case empty
        /// A name alone.
        case bare
        /// A value.
        case text(String)
        /// The values of a list or set.
        case list([FormNode])
        /// Values by name.
        case members([(key: String, node: FormNode)])
    }

    var content = Content.empty
    /// Whether what the node holds has no order of its own: a set, or the members of a Swift dictionary.
    var isUnordered = false
    private var positions: [String: Int] = [:]

    init() {}

    /// Makes a node of a value.
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

    /// Whether the node can be a whole query.
    var isRoot: Bool {
        switch content {
        case .empty, .members: true
        case .list(let nodes): nodes.isEmpty
        case .text, .bare: false
        }
    }

    /// Makes the node hold members.
    func holdMembers() {
        if case .members = content { return }
        content = .members([])
        positions = [:]
    }

    /// Makes an empty node hold a list; what another node holds is replaced by the list's first value.
    func offerList() {
        if case .empty = content { content = .list([]) }
    }

    /// The number of values in the node's list.
    var count: Int {
        if case .list(let nodes) = content { nodes.count } else { 0 }
    }

    /// The member of a name, made if there is none.
    func member(_ name: String) -> FormNode {
        guard case .members(var members) = content else {
            holdMembers()
            return member(name)
        }
        if let position = positions[name] { return members[position].node }
        let node = FormNode()
        // The list is taken out of the node while it grows, so that it is not copied.
        content = .empty
        positions[name] = members.count
        members.append((name, node))
        content = .members(members)
        return node
    }

    /// A new value at the end of the node's list.
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

    /// What a value of a set is sorted by.
    var sortingText: String? {
        switch content {
        case .text(let text): text
        case .bare: "<null>"
        default: nil
        }
    }
}
