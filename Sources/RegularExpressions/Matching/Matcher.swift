import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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

/// A search for literal bytes in a text.
enum LiteralSearch {
    /// Returns the first occurrence of a pattern's literal prefix at or after a position.
    ///
    /// The time is linear in the length of the text (the Knuth–Morris–Pratt algorithm, with the C library's search for
    /// the first byte).
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

    /// Returns whether the text has the bytes at a position.
    static func has(_ literal: [UInt8], in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position >= 0, literal.count <= text.count - position else { return false }
        for index in literal.indices where text[position + index] != literal[index] { return false }
        return true
    }

    /// Returns the match of a pattern that consists only of literal text and anchors.
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
    /// Returns whether the assertion holds at a position of a text.
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

    /// Returns whether the assertion holds between two bytes; `nil` is an end of the text.
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

    /// Returns whether a byte is an ASCII word character.
    static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    /// Returns whether U+2028 or U+2029 ends at a position.
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
