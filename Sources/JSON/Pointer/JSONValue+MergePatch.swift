extension JSONValue {
    /// This value changed by a JSON Merge Patch (RFC 7396): objects are merged, null removes a member.
    public func mergePatched(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var result = JSONObject()
        if case .object(let object) = self {
            result.reserveCapacity(object.count)
            for (name, value) in object {
                guard let change = changes[name] else {
                    result.append(name, value)
                    continue
                }
                if !change.isNull { result.append(name, value.mergePatched(with: change)) }
            }
        }
        for (name, change) in changes where !change.isNull && !result.contains(name) {
            result.append(name, JSONValue.null.mergePatched(with: change))
        }
        return .object(result)
    }
}
