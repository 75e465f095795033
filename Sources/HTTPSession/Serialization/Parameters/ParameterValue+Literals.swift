extension ParameterValue: ExpressibleByNilLiteral {
    /// Creates ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension ParameterValue: ExpressibleByBooleanLiteral {
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ParameterValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension ParameterValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ParameterValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ParameterValue: ExpressibleByArrayLiteral {
    /// Creates a list, in the order written.
    public init(arrayLiteral elements: (any ParameterConvertible)?...) {
        self = .array(elements.map { $0?.parameterValue ?? .null })
    }
}

extension ParameterValue: ExpressibleByDictionaryLiteral {
    /// Creates values by name, in the order written; of equal names the last value counts.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        self = .dictionary(Parameters(elements.map { ($0.0, $0.1?.parameterValue ?? .null) }))
    }
}
