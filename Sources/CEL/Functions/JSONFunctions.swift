import Basics
import JSON
import JSONPath

/// The functions `json.parse`, `json.stringify`, and `jsonpath`.
enum JSONFunctions {
    /// The maximum number of elements of a value for `json.stringify`.
    private static let maximumElements = 2_000_000

    static func register(in functions: inout CELFunctions) {
        functions.function("json.parse") { value, state throws(CELFailure) in
            let bytes: [UInt8]
            switch value {
            case .string(let text): bytes = Array(text.utf8)
            case .bytes(let data): bytes = data
            default: throw .noOverload
            }
            // As a value, a short element such as `1,` takes many times its size in bytes.
            try state.meter.allocate(bytes.count &* 4)
            try state.meter.step(bytes.count >> 3)
            do throws(JSONParseError) {
                return CELValue(try JSONValue(parsing: bytes))
            } catch {
                throw .message("the string is not valid JSON: \(error)")
            }
        }
        functions.function("json.stringify") { value, state throws(CELFailure) in
            var left = maximumElements
            let made = value.json(&left)
            try state.meter.step(maximumElements - max(0, left))
            guard let json = made else {
                throw .message(
                    left < 0
                        ? "the value has more than \(maximumElements) elements"
                        : "the value contains something that JSON cannot represent, such as NaN or a type")
            }
            let text = json.serialized()
            try state.meter.step(text.utf8.count >> 3)
            return try state.made(text)
        }
        functions.function("jsonpath") { value, path, state throws(CELFailure) in
            guard case .string(let source) = path else { throw .noOverload }
            try state.meter.step(source.utf8.count)
            let compiled: JSONPath
            do throws(JSONPathError) {
                compiled = try JSONPath(source)
            } catch {
                throw .message("invalid JSONPath: \(error.wording)")
            }
            return try JSONPathFunction.evaluate(compiled, in: value, &state)
        }
    }
}

/// The implementation of `jsonpath(value, path)`.
enum JSONPathFunction {
    /// Returns the value of a singular path, which must exist; for any other path, the list of all selected values.
    static func evaluate(
        _ path: JSONPath, in value: CELValue, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        guard let json = try state.json(value) else { throw .noOverload }
        let values = try state.meter.values(path, in: json)
        guard path.isSingular else { return .list(CELList(values)) }
        guard let first = values.first else {
            var message: MessageText = "no value at \(path.source)"
            if let nearest = path.nearestExisting(in: json) {
                message += "; the nearest existing path is \(nearest.path)"
            }
            throw .message(message)
        }
        return CELValue(first)
    }
}
