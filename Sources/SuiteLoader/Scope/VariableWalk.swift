import Basics
import Diagnostics

/// A depth-first traversal of the variables that uses refer to, directly and indirectly, each visited once.
///
/// The stack is explicit, because a chain of variables may be as long as a file.
struct VariableWalk {
    /// A step of the traversal.
    enum Event {
        /// A use, as an index of ``LoadContext/uses``, and the original use that led to it, if it is a different one.
        case use(Int, root: Int?)
        /// The end of the uses of a variable, with the maximum depth of the variables among them.
        case end(of: Int, deepest: Int)
    }

    /// A variable, or the original uses, being traversed.
    private struct Frame {
        var variable: Int?
        var next: Int
        var end: Int
        /// The maximum depth of the variables visited so far.
        var deepest = 0
    }

    /// The depths of variables; for those that differ between tests, in the current context.
    var depths = VariableDepths()
    private var stack: [Frame] = []
    /// The visited variables in the current context; true while their uses are being traversed.
    private var isOpen: [Int: Bool] = [:]

    /// Forgets the visited variables, for another context.
    mutating func beginLocation() {
        isOpen = [:]
    }

    /// Starts a traversal of uses, or of the uses of a variable.
    ///
    /// - Returns: Whether to continue; false if the variable was already visited in this context.
    mutating func begin(_ uses: Range<Int>, of variable: Int?) -> Bool {
        if let variable {
            if isOpen[variable] != nil { return false }
            isOpen[variable] = true
        }
        stack = [Frame(variable: variable, next: uses.lowerBound, end: uses.upperBound)]
        return true
    }

    /// Returns the next step; nil at the end.
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

    /// Continues with the uses of a variable, unless it was already visited.
    ///
    /// - Returns: The variables of the cycle, if the variable depends on itself.
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

    /// Records that the current variable uses one that was already visited.
    mutating func pass(_ variable: Int) {
        guard !stack.isEmpty else { return }
        stack[stack.count - 1].deepest = max(stack[stack.count - 1].deepest, depths.levels(of: variable))
    }
}

/// The depths of variables, whose evaluations are nested in one another.
struct VariableDepths {
    /// The maximum length of a chain of variables whose expressions and values have no nesting of their own.
    static let maximum = 250
    /// The depth of a variable that is only the name of another one.
    private static let levelsOfVariable = 2

    /// The depth of each visited variable, including the variables that it uses.
    private var levels: [Int: Int] = [:]
    /// Whether any variable is too deep, so that expressions that use it must not be evaluated.
    private(set) var isExceeded = false

    /// Returns the depth of a variable; 0 if it was not visited.
    func levels(of variable: Int) -> Int {
        levels[variable] ?? 0
    }

    /// Records the depth of a variable after all of its uses were visited.
    ///
    /// - Parameters:
    ///   - variable: The index of the variable.
    ///   - nesting: The nesting depth of its value and its expressions.
    ///   - deepest: The maximum depth of the variables that it uses.
    /// - Returns: Whether the variable is too deep although none of the variables that it uses is.
    mutating func note(_ variable: Int, nesting: Int, deepest: Int) -> Bool {
        let limit = Self.maximum * Self.levelsOfVariable
        // The nesting of a single variable is limited by the parser, so one variable alone is never too deep.
        let sum = deepest + min(Self.levelsOfVariable + nesting, limit)
        levels[variable] = sum
        guard sum > limit else { return false }
        isExceeded = true
        return deepest <= limit
    }

    /// Reports a variable that is too deep.
    static func report(_ variable: SuiteScope.VariableEntry, in context: LoadContext) {
        context.report(
            "too-deep", "the variable \"\(variable.name)\" refers to others more than \(maximum) levels deep",
            variable.range,
            suggestion: "use fewer levels of variables; nested values and expressions count too")
    }
}
