/// The positions of an object's members by name: a hash table with linear probing that keeps no names of its own.
///
/// It is one word, and so an object two and a value three: what is not needed is not kept.
struct MemberIndex: Sendable {
    /// Each the hash of a name above the position of its member plus one; 0 is free. A power of two of them, or none.
    private var slots: [UInt64]

    /// An index of nothing, without storage.
    init() {
        slots = []
    }

    /// An index with room for `capacity` members.
    init(capacity: Int) {
        slots = [UInt64](repeating: 0, count: MemberIndex.slotCount(for: capacity))
    }

    var isEmpty: Bool { slots.isEmpty }

    /// At most three quarters of the slots are taken.
    private static func slotCount(for members: Int) -> Int {
        var size = 32
        while size / 4 * 3 < members { size *= 2 }
        return size
    }

    /// The position of the member whose name has the hash `hash` and for which `isName` holds.
    @inline(__always)
    func position(hash: UInt32, where isName: (Int) -> Bool) -> Int? {
        slots.withUnsafeBufferPointer { slots in
            guard !slots.isEmpty else { return nil }
            let mask = slots.count - 1
            var place = Int(hash) & mask
            // Ends, for a quarter of the slots is free.
            while slots[place] != 0 {
                let slot = slots[place]
                if slot >> 32 == UInt64(hash) {
                    let position = Int(slot & 0xFFFF_FFFF) - 1
                    if isName(position) { return position }
                }
                place = (place + 1) & mask
            }
            return nil
        }
    }

    /// Adds a member whose name is not in the index, at the position behind those of all others.
    @inline(__always)
    mutating func insert(hash: UInt32, position: Int) {
        if position >= slots.count / 4 * 3 { grow(to: position + 1) }
        // No machine has room for four thousand million members.
        place(UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: position + 1)))
    }

    @inline(__always)
    private mutating func place(_ slot: UInt64) {
        slots.withUnsafeMutableBufferPointer { slots in
            let mask = slots.count - 1
            var place = Int(slot >> 32) & mask
            while slots[place] != 0 { place = (place + 1) & mask }
            slots[place] = slot
        }
    }

    private mutating func grow(to count: Int) {
        let old = slots
        slots = [UInt64](repeating: 0, count: MemberIndex.slotCount(for: count))
        for slot in old where slot != 0 { place(slot) }
    }
}
