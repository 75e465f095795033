import Basics
import JSON

/// A second evaluation that collects the violations of an invalid value.
///
/// It follows the program like `Evaluator` but continues after a failure and records its path. Each schema is still
/// applied once for each path that leads to it: a branch is explained directly, without a trial evaluation first.
struct Explanation {
    let program: Program
    var evaluator: Evaluator
    private let limits: JSONSchemaLimits
    private var instancePath: [NormalizedPath.Step] = []
    private var schemaPath: [String] = []

    /// The maximum effective depth, which ensures that the recursion fits on the stack of a thread.
    private static let deepestNesting = 1_024

    init(_ program: Program, limits: JSONSchemaLimits) {
        self.program = program
        self.limits = limits
        // References, which the evaluator skips, take a level each here, and each level needs more of the stack.
        var own = limits
        own.maximumDepth = min(limits.maximumDepth, Explanation.deepestNesting / 2) * 2
        evaluator = Evaluator(program, limits: own)
    }

    /// Returns the violations of an invalid value.
    mutating func violations(of value: JSONValue, upTo count: Int) -> [JSONSchemaViolation] {
        var list = ViolationList(limit: count)
        let holds = explain(program.root, value, -1, &list)
        guard evaluator.state.exhaustion != nil || holds else { return list.violations }
        // The list contains only certain violations. A final violation reports that a limit stopped the evaluation.
        return list.violations + [limitViolation()]
    }

    private func limitViolation() -> JSONSchemaViolation {
        let message: MessageText =
            switch evaluator.state.exhaustion {
            case .steps: "the validation was stopped because it took more than \(limits.maximumSteps) steps"
            case .depth, nil:
                "the validation was stopped because it exceeded \(limits.maximumDepth) levels of nested schemas"
            }
        return JSONSchemaViolation(
            kind: .limit, instancePath: NormalizedPath(), schemaPath: JSONPointer(),
            schemaLocation: program.locations.location(
                of: program.root, resource: program.nodes[Int(program.root)].resource, []),
            keyword: "", message: message)
    }

    /// Applies a node to a value and records the violations.
    mutating func explain(
        _ index: NodeIndex, _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        evaluator.state.spend(1)
        defer { evaluator.state.leave() }
        guard evaluator.state.enter() else { return false }
        guard program.usesDynamicScope, evaluator.state.enterResource(program.nodes[Int(index)].resource) else {
            return explainKeywords(index, value, marks, &list)
        }
        defer { evaluator.state.leaveResource() }
        return explainKeywords(index, value, marks, &list)
    }

    private mutating func explainKeywords(
        _ index: NodeIndex, _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        let node = program.nodes[Int(index)]
        if node.isNever {
            list.append(neverViolation(index, value))
            return false
        }
        var holds = true
        if node.types.admits(value) {
            holds = explainValues(index, node, value, &list)
        } else {
            holds = false
            list.append(typeViolation(index, node.types, value))
        }
        let isTracked = node.unevaluatedItems >= 0 || node.unevaluatedProperties >= 0
        let count = value.memberCount
        let own = isTracked ? evaluator.state.pushMarks(count) : marks
        defer { if isTracked { evaluator.state.popMarks(own) } }
        switch value {
        case .number(let number):
            if node.number >= 0, !explain(program.numbers[Int(node.number)], number, index, &list) { holds = false }
        case .string(let text):
            if node.string >= 0, !explain(program.strings[Int(node.string)], text, index, &list) { holds = false }
        case .array(let elements):
            if node.array >= 0, !explain(program.arrays[Int(node.array)], elements, index, own, &list) { holds = false }
        case .object(let object):
            if node.object >= 0, !explain(program.objects[Int(node.object)], object, value, index, own, &list) {
                holds = false
            }
        case .null, .bool: break
        }
        if node.applicatorCount > 0, !explainApplicators(index, value, own, &list) { holds = false }
        guard isTracked, count > 0 else { return holds }
        if !explainUnevaluated(index, value, own, &list) { holds = false }
        let marksAll = if case .array = value { node.unevaluatedItems >= 0 } else { node.unevaluatedProperties >= 0 }
        if marks >= 0 {
            if marksAll {
                evaluator.state.markAll(marks, count)
            } else {
                evaluator.state.mergeMarks(from: own, into: marks, count)
            }
        }
        return holds
    }

