import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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

/// Finds literal bytes in a text.
enum LiteralSearch {
    /// Where a pattern's literal prefix occurs first at or after a position, in time linear in the text (Knuth, Morris
    /// and Pratt's algorithm, with the C library's search for the first byte).
    static func first(_ shape: LiteralShape, in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        let literal = shape.prefix
        guard let head = literal.first else { return start }
        guard start <= text.count, literal.count <= text.count - start, let base = text.baseAddress else { return nil }
        var position = start
        var matched = 0
        while position < text.count {
            if matched == 0 {
                guard let found = memchr(base + position, Int32(head), text.count - position) else { return nil }
                position = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                matched = 1
            } else if text[position] == literal[matched] {
                position += 1
                matched += 1
            } else {
                matched = shape.borders[matched - 1]
            }
            if matched == literal.count { return position - matched }
        }
        return nil
    }

    /// Whether the text has the bytes at a position.
    static func has(_ literal: [UInt8], in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position >= 0, literal.count <= text.count - position else { return false }
        for index in literal.indices where text[position + index] != literal[index] { return false }
        return true
    }

    /// The match of a pattern that is nothing but literal text and anchors.
    static func range(of shape: LiteralShape, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let count = shape.prefix.count
        let start: Int?
        switch (shape.isAnchoredAtStart, shape.isAnchoredAtEnd) {
        case (true, true): start = text.count == count && has(shape.prefix, in: text, at: 0) ? 0 : nil
        case (true, false): start = has(shape.prefix, in: text, at: 0) ? 0 : nil
        case (false, true): start = has(shape.prefix, in: text, at: text.count - count) ? text.count - count : nil
        case (false, false): start = first(shape, in: text)
        }
        return start.map { $0..<$0 + count }
    }
}

extension Assertion {
    /// Whether the assertion holds at a position of a text.
    func holds(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        let before = position > 0 ? text[position - 1] : nil
        let after = position < text.count ? text[position] : nil
        switch self {
        case .ecmaScriptLineStart:
            return before == nil || before == 0x0A || before == 0x0D
                || Self.isSeparator(text, endingAt: position)
        case .ecmaScriptLineEnd:
            return after == nil || after == 0x0A || after == 0x0D
                || Self.isSeparator(text, endingAt: position + 3)
        case .foldedWordBoundary, .notFoldedWordBoundary:
            let isBefore = Self.isWord(before) || Self.isFoldedWord(text, endingAt: position)
            let isAfter =
                Self.isWord(after) || Self.isLongS(text, endingAt: position + 2)
                || Self.isKelvinSign(text, endingAt: position + 3)
            return (isBefore != isAfter) == (self == .foldedWordBoundary)
        default:
            return holds(before: before, after: after)
        }
    }

    /// Whether the assertion holds between two bytes, `nil` being an end of the text.
    func holds(before: UInt8?, after: UInt8?) -> Bool {
        switch self {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .lineStart, .ecmaScriptLineStart: before == nil || before == 0x0A
        case .lineEnd, .ecmaScriptLineEnd: after == nil || after == 0x0A
        case .wordBoundary, .foldedWordBoundary: Self.isWord(before) != Self.isWord(after)
        case .notWordBoundary, .notFoldedWordBoundary: Self.isWord(before) == Self.isWord(after)
        }
    }

    /// Whether a byte is an ASCII word character.
    static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    /// Whether U+2028 or U+2029 ends at a position.
    private static func isSeparator(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end >= 3 && end <= text.count && text[end - 3] == 0xE2 && text[end - 2] == 0x80
            && (text[end - 1] == 0xA8 || text[end - 1] == 0xA9)
    }

    private static func isFoldedWord(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        isLongS(text, endingAt: end) || isKelvinSign(text, endingAt: end)
    }

    private static func isLongS(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end >= 2 && end <= text.count && text[end - 2] == 0xC5 && text[end - 1] == 0xBF
    }

    private static func isKelvinSign(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end >= 3 && end <= text.count && text[end - 3] == 0xE2 && text[end - 2] == 0x84 && text[end - 1] == 0xAA
    }
}
