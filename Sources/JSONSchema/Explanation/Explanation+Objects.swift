import JSON
import RegularExpressions

/// The keywords of objects.
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
                    node, "minProperties", "at least", keywords.statedMinimumCount, "member", object.count))
        }
        if object.count > keywords.maximumCount {
            holds = false
            list.append(
                countViolation(node, "maxProperties", "at most", keywords.maximumCount, "member", object.count))
        }
        if !explainMembers(keywords, object, node, marks, &list) { holds = false }
        for dependent in keywords.dependentNames where object.contains(dependent.name) {
            for name in dependent.names where !object.contains(name) {
                holds = false
                list.append(
                    violation(
                        node, dependent.keyword,
                        "missing member \(ValueDescription.quoted(name)), which member \(ValueDescription.quoted(dependent.name)) "
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
        // A member that the schema knows under its own name is no slip of the pen.
        let known = Set(keywords.properties.properties.map { ExactString($0.name) })
        let strangers = object.keys.lazy.filter { !known.contains(ExactString($0)) }
        let hint =
            Similarity.nearest(to: name, among: strangers).map { "; there is \(ValueDescription.quoted($0))" } ?? ""
        return violation(
            node, "required", "missing member \(ValueDescription.quoted(name))\(hint)", expected: .string(name))
    }

    private mutating func explainMembers(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ node: NodeIndex, _ marks: Int, _ list: inout ViolationList
    ) -> Bool {
        var holds = true
        var unexpected: [Int] = []
        var expected = 0
        // Unexpected members are told before what is wrong inside of the others.
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
            // Forbidden members count as seen: they have been told of.
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
        var message = "unexpected \(names.count == 1 ? "member" : "members") \(ValueDescription.names(names))"
        if names.count == 1, let near = Similarity.nearest(to: names[0], among: free) {
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
        let reason =
            program.nodes[Int(names)].isNever ? "" : causes.violations.first.map { ": \($0.message)" } ?? ""
        list.append(
            violation(
                node, "propertyNames", "the member name \(ValueDescription.quoted(name)) is not allowed\(reason)",
                actual: .string(name), causes: causes.violations))
        return false
    }
}
