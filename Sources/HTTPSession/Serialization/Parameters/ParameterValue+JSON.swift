public import JSON

extension ParameterValue {
    /// Creates the value that a JSON value stands for; a number that is no `Int` becomes a `Double`.
    public init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            self = number.int64.flatMap { Int(exactly: $0) }.map { .int($0) } ?? .double(number.double)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { ParameterValue($0) })
        case .object(let object): self = .dictionary(Parameters(object))
        }
    }
}

extension JSONValue: ParameterConvertible {
    /// The value as a parameter.
    public var parameterValue: ParameterValue { ParameterValue(self) }
}

extension Parameters {
    /// Creates parameters of the members of a JSON object, in their order.
    public init(_ object: JSONObject) {
        self.init(object.map { ($0.key, ParameterValue($0.value)) })
    }
}
