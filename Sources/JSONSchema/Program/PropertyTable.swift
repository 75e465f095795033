/// The names that a schema knows, found by hash, or by trying the one that usually comes next.
struct PropertyTable: Sendable {
    /// A name with what is asked of its member.
    struct Property: Sendable {
        let name: String
        /// The schema in `properties`; -1 for none.
        let node: NodeIndex
        let isRequired: Bool
    }

    /// What is asked of the member that has a name.
    struct Target: Sendable {
        let node: NodeIndex
        let isRequired: Bool
    }

    /// A name in a form that is compared quickly: its length and its ends are all there is of one of up to 16 bytes.
    private struct Key: Sendable {
        let ends: NameEnds
        let hash: UInt32
        /// The place of the name in `bytes`.
        let start: Int32
    }

    let properties: [Property]
    let targets: [Target]
    let requiredCount: Int
    private let keys: [Key]
    private let bytes: [UInt8]
    /// Indices of properties by hash, -1 where there is none; at least half of them are free.
    private let slots: [Int32]
    private let mask: UInt32

    /// Makes a table from unique names.
    init(_ entries: [(name: String, node: NodeIndex, isRequired: Bool)]) {
        properties = entries.map { Property(name: $0.name, node: $0.node, isRequired: $0.isRequired) }
        targets = entries.map { Target(node: $0.node, isRequired: $0.isRequired) }
        requiredCount = entries.count { $0.isRequired }
        var keys: [Key] = []
        var bytes: [UInt8] = []
        for entry in entries {
            let start = bytes.count
            var name = entry.name
            bytes += name.utf8
            name.withUTF8 { name in
                let ends = NameEnds(name)
                keys.append(Key(ends: ends, hash: PropertyTable.hash(name, ends), start: Int32(start)))
            }
        }
        var size = 4
        while size < entries.count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        for (index, key) in keys.enumerated() {
            var slot = Int(key.hash) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(index)
        }
        self.keys = keys
        self.bytes = bytes
        self.slots = slots
        mask = UInt32(size - 1)
    }

    var isEmpty: Bool { properties.isEmpty }

    /// The index of the property with a name, or -1.
    ///
    /// - Parameter expected: The property to try first; set to the one after the one found.
    @inline(__always)
    func index(of name: String, expected: inout Int) -> Int {
        if let found = name.utf8.withContiguousStorageIfAvailable({ index(of: $0, expected: &expected) }) {
            return found
        }
        var copy = name
        return copy.withUTF8 { index(of: $0, expected: &expected) }
    }

    @inline(__always)
    private func index(of name: UnsafeBufferPointer<UInt8>, expected: inout Int) -> Int {
        let ends = NameEnds(name)
        if expected < keys.count, isName(name, ends, of: expected) {
            expected += 1
            return expected - 1
        }
        let found = lookUp(name, ends)
        if found >= 0 { expected = found + 1 }
        return found
    }

    @inline(never)
    private func lookUp(_ name: UnsafeBufferPointer<UInt8>, _ ends: NameEnds) -> Int {
        if keys.isEmpty { return -1 }
        let hash = PropertyTable.hash(name, ends)
        var slot = hash & mask
        while true {
            let index = Int(slots[Int(slot)])
            if index < 0 { return -1 }
            if keys[index].hash == hash, isName(name, ends, of: index) { return index }
            slot = (slot &+ 1) & mask
        }
    }

    @inline(__always)
    private func isName(_ name: UnsafeBufferPointer<UInt8>, _ ends: NameEnds, of index: Int) -> Bool {
        ends == keys[index].ends && (name.count <= 16 || hasSameMiddle(name, Int(keys[index].start)))
    }

    private func hasSameMiddle(_ name: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for offset in 8..<(name.count - 8) where bytes[start + offset] != name[offset] { return false }
            return true
        }
    }

    /// A quick hash of all bytes. Only a schema's own names are stored by it, so others cannot make the table slow.
    @inline(__always)
    private static func hash(_ name: UnsafeBufferPointer<UInt8>, _ ends: NameEnds) -> UInt32 {
        var hash = mix(ends.first ^ UInt64(truncatingIfNeeded: ends.count)) ^ ends.last
        if name.count > 16 {
            let raw = UnsafeRawBufferPointer(name)
            var offset = 8
            while offset < name.count - 8 {
                hash = mix(hash) ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
        }
        return UInt32(truncatingIfNeeded: mix(hash))
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = (word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
