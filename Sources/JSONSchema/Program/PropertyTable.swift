/// The names that a schema knows, found by hash, or by trying the one that usually comes next.
struct PropertyTable: Sendable {
    /// A name with what is asked of its member.
    struct Property: Sendable {
        let name: String
        /// The schema in `properties`; -1 for none.
        let node: NodeIndex
        let isRequired: Bool
        /// The place of the name in `bytes`.
        fileprivate let start: Int32
        fileprivate let length: Int32
        fileprivate let hash: UInt32
    }

    let properties: [Property]
    let requiredCount: Int
    private let bytes: [UInt8]
    /// Indices of properties by hash, -1 where there is none; at least half of them are free.
    private let slots: [Int32]
    private let mask: UInt32

    /// Makes a table from unique names.
    init(_ entries: [(name: String, node: NodeIndex, isRequired: Bool)]) {
        var properties: [Property] = []
        var bytes: [UInt8] = []
        for entry in entries {
            let start = bytes.count
            bytes += entry.name.utf8
            let hash = bytes[start...].withUnsafeBufferPointer { PropertyTable.hash($0) }
            properties.append(
                Property(
                    name: entry.name, node: entry.node, isRequired: entry.isRequired, start: Int32(start),
                    length: Int32(bytes.count - start), hash: hash))
        }
        var size = 4
        while size < entries.count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        for (index, property) in properties.enumerated() {
            var slot = Int(property.hash) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(index)
        }
        self.properties = properties
        self.bytes = bytes
        self.slots = slots
        mask = UInt32(size - 1)
        requiredCount = entries.count { $0.isRequired }
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
        let found =
            expected < properties.count && isName(name, of: expected) ? expected : lookUp(name)
        if found >= 0 { expected = found + 1 }
        return found
    }

    private func lookUp(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        if properties.isEmpty { return -1 }
        let hash = PropertyTable.hash(name)
        var slot = hash & mask
        while true {
            let index = Int(slots[Int(slot)])
            if index < 0 { return -1 }
            if properties[index].hash == hash, isName(name, of: index) { return index }
            slot = (slot &+ 1) & mask
        }
    }

    @inline(__always)
    private func isName(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Bool {
        let length = Int(properties[index].length)
        guard length == name.count else { return false }
        let start = Int(properties[index].start)
        return bytes.withUnsafeBufferPointer { bytes in
            var offset = 0
            while offset < length {
                if bytes[start + offset] != name[offset] { return false }
                offset += 1
            }
            return true
        }
    }

    /// A quick hash of all bytes. Only a schema's own names are stored by it, so others cannot make the table slow.
    @inline(__always)
    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let raw = UnsafeRawBufferPointer(name)
        var hash = UInt64(truncatingIfNeeded: name.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= raw.count {
            hash = (hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
            offset += 8
        }
        while offset < raw.count {
            hash = (hash ^ UInt64(raw[offset])) &* 0x0000_0100_0000_01B3
            offset += 1
        }
        hash = (hash ^ hash >> 29) &* 0xD6E8_FEB8_6659_FD93
        return UInt32(truncatingIfNeeded: hash >> 32)
    }
}
