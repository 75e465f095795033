public import JSON
public import JSONPath
public import SuiteModel

extension ExpectationSet.JSON {
    /// What the path selects, as the matcher sees it: one match is that value, several are their list, none is nil.
    ///
    /// A matcher that only a list can satisfy, such as `each`, sees a list also when a path that can select several
    /// values happens to select one.
    ///
    /// - Throws: That the path takes too long or selects too much.
    public func subject(in body: JSONValue) throws(JSONPathLimitError) -> JSONValue? {
        if path.isSingular { return try path.firstValue(in: body) }
        let values = try path.values(in: body)
        guard let first = values.first else { return nil }
        if values.count > 1 { return .array(values) }
        if case .array = first { return first }
        return matcher.asksForList ? .array(values) : first
    }
}
