import JSON
import RegularExpressions

extension Evaluator {
    @inline(__always)
    mutating func check(_ keywords: ArrayKeywords, _ elements: [JSONValue], _ marks: Int) -> Bool {
        let count = elements.count
        if count < keywords.minimumCount || count > keywords.maximumCount { return false }
        state.spend(count)
        let holds = elements.withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return true }
            return checkElements(keywords, first, count)
        }
        guard holds else { return false }
        if marks >= 0 {
            if keywords.rest >= 0 {
                state.markAll(marks, count)
            } else {
                for index in 0..<min(count, keywords.prefix.count) { state.mark(marks, index) }
            }
        }
        if keywords.contains >= 0, !checkContains(keywords, elements, marks) { return false }
        return !keywords.isUnique || Uniqueness.repetition(in: elements) == nil
    }

    @inline(__always)
    private mutating func checkElements(_ keywords: ArrayKeywords, _ elements: ValuePointer, _ count: Int) -> Bool {
        let prefix = min(count, keywords.prefix.count)
        for index in 0..<prefix {
            guard isValid(keywords.prefix[index], elements + index, -1) else { return false }
        }
        let rest = keywords.rest
        if rest >= 0 {
            for index in prefix..<count {
                guard isValid(rest, elements + index, -1) else { return false }
            }
        }
        return true
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

    @inline(__always)
    mutating func check(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ value: ValuePointer, _ marks: Int
    ) -> Bool {
        let count = object.count
        if count < keywords.minimumCount || count > keywords.maximumCount { return false }
        state.spend(count)
        if keywords.readsAllMembers || !keywords.properties.isEmpty {
            guard object.withUnsafeMembers({ checkMembers(keywords, $0, marks) }) else { return false }
        }
        if keywords.dependentNames.isEmpty, keywords.dependentSchemas.isEmpty { return true }
        for dependent in keywords.dependentNames where object.contains(dependent.name) {
            for name in dependent.names where !object.contains(name) { return false }
        }
        for dependent in keywords.dependentSchemas where object.contains(dependent.name) {
            guard isValid(dependent.node, value, marks) else { return false }
        }
        return true
    }

    @inline(__always)
    private mutating func checkMembers(
        _ keywords: ObjectKeywords, _ members: UnsafeBufferPointer<JSONObject.Element>, _ marks: Int
    ) -> Bool {
        guard let first = members.baseAddress else { return keywords.properties.requiredCount == 0 }
        var required = 0
        var expected = 0
        for index in 0..<members.count {
            let value = (first + index).value
            let property = keywords.properties.index(of: members[index].key, expected: &expected)
            var isEvaluated = false
            if property >= 0 {
                let target = keywords.properties.targets[property]
                if target.isRequired { required += 1 }
                if target.node >= 0 {
                    guard isValid(target.node, value, -1) else { return false }
                    isEvaluated = true
                }
            }
            if keywords.readsAllMembers {
                if keywords.forbidsOthers {
                    if !isEvaluated { return false }
                } else {
                    guard checkMember(keywords, members[index].key, value, &isEvaluated) else { return false }
                }
            }
            if isEvaluated, marks >= 0 { state.mark(marks, index) }
        }
        return required == keywords.properties.requiredCount
    }

    /// Applies what concerns members whatever their names: patterns, `additionalProperties` and `propertyNames`.
    private mutating func checkMember(
        _ keywords: ObjectKeywords, _ name: String, _ value: ValuePointer, _ isEvaluated: inout Bool
    ) -> Bool {
        if !keywords.patterns.isEmpty {
            state.spend(keywords.patterns.count)
            for pattern in keywords.patterns where state.matches(pattern.expression, name) {
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
