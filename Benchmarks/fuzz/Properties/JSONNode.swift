import JSON

/// A value in a document and its location.
struct JSONNode {
    let pointer: JSONPointer
    let value: JSONValue

    /// Returns the first values of a document in document order, including the document itself.
    static func nodes(of document: JSONValue, limit: Int) -> [JSONNode] {
        var nodes: [JSONNode] = []
        collect(JSONNode(pointer: JSONPointer(), value: document), limit, into: &nodes)
        return nodes
    }

    /// Returns the number of values in a document, counted up to a limit.
    static func count(_ document: JSONValue, limit: Int) -> Int { nodes(of: document, limit: limit).count }

    // The recursion is as deep as the document, whose depth the parser limits.
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
    /// Returns the value at this location, found step by step, or nil.
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
