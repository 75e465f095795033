import RegularExpressions

/// The keywords that validate objects.
final class ObjectKeywords: Sendable {
    /// An entry of `patternProperties`.
    struct Pattern: Sendable {
        let expression: RegularExpression
        let node: NodeIndex
    }

    /// An entry of `dependentRequired`, or of `dependencies` with names.
    struct RequiredNames: Sendable {
        let name: String
        let names: [String]
        let keyword: String
    }

    /// An entry of `dependentSchemas`, or of `dependencies` with a schema.
    struct DependentSchema: Sendable {
        let name: String
        let node: NodeIndex
        let keyword: String
    }

    /// The effect of `additionalProperties`.
    enum Additional: Sendable, Equatable {
        case allowed
        case forbidden
        case schema(NodeIndex)
    }

    /// The minimum number of members: the value of `minProperties` or the number of required names, if that is larger.
    let minimumCount: Int
    /// The value of `minProperties`.
    let statedMinimumCount: Int
    let maximumCount: Int
    /// The names in `properties` and `required`.
    let properties: PropertyTable
    let patterns: [Pattern]
    let additional: Additional
    /// The node of `additionalProperties`, or -1 if there is none.
    let additionalNode: NodeIndex
    /// The node of `propertyNames`, or -1 if there is none.
    let names: NodeIndex
    let dependentNames: [RequiredNames]
    let dependentSchemas: [DependentSchema]
    /// Whether any keyword applies to members that `properties` does not define.
    let readsAllMembers: Bool
    /// Whether the only such keyword forbids these members.
    let forbidsOthers: Bool

    init(
        minimumCount: Int, maximumCount: Int, properties: PropertyTable, patterns: [Pattern], additional: Additional,
        additionalNode: NodeIndex, names: NodeIndex, dependentNames: [RequiredNames],
        dependentSchemas: [DependentSchema]
    ) {
        statedMinimumCount = minimumCount
        self.minimumCount = max(minimumCount, properties.requiredCount)
        self.maximumCount = maximumCount
        self.properties = properties
        self.patterns = patterns
        self.additional = additional
        self.additionalNode = additionalNode
        self.names = names
        self.dependentNames = dependentNames
        self.dependentSchemas = dependentSchemas
        forbidsOthers = additional == .forbidden && patterns.isEmpty && names < 0
        readsAllMembers = !patterns.isEmpty || additionalNode >= 0 || names >= 0
    }
}

/// The names that a schema defines, found by hash or by trying the name that usually comes next.
struct PropertyTable: Sendable {
    /// A name with the requirements for its member.
    struct Property: Sendable {
        let name: String
        /// The schema in `properties`, or -1 if there is none.
        let node: NodeIndex
        let isRequired: Bool
    }

    /// The requirements for the member with a name.
    struct Target: Sendable {
        let node: NodeIndex
        let isRequired: Bool
    }

    /// A form of a name for fast comparison. Its length and ends fully determine a name of up to 16 bytes.
    private struct Key: Sendable {
        let ends: NameEnds
        let hash: UInt32
        /// The start of the name in `bytes`.
        let start: Int32
    }

    let properties: [Property]
    let targets: [Target]
    let requiredCount: Int
    private let keys: [Key]
    private let bytes: [UInt8]
    /// A hash table of property indices, with -1 for free slots. At least half of the slots are free.
    private let slots: [Int32]
    private let mask: UInt32

    /// Creates a table from unique names.
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

    /// Returns the index of the property with a name, or -1.
    ///
    /// - Parameter expected: The index of the property to try first. It is set to the index after the match.
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

    /// Returns a fast hash of all bytes. Only names from the schema are stored, so input cannot degrade the table.
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

/// The length of a name with its first and last eight bytes, which may overlap.
struct NameEnds: Equatable, Sendable {
    let count: Int
    let first: UInt64
    let last: UInt64

    @inline(__always)
    init(_ name: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(name)
        count = name.count
        if count >= 8 {
            first = raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            last = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            first = UInt64(raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            last = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            first = UInt64(name[0]) | UInt64(name[count >> 1]) << 8
            last = UInt64(name[count &- 1])
        } else {
            first = 0
            last = 0
        }
    }
}

/// The keywords that validate arrays.
final class ArrayKeywords: Sendable {
    let minimumCount: Int
    let maximumCount: Int
    let isUnique: Bool
    /// The schemas of the first elements, from `prefixItems` or an array in `items`.
    let prefix: [NodeIndex]
    /// The schema of the other elements, from `items` or `additionalItems`, or -1 if there is none.
    let rest: NodeIndex
    /// Whether the schema uses an array in `items` with `additionalItems`, as in drafts before 2020-12.
    let usesAdditionalItems: Bool
    /// The node of `contains`, or -1 if there is none.
    let contains: NodeIndex
    let minimumContained: Int
    let maximumContained: Int
    /// Whether elements that match `contains` count as evaluated.
    let containsEvaluates: Bool

    init(
        minimumCount: Int, maximumCount: Int, isUnique: Bool, prefix: [NodeIndex], rest: NodeIndex,
        usesAdditionalItems: Bool, contains: NodeIndex, minimumContained: Int, maximumContained: Int,
        containsEvaluates: Bool
    ) {
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.isUnique = isUnique
        self.prefix = prefix
        self.rest = rest
        self.usesAdditionalItems = usesAdditionalItems
        self.contains = contains
        self.minimumContained = minimumContained
        self.maximumContained = maximumContained
        self.containsEvaluates = containsEvaluates
    }

    /// The keyword with the schemas of the first elements.
    var prefixKeyword: String { usesAdditionalItems ? "items" : "prefixItems" }
    /// The keyword with the schema of the other elements.
    var restKeyword: String { usesAdditionalItems ? "additionalItems" : "items" }
}