    private func explainValues(
        _ index: NodeIndex, _ node: SchemaNode, _ value: JSONValue, _ list: inout ViolationList
    ) -> Bool {
        var holds = true
        for offset in 0..<Int(node.valueCount) {
            let set = program.values[Int(node.values) + offset]
            if set.contains(value) { continue }
            holds = false
            list.append(valueViolation(index, set, value))
        }
        return holds
    }

    // MARK: Paths

    /// Applies a node to the same value and extends the schema path.
    mutating func explain(
        _ node: NodeIndex, at tokens: String..., value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        schemaPath += tokens
        defer { schemaPath.removeLast(tokens.count) }
        return explain(node, value, marks, &list)
    }

    /// Applies a node to a member or an element and extends both paths.
    mutating func explain(
        _ node: NodeIndex, at tokens: String..., step: NormalizedPath.Step, value: JSONValue,
        _ list: inout ViolationList
    ) -> Bool {
        explain(node, way: tokens, step: step, value: value, &list)
    }

    /// Applies a node to a member or an element and extends both paths by an array of tokens.
    mutating func explain(
        _ node: NodeIndex, way tokens: [String], step: NormalizedPath.Step, value: JSONValue,
        _ list: inout ViolationList
    ) -> Bool {
        schemaPath += tokens
        instancePath.append(step)
        defer {
            schemaPath.removeLast(tokens.count)
            instancePath.removeLast()
        }
        return explain(node, value, -1, &list)
    }

    /// Creates a violation of a member of the current value.
    mutating func atMember(_ name: String, _ make: (Explanation) -> JSONSchemaViolation) -> JSONSchemaViolation {
        instancePath.append(.name(name))
        defer { instancePath.removeLast() }
        return make(self)
    }

    /// The nesting depth of the current value in the whole value.
    var instanceDepth: Int { instancePath.count }

    /// The name or index of the current value in its parent.
    var lastStep: NormalizedPath.Step? { instancePath.last }

    /// The maximum number of violations to keep.
    var violationLimit: Int { limits.maximumViolations }

    /// Returns a violation of a keyword at the current location.
    @inline(never)
    func violation(
        _ node: NodeIndex, _ keyword: String, _ message: MessageText, inside tokens: [String] = [],
        expected: JSONValue? = nil, actual: JSONValue? = nil, causes: [JSONSchemaViolation] = []
    ) -> JSONSchemaViolation {
        JSONSchemaViolation(
            instancePath: NormalizedPath(instancePath),
            schemaPath: JSONPointer(tokens: schemaPath + [keyword] + tokens),
            schemaLocation: program.locations.location(
                of: node, resource: program.nodes[Int(node)].resource, [keyword] + tokens),
            keyword: keyword, message: message, expected: expected.flatMap({ ValueDescription.kept($0, room: 500) }),
            actual: actual.flatMap({ ValueDescription.kept($0, room: 500) }), causes: causes)
    }

    @inline(never)
    private func neverViolation(_ node: NodeIndex, _ value: JSONValue) -> JSONSchemaViolation {
        let message: MessageText =
            switch lastStep {
            case .name(let name) where program.nodes[Int(node)].isWriteOnly:
                "property \(ValueDescription.quoted(name)) is writeOnly, so a response must not contain it"
            case .name(let name):
                "property \(ValueDescription.quoted(name)) is not allowed here, got \(ValueDescription.typed(value))"
            case .index(let index): "an element is not allowed at index \(index), got \(ValueDescription.typed(value))"
            case nil: "no value is allowed, got \(ValueDescription.typed(value))"
            }
        return JSONSchemaViolation(
            instancePath: NormalizedPath(instancePath), schemaPath: JSONPointer(tokens: schemaPath),
            schemaLocation: program.locations.location(
                of: node, resource: program.nodes[Int(node)].resource, []),
            keyword: "false", message: message, actual: ValueDescription.kept(value, room: 500))
    }
}

