public import JSON
public import JSONPath
public import SuiteModel

extension ExpectationSet.JSON {
    /// What the path selects, as the matcher sees it: one match is that value, several are their list, none is nil.
    ///
    /// A matcher that only a list can satisfy, such as `each`, sees the list of what is selected also when a path that
    /// can select several values happens to select one, even one that is a list itself: what it means does not depend on
    /// how many there are.
    ///
    /// - Throws: That the path takes too long or selects too much.
    public func subject(in body: JSONValue) throws(JSONPathLimitError) -> JSONValue? {
        if path.isSingular { return try path.firstValue(in: body) }
        let values = try path.values(in: body)
        guard let first = values.first else { return nil }
        return values.count > 1 || matcher.asksForList ? .array(values) : first
    }

    /// What a failure says where the matcher saw the list of what is selected, and that is one list.
    func noteOnSoleList(_ subject: JSONValue?) -> String? {
        guard !path.isSingular, matcher.asksForList, case .array(let values)? = subject, values.count == 1,
            case .array? = values.first
        else { return nil }
        return "the path selects one value, which is a list; to look at its elements, write \(path.source)[*]"
    }
}
