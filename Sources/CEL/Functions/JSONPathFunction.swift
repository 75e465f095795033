import JSON
import JSONPath

/// What `jsonpath(value, path)` gives.
enum JSONPathFunction {
    /// The value of a singular path, which must be there; else the list of all values.
    static func evaluate(
        _ path: JSONPath, in value: CELValue, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        guard let json = try state.json(value) else { throw .noOverload }
        let values = try state.meter.values(path, in: json)
        guard path.isSingular else { return .list(CELList(values)) }
        guard let first = values.first else {
            var message = "nothing at \(path.source)"
            if let nearest = path.nearestExisting(in: json) {
                message += "; the nearest that exists is \(nearest.path)"
            }
            throw .message(message)
        }
        return CELValue(first)
    }
}
