import Diagnostics

/// A walk from what is used at a place through the variables among it, and all that these use, each of them once.
///
/// The stack is explicit, as a chain of variables may be as long as a file.
struct VariableWalk {
    /// What comes next on the way.
    enum Event {
        /// A use, an index of ``LoadContext/uses``; and the use at the place itself that led there, when it is another one.
        case use(Int, root: Int?)
        /// The end of what a variable uses, with the levels of the deepest variable that was met in it.
        case end(of: Int, deepest: Int)
    }

    /// A variable, or what is looked at first, whose uses are being walked.
    private struct Frame {
        var variable: Int?
        var next: Int
        var end: Int
        /// The levels of the deepest variable that was met in it.
        var deepest = 0
    }

    /// How deep variables use each other; of those that change, at the place at hand.
    var depths = VariableDepths()
    private var stack: [Frame] = []
    /// The variables that were met at the place at hand: true while their uses are being walked.
    private var isOpen: [Int: Bool] = [:]

    /// Forgets which variables were met, at another place.
    mutating func beginPlace() {
        isOpen = [:]
    }

    /// Begins with some uses, those of a variable if one is given.
    ///
    /// - Returns: False for a variable that was met before at this place.
    mutating func begin(_ uses: Range<Int>, of variable: Int?) -> Bool {
        if let variable {
            if isOpen[variable] != nil { return false }
            isOpen[variable] = true
        }
        stack = [Frame(variable: variable, next: uses.lowerBound, end: uses.upperBound)]
        return true
    }

    /// What comes next; nil at the end.
    mutating func next() -> Event? {
        while let frame = stack.last {
            if frame.next == frame.end {
                stack.removeLast()
                guard let variable = frame.variable else { continue }
                isOpen[variable] = false
                return .end(of: variable, deepest: frame.deepest)
            }
            stack[stack.count - 1].next += 1
            return .use(frame.next, root: stack.count > 1 ? stack[0].next - 1 : nil)
        }
        return nil
    }

    /// Goes on with what a variable uses, unless that was walked before.
    ///
    /// - Returns: The variables on the way to it, when it uses itself.
    mutating func enter(_ variable: Int, _ uses: Range<Int>) -> [Int]? {
        switch isOpen[variable] {
        case nil:
            isOpen[variable] = true
            stack.append(Frame(variable: variable, next: uses.lowerBound, end: uses.upperBound))
        case true?:
            let open = stack.compactMap(\.variable)
            return open.firstIndex(of: variable).map { Array(open[$0...]) }
        case false?: pass(variable)
        }
        return nil
    }

    /// Notes that what is being walked uses a variable that was walked before.
    mutating func pass(_ variable: Int) {
        guard !stack.isEmpty else { return }
        stack[stack.count - 1].deepest = max(stack[stack.count - 1].deepest, depths.levels(of: variable))
    }
}

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
