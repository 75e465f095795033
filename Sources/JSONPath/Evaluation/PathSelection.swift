import JSON

/// What an evaluation gathers: only as much as its caller wants to know.
struct PathSelection {
    /// How many nodes are wanted; the evaluation ends when it has them.
    let limit: Int
    let keepsValues: Bool
    let keepsPaths: Bool
    private(set) var count = 0
    /// Whether more was selected than may be kept.
    private(set) var isOverflowing = false
    /// How many more values, names and indexes may be kept.
    private var room = JSONPath.maximumSelection
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

    var isFull: Bool { count >= limit || isOverflowing }

    @inline(__always)
    mutating func add(_ value: JSONValue) {
        add(value, at: steps)
    }

    @inline(__always)
    mutating func add(_ value: JSONValue, at steps: [NormalizedPath.Step]) {
        if count == 0 { first = value }
        count += 1
        guard keepsValues || keepsPaths else { return }
        room -= keepsPaths ? 1 + steps.count : 1
        guard room >= 0 else {
            isOverflowing = true
            return
        }
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