/// A failed branch of `anyOf` or `oneOf`. A smaller branch is a better match.
struct FailedBranch: Comparable {
    let index: Int
    let violations: [JSONSchemaViolation]
    /// The nesting depth of the value that the branch was applied to.
    private let depth: Int
    /// Whether the branch requires a different type.
    private let hasOtherType: Bool
    /// Whether a `const` or `enum` of the value or one of its members indicates a different branch.
    private let hasOtherMark: Bool
    /// The nesting depth of the deepest violation.
    private let reach: Int

    init(index: Int, violations: [JSONSchemaViolation], depth: Int) {
        self.index = index
        self.violations = violations
        self.depth = depth
        hasOtherType = violations.contains { FailedBranch.isTypeMismatch($0, depth) }
        hasOtherMark = violations.contains {
            ($0.keyword == "const" || $0.keyword == "enum") && $0.instancePath.steps.count <= depth + 1
        }
        reach = violations.reduce(depth) { max($0, FailedBranch.reach(of: $1)) }
    }

    static func < (left: FailedBranch, right: FailedBranch) -> Bool {
        if left.hasOtherType != right.hasOtherType { return right.hasOtherType }
        if left.hasOtherMark != right.hasOtherMark { return right.hasOtherMark }
        if left.reach != right.reach { return left.reach > right.reach }
        if left.violations.count != right.violations.count { return left.violations.count < right.violations.count }
        return left.index < right.index
    }

    static func == (left: FailedBranch, right: FailedBranch) -> Bool { left.index == right.index }

    private static func isTypeMismatch(_ violation: JSONSchemaViolation, _ depth: Int) -> Bool {
        guard violation.instancePath.steps.count == depth else { return false }
        switch violation.keyword {
        case "type", "false": return true
        case "anyOf", "oneOf":
            return !violation.causes.isEmpty && violation.causes.allSatisfy { isTypeMismatch($0, depth) }
        default: return false
        }
    }

    private static func reach(of violation: JSONSchemaViolation) -> Int {
        var reach = violation.instancePath.steps.count
        // The causes are sorted by branch, best match first, so the first one is representative.
        if let first = violation.causes.first { reach = max(reach, FailedBranch.reach(of: first)) }
        return reach
    }

    /// Returns the types that the branches require, if a type mismatch is the only violation of each branch.
    static func commonTypes(_ branches: [FailedBranch]) -> [String]? {
        var types: [String] = []
        for branch in branches.sorted(by: { $0.index < $1.index }) {
            guard branch.violations.count == 1, let only = branch.violations.first, only.keyword == "type",
                only.instancePath.steps.count == branch.depth
            else { return nil }
            let names = only.expected?.arrayValue?.compactMap(\.stringValue) ?? only.expected?.stringValue.map { [$0] }
            for name in names ?? [] where !types.contains(name) { types.append(name) }
        }
        return types.isEmpty ? nil : types
    }

    /// Returns the values that the branches require, if each branch only rejects the same value.
    static func commonValues(_ branches: [FailedBranch]) -> [JSONValue]? {
        var values: [JSONValue] = []
        let path = branches.first?.violations.first?.instancePath
        for branch in branches.sorted(by: { $0.index < $1.index }) {
            guard branch.violations.count == 1, let only = branch.violations.first, only.instancePath == path,
                let expected = only.expected
            else { return nil }
            switch (only.keyword, expected) {
            case ("const", _): values.append(expected)
            case ("enum", .array(let list)): values += list
            default: return nil
            }
        }
        return values.isEmpty ? nil : values
    }
}
