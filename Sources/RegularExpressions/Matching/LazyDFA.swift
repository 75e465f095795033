/// A deterministic automaton built from a program while it runs; it answers yes or no in one table look-up per byte.
///
/// A state is a set of instructions that have just been reached by a byte. What these lead to without a byte is worked
/// out only with the next byte at hand, so assertions need no states of their own, and a match is known one byte late.
struct LazyDFA: Sendable {
    /// Which question a run answers.
    enum Mode: UInt8, Sendable {
        /// Whether there is a match anywhere.
        case search

        /// Whether the whole text matches.
        case whole
    }

    /// How many entries the table may have before everything built so far is dropped.
    static let maximumTableSize = 1 << 18

    /// How many instructions all states together may hold before everything built so far is dropped.
    static let maximumStateSize = 1 << 18

    /// How many instructions a run may look at to build states before it gives up.
    static let maximumWork = 1 << 24

    /// How many times a run may drop its states before it gives up.
    static let maximumResets = 8

    private struct State: Sendable, Hashable {
        var instructions: [Int32]

        /// 0 at the start of the text, 1 after a word character, 2 after a line feed, 3 otherwise.
        var context: UInt8

        /// Whether a match may still start here.
        var isSearching: Bool
    }

    // An entry is the target's row times two, plus one when there is a match before the byte.
    private static let unknown: Int32 = -1
    private static let dead: Int32 = -2

    private let program: Program
    private let stride: Int
    private let endClass: Int
    private var table: [Int32] = []
    private var states: [State] = []
    private var rows: [State: Int32] = [:]
    private var stateSize = 0
    private var resets = 0

    /// The rows of the states a run starts in, searching or not; -1 until they are needed.
    private var startRows: (searching: Int32, whole: Int32) = (-1, -1)

    /// How many instructions have been looked at to build states in the present run.
    private var work = 0
    private var closure: SparseSet
    private var targets: SparseSet
    private var stack: [Int32] = []

    init(_ program: Program) {
        self.program = program
        endClass = program.classRepresentatives.count
        stride = endClass + 1
        closure = SparseSet(capacity: program.instructions.count)
        targets = closure
    }

    /// Whether the automaton can run a program.
    static func canRun(_ program: Program) -> Bool { program.isDecidedByAdjacentBytes }

    /// The answer for a text, or `nil` when too many states were needed and another way is better.
    ///
    /// - Parameters:
    ///   - start: Where to start; not 0 only when there are no assertions and no match can start before.
    ///   - steps: What is left of the search's bound; less of it is left afterwards.
    mutating func run(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, mode: Mode, steps: inout Int
    ) -> Bool? {
        resets = 0
        work = 0
        var position = start
        defer { steps -= work + (position - start) >> 4 }
        var row = startRow(isSearching: mode == .search && !program.isAnchoredAtStart)
        while position < text.count {
            // The inner loop takes the transitions that are known.
            var entry = Self.unknown
            table.withUnsafeBufferPointer { table in
                program.byteClasses.withUnsafeBufferPointer { classes in
                    while position < text.count {
                        entry = table[Int(row) + Int(classes[Int(text[position])])]
                        if entry < 0 || (entry & 1 == 1 && mode == .search) { return }
                        row = entry >> 1
                        position += 1
                    }
                }
            }
            if position == text.count { break }
            if entry == Self.unknown {
                guard let known = transition(from: &row, byteClass: Int(program.byteClasses[Int(text[position])]))
                else {
                    return nil
                }
                entry = known
            }
            if entry == Self.dead { return false }
            if entry & 1 == 1, mode == .search { return true }
            row = entry >> 1
            position += 1
        }
        var last = table[Int(row) + endClass]
        if last == Self.unknown {
            guard let known = transition(from: &row, byteClass: endClass) else { return nil }
            last = known
        }
        return last >= 0 && last & 1 == 1
    }

    private mutating func startRow(isSearching: Bool) -> Int32 {
        let known = isSearching ? startRows.searching : startRows.whole
        if known >= 0 { return known }
        let row = row(
            of: State(
                instructions: isSearching ? [] : [program.start], context: program.hasAssertions ? 0 : 3,
                isSearching: isSearching))
        if isSearching { startRows.searching = row } else { startRows.whole = row }
        return row
    }

    /// Works out one entry of the table; `nil` when the run should give up.
    private mutating func transition(from row: inout Int32, byteClass: Int) -> Int32? {
        if table.count + 2 * stride > Self.maximumTableSize || stateSize > Self.maximumStateSize {
            resets += 1
            if resets > Self.maximumResets { return nil }
            startRows = (-1, -1)
            let state = states[Int(row) / stride]
            table.removeAll(keepingCapacity: true)
            states.removeAll(keepingCapacity: true)
            rows.removeAll(keepingCapacity: true)
            stateSize = 0
            row = self.row(of: state)
        }
        let state = states[Int(row) / stride]
        let byte = byteClass == endClass ? nil : program.classRepresentatives[byteClass]
        if work > Self.maximumWork { return nil }
        let isMatch = step(state, byte)
        work += closure.members.count
        var entry = Self.dead
        if isMatch || !targets.isEmpty || state.isSearching {
            let next = State(
                instructions: targets.members.sorted(), context: context(after: byte), isSearching: state.isSearching)
            entry = self.row(of: next) << 1 | (isMatch ? 1 : 0)
        }
        table[Int(row) + byteClass] = entry
        return entry
    }

    /// Finds what a state leads to by a byte, and whether it matches before that byte.
    private mutating func step(_ state: State, _ byte: UInt8?) -> Bool {
        closure.removeAll()
        targets.removeAll()
        var isMatch = false
        let before: UInt8? =
            switch state.context {
            case 0: nil
            case 1: 0x61
            case 2: 0x0A
            default: 0x20
            }
        stack.append(contentsOf: state.instructions)
        let isScalarStart = byte.map { $0 & 0xC0 != 0x80 } ?? true
        if state.isSearching, isScalarStart { stack.append(program.start) }
        while let index = stack.popLast() {
            guard closure.insert(index) else { continue }
            switch program.instructions[Int(index)] {
            case .byteRange(let low, let high, let next):
                if let byte, byte >= low, byte <= high { _ = targets.insert(next) }
            case .bytes(let first, let count, let base, let next):
                guard let byte else { continue }
                let target = program.target(of: byte, first: first, count: count, base: base, next: next)
                if target >= 0 { _ = targets.insert(target) }
            case .split(let first, let second):
                stack.append(second)
                stack.append(first)
            case .save(_, let next), .clear(_, let next):
                stack.append(next)
            case .assertion(let assertion, let next):
                if assertion.holds(before: before, after: byte) { stack.append(next) }
            case .match:
                isMatch = true
            case .fail:
                continue
            }
        }
        return isMatch
    }

    private func context(after byte: UInt8?) -> UInt8 {
        guard program.hasAssertions, let byte else { return 3 }
        return Assertion.isWord(byte) ? 1 : byte == 0x0A ? 2 : 3
    }

    /// The row of a state, added when it is new.
    private mutating func row(of state: State) -> Int32 {
        if let row = rows[state] { return row }
        let row = Int32(table.count)
        table.append(contentsOf: repeatElement(Self.unknown, count: stride))
        states.append(state)
        rows[state] = row
        stateSize += state.instructions.count + 4
        return row
    }
}
