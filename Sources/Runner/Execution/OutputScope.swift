import CEL

/// What the assertions and captures of a call see: the outputs, then what the caller sees.
struct OutputScope<Caller: CELScope>: CELScope {
    let outputs: [(name: String, value: CELValue)]
    let caller: Caller

    func value(of name: String) throws(CELEvaluationError) -> CELValue? {
        if let output = outputs.last(where: { $0.name == name }) { return output.value }
        return try caller.value(of: name)
    }
}
