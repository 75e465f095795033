/// An interpreter of programs with lookaround or backreferences, which tries one alternative after another.
///
/// The number of steps and of stored alternatives is limited, which bounds time and memory. If a limit is exceeded,
/// there is no result.
struct BacktrackMachine {
    /// The maximum number of stored alternatives.
    static let maximumStackSize = 1_000_000

    /// The action when the current alternative fails.
    private enum Choice {
        case resume(at: Int32, position: Int)
        case restore(slot: Int32, value: Int)

        /// A greedy run, which gives back one scalar at a time down to a bound.
        case shrink(next: Int32, position: Int, bound: Int, isBackward: Bool)

        /// A lazy run, which consumes one more scalar at a time.
        case grow(run: Int32, position: Int, left: Int)
    }

    private let program: BacktrackProgram
    private let text: UnsafeBufferPointer<UInt8>
    private var slots: [Int]
    private var choices: [Choice] = []

    /// The number of steps left; negative when the limit is exceeded.
    private(set) var steps: Int

    init(_ program: BacktrackProgram, _ text: UnsafeBufferPointer<UInt8>, steps: Int) {
        self.program = program
        self.text = text
        self.steps = steps
        slots = [Int](repeating: -1, count: program.slotCount)
    }

    /// Returns the slots of the leftmost match, -1 for groups that did not participate.
    ///
    /// The result is `nil` if there is no match or the steps are exhausted.
    ///
    /// - Parameter offset: The earliest start of a match.
    mutating func firstMatch(from offset: Int) -> [Int]? {
        var position = offset
        if position > 0, program.isAnchoredAtStart { return nil }
        while position <= text.count {
            if !program.literal.prefix.isEmpty, !program.isAnchoredAtStart {
                steps -= 1
                guard let found = LiteralSearch.first(program.literal, in: text, from: position) else { return nil }
                steps -= (found - position) >> 4
                position = found
            }
            if let end = run(from: program.start, at: position, isWhole: false) {
                slots[0] = position
                slots[1] = end
                return slots
            }
            if steps < 0 || program.isAnchoredAtStart { return nil }
            position += 1
            while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
        }
        return nil
    }

    /// Returns whether the whole text matches.
    mutating func matchesWhole() -> Bool {
        run(from: program.start, at: 0, isWhole: true) != nil
    }

    /// Returns the end of the first match from an instruction.
    ///
    /// The recursion is as deep as lookaround is nested, which the parser limits.
    private mutating func run(from start: Int32, at startPosition: Int, isWhole: Bool) -> Int? {
        let base = choices.count
        var index = start
        var position = startPosition
        while true {
            steps -= 1
            if steps < 0 || choices.count > Self.maximumStackSize {
                steps = -1
                return nil
            }
            var isFailed = false
            switch program.instructions[Int(index)] {
            case .scalar(let scalar, let isBackward, let next):
                let found = isBackward ? self.scalar(before: position) : self.scalar(at: position)
                isFailed = found?.value != scalar
                position += isBackward ? -(found?.length ?? 0) : found?.length ?? 0
                index = next
            case .set(let number, let isBackward, let next):
                if let found = isBackward ? self.scalar(before: position) : self.scalar(at: position),
                    program.classes[Int(number)].contains(found.value)
                {
                    position += isBackward ? -found.length : found.length
                    index = next
                } else {
                    isFailed = true
                }
            case .run(let set, let minimum, let maximum, let isGreedy, let isBackward, let next):
                let required = advance(&position, over: set, atMost: minimum, isBackward)
                if required < minimum {
                    isFailed = true
                } else if isGreedy {
                    let bound = position
                    _ = advance(&position, over: set, atMost: maximum - minimum, isBackward)
                    if position != bound {
                        choices.append(
                            .shrink(next: next, position: position, bound: bound, isBackward: isBackward))
                    }
                    index = next
                } else {
                    choices.append(.grow(run: index, position: position, left: maximum - minimum))
                    index = next
                }
            case .split(let first, let second):
                choices.append(.resume(at: second, position: position))
                index = first
            case .save(let slot, let next):
                set(slot, to: position)
                index = next
            case .clear(let range, let next):
                for slot in range { set(slot, to: -1) }
                index = next
            case .progress(let slot, let next):
                isFailed = slots[Int(slot)] == position
                index = next
            case .assertion(let assertion, let next):
                isFailed = !assertion.holds(in: text, at: position)
                index = next
            case .backReference(let group, let ignoresCase, let isBackward, let next):
                isFailed = !consume(group, ignoresCase, isBackward, &position)
                index = next
            case .look(let body, let isNegated, let next):
                isFailed = !look(body, at: position, isNegated)
                if steps < 0 { return nil }
                index = next
            case .match:
                if !isWhole || position == text.count { return position }
                isFailed = true
            case .fail:
                isFailed = true
            }
            if isFailed {
                guard let way = nextWay(downTo: base) else { return nil }
                index = way.index
                position = way.position
            }
        }
    }

