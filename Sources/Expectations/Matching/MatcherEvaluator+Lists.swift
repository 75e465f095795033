import CEL
public import JSON
import RunModel
public import SuiteModel

/// Matching of repeated values with the same name, such as header fields.
extension MatcherEvaluator {
    /// Returns the mismatches of a list of values; nil for a matcher that applies to each value instead.
    ///
    /// If some alternatives of the matcher are lists and others are not, a single matching value is sufficient.
    ///
    /// - Parameter values: The values, which are created only for a matcher that applies to the list.
    public func mismatches(ofList values: @autoclosure () -> [JSONValue], _ matcher: Matcher) -> [Mismatch]? {
        guard seesList(matcher) else { return nil }
        let values = values()
        let found = mismatches(.array(values), matcher)
        guard !found.isEmpty, let matcher = matcherForOne(matcher) else { return found }
        let quiet = quiet
        return values.contains { quiet.matches($0, matcher) == nil } ? [] : found
    }

    /// Returns whether an operator requires a list or compares with one.
    private func seesList(_ matcher: Matcher) -> Bool {
        if matcher.asksForList { return true }
        return matcher.operations.contains { operation in
            switch operation.operator {
            case .equals(let operand), .like(let operand), .strictLike(let operand): isList(operand)
            case .oneOf(let operands): operands.contains { isList($0) }
            case let other: other.combined?.contains { seesList($0) } == true
            }
        }
    }

    /// Returns the matcher for a single value, without alternatives for the list; nil if another operator needs the
    /// list.
    private func matcherForOne(_ matcher: Matcher) -> Matcher? {
        var matcher = matcher
        for index in matcher.operations.indices {
            switch matcher.operations[index].operator {
            case .oneOf(let operands):
                matcher.operations[index].operator = .oneOf(operands.filter { !isList($0) })
            case .either(let matchers):
                matcher.operations[index].operator = .either(matchers.filter { !seesList($0) })
            default: break
            }
        }
        return seesList(matcher) ? nil : matcher
    }

    /// Returns whether an operand is a list. An operand that cannot be evaluated is reported where it is compared.
    private func isList(_ operand: ValueTemplate) -> Bool {
        switch operand {
        case .constant(.array), .array: return true
        case .template(.expression):
            if case .array? = try? operand.json(in: scope, context: context) { return true }
            return false
        case .constant, .template, .object: return false
        }
    }
}

extension MatcherEvaluator {
    /// The maximum number of further elements listed in a mismatch.
    private var listed: Int { 5 }

    /// Returns the length of a string in Unicode scalars, an array in elements, or an object in members; otherwise nil.
    func length(of value: JSONValue) -> Int? {
        switch value {
        case .string(let text): text.unicodeScalars.count
        case .array(let elements): elements.count
        case .object(let members): members.count
        case .null, .bool, .number: nil
        }
    }

    func length(
        _ value: JSONValue, _ matcher: Matcher, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        guard let length = length(of: value) else { return try unmet(value, operation, .value) }
        let count = JSONValue.number(JSONNumber(length))
        guard var mismatch = quiet.matches(count, matcher) else { return nil }
        guard mismatch.kind == .failure, explains else { return mismatch }
        mismatch.actual = count
        mismatch.expected = try soleValue(matcher)
        mismatch.type = operation.reason
        mismatch.message =
            "expected \(try clause(operation.operator, .value).text), got \(length): \(ValueDescription.plain(value))"
        return mismatch
    }

    /// Returns the operand of a matcher that consists of a single equality.
    private func soleValue(_ matcher: Matcher) throws(TemplateError) -> JSONValue? {
        guard matcher.operations.count == 1, case .equals(let template) = matcher.operations.first?.operator else {
            return nil
        }
        return try operand(template, matcher.domain)
    }

    /// Returns an evaluator for an element, with the location of the element in its paths.
    private func element(_ index: Int) -> MatcherEvaluator {
        var evaluator = self
        evaluator.root += "[\(index)]"
        return evaluator
    }

    /// Returns a line about a mismatching element: `element [2]: expected > 0, got -1 (integer)`.
    private func reason(_ index: Int, _ mismatches: [Mismatch]) -> String {
        "element [\(index)]: " + mismatches.map(\.message).joined(separator: "; ")
    }

    /// Returns the lines about a mismatching element, including the details of its operators.
    private func reasons(_ index: Int, _ mismatches: [Mismatch]) -> [String] {
        let details = mismatches.flatMap(\.details)
        var lines = [reason(index, mismatches)] + details.prefix(listed).map { "  \($0)" }
        if details.count > listed { lines.append("  … and \(details.count - listed) more") }
        return lines
    }

