import JSON
import RegularExpressions

extension PathEvaluator {
    /// Adds the nodes that a query with several descendant segments selects.
    ///
    /// Walking down again from each node that `..a` finds in `$..a..b` would take time in proportion to the square of the
    /// depth. Here each descendant segment is applied once to every value of the document, and what it selects below a
    /// node is a part of that.
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
        // Where the selection of each value begins; that of a subtree lies between two of them.
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
                // By bytes: names that are canonically equivalent are different names.
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

/// A compiled I-Regexp (RFC 9485) of `match` and `search`.
struct PathPattern: Sendable {
    private let expression: RegularExpression

    /// Compiles a pattern; nil for a text that is no I-Regexp.
    init?(_ pattern: String) {
        guard let expression = try? RegularExpression(pattern, dialect: .iRegexp) else { return nil }
        self.expression = expression
    }

    /// Whether a text matches; false, with `steps` below zero, when the answer takes more steps than are left.
    func matches(_ text: String, whole: Bool, steps: inout Int) -> Bool {
        do {
            return whole
                ? try expression.matchesWhole(text, steps: &steps) : try expression.matches(text, steps: &steps)
        } catch {
            return false
        }
    }
}