    // MARK: Alternatives

    private mutating func set(_ slot: Int32, to value: Int) {
        let old = slots[Int(slot)]
        guard old != value else { return }
        choices.append(.restore(slot: slot, value: old))
        slots[Int(slot)] = value
    }

    /// Undoes the changes since the last choice and returns the next alternative.
    private mutating func nextWay(downTo base: Int) -> (index: Int32, position: Int)? {
        while choices.count > base, let choice = choices.popLast() {
            switch choice {
            case .restore(let slot, let value):
                slots[Int(slot)] = value
            case .resume(let index, let position):
                return (index, position)
            case .shrink(let next, var position, let bound, let isBackward):
                position += isBackward ? scalar(at: position)?.length ?? 1 : -(scalar(before: position)?.length ?? 1)
                if position != bound {
                    choices.append(.shrink(next: next, position: position, bound: bound, isBackward: isBackward))
                }
                return (next, position)
            case .grow(let run, var position, let left):
                guard case .run(let set, _, _, _, let isBackward, let next) = program.instructions[Int(run)], left > 0,
                    advance(&position, over: set, atMost: 1, isBackward) == 1
                else { continue }
                choices.append(.grow(run: run, position: position, left: left - 1))
                return (next, position)
            }
        }
        return nil
    }

    /// Returns whether lookahead or lookbehind succeeds, taking negation into account.
    private mutating func look(_ body: Int32, at position: Int, _ isNegated: Bool) -> Bool {
        let base = choices.count
        guard run(from: body, at: position, isWhole: false) != nil else { return isNegated }
        if isNegated {
            // Discard the captures inside, and try no other alternative inside.
            while choices.count > base, let choice = choices.popLast() {
                if case .restore(let slot, let value) = choice { slots[Int(slot)] = value }
            }
            return false
        }
        // Keep the captures inside until the lookaround itself is undone.
        var kept = base
        for index in base..<choices.count {
            guard case .restore = choices[index] else { continue }
            choices[kept] = choices[index]
            kept += 1
        }
        choices.removeLast(choices.count - kept)
        return true
    }

    // MARK: Text

    /// Advances over scalars of a set and returns their number.
    private mutating func advance(
        _ position: inout Int, over number: Int32, atMost limit: Int, _ isBackward: Bool
    ) -> Int {
        let characters = program.classes[Int(number)]
        var count = 0
        while count < limit, let found = isBackward ? scalar(before: position) : scalar(at: position),
            characters.contains(found.value)
        {
            position += isBackward ? -found.length : found.length
            count += 1
        }
        steps -= count >> 3
        return count
    }

    /// Advances over the text that a group captured, if it follows.
    private mutating func consume(
        _ group: Int32, _ ignoresCase: Bool, _ isBackward: Bool, _ position: inout Int
    ) -> Bool {
        let start = slots[2 * Int(group)]
        let end = slots[2 * Int(group) + 1]
        guard start >= 0, end >= start else { return true }
        steps -= (end - start) >> 3
        guard ignoresCase else {
            let first = isBackward ? position - (end - start) : position
            guard first >= 0, first + (end - start) <= text.count else { return false }
            for offset in 0..<(end - start) where text[first + offset] != text[start + offset] { return false }
            position = isBackward ? first : first + (end - start)
            return true
        }
        var captured = isBackward ? end : start
        var current = position
        while captured != (isBackward ? start : end) {
            guard let wanted = isBackward ? scalar(before: captured) : scalar(at: captured),
                let found = isBackward ? scalar(before: current) : scalar(at: current),
                CaseFolding.areAlike(wanted.value, found.value)
            else { return false }
            captured += isBackward ? -wanted.length : wanted.length
            current += isBackward ? -found.length : found.length
        }
        position = current
        return true
    }

    /// Returns the scalar that starts at a position; `nil` at the end and for invalid UTF-8.
    @inline(__always)
    private func scalar(at position: Int) -> (value: UInt32, length: Int)? {
        guard position < text.count else { return nil }
        let first = text[position]
        return first < 0x80 ? (UInt32(first), 1) : longScalar(first, at: position)
    }

    /// Returns the scalar that ends at a position.
    private func scalar(before position: Int) -> (value: UInt32, length: Int)? {
        guard position > 0 else { return nil }
        var start = position - 1
        while start > 0, position - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
        guard let found = scalar(at: start), start + found.length == position else { return nil }
        return found
    }

    private func longScalar(_ first: UInt8, at position: Int) -> (value: UInt32, length: Int)? {
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first <= 0xF4, position + length <= text.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = text[position + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard Unicode.Scalar(value) != nil, length < 3 || value >= (length == 3 ? 0x800 : 0x10000) else { return nil }
        return (value, length)
    }
}
