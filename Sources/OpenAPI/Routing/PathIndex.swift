/// The path templates of all groups of servers as flat tables, for searches that make nothing.
final class PathIndex: Sendable {
    /// A place in a template, as ranges of the other tables.
    struct Node: Sendable {
        var literals: Int32 = 0
        var literalCount: Int32 = 0
        /// The node of a segment that is a parameter; -1 for none.
        var parameter: Int32 = -1
        var endings: Int32 = 0
        var endingCount: Int32 = 0
        /// Whether segments are compared here in ways that the tables cannot express.
        var isOpaque = false
    }

    /// A segment without parameters, and the node that it leads to.
    struct Literal: Sendable {
        let text: Int32
        let count: Int32
        let node: Int32
    }

    /// An operation of a template.
    struct Ending: Sendable {
        let method: Int32
        let methodCount: Int32
        let operation: Int32
    }

    private struct Tables {
        var nodes: [Node] = []
        var literals: [Literal] = []
        var endings: [Ending] = []
        var texts: [UInt8] = []

        /// Adds a node of a tree whose first node has an index.
        mutating func append(_ node: PathTree.Node, _ first: Int32) {
            var own = Node()
            if node.parameter >= 0 { own.parameter = first + Int32(clamping: node.parameter) }
            // Texts are compared by their characters, which are bytes in ASCII alone.
            own.isOpaque = !node.mixed.isEmpty || node.literals.keys.contains { !$0.utf8.allSatisfy { $0 < 0x80 } }
            own.literals = Int32(clamping: literals.count)
            own.literalCount = Int32(clamping: node.literals.count)
            let sorted = node.literals.map { (bytes: Array($0.key.utf8), node: $0.value) }.sorted { left, right in
                left.bytes.count == right.bytes.count
                    ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.bytes.count < right.bytes.count
            }
            for (bytes, child) in sorted {
                let text = add(bytes)
                literals.append(
                    Literal(text: text, count: Int32(clamping: bytes.count), node: first + Int32(clamping: child)))
            }
            own.endings = Int32(clamping: endings.count)
            own.endingCount = Int32(clamping: node.operations.count)
            for (method, operation) in node.operations.sorted(by: { $0.value < $1.value }) {
                let text = add(Array(method.utf8))
                endings.append(
                    Ending(
                        method: text, methodCount: Int32(clamping: method.utf8.count),
                        operation: Int32(clamping: operation)))
            }
            nodes.append(own)
        }

        private mutating func add(_ bytes: [UInt8]) -> Int32 {
            texts += bytes
            return Int32(clamping: texts.count - bytes.count)
        }
    }

    let nodes: [Node]
    let literals: [Literal]
    let endings: [Ending]
    /// The bytes of segments and methods.
    let texts: [UInt8]
    /// The first node of each group.
    let roots: [Int32]

    /// Makes the tables of trees, one for each group of servers.
    init(_ trees: [PathTree]) {
        var tables = Tables()
        roots = trees.map { tree in
            let first = Int32(clamping: tables.nodes.count)
            for node in tree.nodes { tables.append(node, first) }
            return first
        }
        nodes = tables.nodes
        literals = tables.literals
        endings = tables.endings
        texts = tables.texts
    }
}
