/// How deep variables use each other: each is evaluated in the middle of the evaluation of the one that uses it.
struct VariableDepths {
    /// So many variables may follow one another, when neither their expressions nor their values are nested.
    static let maximum = 250
    /// The levels of a variable that is nothing but the name of another.
    private static let levelsOfVariable = 2

    /// The levels of each variable that was looked at, those of what it uses included.
    private var levels: [Int: Int] = [:]
    /// Whether some variable is too deep, so that nothing that uses it may be evaluated.
    private(set) var isExceeded = false

    /// The levels of a variable; none when it was not looked at yet.
    func levels(of variable: Int) -> Int {
        levels[variable] ?? 0
    }

    /// Notes a variable whose uses have all been looked at.
    ///
    /// - Parameters:
    ///   - nesting: How deep its expressions and values are nested.
    ///   - deepest: The levels of the deepest variable that it uses.
    /// - Returns: Whether it is too deep while nothing that it uses is.
    mutating func note(_ variable: Int, nesting: Int, deepest: Int) -> Bool {
        let limit = Self.maximum * Self.levelsOfVariable
        // What one variable may nest is bounded where it is read, so that alone it is never too deep.
        let sum = deepest + min(Self.levelsOfVariable + nesting, limit)
        levels[variable] = sum
        guard sum > limit else { return false }
        isExceeded = true
        return deepest <= limit
    }

    /// Reports a variable that is too deep.
    static func report(_ variable: SuiteScope.VariableEntry, in context: LoadContext) {
        context.report(
            "too-deep", "the variable \"\(variable.name)\" uses others more than \(maximum) deep", variable.range,
            suggestion: "let fewer variables use one another; nested values and expressions count as well")
    }
}
