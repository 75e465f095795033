import JSON

/// What an evaluation gathers: only as much as its caller wants to know.
struct PathSelection {
    /// How many nodes are wanted; the evaluation ends when it has them.
    let limit: Int
    let keepsValues: Bool
    let keepsPaths: Bool
    private(set) var count = 0
    private(set) var first: JSONValue?
    private(set) var values: [JSONValue] = []
    private(set) var paths: [[NormalizedPath.Step]] = []
    /// The steps to the node being looked at, when paths are wanted.
    private var steps: [NormalizedPath.Step] = []

    init(limit: Int = .max, keepsValues: Bool = false, keepsPaths: Bool = false) {
        self.limit = limit
        self.keepsValues = keepsValues
        self.keepsPaths = keepsPaths
    }

    var isFull: Bool { count >= limit }

    @inline(__always)
    mutating func add(_ value: JSONValue) {
        if count == 0 { first = value }
        count += 1
        if keepsValues { values.append(value) }
        if keepsPaths { paths.append(steps) }
    }

    @inline(__always)
    mutating func enter(_ name: String) {
        if keepsPaths { steps.append(.name(name)) }
    }

    @inline(__always)
    mutating func enter(_ index: Int) {
        if keepsPaths { steps.append(.index(index)) }
    }

    @inline(__always)
    mutating func leave() {
        if keepsPaths { steps.removeLast() }
    }
}
