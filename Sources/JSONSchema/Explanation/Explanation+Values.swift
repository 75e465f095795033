import Basics
import JSON
import RegularExpressions

/// Explanations of types, `enum`, `const`, and the keywords of numbers and strings.
extension Explanation {
    @inline(never)
    func typeViolation(_ node: NodeIndex, _ types: TypeSet, _ value: JSONValue) -> JSONSchemaViolation {
        let names = types.names
        var got = ValueDescription.typed(value)
        if case .number(let number) = value, types.contains(.writtenInteger), number.isInteger {
            got =
                "\(ValueDescription.plain(value)), which has a fraction or an exponent and is therefore not an integer in draft 4"
        }
        return violation(
            node, "type", "expected \(ValueDescription.list(types.words)), got \(got)",
            expected: names.count == 1 ? names.first.map(JSONValue.string) : .array(names.map(JSONValue.string)),
            actual: value)
    }

    @inline(never)
    func valueViolation(_ node: NodeIndex, _ set: ValueSet, _ value: JSONValue) -> JSONSchemaViolation {
        let keyword = set.keyword.rawValue
        let got = ValueDescription.typed(value)
        if set.values.count == 1, let only = set.values.first {
            let expected = set.keyword == .const ? only : .array([only])
            return violation(
                node, keyword, "expected \(ValueDescription.typed(only)), got \(got)", expected: expected, actual: value
            )
        }
        let shown = set.values.prefix(12).map { ValueDescription.plain($0, limit: 40) }
        var wanted: MessageText = "one of \(shown.joined(separator: ", "))"
        if set.values.count > shown.count { wanted += ", … (\(set.values.count) in all)" }
        if set.values.isEmpty { wanted = "one of no values" }
        var hint: MessageText = ""
        if case .string(let text) = value,
            let near = Spelling.nearest(to: text, among: set.values.lazy.compactMap(\.stringValue))
        {
            hint = "; closest is \(ValueDescription.quoted(near))"
        }
        return violation(
            node, keyword, "expected \(wanted), got \(got)\(hint)", expected: .array(set.values), actual: value)
    }

    @inline(never)
    func explain(
        _ keywords: NumberKeywords, _ number: JSONNumber, _ node: NodeIndex, _ list: inout ViolationList
    ) -> Bool {
        var holds = true
        let near = number.double
        for bound in keywords.bounds where !bound.holds(for: number, near: near) {
            holds = false
            let wanted: MessageText =
                switch bound.relation {
                case .atLeast: "at least"
                case .moreThan: "more than"
                case .atMost: "at most"
                case .lessThan: "less than"
                }
            list.append(
                violation(
                    node, bound.keyword,
                    "expected \(wanted) \(ValueDescription.plain(.number(bound.limit))), got \(ValueDescription.plain(.number(number)))",
                    expected: .number(bound.limit), actual: .number(number)))
        }
        if let divisor = keywords.divisor, !divisor.divides(number) {
            holds = false
            list.append(
                violation(
                    node, "multipleOf",
                    "expected a multiple of \(ValueDescription.plain(.number(divisor.number))), got "
                        + "\(ValueDescription.plain(.number(number)))",
                    expected: .number(divisor.number), actual: .number(number)))
        }
        return holds
    }

    @inline(never)
    mutating func explain(
        _ keywords: StringKeywords, _ text: String, _ node: NodeIndex, _ list: inout ViolationList
    ) -> Bool {
        evaluator.state.spend(text.utf8.count >> 6)
        var holds = true
        let value = JSONValue.string(text)
        let length = StringKeywords.length(of: text)
        if length < keywords.minimumLength {
            holds = false
            list.append(
                violation(
                    node, "minLength",
                    "expected at least \(ValueDescription.count(keywords.minimumLength, "character")), got \(length): "
                        + "\(ValueDescription.plain(value))",
                    expected: .number(JSONNumber(keywords.minimumLength)), actual: value))
        }
        if length > keywords.maximumLength {
            holds = false
            list.append(
                violation(
                    node, "maxLength",
                    "expected at most \(ValueDescription.count(keywords.maximumLength, "character")), got \(length): "
                        + "\(ValueDescription.plain(value))",
                    expected: .number(JSONNumber(keywords.maximumLength)), actual: value))
        }
        if let pattern = keywords.pattern, !evaluator.state.matches(pattern, text) {
            holds = false
            list.append(
                violation(
                    node, "pattern",
                    "expected a string that matches /\(pattern.pattern)/, got \(ValueDescription.typed(value))",
                    expected: .string(pattern.pattern), actual: value))
        }
        if let format = keywords.format, !format.holds(for: text) {
            holds = false
            list.append(
                violation(
                    node, "format",
                    "expected \(MessageText(words: format.phrase)), got \(ValueDescription.typed(value))",
                    expected: .string(format.rawValue), actual: value))
        }
        return holds
    }
}
