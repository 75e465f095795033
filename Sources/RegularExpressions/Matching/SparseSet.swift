/// A set of small integers that is emptied in constant time and keeps the order of insertion.
struct SparseSet: Sendable {
    private(set) var members: [Int32] = []
    private var positions: [Int32]

    init(capacity: Int) {
        positions = [Int32](repeating: 0, count: capacity)
    }

    var isEmpty: Bool { members.isEmpty }

    /// Adds a member; false when it was there already.
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
