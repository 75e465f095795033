public import JSON
import JSONPath
public import SuiteModel

extension ExpectationSet.JSON {
    /// What the path selects, as the matcher sees it: one match is that value, several are their list, none is nil.
    ///
    /// A matcher that only a list can satisfy, such as `each`, sees a list also when a path that can select several
    /// values happens to select one.
    public func subject(in body: JSONValue) -> JSONValue? {
        if path.isSingular { return path.firstValue(in: body) }
        let values = path.values(in: body)
        guard let first = values.first else { return nil }
        if values.count > 1 { return .array(values) }
        if case .array = first { return first }
        return matcher.asksForList ? .array(values) : first
    }
}
