/// A compiled expression: its nodes, the last one being the root.
struct Program: Sendable {
    var nodes: [Node] = []
    /// The place of each node in the source.
    var spans: [Span] = []
    /// The number of places for variables of macros.
    var slotCount = 0
    var references: [CELReference] = []

    var root: Int { nodes.count - 1 }

    mutating func append(_ node: Node, _ span: Span) -> Int {
        nodes.append(node)
        spans.append(span)
        return nodes.count - 1
    }
}
