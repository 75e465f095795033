import JSON

/// A value inside a document with its place.
struct JSONNode {
    let pointer: JSONPointer
    let value: JSONValue

    /// The first values of a document in document order, the document itself included.
    static func nodes(of document: JSONValue, limit: Int) -> [JSONNode] {
        var nodes: [JSONNode] = []
        collect(JSONNode(pointer: JSONPointer(), value: document), limit, into: &nodes)
        return nodes
    }

    /// The number of values in a document, counted up to a limit.
    static func count(_ document: JSONValue, limit: Int) -> Int { nodes(of: document, limit: limit).count }

    // As deep as the document, whose depth the parser bounds.
    private static func collect(_ node: JSONNode, _ limit: Int, into nodes: inout [JSONNode]) {
        guard nodes.count < limit else { return }
        nodes.append(node)
        switch node.value {
        case .array(let elements):
            for (index, element) in elements.enumerated() where nodes.count < limit {
                collect(JSONNode(pointer: node.pointer.appending(index), value: element), limit, into: &nodes)
            }
        case .object(let object):
            for (name, value) in object where nodes.count < limit {
                collect(JSONNode(pointer: node.pointer.appending(name), value: value), limit, into: &nodes)
            }
        default: break
        }
    }
}

extension NormalizedPath {
    /// The value at this place, step by step, or nil.
    func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for step in steps {
            let child =
                switch step {
                case .name(let name): value[name]
                case .index(let index): value[index]
                }
            guard let child else { return nil }
            value = child
        }
        return value
    }
}