    func each(_ elements: [JSONValue], _ matcher: Matcher, _ operation: Matcher.Operation) -> Mismatch? {
        var result: Mismatch?
        var further = 0
        let quiet = quiet
        for (index, value) in elements.enumerated() {
            guard let verdict = quiet.matches(value, matcher) else { continue }
            if verdict.kind == .error || !explains { return verdict }
            guard result != nil else {
                let found = element(index).mismatches(value, matcher)
                guard var mismatch = found.first else { continue }
                mismatch.message = reason(index, found)
                mismatch.details = found.flatMap(\.details)
                mismatch.type = operation.reason
                result = mismatch
                continue
            }
            further += 1
            guard further <= listed else { continue }
            result?.details += reasons(index, element(index).mismatches(value, matcher))
        }
        if further > listed { result?.details.append("… and \(further - listed) more") }
        return result
    }

    /// Evaluates `any` and `includes`.
    func some(
        _ elements: [JSONValue], _ matcher: Matcher, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        let quiet = quiet
        for value in elements {
            guard let verdict = quiet.matches(value, matcher) else { return nil }
            if verdict.kind == .error { return verdict }
        }
        guard explains else { return silent(operation) }
        let got =
            switch elements.count {
            case 0: "the array is empty"
            case 1: "the only element \(try clause(matcher).verb == .be ? "is" : "does") not"
            default: "none of the \(elements.count) elements \(try clause(matcher).verdict)"
            }
        return Mismatch(
            type: operation.reason,
            message: "expected \(try clause(operation.operator, domain).text), but \(got)",
            actual: .array(elements), range: operation.range, details: nearest(elements, matcher))
    }

    /// The maximum number of elements examined to find the nearest matches.
    private var examined: Int { 100 }

    /// Returns lines about the elements that are nearest to a match, in order.
    private func nearest(_ elements: [JSONValue], _ matcher: Matcher) -> [String] {
        var candidates: [(index: Int, distance: Int, mismatches: [Mismatch])] = []
        for (index, value) in elements.prefix(examined).enumerated() {
            let found = element(index).mismatches(value, matcher)
            candidates.append((index, found.reduce(0) { $0 + max(1, $1.details.count) }, found))
        }
        candidates.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
        let shown = candidates.prefix(listed).sorted { $0.index < $1.index }
        let lines = shown.flatMap { reasons($0.index, $0.mismatches) }
        let rest = elements.count - shown.count
        return rest > 0 ? lines + ["… and \(rest) more"] : lines
    }

    /// Returns a note about an element that matches but must not: `element [1] is: 3 (integer)`.
    func verdict(on element: JSONValue, at index: Int, _ matcher: Matcher) throws(TemplateError) -> String {
        "element [\(index)] \(try clause(matcher).verdict): \(ValueDescription.typed(element))"
    }

    func none(
        _ elements: [JSONValue], _ matcher: Matcher, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        let quiet = quiet
        for (index, value) in elements.enumerated() {
            if let verdict = quiet.matches(value, matcher) {
                if verdict.kind == .error { return verdict }
                continue
            }
            guard explains else { return silent(operation) }
            let clause = try clause(operation.operator, .value)
            return Mismatch(
                type: operation.reason,
                message: "expected \(clause.text), but \(try verdict(on: value, at: index, matcher))",
                actual: value, range: operation.range)
        }
        return nil
    }

    func unique(
        _ elements: [JSONValue], _ expected: Bool, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        var first: [JSONValue: Int] = [:]
        first.reserveCapacity(elements.count)
        for (index, value) in elements.enumerated() {
            guard let previous = first.updateValue(index, forKey: value) else { continue }
            guard expected else { return nil }
            guard explains else { return silent(operation) }
            return Mismatch(
                type: operation.reason,
                message: "expected unique elements, but [\(previous)] and [\(index)] are both "
                    + ValueDescription.typed(value),
                actual: value, range: operation.range)
        }
        return expected ? nil : try unmet(.array(elements), operation, .value)
    }

    func sorted(
        _ elements: [JSONValue], _ direction: Matcher.Order, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        // Elements of a list are values: a string is never compared as the number that it represents. Untyped strings
        // that all represent numbers are compared as numbers.
        let numbers = subjectKind == .text ? elements.compactMap(number) : []
        let elements = numbers.isEmpty || numbers.count < elements.count ? elements : numbers.map { .number($0) }
        for (index, pair) in zip(elements, elements.dropFirst()).enumerated() {
            let order = Self.order(pair.0, pair.1)
            if let order, direction == .ascending ? order <= 0 : order >= 0 { continue }
            guard explains else { return silent(operation) }
            let locations: String
            if order == nil {
                locations =
                    "[\(index)] \(ValueDescription.typed(pair.0)) and [\(index + 1)] "
                    + "\(ValueDescription.typed(pair.1)) cannot be ordered"
            } else {
                locations =
                    "[\(index)] is \(ValueDescription.plain(pair.0)) and [\(index + 1)] is "
                    + ValueDescription.plain(pair.1)
            }
            return Mismatch(
                type: operation.reason,
                message: "expected \(try clause(operation.operator, .value).text), but \(locations)",
                range: operation.range)
        }
        return nil
    }
}
