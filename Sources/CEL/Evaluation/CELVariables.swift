/// A scope of given values.
public struct CELVariables: CELScope, Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: CELValue]

    /// Makes a scope.
    public init(_ values: [String: CELValue] = [:]) {
        self.values = values
    }

    /// Makes a scope; of several values of one name the last one counts.
    public init(dictionaryLiteral elements: (String, CELValue)...) {
        values = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    /// The names of the variables, in no particular order.
    public var names: [String] { Array(values.keys) }

    /// The value of a variable.
    public subscript(_ name: String) -> CELValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The value of a variable, or nil when there is none of that name.
    public func value(of name: String) -> CELValue? { values[name] }
}
