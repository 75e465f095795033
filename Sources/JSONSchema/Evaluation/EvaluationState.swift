import JSON
import RegularExpressions

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

extension EvaluationState {
    /// Whether a pattern matches a text; the work is paid for, and a pattern that takes too much of it ends the
    /// evaluation.
    @inline(__always)
    mutating func matches(_ expression: RegularExpression, _ text: String) -> Bool {
        var steps = RegularExpression.maximumSteps
        do {
            let result = try expression.matches(text, steps: &steps)
            // A step of a pattern is less work than one of a schema.
            spend((RegularExpression.maximumSteps - steps) >> 4)
            return result
        } catch {
            spend(.max)
            return true
        }
    }
}

extension UnsafePointer<JSONObject.Element> {
    /// Where the value of the member is.
    ///
    /// A tuple is laid out like a structure, each element at the next place that its alignment allows.
    @inline(__always)
    var value: UnsafePointer<JSONValue> {
        let alignment = MemoryLayout<JSONValue>.alignment
        let offset = (MemoryLayout<String>.size + alignment - 1) & ~(alignment - 1)
        return (UnsafeRawPointer(self) + offset).assumingMemoryBound(to: JSONValue.self)
    }
}

extension JSONValue {
    /// How many members or elements a value has.
    var memberCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let object): object.count
        default: 0
        }
    }
}

extension JSONValue {
    /// The value one step further down, or nil.
    subscript(_ step: NormalizedPath.Step) -> JSONValue? {
        switch step {
        case .name(let name): self[name]
        case .index(let index): self[index]
        }
    }
}

/// Finds equal elements, in linear time whatever they are.
enum Uniqueness {
    /// Up to this many elements comparing all pairs is faster than hashing.
    private static let largestPairwise = 8

    /// The places of the first element that repeats an earlier one, and of that; nil when there is none.
    static func repetition(in elements: [JSONValue]) -> (first: Int, second: Int)? {
        if elements.count <= largestPairwise {
            for second in elements.indices {
                for first in 0..<second where elements[first] == elements[second] { return (first, second) }
            }
            return nil
        }
        var places: [JSONValue: Int] = [:]
        places.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            if let first = places.updateValue(index, forKey: element) { return (first, index) }
        }
        return nil
    }
}

extension StringKeywords {
    /// Whether a text keeps to all of them.
    func admit(_ text: String, _ state: inout EvaluationState) -> Bool {
        guard hasLength(text) else { return false }
        if let pattern, !state.matches(pattern, text) { return false }
        if let format, !format.holds(for: text) { return false }
        return true
    }
}
