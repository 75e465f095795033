import Synchronization

/// Answers the questions about one program by the quickest means that can.
final class Matcher: Sendable {
    /// An automaton in the pool.
    ///
    /// Unchecked: whoever takes it out of the pool is its only user until it is put back.
    private final class PooledAutomaton: @unchecked Sendable {
        var automaton: LazyDFA

        init(_ automaton: LazyDFA) {
            self.automaton = automaton
        }
    }

    let program: Program

    /// Automata not in use; a run takes one out and puts it back, so the lock is never held while matching.
    private let idleAutomata = Mutex<[PooledAutomaton]>([])

    /// How many idle automata are kept; of a large program, whose automata are large too, only one.
    private var maximumIdle: Int { program.instructions.count < 10_000 ? 8 : 1 }

    /// Texts of fewer bytes are searched for groups at once, longer ones are first asked whether they match.
    private static let verdictFirstLength = 64

    init(program: Program) {
        self.program = program
    }

    /// Whether there is a match anywhere; not known when the steps ran out.
    func matches(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
        if program.literal.isWhole { return LiteralSearch.range(of: program.literal, in: text) != nil }
        guard let start = firstCandidate(in: text) else { return false }
        return verdict(text, from: start, mode: .search, steps: &steps)
            ?? (PikeVM.run(program, on: text, from: start, slotCount: 0, mode: .leftmostFirst, steps: &steps) != nil)
    }

    /// Whether the whole text matches; not known when the steps ran out.
    func matchesWhole(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
        let literal = program.literal
        if literal.isWhole {
            return text.count == literal.prefix.count && LiteralSearch.has(literal.prefix, in: text, at: 0)
        }
        if !LiteralSearch.has(literal.prefix, in: text, at: 0) { return false }
        return verdict(text, from: 0, mode: .whole, steps: &steps)
            ?? (PikeVM.run(program, on: text, slotCount: 0, mode: .whole, steps: &steps) != nil)
    }

    /// The slots of the leftmost match; not known when the steps ran out.
    ///
    /// - Parameter offset: Where a match may start at the earliest.
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

    /// Where the first match could start, or `nil` when the literal text every match starts with does not occur.
    private func firstCandidate(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        let prefix = program.literal.prefix
        if prefix.isEmpty { return 0 }
        if program.isAnchoredAtStart { return LiteralSearch.has(prefix, in: text, at: 0) ? 0 : nil }
        guard let start = LiteralSearch.first(program.literal, in: text) else { return nil }
        // The automaton starts in the middle of a text only where no assertion looks back.
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
