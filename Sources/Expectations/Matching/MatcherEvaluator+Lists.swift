import Basics
import CEL
import JSON
import RunModel
import SuiteModel

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
        mismatch.wording =
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
        var evaluator = ofElements
        evaluator.root += "[\(index)]"
        return evaluator
    }

    /// Returns a line about a mismatching element: `element [2]: expected > 0, got -1 (integer)`.
    private func reason(_ index: Int, _ mismatches: [Mismatch]) -> MessageText {
        var message: MessageText = "element [\(index)]: "
        for (position, mismatch) in mismatches.enumerated() {
            message += position == 0 ? mismatch.wording : "; \(mismatch.wording)"
        }
        return message
    }

    /// Returns the lines about a mismatching element, including the details of its operators.
    private func reasons(_ index: Int, _ mismatches: [Mismatch]) -> [MessageText] {
        let details = mismatches.flatMap(\.details)
        var lines = [reason(index, mismatches)] + details.prefix(listed).map { "  \($0)" }
        if details.count > listed { lines.append("  … and \(details.count - listed) more") }
        return lines
    }

    func each(_ elements: [JSONValue], _ matcher: Matcher, _ operation: Matcher.Operation) -> Mismatch? {
        var result: Mismatch?
        var further = 0
        let quiet = ofElements.quiet
        for (index, value) in elements.enumerated() {
            guard let verdict = quiet.matches(value, matcher) else { continue }
            if verdict.kind == .error || !explains { return verdict }
            guard result != nil else {
                let found = element(index).mismatches(value, matcher)
                guard var mismatch = found.first else { continue }
                mismatch.wording = reason(index, found)
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
        let quiet = ofElements.quiet
        for value in elements {
            guard let verdict = quiet.matches(value, matcher) else { return nil }
            if verdict.kind == .error { return verdict }
        }
        guard explains else { return silent(operation) }
        let got: MessageText =
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
    private func nearest(_ elements: [JSONValue], _ matcher: Matcher) -> [MessageText] {
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
    func verdict(on element: JSONValue, at index: Int, _ matcher: Matcher) throws(TemplateError) -> MessageText {
        "element [\(index)] \(try clause(matcher).verdict): \(ValueDescription.typed(element))"
    }

    func none(
        _ elements: [JSONValue], _ matcher: Matcher, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        let quiet = ofElements.quiet
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
                message:
                    "expected unique elements, but [\(previous)] and [\(index)] are both \(ValueDescription.typed(value))",
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
