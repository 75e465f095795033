/// A deterministic automaton that is built on demand; it decides whether a text matches with one table lookup per byte.
///
/// A state is a set of instructions that a byte has just reached. Their epsilon closure is computed only when the next
/// byte is known. Assertions therefore need no states of their own, and a match is detected one byte late.
struct LazyDFA: Sendable {
    /// The kind of match that a run decides.
    enum Mode: UInt8, Sendable {
        /// A match anywhere in the text.
        case search

        /// A match of the whole text.
        case whole
    }

    /// The maximum number of table entries before all states are discarded.
    static let maximumTableSize = 1 << 18

    /// The maximum total number of instructions in all states before all states are discarded.
    static let maximumStateSize = 1 << 18

    /// The maximum number of instructions that a run examines to build states before it gives up.
    static let maximumWork = 1 << 24

    /// The maximum number of times that a run discards its states before it gives up.
    static let maximumResets = 8

    private struct State: Sendable, Hashable {
        var instructions: [Int32]

        /// 0 at the start of the text, 1 after a word character, 2 after a line feed, 3 otherwise.
        var context: UInt8

        /// Whether a match may still start here.
        var isSearching: Bool
    }

    // An entry is the target row times two, plus one if there is a match before the byte.
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

    /// The rows of the start states with and without searching; -1 until they are needed.
    private var startRows: (searching: Int32, whole: Int32) = (-1, -1)

    /// The number of instructions examined to build states in the current run.
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

    /// Returns whether the automaton supports a program.
    static func canRun(_ program: Program) -> Bool { program.isDecidedByAdjacentBytes }

    /// Returns whether a text matches; `nil` if too many states were needed and another engine is better.
    ///
    /// - Parameters:
    ///   - start: The start offset; nonzero only if there are no assertions and no match can start earlier.
    ///   - steps: The number of steps left in the search; decremented by the run.
    mutating func run(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, mode: Mode, steps: inout Int
    ) -> Bool? {
        resets = 0
        work = 0
        var position = start
        defer { steps -= work + (position - start) >> 4 }
        var row = startRow(isSearching: mode == .search && !program.isAnchoredAtStart)
        while position < text.count {
            // The inner loop follows the known transitions.
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

    /// Computes a table entry; `nil` if the run should give up.
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

    /// Computes the successors of a state for a byte, and returns whether it matches before that byte.
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

    /// Returns the row of a state, and adds it if it is new.
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
