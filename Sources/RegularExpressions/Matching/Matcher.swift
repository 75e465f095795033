import Synchronization

/// A matcher for one program, which uses the fastest suitable engine.
final class Matcher: Sendable {
    /// An automaton in the pool.
    ///
    /// Unchecked: an automaton taken out of the pool has a single user until it is returned.
    private final class PooledAutomaton: @unchecked Sendable {
        var automaton: LazyDFA

        init(_ automaton: LazyDFA) {
            self.automaton = automaton
        }
    }

    let program: Program

    /// The idle automata. A run takes one out and returns it, so the lock is never held while matching.
    private let idleAutomata = Mutex<[PooledAutomaton]>([])

    /// The maximum number of idle automata; only one for a large program, whose automata are large too.
    private var maximumIdle: Int { program.instructions.count < 10_000 ? 8 : 1 }

    /// The text length in bytes below which groups are searched directly, without checking for a match first.
    private static let verdictFirstLength = 64

    init(program: Program) {
        self.program = program
    }

    /// Returns whether there is a match anywhere; meaningless if the steps are exhausted.
    func matches(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
        if program.literal.isWhole { return LiteralSearch.range(of: program.literal, in: text) != nil }
        guard let start = firstCandidate(in: text) else { return false }
        return verdict(text, from: start, mode: .search, steps: &steps)
            ?? (PikeVM.run(program, on: text, from: start, slotCount: 0, mode: .leftmostFirst, steps: &steps) != nil)
    }

    /// Returns whether the whole text matches; meaningless if the steps are exhausted.
    func matchesWhole(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
        let literal = program.literal
        if literal.isWhole {
            return text.count == literal.prefix.count && LiteralSearch.has(literal.prefix, in: text, at: 0)
        }
        if !LiteralSearch.has(literal.prefix, in: text, at: 0) { return false }
        return verdict(text, from: 0, mode: .whole, steps: &steps)
            ?? (PikeVM.run(program, on: text, slotCount: 0, mode: .whole, steps: &steps) != nil)
    }

    /// Returns the slots of the leftmost match; meaningless if the steps are exhausted.
    ///
    /// - Parameter offset: The earliest start of a match.
    func firstMatch(in text: UnsafeBufferPointer<UInt8>, from offset: Int, steps: inout Int) -> [Int]? {
        if offset > 0 {
            guard offset <= text.count else { return nil }
            return PikeVM.run(
                program, on: text, from: offset, slotCount: program.slotCount, mode: .leftmostFirst, steps: &steps)
        }
        if program.literal.isWhole {
            return LiteralSearch.range(of: program.literal, in: text).map { [$0.lowerBound, $0.upperBound] }
        }
        guard let start = firstCandidate(in: text) else { return nil }
        if text.count - start >= Self.verdictFirstLength,
            verdict(text, from: start, mode: .search, steps: &steps) == false
        {
            return nil
        }
        return PikeVM.run(
            program, on: text, from: start, slotCount: program.slotCount, mode: .leftmostFirst, steps: &steps)
    }

    /// Returns the earliest possible start of a match; `nil` if the literal prefix of every match does not occur.
    private func firstCandidate(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        let prefix = program.literal.prefix
        if prefix.isEmpty { return 0 }
        if program.isAnchoredAtStart { return LiteralSearch.has(prefix, in: text, at: 0) ? 0 : nil }
        guard let start = LiteralSearch.first(program.literal, in: text) else { return nil }
        // The automaton may start in the middle of a text only if no assertion looks back.
        return program.hasAssertions ? 0 : start
    }

    private func verdict(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, mode: LazyDFA.Mode, steps: inout Int
    ) -> Bool? {
        guard LazyDFA.canRun(program) else { return nil }
        let pooled = idleAutomata.withLock { $0.popLast() } ?? PooledAutomaton(LazyDFA(program))
        let result = pooled.automaton.run(text, from: start, mode: mode, steps: &steps)
        idleAutomata.withLock { idle in
            if idle.count < maximumIdle { idle.append(pooled) }
        }
        return result
    }
}

/// The engine that matches a pattern.
enum MatchEngine: Sendable {
    /// Automata, which take time linear in the length of the text.
    case linear(Matcher)

    /// Backtracking, for features that automata do not support.
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

    /// Returns the slots of the leftmost match, two per group and -1 for groups that did not participate.
    ///
    /// - Parameter offset: The earliest start of the match.
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
