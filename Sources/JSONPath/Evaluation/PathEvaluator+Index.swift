import JSON

extension PathEvaluator {
    /// Adds the nodes selected by a query with several descendant segments.
    ///
    /// For `$..a..b`, descending again from each node that `..a` selects would take time quadratic in the depth. Here,
    /// each descendant segment is applied once to every value of the document, and its selection below a node is a
    /// slice of the result.
    mutating func evaluateByIndex(_ query: PathQuery, into selection: inout PathSelection) {
        guard let index = DocumentIndex(root, limit: steps) else {
            steps = -1
            return
        }
        steps -= index.nodes.count
        var numbers = [0]
        for segment in query.segments {
            numbers =
                segment.isDescendant
                ? descendants(segment, of: numbers, in: index) : children(segment, of: numbers, in: index)
            if steps < 0 { return }
        }
        for number in numbers where !selection.isFull {
            selection.add(
                index.nodes[number].value, at: selection.keepsPaths ? index.steps(to: number) : [])
        }
    }

    private mutating func children(
        _ segment: PathSegment, of numbers: [Int], in index: DocumentIndex
    ) -> [Int] {
        var result: [Int] = []
        for number in numbers where steps >= 0 { select(segment, number, in: index, into: &result) }
        return result
    }

    private mutating func descendants(
        _ segment: PathSegment, of numbers: [Int], in index: DocumentIndex
    ) -> [Int] {
        var selected: [Int] = []
        // The start of each value's selection; the selection of a subtree lies between two of them.
        var starts: [Int] = []
        starts.reserveCapacity(index.nodes.count + 1)
        for number in index.nodes.indices {
            starts.append(selected.count)
            if steps >= 0 { select(segment, number, in: index, into: &selected) }
        }
        starts.append(selected.count)
        var result: [Int] = []
        for number in numbers where steps >= 0 {
            let range = starts[number]..<starts[index.nodes[number].end]
            steps -= 1 + range.count >> 2
            if steps >= 0 { result += selected[range] }
        }
        return result
    }

    private mutating func select(
        _ segment: PathSegment, _ number: Int, in index: DocumentIndex, into result: inout [Int]
    ) {
        steps -= 1
        let value = index.nodes[number].value
        guard value.isStructured else { return }
        let children = index.children(of: number)
        steps -= children.count >> 2
        for selector in segment.selectors where steps >= 0 {
            switch (selector, value) {
            case (.name(let name), .object(let object)):
                guard object[name] != nil else { continue }
                // Compare bytes: canonically equivalent names are different names.
                result += children.filter { child in
                    guard case .name(let other)? = index.nodes[child].step else { return false }
                    return other.utf8.elementsEqual(name.utf8)
                }
            case (.wildcard, _):
                result += children
            case (.index(let position), .array(let array)):
                guard let position = PathSlice.position(of: position, in: array.count) else { continue }
                result.append(children[position])
            case (.slice(let slice), .array(let array)):
                for position in slice.positions(in: array.count) { result.append(children[position]) }
            case (.filter(let expression), _):
                for child in children where steps >= 0 && test(expression, index.nodes[child].value) {
                    result.append(child)
                }
            default:
                continue
            }
        }
    }
}

/// The values of a document in preorder, so that a subtree is a range of numbers.
struct DocumentIndex {
    /// A value with its position in the tree.
    struct Node {
        var value: JSONValue
        /// The number of the parent; the root is its own parent.
        var parent: Int
        /// The name or index in the parent; nil for the root.
        var step: NormalizedPath.Step?
        /// The number after the last value of the subtree.
        var end: Int
    }

    private(set) var nodes: [Node] = []

    /// Creates the index of a document; the recursion is as deep as the document, which its parser limits.
    ///
    /// - Parameter limit: The maximum number of values; nil is returned for a larger document.
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

    /// Returns the numbers of a value's children.
    func children(of number: Int) -> [Int] {
        var children: [Int] = []
        var child = number + 1
        while child < nodes[number].end {
            children.append(child)
            child = nodes[child].end
        }
        return children
    }

    /// Returns the steps from the root to a value.
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
