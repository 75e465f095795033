import Basics
import JSON
import JSONPath
import RegularExpressions

/// The remaining budget of an evaluation.
struct Meter {
    private let budget: CELBudget
    private var steps: Int
    private var memory: Int

    /// The number of regular expression steps that count as one step of an expression.
    private static let patternSteps = 16

    init(_ budget: CELBudget) {
        self.budget = budget
        steps = budget.maximumSteps
        memory = budget.maximumMemory
    }

    /// Deducts operations.
    @inline(__always)
    mutating func step(_ count: Int = 1) throws(CELFailure) {
        steps -= count
        if steps < 0 { throw exceededSteps() }
    }

    /// Deducts the memory of a result, in bytes.
    mutating func allocate(_ bytes: Int) throws(CELFailure) {
        let (left, overflow) = memory.subtractingReportingOverflow(bytes)
        guard !overflow, left >= 0 else {
            memory = -1
            steps = -1
            throw .budget(
                "the expression needs more than \(Self.size(budget.maximumMemory)) for strings and lists;"
                    + " create fewer or shorter ones")
        }
        memory = left
    }

    /// Deducts the memory of list elements or map entries.
    mutating func allocate(elements: Int) throws(CELFailure) {
        let (bytes, overflow) = elements.multipliedReportingOverflow(by: MemoryLayout<CELValue>.stride)
        try allocate(overflow ? .max : bytes)
    }

    /// Returns whether a pattern matches a string, and deducts the work.
    mutating func matches(_ expression: RegularExpression, _ text: String) throws(CELFailure) -> Bool {
        let allowance = min(RegularExpression.maximumSteps, max(0, steps) * Self.patternSteps)
        var left = allowance
        let result: Bool
        do throws(RegularExpressionLimitError) {
            result = try expression.matches(text, steps: &left)
        } catch {
            throw allowance < RegularExpression.maximumSteps ? exceededSteps() : .budget(error.wording)
        }
        try step(1 + (allowance - left) / Self.patternSteps)
        return result
    }

    /// Returns the first match of a pattern at or after an offset, and deducts the work.
    mutating func firstMatch(
        _ expression: RegularExpression, _ text: String, from offset: Int
    ) throws(CELFailure) -> RegularExpression.Match? {
        let allowance = min(RegularExpression.maximumSteps, max(0, steps) * Self.patternSteps)
        var left = allowance
        let result: RegularExpression.Match?
        do throws(RegularExpressionLimitError) {
            result = try expression.firstMatch(in: text, from: offset, steps: &left)
        } catch {
            throw allowance < RegularExpression.maximumSteps ? exceededSteps() : .budget(error.wording)
        }
        try step(1 + (allowance - left) / Self.patternSteps)
        return result
    }

    /// Returns the values that a path selects, and deducts the work and the size of the list.
    mutating func values(_ path: JSONPath, in document: JSONValue) throws(CELFailure) -> [JSONValue] {
        try step()
        var left = steps
        let values: [JSONValue]
        do throws(JSONPathLimitError) {
            values = try path.values(in: document, steps: &left)
        } catch {
            throw left < 0 ? exceededSteps() : .budget(error.wording)
        }
        steps = left
        try allocate(elements: values.count)
        return values
    }

    private func exceededSteps() -> CELFailure {
        let count = budget.maximumSteps
        let shown = count > 0 && count.isMultiple(of: 1_000_000) ? "\(count / 1_000_000) million" : String(count)
        return .budget("the expression takes more than \(shown) steps; iterate over fewer elements")
    }

    private static func size(_ bytes: Int) -> String {
        bytes > 0 && bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
