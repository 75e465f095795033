import JSON
import RegularExpressions

/// The mutable state of an evaluation: its limits, its dynamic scope, and the evaluated members and elements.
struct EvaluationState {
    /// The limit that stopped the evaluation.
    enum Exhaustion: Sendable {
        case depth, steps
    }

    private(set) var exhaustion: Exhaustion?
    private var depth = 0
    private let maximumDepth: Int
    private var remainingSteps: Int

    /// The entered resources without duplicates, outermost first (2020-12 Core, section 7.1).
    private(set) var scope: [Int32] = []
    private var isInScope: [Bool]

    /// A stack of regions with one bit for each member or element, set once it is evaluated.
    private var marks: [UInt64] = []

    init(_ program: Program, limits: JSONSchemaLimits) {
        maximumDepth = max(1, min(limits.maximumDepth, JSONSchemaLimits.deepestNesting))
        remainingSteps = max(1, limits.maximumSteps)
        isInScope = program.usesDynamicScope ? Array(repeating: false, count: program.resourceCount) : []
    }

    // MARK: Limits

    /// Enters a schema. Returns `false` once a limit is reached.
    @inline(__always)
    mutating func enter() -> Bool {
        depth &+= 1
        if depth > maximumDepth, exhaustion == nil { exhaustion = .depth }
        return exhaustion == nil
    }

    /// Leaves the current schema.
    @inline(__always)
    mutating func leave() {
        depth &-= 1
    }

    /// Subtracts work from the remaining steps.
    @inline(__always)
    mutating func spend(_ steps: Int) {
        remainingSteps &-= steps
        if remainingSteps < 0, exhaustion == nil { exhaustion = .steps }
    }

    // MARK: Dynamic scope

    /// Enters a resource. Returns `false` if it is already in scope.
    mutating func enterResource(_ resource: Int32) -> Bool {
        if isInScope[Int(resource)] { return false }
        isInScope[Int(resource)] = true
        scope.append(resource)
        return true
    }

    /// Leaves the resource that was entered last.
    mutating func leaveResource() {
        if let resource = scope.popLast() { isInScope[Int(resource)] = false }
    }

    /// Returns the target of a dynamic reference: the node with the anchor in the outermost resource that has it.
    func dynamicTarget(_ program: Program, _ anchor: Int32, initial: NodeIndex) -> NodeIndex {
        let start = Int(anchor) * program.resourceCount
        for resource in scope {
            let node = program.dynamicAnchors[start + Int(resource)]
            if node >= 0 { return node }
        }
        return initial
    }

    // MARK: Marks

    /// Pushes a region of unset bits for `count` members or elements and returns its start.
    mutating func pushMarks(_ count: Int) -> Int {
        let base = marks.count
        marks.append(contentsOf: repeatElement(0, count: (count + 63) >> 6))
        return base
    }

    /// Pops the region at a position and all later ones.
    mutating func popMarks(_ base: Int) {
        marks.removeLast(marks.count - base)
    }

    /// Marks a member or element of a region as evaluated.
    @inline(__always)
    mutating func mark(_ base: Int, _ index: Int) {
        marks[base + index >> 6] |= 1 << UInt64(index & 63)
    }

    /// Returns whether a member or element of a region is marked.
    @inline(__always)
    func isMarked(_ base: Int, _ index: Int) -> Bool {
        marks[base + index >> 6] & 1 << UInt64(index & 63) != 0
    }

    /// Marks all members or elements of a region.
    mutating func markAll(_ base: Int, _ count: Int) {
        for word in 0..<((count + 63) >> 6) { marks[base + word] = .max }
    }

    /// Sets the bits of one region that are set in another.
    mutating func mergeMarks(from source: Int, into target: Int, _ count: Int) {
        for word in 0..<((count + 63) >> 6) { marks[target + word] |= marks[source + word] }
    }
}

extension EvaluationState {
    /// Returns whether a pattern matches a string. Matching consumes steps, and a pattern that takes too many of them
    /// stops the evaluation.
    @inline(__always)
    mutating func matches(_ expression: RegularExpression, _ text: String) -> Bool {
        var steps = RegularExpression.maximumSteps
        do {
            let result = try expression.matches(text, steps: &steps)
            // A step of a pattern is less work than a step of a schema.
            spend((RegularExpression.maximumSteps - steps) >> 4)
            return result
        } catch {
            spend(.max)
            return true
        }
    }
}

extension UnsafePointer<JSONObject.Element> {
    /// A pointer to the value of the member.
    ///
    /// The layout of a tuple is that of a structure: each element follows at the next offset that its alignment allows.
    @inline(__always)
    var value: UnsafePointer<JSONValue> {
        let alignment = MemoryLayout<JSONValue>.alignment
        let offset = (MemoryLayout<String>.size + alignment - 1) & ~(alignment - 1)
        return (UnsafeRawPointer(self) + offset).assumingMemoryBound(to: JSONValue.self)
    }
}

extension JSONValue {
    /// The number of members or elements of a value.
    var memberCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let object): object.count
        default: 0
        }
    }
}

extension JSONValue {
    /// The value at a step of a path, or `nil` if it does not exist.
    subscript(_ step: NormalizedPath.Step) -> JSONValue? {
        switch step {
        case .name(let name): self[name]
        case .index(let index): self[index]
        }
    }
}

/// A search for equal elements that takes linear time for any values.
enum Uniqueness {
    /// The maximum number of elements for which pairwise comparison is faster than hashing.
    private static let maximumPairwise = 8

    /// Returns the indices of the first duplicate element and the element that it repeats, or `nil` if there is none.
    static func repetition(in elements: [JSONValue]) -> (first: Int, second: Int)? {
        if elements.count <= maximumPairwise {
            for second in elements.indices {
                for first in 0..<second where elements[first] == elements[second] { return (first, second) }
            }
            return nil
        }
        var locations: [JSONValue: Int] = [:]
        locations.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            if let first = locations.updateValue(index, forKey: element) { return (first, index) }
        }
        return nil
    }
}

extension StringKeywords {
    /// Returns whether a string satisfies all keywords.
    func admit(_ text: String, _ state: inout EvaluationState) -> Bool {
        guard hasLength(text) else { return false }
        if let pattern, !state.matches(pattern, text) { return false }
        if let format, !format.holds(for: text) { return false }
        return true
    }
}
