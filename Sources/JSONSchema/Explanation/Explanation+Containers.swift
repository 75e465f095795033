import Basics
import JSON
import RegularExpressions

/// Explanations of the array keywords.
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
            let among: MessageText =
                switch elements.count {
                case 0: "the array is empty"
                case 1: "the only element does not"
                default: "none of the \(elements.count) elements does"
                }
            let message: MessageText =
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

    /// Returns a violation of a limit on the number of elements or members.
    @inline(never)
    func countViolation(
        _ node: NodeIndex, _ keyword: String, _ relation: MessageText, _ expected: Int, _ noun: String, _ count: Int
    ) -> JSONSchemaViolation {
        let wanted: MessageText =
            noun == "property" && expected != 1 ? "\(expected) properties" : ValueDescription.count(expected, noun)
        return violation(
            node, keyword, "expected \(relation) \(wanted), got \(count)",
            expected: .number(JSONNumber(expected)), actual: .number(JSONNumber(count)))
    }

    /// Explains the members or elements that no other keyword has evaluated.
    @inline(never)
    mutating func explainUnevaluated(
        _ index: NodeIndex, _ value: JSONValue, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        let node = program.nodes[Int(index)]
        switch value {
        case .array(let elements) where node.unevaluatedItems >= 0:
            let locations = elements.indices.filter { !evaluator.state.isMarked(marks, $0) }
            if locations.isEmpty { return true }
            if program.nodes[Int(node.unevaluatedItems)].isNever {
                let shown = locations.prefix(8).map(String.init)
                let more = locations.count > 8 ? ["…"] : []
                list.append(
                    violation(
                        index, "unevaluatedItems",
                        "unexpected \(locations.count == 1 ? "element" : "elements") at "
                            + "\((shown + more).joined(separator: ", ")): no part of the schema describes "
                            + "\(locations.count == 1 ? "it" : "them")"))
                return false
            }
            var holds = true
            for location in locations where !list.isFull {
                if !explain(
                    node.unevaluatedItems, at: "unevaluatedItems", step: .index(location), value: elements[location],
                    &list)
                {
                    holds = false
                }
            }
            return holds
        case .object(let object) where node.unevaluatedProperties >= 0:
            let locations = object.indices.filter { !evaluator.state.isMarked(marks, $0) }
            if locations.isEmpty { return true }
            if program.nodes[Int(node.unevaluatedProperties)].isNever {
                let names = locations.map { object[$0].key }
                list.append(
                    violation(
                        index, "unevaluatedProperties",
                        "unexpected \(names.count == 1 ? "property" : "properties") \(ValueDescription.names(names)): no part of the "
                            + "schema describes \(names.count == 1 ? "it" : "them")",
                        actual: .array(names.map(JSONValue.string))))
                return false
            }
            var holds = true
            for location in locations where !list.isFull {
                let member = object[location]
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

/// Explanations of the object keywords.
extension Explanation {
    mutating func explain(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ value: JSONValue, _ node: NodeIndex, _ marks: Int,
        _ list: inout ViolationList
    ) -> Bool {
        evaluator.state.spend(object.count)
        var holds = explainRequired(keywords, object, node, &list)
        if object.count < keywords.statedMinimumCount {
            holds = false
            list.append(
                countViolation(
                    node, "minProperties", "at least", keywords.statedMinimumCount, "property", object.count))
        }
        if object.count > keywords.maximumCount {
            holds = false
            list.append(
                countViolation(node, "maxProperties", "at most", keywords.maximumCount, "property", object.count))
        }
        if !explainMembers(keywords, object, node, marks, &list) { holds = false }
        for dependent in keywords.dependentNames where object.contains(dependent.name) {
            for name in dependent.names where !object.contains(name) {
                holds = false
                list.append(
                    violation(
                        node, dependent.keyword,
                        "missing property \(ValueDescription.quoted(name)), which property \(ValueDescription.quoted(dependent.name)) "
                            + "requires",
                        inside: [dependent.name], expected: .string(name)))
            }
        }
        for dependent in keywords.dependentSchemas where object.contains(dependent.name) {
            if !explain(dependent.node, at: dependent.keyword, dependent.name, value: value, marks, &list) {
                holds = false
            }
        }
        return holds
    }

    @inline(never)
    private func explainRequired(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ node: NodeIndex, _ list: inout ViolationList
    ) -> Bool {
        guard keywords.properties.requiredCount > 0 else { return true }
        var holds = true
        for property in keywords.properties.properties where property.isRequired && !object.contains(property.name) {
            holds = false
            if list.isFull { break }
            list.append(missingViolation(property.name, keywords, object, node))
        }
        return holds
    }

    @inline(never)
    private func missingViolation(
        _ name: String, _ keywords: ObjectKeywords, _ object: JSONObject, _ node: NodeIndex
    ) -> JSONSchemaViolation {
        // A member that the schema defines under its own name is not a misspelling.
        let known = Set(keywords.properties.properties.map { ExactText($0.name) })
        let strangers = object.keys.lazy.filter { !known.contains(ExactText($0)) }
        let hint: MessageText =
            Spelling.nearest(to: name, among: strangers).map { "; found \(ValueDescription.quoted($0))" } ?? ""
        return violation(
            node, "required", "missing property \(ValueDescription.quoted(name))\(hint)", expected: .string(name))
    }

    private mutating func explainMembers(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ node: NodeIndex, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        var holds = true
        var unexpected: [Int] = []
        var expected = 0
        // Unexpected members are reported before the violations inside other members.
        if keywords.additional == .forbidden {
            for index in 0..<object.count where !isDescribed(object[index].key, keywords, &expected) {
                unexpected.append(index)
            }
            if !unexpected.isEmpty {
                holds = false
                list.append(unexpectedViolation(unexpected.map { object[$0].key }, keywords, object, node))
            }
        }
        expected = 0
        for index in 0..<object.count {
            if list.isFull, marks < 0 { break }
            let member = object[index]
            var isEvaluated = false
            let property = keywords.properties.index(of: member.key, expected: &expected)
            if property >= 0, keywords.properties.properties[property].node >= 0 {
                isEvaluated = true
                let child = keywords.properties.properties[property].node
                if !explain(
                    child, at: "properties", member.key, step: .name(member.key), value: member.value, &list)
                {
                    holds = false
                }
            }
            for pattern in keywords.patterns where evaluator.state.matches(pattern.expression, member.key) {
                isEvaluated = true
                if !explain(
                    pattern.node, at: "patternProperties", pattern.expression.pattern, step: .name(member.key),
                    value: member.value, &list)
                {
                    holds = false
                }
            }
            if keywords.names >= 0, !explainName(member.key, keywords.names, node, &list) { holds = false }
            if !isEvaluated, case .schema(let child) = keywords.additional {
                isEvaluated = true
                if !explain(
                    child, at: "additionalProperties", step: .name(member.key), value: member.value, &list)
                {
                    holds = false
                }
            }
            // Forbidden members count as evaluated, because they are already reported.
            if marks >= 0, isEvaluated || keywords.additional == .forbidden { evaluator.state.mark(marks, index) }
        }
        return holds
    }

    private mutating func isDescribed(_ name: String, _ keywords: ObjectKeywords, _ expected: inout Int) -> Bool {
        let property = keywords.properties.index(of: name, expected: &expected)
        if property >= 0, keywords.properties.properties[property].node >= 0 { return true }
        for pattern in keywords.patterns where evaluator.state.matches(pattern.expression, name) { return true }
        return false
    }

    @inline(never)
    private func unexpectedViolation(
        _ names: [String], _ keywords: ObjectKeywords, _ object: JSONObject, _ node: NodeIndex
    ) -> JSONSchemaViolation {
        let free = keywords.properties.properties.filter { $0.node >= 0 && !object.contains($0.name) }.map(\.name)
        var message: MessageText =
            "unexpected \(names.count == 1 ? "property" : "properties") \(ValueDescription.names(names))"
        if names.count == 1, let near = Spelling.nearest(to: names[0], among: free) {
            message += "; did you mean \(ValueDescription.quoted(near))?"
        }
        return violation(
            node, "additionalProperties", message, expected: false, actual: .array(names.map(JSONValue.string)))
    }

    @inline(never)
    private mutating func explainName(
        _ name: String, _ names: NodeIndex, _ node: NodeIndex, _ list: inout ViolationList
    ) -> Bool {
        var causes = ViolationList(limit: violationLimit)
        if explain(names, at: "propertyNames", value: .string(name), -1, &causes) { return true }
        let reason: MessageText =
            program.nodes[Int(names)].isNever ? "" : causes.violations.first.map { ": \($0.wording)" } ?? ""
        list.append(
            violation(
                node, "propertyNames", "the property name \(ValueDescription.quoted(name)) is not allowed\(reason)",
                actual: .string(name), causes: causes.violations))
        return false
    }
}
