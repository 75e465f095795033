extension JSONValue {
    /// This value changed by a JSON Merge Patch (RFC 7396): objects are merged, null removes a member.
    public func mergePatched(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var result = JSONObject()
        if case .object(let object) = self { result = object }
        for (name, change) in changes {
            if change.isNull {
                result[name] = nil
            } else {
                result[name] = (result[name] ?? .null).mergePatched(with: change)
            }
        }
        return .object(result)
    }
}
