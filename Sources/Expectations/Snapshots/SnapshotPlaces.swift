import JSON
import JSONPath

/// What is done with places of a body, as a tree that is walked together with the body.
struct SnapshotPlaces {
    /// What is done with a place and all below it.
    enum Action {
        /// It is left out.
        case ignore
        /// A placeholder stands for it.
        case replace(String)
        /// Nothing in it is replaced.
        case keep
    }

    /// A place, or one that is on the way to others.
    struct Node {
        fileprivate(set) var action: Action?
        fileprivate var names: [String: Int] = [:]
        fileprivate var indexes: [Int: Int] = [:]
    }

    private var nodes = [Node()]

    /// The root of the body; nil when nothing is done anywhere.
    var root: Node? { nodes.count > 1 || nodes[0].action != nil ? nodes[0] : nil }

    /// Says what is done with a place; what was said first stays.
    mutating func add(_ action: Action, at path: NormalizedPath) {
        var current = 0
        for step in path.steps {
            let next: Int?
            switch step {
            case .name(let name): next = nodes[current].names[name]
            case .index(let index): next = nodes[current].indexes[index]
            }
            if let next {
                current = next
                continue
            }
            switch step {
            case .name(let name): nodes[current].names[name] = nodes.count
            case .index(let index): nodes[current].indexes[index] = nodes.count
            }
            current = nodes.count
            nodes.append(Node())
        }
        if nodes[current].action == nil { nodes[current].action = action }
    }

    /// The member of a place.
    func member(_ name: String, of node: Node?) -> Node? {
        guard let node, let index = node.names[name] else { return nil }
        return nodes[index]
    }

    /// The element of a place.
    func element(_ index: Int, of node: Node?) -> Node? {
        guard let node, let index = node.indexes[index] else { return nil }
        return nodes[index]
    }
}
