import JSON
import JSONPath

/// The properties of any text that is compiled as a JSONPath and evaluated on any document.
enum JSONPathProperties {
    static func check(_ input: FuzzInput) throws(PropertyViolation) {
        let path: JSONPath
        do {
            path = try JSONPath(input.first)
        } catch {
            try requireLocation(offset: error.offset, length: error.length, in: input.first, error.message)
            try require(!error.message.isEmpty, "no message")
            return
        }
        let document = input.document
        // A query that exceeds this limit would take the other evaluations as long as their limits allow.
        var steps = 50_000
        guard let values = try? path.values(in: document, steps: &steps) else {
            try require(steps < 0, "\(path) ended early")
            return
        }
        try require(steps >= 0, "\(path) went beyond its bound")
        guard let nodes = try? path.nodes(in: document) else { throw PropertyViolation("\(path) has no nodes") }
        try require(nodes.map(\.value) == values, "nodes and values of \(path) differ")
        try require((try? path.firstValue(in: document)) == values.first, "the first value of \(path) is another one")
        if path.isSingular { try require(values.count <= 1, "the singular \(path) selects \(values.count) values") }
        let nearest = path.nearestExisting(in: document)
        try require(
            (nearest == nil) == !values.isEmpty, "\(path) selects \(values.count), \(String(describing: nearest))")
        for node in nodes.prefix(24) { try check(node, of: path, in: document) }
    }

    /// Checks that a normalized path is a JSONPath, selects only its own node, and normalizes to itself.
    private static func check(
        _ node: JSONPathNode, of path: JSONPath, in document: JSONValue
    ) throws(PropertyViolation) {
        let text = node.path.description
        try require(node.path.value(in: document) == node.value, "\(text) of \(path) is the place of another value")
        for text in [text, node.path.shorthand] {
            let own: JSONPath
            do {
                own = try JSONPath(text)
            } catch {
                throw PropertyViolation("the path \(text) of a node of \(path) is refused: \(error)")
            }
            try require(own.isSingular, "the path \(text) is not singular")
            try require((try? own.nodes(in: document)) == [node], "the path \(text) selects other nodes")
        }
    }
}
