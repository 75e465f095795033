/// A virtual machine that runs all alternatives in lockstep, each with its captures (Pike's algorithm).
///
/// The time is at most proportional to the length of the text times the size of the program. Both can be large, so the
/// number of steps is limited too.
struct PikeVM {
    /// The kind of match to find.
    enum Mode {
        /// The leftmost match, and among those the one that a backtracking engine would find first.
        case leftmostFirst

        /// A match of the whole text.
        case whole
    }

    /// The live threads at a position, in priority order.
    private struct Threads {
        var visited: SparseSet
        var instructions: [Int32] = []

        /// A row of slots for each instruction.
        var slots: [Int] = []

        mutating func removeAll() {
            visited.removeAll()
            instructions.removeAll(keepingCapacity: true)
            slots.removeAll(keepingCapacity: true)
        }
    }

    private enum Step {
        case explore(Int32)
        case restore(slot: Int, value: Int)
    }

    private let program: Program
    private let text: UnsafeBufferPointer<UInt8>
    private let slotCount: Int
    private let mode: Mode
    private var current: Threads
    private var upcoming: Threads
    private var working: [Int]
    private var stack: [Step] = []

    /// The number of steps left; negative when the limit is exceeded.
    private var steps: Int

    private init(
        _ program: Program, _ text: UnsafeBufferPointer<UInt8>, slotCount: Int, mode: Mode, steps: Int
    ) {
        self.steps = steps
        self.program = program
        self.text = text
        self.slotCount = slotCount
        self.mode = mode
        current = Threads(visited: SparseSet(capacity: program.instructions.count))
        upcoming = current
        working = [Int](repeating: -1, count: slotCount)
    }

    /// Returns the slots of the match, -1 for groups that did not participate.
    ///
    /// The result is `nil` if there is no match or the steps are exhausted.
    ///
    /// - Parameters:
    ///   - slotCount: The number of slots to track; 0 only determines whether there is a match, and stops at the first.
    ///   - steps: The number of steps left in the search, one per thread and byte; negative when the limit is exceeded.
    static func run(
        _ program: Program, on text: UnsafeBufferPointer<UInt8>, from start: Int = 0, slotCount: Int, mode: Mode,
        steps: inout Int
    ) -> [Int]? {
        var machine = PikeVM(
            program, text, slotCount: min(slotCount, program.slotCount), mode: mode, steps: steps)
        let result = machine.run(from: start)
        steps = machine.steps
        return steps < 0 ? nil : result
    }

    private mutating func run(from start: Int) -> [Int]? {
        let isAnchored = mode == .whole || program.isAnchoredAtStart
        let isSkipping = !isAnchored && !program.literal.prefix.isEmpty
        var found: [Int]?
        var position = start
        while true {
            if current.instructions.isEmpty {
                if found != nil || (isAnchored && position > 0) { break }
                if isSkipping {
                    guard let candidate = LiteralSearch.first(program.literal, in: text, from: position) else { break }
                    position = candidate
                }
            }
            let byte = position < text.count ? text[position] : nil
            let isStart = byte.map { $0 & 0xC0 != 0x80 } ?? true
            if found == nil, isStart, !isAnchored || position == 0 {
                for slot in working.indices { working[slot] = -1 }
                if slotCount > 0 { working[0] = position }
                Self.add(
                    program.start, to: &current, program: program, text: text, position: position, slots: &working,
                    stack: &stack)
            }
            upcoming.removeAll()
            steps -= current.visited.members.count + 1
            if steps < 0 { return nil }
            if step(byte, at: position, found: &found) { return found }
            swap(&current, &upcoming)
            if position == text.count { break }
            position += 1
        }
        return found
    }

    /// Advances every thread by one byte, and returns true if the result is final.
    private mutating func step(_ byte: UInt8?, at position: Int, found: inout [Int]?) -> Bool {
        for index in current.instructions.indices {
            let target: Int32
            switch program.instructions[Int(current.instructions[index])] {
            case .byteRange(let low, let high, let next):
                guard let byte, byte >= low, byte <= high else { continue }
                target = next
            case .bytes(let first, let count, let base, let next):
                guard let byte else { continue }
                target = program.target(of: byte, first: first, count: count, base: base, next: next)
                if target < 0 { continue }
            case .match:
                if mode == .whole, position < text.count { continue }
                var slots = [Int](current.slots[index * slotCount..<(index + 1) * slotCount])
                if slotCount > 1 { slots[1] = position }
                found = slots
                // The following threads have a lower priority.
                return slotCount == 0
            default:
                continue
            }
            for slot in 0..<slotCount { working[slot] = current.slots[index * slotCount + slot] }
            Self.add(
                target, to: &upcoming, program: program, text: text, position: position + 1, slots: &working,
                stack: &stack)
        }
        return false
    }

    /// Adds the instructions reachable from an instruction without consuming input.
    private static func add(
        _ start: Int32, to threads: inout Threads, program: Program, text: UnsafeBufferPointer<UInt8>, position: Int,
        slots: inout [Int], stack: inout [Step]
    ) {
        stack.append(.explore(start))
        while let step = stack.popLast() {
            guard case .explore(var index) = step else {
                if case .restore(let slot, let value) = step { slots[slot] = value }
                continue
            }
            while threads.visited.insert(index) {
                switch program.instructions[Int(index)] {
                case .split(let first, let second):
                    stack.append(.explore(second))
                    index = first
                    continue
                case .save(let slot, let next):
                    index = next
                    set(Int(slot), to: position, in: &slots, stack: &stack)
                    continue
                case .clear(let cleared, let next):
                    index = next
                    for slot in cleared { set(Int(slot), to: -1, in: &slots, stack: &stack) }
                    continue
                case .assertion(let assertion, let next):
                    index = next
                    if assertion.holds(in: text, at: position) { continue }
                case .fail:
                    break
                case .byteRange, .bytes, .match:
                    threads.instructions.append(index)
                    threads.slots.append(contentsOf: slots)
                }
                break
            }
        }
    }

    private static func set(_ slot: Int, to value: Int, in slots: inout [Int], stack: inout [Step]) {
        guard slot < slots.count, slots[slot] != value else { return }
        stack.append(.restore(slot: slot, value: slots[slot]))
        slots[slot] = value
    }
}

/// A set of small integers that is cleared in constant time and preserves the insertion order.
struct SparseSet: Sendable {
    private(set) var members: [Int32] = []
    private var positions: [Int32]

    init(capacity: Int) {
        positions = [Int32](repeating: 0, count: capacity)
    }

    var isEmpty: Bool { members.isEmpty }

    /// Inserts a member; returns false if it was already present.
    @inline(__always)
    mutating func insert(_ member: Int32) -> Bool {
        let position = Int(positions[Int(member)])
        if position < members.count, members[position] == member { return false }
        positions[Int(member)] = Int32(truncatingIfNeeded: members.count)
        members.append(member)
        return true
    }

    mutating func removeAll() {
        members.removeAll(keepingCapacity: true)
    }
}
