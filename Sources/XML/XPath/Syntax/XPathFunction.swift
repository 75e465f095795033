/// The signature of a function of the core library (XPath 1.0 section 4).
struct XPathFunction: Sendable {
    /// The name of a function.
    enum Name: String, Sendable, CaseIterable {
        case boolean, ceiling, concat, contains, count, `false`, floor, id, lang, last, name, not, number, position
        case round, string, substring, sum, translate, `true`
        case localName = "local-name"
        case namespaceURI = "namespace-uri"
        case normalizeSpace = "normalize-space"
        case startsWith = "starts-with"
        case stringLength = "string-length"
        case substringAfter = "substring-after"
        case substringBefore = "substring-before"
    }

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

    /// The signature of the function of that name.
    static func of(_ name: Name) -> XPathFunction {
        switch name {
        case .last, .position: .init(0, 0, .number)
        case .count, .sum: .init(1, 1, .number, takesNodes: true)
        case .id: .init(1, 1, .nodes)
        case .localName, .namespaceURI, .name: .init(0, 1, .string, takesNodes: true)
        case .string, .normalizeSpace: .init(0, 1, .string)
        case .concat: .init(2, nil, .string)
        case .startsWith, .contains: .init(2, 2, .boolean)
        case .substringBefore, .substringAfter: .init(2, 2, .string)
        case .substring: .init(2, 3, .string)
        case .translate: .init(3, 3, .string)
        case .stringLength, .number: .init(0, 1, .number)
        case .boolean, .not, .lang: .init(1, 1, .boolean)
        case .true, .false: .init(0, 0, .boolean)
        case .floor, .ceiling, .round: .init(1, 1, .number)
        }
    }

    /// The names of the functions, in alphabetical order.
    static let names = Name.allCases.map(\.rawValue).sorted()

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
