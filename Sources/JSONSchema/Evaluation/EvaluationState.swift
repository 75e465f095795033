import JSON

/// What an evaluation carries along: its bounds, the resources it came through, and what has been evaluated.
struct EvaluationState {
    /// Which bound ended the evaluation.
    enum Exhaustion: Sendable {
        case depth, steps
    }

    private(set) var exhaustion: Exhaustion?
    private var depth = 0
    private let maximumDepth: Int
    private var remainingSteps: Int

    /// The resources entered, each once, the outermost first (2020-12 Core, section 7.1).
    private(set) var scope: [Int32] = []
    private var isInScope: [Bool]

    /// Bits of the members or elements that have been evaluated: regions of one bit each, as a stack.
    private var marks: [UInt64] = []

    init(_ program: Program, limits: JSONSchemaLimits) {
        maximumDepth = max(1, min(limits.maximumDepth, JSONSchemaLimits.deepestNesting))
        remainingSteps = max(1, limits.maximumSteps)
        isInScope = program.usesDynamicScope ? Array(repeating: false, count: program.resourceCount) : []
    }

    // MARK: Bounds

    /// Begins the evaluation of one schema; false when a bound is reached, and from then on.
    @inline(__always)
    mutating func enter() -> Bool {
        depth &+= 1
        if depth > maximumDepth, exhaustion == nil { exhaustion = .depth }
        return exhaustion == nil
    }

    @inline(__always)
    mutating func leave() {
        depth &-= 1
    }

    /// Pays for work.
    @inline(__always)
    mutating func spend(_ steps: Int) {
        remainingSteps &-= steps
        if remainingSteps < 0, exhaustion == nil { exhaustion = .steps }
    }

    // MARK: Dynamic scope

    /// Enters a resource; false when it is a part of the scope already.
    mutating func enterResource(_ resource: Int32) -> Bool {
        if isInScope[Int(resource)] { return false }
        isInScope[Int(resource)] = true
        scope.append(resource)
        return true
    }

    /// Leaves the resource entered last.
    mutating func leaveResource() {
        if let resource = scope.popLast() { isInScope[Int(resource)] = false }
    }

    /// What a dynamic reference leads to: the node with the anchor in the outermost resource that has it.
    func dynamicTarget(_ program: Program, _ anchor: Int32, initial: NodeIndex) -> NodeIndex {
        let start = Int(anchor) * program.resourceCount
        for resource in scope {
            let node = program.dynamicAnchors[start + Int(resource)]
            if node >= 0 { return node }
        }
        return initial
    }

    // MARK: Marks

    /// Begins a region for `count` members or elements, none marked; returns its place.
    mutating func pushMarks(_ count: Int) -> Int {
        let base = marks.count
        marks.append(contentsOf: repeatElement(0, count: (count + 63) >> 6))
        return base
    }

    /// Ends the region at a place and those begun after it.
    mutating func popMarks(_ base: Int) {
        marks.removeLast(marks.count - base)
    }

    @inline(__always)
    mutating func mark(_ base: Int, _ index: Int) {
        marks[base + index >> 6] |= 1 << UInt64(index & 63)
    }

    @inline(__always)
    func isMarked(_ base: Int, _ index: Int) -> Bool {
        marks[base + index >> 6] & 1 << UInt64(index & 63) != 0
    }

    mutating func markAll(_ base: Int, _ count: Int) {
        for word in 0..<((count + 63) >> 6) { marks[base + word] = .max }
    }

    /// Marks in one region what is marked in another.
    mutating func mergeMarks(from source: Int, into target: Int, _ count: Int) {
        for word in 0..<((count + 63) >> 6) { marks[target + word] |= marks[source + word] }
    }
}
