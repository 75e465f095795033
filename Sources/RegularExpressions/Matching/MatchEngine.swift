/// How a pattern is matched.
enum MatchEngine: Sendable {
    /// In time linear in the text, by automata.
    case linear(Matcher)

    /// By backtracking, for what automata cannot match.
    case backtracking(BacktrackProgram)

    func matches(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
        switch self {
        case .linear(let matcher): return matcher.matches(text, steps: &steps)
        case .backtracking: return firstMatch(in: text, from: 0, steps: &steps) != nil
        }
    }

    func matchesWhole(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
        switch self {
        case .linear(let matcher): return matcher.matchesWhole(text, steps: &steps)
        case .backtracking(let program):
            var machine = BacktrackMachine(program, text, steps: steps)
            let result = machine.matchesWhole()
            steps = machine.steps
            return result
        }
    }

    /// The slots of the leftmost match, two for each group and -1 where one took no part.
    ///
    /// - Parameter offset: Where the match may start at the earliest.
    func firstMatch(in text: UnsafeBufferPointer<UInt8>, from offset: Int, steps: inout Int) -> [Int]? {
        switch self {
        case .linear(let matcher): return matcher.firstMatch(in: text, from: offset, steps: &steps)
        case .backtracking(let program):
            var machine = BacktrackMachine(program, text, steps: steps)
            let result = machine.firstMatch(from: offset)
            steps = machine.steps
            return result
        }
    }
}
