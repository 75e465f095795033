import JSON

/// The values of a document in the order of a walk, each before its children, so that a subtree is a range of numbers.
struct DocumentIndex {
    struct Node {
        var value: JSONValue
        /// The number of the value that holds this one; the root's own number for the root.
        var parent: Int
        /// The name or the index in the value that holds this one; nil for the root.
        var step: NormalizedPath.Step?
        /// The number after the last one of the subtree.
        var end: Int
    }

    private(set) var nodes: [Node] = []

    /// Walks a document; as deep as it is, which its parser bounds.
    ///
    /// - Parameter limit: How many values are looked at; what has more gives nil.
    init?(_ document: JSONValue, limit: Int) {
        guard add(document, parent: 0, step: nil, limit: limit) else { return nil }
    }

    private mutating func add(_ value: JSONValue, parent: Int, step: NormalizedPath.Step?, limit: Int) -> Bool {
        let number = nodes.count
        guard number < limit else { return false }
        nodes.append(Node(value: value, parent: parent, step: step, end: number + 1))
        switch value {
        case .array(let array):
            for index in array.indices {
                guard add(array[index], parent: number, step: .index(index), limit: limit) else { return false }
            }
        case .object(let object):
            for (name, child) in object {
                guard add(child, parent: number, step: .name(name), limit: limit) else { return false }
            }
        default:
            return true
        }
        nodes[number].end = nodes.count
        return true
    }

    /// The numbers of a value's children.
    func children(of number: Int) -> [Int] {
        var children: [Int] = []
        var child = number + 1
        while child < nodes[number].end {
            children.append(child)
            child = nodes[child].end
        }
        return children
    }

    /// The steps from the root to a value.
    func steps(to number: Int) -> [NormalizedPath.Step] {
        var steps: [NormalizedPath.Step] = []
        var number = number
        while let step = nodes[number].step {
            steps.append(step)
            number = nodes[number].parent
        }
        return steps.reversed()
    }
}
