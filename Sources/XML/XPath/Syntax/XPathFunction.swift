/// What a function of the core library takes and gives (XPath 1.0 section 4).
struct XPathFunction: Sendable {
    /// The fewest arguments.
    let minimum: Int
    /// The most arguments; nil for any number.
    let maximum: Int?
    /// Whether the first argument must be nodes.
    let takesNodes: Bool
    /// The type of its value.
    let result: XPathType

    private init(_ minimum: Int, _ maximum: Int?, _ result: XPathType, takesNodes: Bool = false) {
        self.minimum = minimum
        self.maximum = maximum
        self.takesNodes = takesNodes
        self.result = result
    }

    /// The functions by name.
    static let all: [String: XPathFunction] = [
        "last": .init(0, 0, .number), "position": .init(0, 0, .number),
        "count": .init(1, 1, .number, takesNodes: true), "id": .init(1, 1, .nodes),
        "local-name": .init(0, 1, .string, takesNodes: true),
        "namespace-uri": .init(0, 1, .string, takesNodes: true), "name": .init(0, 1, .string, takesNodes: true),
        "string": .init(0, 1, .string), "concat": .init(2, nil, .string), "starts-with": .init(2, 2, .boolean),
        "contains": .init(2, 2, .boolean), "substring-before": .init(2, 2, .string),
        "substring-after": .init(2, 2, .string), "substring": .init(2, 3, .string),
        "string-length": .init(0, 1, .number), "normalize-space": .init(0, 1, .string),
        "translate": .init(3, 3, .string), "boolean": .init(1, 1, .boolean), "not": .init(1, 1, .boolean),
        "true": .init(0, 0, .boolean), "false": .init(0, 0, .boolean), "lang": .init(1, 1, .boolean),
        "number": .init(0, 1, .number), "sum": .init(1, 1, .number, takesNodes: true),
        "floor": .init(1, 1, .number), "ceiling": .init(1, 1, .number), "round": .init(1, 1, .number),
    ]

    /// The names of the functions, in alphabetical order.
    static let names = all.keys.sorted()

    /// What to write in place of functions that only later versions of XPath have.
    static let substitutes = [
        "exists": "boolean(…)", "empty": "not(…)", "lower-case": "translate(…)", "upper-case": "translate(…)",
        "replace": "translate(…)", "string-join": "concat(…)",
        "ends-with": "the operator endsWith", "matches": "the operator matches",
    ]

    /// The numbers of arguments in words: `no argument`, `1 argument`, `2 or 3 arguments`, `at least 2 arguments`.
    var arity: String {
        switch (minimum, maximum) {
        case (0, 0?): "no argument"
        case (1, 1?): "1 argument"
        case (0, 1?): "at most 1 argument"
        case (let low, let high?) where low == high: "\(low) arguments"
        case (let low, let high?): "\(low) or \(high) arguments"
        case (let low, nil): "at least \(low) arguments"
        }
    }
}
