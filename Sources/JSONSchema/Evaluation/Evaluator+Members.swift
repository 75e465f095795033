import JSON
import RegularExpressions

extension Evaluator {
    @inline(never)
    mutating func check(_ keywords: ArrayKeywords, _ elements: [JSONValue], _ marks: Int) -> Bool {
        let count = elements.count
        if count < keywords.minimumCount || count > keywords.maximumCount { return false }
        state.spend(count)
        let prefix = min(count, keywords.prefix.count)
        for index in 0..<prefix {
            guard isValid(keywords.prefix[index], elements[index], -1) else { return false }
        }
        if keywords.rest >= 0 {
            for index in prefix..<count {
                guard isValid(keywords.rest, elements[index], -1) else { return false }
            }
            if marks >= 0 { state.markAll(marks, count) }
        } else if marks >= 0 {
            for index in 0..<prefix { state.mark(marks, index) }
        }
        if keywords.contains >= 0, !checkContains(keywords, elements, marks) { return false }
        return !keywords.isUnique || Uniqueness.repetition(in: elements) == nil
    }

    private mutating func checkContains(_ keywords: ArrayKeywords, _ elements: [JSONValue], _ marks: Int) -> Bool {
        let marksElements = marks >= 0 && keywords.containsEvaluates
        var found = 0
        for index in elements.indices where isValid(keywords.contains, elements[index], -1) {
            found += 1
            if found > keywords.maximumContained { return false }
            if marksElements {
                state.mark(marks, index)
            } else if found >= keywords.minimumContained, keywords.maximumContained == .max {
                return true
            }
        }
        return found >= keywords.minimumContained
    }

    @inline(never)
    mutating func check(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ marks: Int, _ value: JSONValue
    ) -> Bool {
        let count = object.count
        if count < keywords.minimumCount || count > keywords.maximumCount { return false }
        state.spend(count)
        if keywords.readsAllMembers || !keywords.properties.isEmpty {
            guard checkMembers(keywords, object, marks) else { return false }
        }
        for dependent in keywords.dependentNames where object.contains(dependent.name) {
            for name in dependent.names where !object.contains(name) { return false }
        }
        for dependent in keywords.dependentSchemas where object.contains(dependent.name) {
            guard isValid(dependent.node, value, marks) else { return false }
        }
        return true
    }

    @inline(__always)
    private mutating func checkMembers(_ keywords: ObjectKeywords, _ object: JSONObject, _ marks: Int) -> Bool {
        var required = 0
        var expected = 0
        for index in 0..<object.count {
            let member = object[index]
            let property = keywords.properties.index(of: member.key, expected: &expected)
            var isEvaluated = false
            if property >= 0 {
                if keywords.properties.properties[property].isRequired { required += 1 }
                let node = keywords.properties.properties[property].node
                if node >= 0 {
                    guard isValid(node, member.value, -1) else { return false }
                    isEvaluated = true
                }
            }
            if keywords.readsAllMembers {
                guard checkMember(keywords, member.key, member.value, &isEvaluated) else { return false }
            }
            if isEvaluated, marks >= 0 { state.mark(marks, index) }
        }
        return required == keywords.properties.requiredCount
    }

    /// Applies what concerns members whatever their names: patterns, `additionalProperties` and `propertyNames`.
    @inline(__always)
    private mutating func checkMember(
        _ keywords: ObjectKeywords, _ name: String, _ value: JSONValue, _ isEvaluated: inout Bool
    ) -> Bool {
        if !keywords.patterns.isEmpty {
            state.spend(keywords.patterns.count)
            for pattern in keywords.patterns where pattern.expression.matches(name) {
                guard isValid(pattern.node, value, -1) else { return false }
                isEvaluated = true
            }
        }
        if keywords.names >= 0, !isValid(keywords.names, .string(name), -1) { return false }
        if isEvaluated { return true }
        switch keywords.additional {
        case .allowed: return true
        case .forbidden: return false
        case .schema(let node):
            isEvaluated = true
            return isValid(node, value, -1)
        }
    }
}
