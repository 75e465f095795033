import YAML

/// The nodes of the steps of a test, a fragment, a setup or a teardown: groups first, then their steps, the cleanup last.
struct StepTree {
    /// The nodes of the steps.
    private(set) var nodes: [YAMLNode] = []
    /// For each step, the index of the last step that belongs to it: its own, or that of the last step of its group.
    private(set) var ends: [Int] = []
    /// The index of the last step that ends the test if it fails, which is not in a group or the cleanup.
    private(set) var last: Int?
    /// For each step, the index of the outermost step with `while` that repeats it; nil if there is none.
    private(set) var repeats: [Int?] = []

    /// Creates the tree of a test or a fragment, or of a sequence of steps.
    ///
    /// - Parameter isTest: Whether the node may be a single exchange.
    init(_ node: YAMLNode, isTest: Bool) {
        if node.kind == .sequence {
            add(node.elements, repeatedBy: nil)
        } else if let steps = node["steps"] {
            add(steps.elements, repeatedBy: nil)
        } else if isTest {
            nodes = [node]
            ends = [0]
            last = 0
            repeats = [node["while"] == nil ? nil : 0]
        }
        if isTest, let cleanup = node["finally"] {
            let body = last
            add(cleanup.elements, repeatedBy: nil)
            last = body
        }
    }

    /// Adds steps and the steps of groups among them. Parsing limits the depth, so this recursion is bounded.
    private mutating func add(_ steps: [YAMLNode], repeatedBy outer: Int?) {
        for step in steps {
            let index = nodes.count
            let loop = outer ?? (step["while"] == nil ? nil : index)
            nodes.append(step)
            ends.append(index)
            repeats.append(loop)
            if let inner = step["steps"] { add(inner.elements, repeatedBy: loop) }
            ends[index] = nodes.count - 1
            last = index
        }
    }
}
