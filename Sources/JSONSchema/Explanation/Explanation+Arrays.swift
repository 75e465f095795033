import JSON

/// The keywords of arrays.
extension Explanation {
    mutating func explain(
        _ keywords: ArrayKeywords, _ elements: [JSONValue], _ node: NodeIndex, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        let count = elements.count
        evaluator.state.spend(count)
        var holds = true
        if count < keywords.minimumCount {
            holds = false
            list.append(countViolation(node, "minItems", "at least", keywords.minimumCount, "element", count))
        }
        if count > keywords.maximumCount {
            holds = false
            list.append(countViolation(node, "maxItems", "at most", keywords.maximumCount, "element", count))
        }
        if !explainElements(keywords, elements, node, &list) { holds = false }
        if marks >= 0 {
            if keywords.rest >= 0 {
                evaluator.state.markAll(marks, count)
            } else {
                for index in 0..<min(count, keywords.prefix.count) { evaluator.state.mark(marks, index) }
            }
        }
        if keywords.contains >= 0, !explainContains(keywords, elements, node, marks, &list) { holds = false }
        if keywords.isUnique, let repetition = Uniqueness.repetition(in: elements) {
            holds = false
            list.append(
                violation(
                    node, "uniqueItems",
                    "expected unique elements, but those at \(repetition.first) and \(repetition.second) are equal: "
                        + ValueDescription.typed(elements[repetition.second]),
                    actual: elements[repetition.second]))
        }
        return holds
    }

    private mutating func explainElements(
        _ keywords: ArrayKeywords, _ elements: [JSONValue], _ node: NodeIndex, _ list: inout ViolationList
    ) -> Bool {
        var holds = true
        let prefix = min(elements.count, keywords.prefix.count)
        for index in 0..<prefix where !list.isFull {
            let element = elements[index]
            if !explain(
                keywords.prefix[index], at: keywords.prefixKeyword, String(index), step: .index(index), value: element,
                &list)
            {
                holds = false
            }
        }
        guard keywords.rest >= 0, elements.count > prefix else { return holds }
        if program.nodes[Int(keywords.rest)].isNever {
            list.append(
                countViolation(node, keywords.restKeyword, "at most", prefix, "element", elements.count))
            return false
        }
        for index in prefix..<elements.count where !list.isFull {
            if !explain(keywords.rest, at: keywords.restKeyword, step: .index(index), value: elements[index], &list) {
                holds = false
            }
        }
        return holds
    }

    @inline(never)
    private mutating func explainContains(
        _ keywords: ArrayKeywords, _ elements: [JSONValue], _ node: NodeIndex, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        var found = 0
        for index in elements.indices where evaluator.isValid(keywords.contains, elements[index], -1) {
            found += 1
            if marks >= 0, keywords.containsEvaluates { evaluator.state.mark(marks, index) }
        }
        if found < keywords.minimumContained {
            let among =
                elements.isEmpty
                ? "the array is empty" : "of \(ValueDescription.count(elements.count, "element")) none does"
            let message =
                keywords.minimumContained == 1
                ? "expected an element that matches the schema of \"contains\", but \(among)"
                : "expected at least \(ValueDescription.count(keywords.minimumContained, "element")) that match the schema of "
                    + "\"contains\", got \(found) of \(elements.count)"
            let keyword = keywords.minimumContained == 1 ? "contains" : "minContains"
            list.append(
                violation(
                    node, keyword, message, expected: .number(JSONNumber(keywords.minimumContained)),
                    actual: .number(JSONNumber(found))))
            return false
        }
        if found > keywords.maximumContained {
            list.append(
                violation(
                    node, "maxContains",
                    "expected at most \(ValueDescription.count(keywords.maximumContained, "element")) that match the schema of "
                        + "\"contains\", got \(found) of \(elements.count)",
                    expected: .number(JSONNumber(keywords.maximumContained)), actual: .number(JSONNumber(found))))
            return false
        }
        return true
    }

    @inline(never)
    func countViolation(
        _ node: NodeIndex, _ keyword: String, _ relation: String, _ expected: Int, _ noun: String, _ count: Int
    ) -> JSONSchemaViolation {
        violation(
            node, keyword, "expected \(relation) \(ValueDescription.count(expected, noun)), got \(count)",
            expected: .number(JSONNumber(expected)), actual: .number(JSONNumber(count)))
    }

    /// What no other keyword has evaluated.
    @inline(never)
    mutating func explainUnevaluated(
        _ index: NodeIndex, _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        let node = program.nodes[Int(index)]
        switch value {
        case .array(let elements) where node.unevaluatedItems >= 0:
            let places = elements.indices.filter { !evaluator.state.isMarked(marks, $0) }
            if places.isEmpty { return true }
            if program.nodes[Int(node.unevaluatedItems)].isNever {
                let shown = places.prefix(8).map(String.init)
                let more = places.count > 8 ? ["…"] : []
                list.append(
                    violation(
                        index, "unevaluatedItems",
                        "unexpected \(places.count == 1 ? "element" : "elements") at "
                            + "\((shown + more).joined(separator: ", ")): no part of the schema describes "
                            + "\(places.count == 1 ? "it" : "them")"))
                return false
            }
            var holds = true
            for place in places where !list.isFull {
                if !explain(
                    node.unevaluatedItems, at: "unevaluatedItems", step: .index(place), value: elements[place], &list)
                {
                    holds = false
                }
            }
            return holds
        case .object(let object) where node.unevaluatedProperties >= 0:
            let places = object.indices.filter { !evaluator.state.isMarked(marks, $0) }
            if places.isEmpty { return true }
            if program.nodes[Int(node.unevaluatedProperties)].isNever {
                let names = places.map { object[$0].key }
                list.append(
                    violation(
                        index, "unevaluatedProperties",
                        "unexpected \(names.count == 1 ? "member" : "members") \(ValueDescription.names(names)): no part of the "
                            + "schema describes \(names.count == 1 ? "it" : "them")",
                        actual: .array(names.map(JSONValue.string))))
                return false
            }
            var holds = true
            for place in places where !list.isFull {
                let member = object[place]
                if !explain(
                    node.unevaluatedProperties, at: "unevaluatedProperties", step: .name(member.key),
                    value: member.value, &list)
                {
                    holds = false
                }
            }
            return holds
        default: return true
        }
    }
}
