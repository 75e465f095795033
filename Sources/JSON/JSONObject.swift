/// The members of a JSON object in document order, with unique names compared by code points.
///
/// The type has copy-on-write semantics. Small objects are searched linearly; larger ones have an index.
public struct JSONObject: Sendable {
    /// A member: its name and its value.
    public typealias Element = (key: String, value: JSONValue)

    /// The maximum number of members for which comparing names is faster than hashing them.
    static let maximumUnindexedCount = 16

    private var members: [Element]
    /// The positions by name; empty while the object is small.
    private var index: MemberIndex

    /// Creates an empty object.
    public init() {
        members = []
        index = MemberIndex()
    }

    /// Creates an object; for duplicate names, the last value is kept at the position of the first.
    public init(_ members: [(String, JSONValue)]) {
        self.init()
        self.members.reserveCapacity(members.count)
        for (name, value) in members { append(name, value) }
    }

    /// Creates an object from members, such as a slice of another object; for duplicate names, the last value is kept.
    public init(_ members: some Sequence<Element>) {
        self.init()
        self.members.reserveCapacity(members.underestimatedCount)
        for (name, value) in members { append(name, value) }
    }

    /// Creates an object from members with distinct names, and their index if there are more than
    /// `maximumUnindexedCount`.
    @inline(__always)
    init(distinct members: [Element], index: MemberIndex) {
        self.members = members
        self.index = index
    }

    /// The member names, in order.
    public var keys: some RandomAccessCollection<String> {
        members.lazy.map(\.key)
    }

    /// The member values, in order.
    public var values: some RandomAccessCollection<JSONValue> {
        members.lazy.map(\.value)
    }

    /// The value of the member named `name`; setting nil removes the member, and setting a new name appends it.
    public subscript(_ name: String) -> JSONValue? {
        get {
            guard let position = position(of: name) else { return nil }
            return members[position].value
        }
        set {
            if let newValue {
                append(name, newValue)
            } else {
                removeValue(forKey: name)
            }
        }
    }

    /// Returns the position of the member named `name`; nil if there is none.
    public func position(of name: String) -> Int? {
        if index.isEmpty {
            for position in members.indices where ExactText.equal(members[position].key, name) { return position }
            return nil
        }
        return index.position(hash: NameHash.hash(name)) { ExactText.equal(members[$0].key, name) }
    }

    /// Returns whether there is a member named `name`.
    public func contains(_ name: String) -> Bool {
        position(of: name) != nil
    }

    /// Appends a member, or replaces the value of the existing member with that name.
    public mutating func append(_ name: String, _ value: JSONValue) {
        if let position = insert(name, value) { members[position].value = value }
    }

    /// Appends a member unless the name exists; returns the position of the existing member.
    mutating func insert(_ name: String, _ value: JSONValue) -> Int? {
        if let position = position(of: name) { return position }
        members.append((name, value))
        if !index.isEmpty {
            index.insert(hash: NameHash.hash(name), position: members.count - 1)
        } else if members.count > JSONObject.maximumUnindexedCount {
            rebuildIndex()
        }
        return nil
    }

    /// Replaces the value of the member at a position that `insert` has returned.
    mutating func replaceValue(at position: Int, with value: JSONValue) {
        members[position].value = value
    }

    /// Removes the member named `name` and returns its value.
    @discardableResult
    public mutating func removeValue(forKey name: String) -> JSONValue? {
        guard let position = position(of: name) else { return nil }
        let value = members.remove(at: position).value
        rebuildIndex()
        return value
    }

    /// Removes all members that satisfy a predicate, in linear time.
    public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
        try members.removeAll(where: condition)
        rebuildIndex()
    }

    /// Returns an object with the same names and transformed values.
    public func mapValues<Failure: Error>(
        _ transform: (JSONValue) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONObject {
        var result = self
        for index in members.indices { result.members[index].value = try transform(members[index].value) }
        return result
    }

    /// Reserves capacity for `count` members.
    public mutating func reserveCapacity(_ count: Int) {
        members.reserveCapacity(count)
    }

    /// Sorts the members by name, comparing code points.
    public mutating func sortMembers() {
        // UTF-8 bytes have the same order as code points.
        members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        rebuildIndex()
    }

    /// Sorts the members by name, comparing UTF-16 code units, as RFC 8785, section 3.2.3 requires.
    mutating func sortMembersByUTF16() {
        members.sort { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        rebuildIndex()
    }

    /// Calls `body` with the members, without copying each.
    @inline(__always)
    func withMembers<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }

    private mutating func rebuildIndex() {
        guard members.count > JSONObject.maximumUnindexedCount else {
            index = MemberIndex()
            return
        }
        var index = MemberIndex(capacity: members.count)
        for position in members.indices {
            index.insert(hash: NameHash.hash(members[position].key), position: position)
        }
        self.index = index
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }

    /// The position past the last member.
    public var endIndex: Int { members.count }

    /// The member at `position`, which must be a valid index.
    public subscript(position: Int) -> Element {
        members[position]
    }
}

extension JSONObject {
    /// Calls `body` with the members in place, without the copies that subscripts make.
    @inline(__always)
    package func withUnsafeMembers<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }
}

extension JSONObject: Hashable {
    /// Returns whether both objects have the same names with equal values, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.members.indices {
            let member = left.members[index]
            // Documents usually have the same shape: try the same position first.
            let other = right.members[index]
            if ExactText.equal(member.key, other.key) {
                if member.value != other.value { return false }
            } else if right[member.key] != member.value {
                return false
            }
        }
        return true
    }

    /// Hashes the members independently of their order.
    public func hash(into hasher: inout Hasher) {
        var sum: UInt64 = 0
        for member in members {
            var memberHasher = Hasher()
            ExactText.hash(member.key, into: &memberHasher)
            memberHasher.combine(member.value)
            sum &+= UInt64(bitPattern: Int64(memberHasher.finalize()))
        }
        hasher.combine(members.count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object with the members in order; for duplicate names, the last value is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

/// An index of an object's member positions by name: a hash table with linear probing that stores no names.
///
/// It occupies one word, so that an object occupies two and a value three.
struct MemberIndex: Sendable {
    /// The slots: the hash of a name in the upper half and its position plus one in the lower half; 0 is free.
    ///
    /// The count is zero or a power of two.
    private var slots: [UInt64]

    /// Creates an empty index without storage.
    init() {
        slots = []
    }

    /// Creates an index with capacity for `capacity` members.
    init(capacity: Int) {
        slots = [UInt64](repeating: 0, count: MemberIndex.slotCount(for: capacity))
    }

    var isEmpty: Bool { slots.isEmpty }

    /// Returns a slot count for which at most three quarters of the slots are used.
    private static func slotCount(for members: Int) -> Int {
        var size = 32
        while size / 4 * 3 < members { size *= 2 }
        return size
    }

    /// Returns the position of the member with the given hash for which `isName` returns true.
    @inline(__always)
    func position(hash: UInt32, where isName: (Int) -> Bool) -> Int? {
        slots.withUnsafeBufferPointer { slots in
            guard !slots.isEmpty else { return nil }
            let mask = slots.count - 1
            var location = Int(hash) & mask
            // The loop terminates because a quarter of the slots is free.
            while slots[location] != 0 {
                let slot = slots[location]
                if slot >> 32 == UInt64(hash) {
                    let position = Int(slot & 0xFFFF_FFFF) - 1
                    if isName(position) { return position }
                }
                location = (location + 1) & mask
            }
            return nil
        }
    }

    /// Inserts a member with a new name, at the position after all others.
    @inline(__always)
    mutating func insert(hash: UInt32, position: Int) {
        if position >= slots.count / 4 * 3 { grow(to: position + 1) }
        // No machine has memory for four billion members.
        location(UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: position + 1)))
    }

    @inline(__always)
    private mutating func location(_ slot: UInt64) {
        slots.withUnsafeMutableBufferPointer { slots in
            let mask = slots.count - 1
            var location = Int(slot >> 32) & mask
            while slots[location] != 0 { location = (location + 1) & mask }
            slots[location] = slot
        }
    }

    private mutating func grow(to count: Int) {
        let old = slots
        slots = [UInt64](repeating: 0, count: MemberIndex.slotCount(for: count))
        for slot in old where slot != 0 { location(slot) }
    }
}

/// A fast hash of member names, seeded per process so that no document can be crafted with colliding names.
///
/// It is consistent with comparing names by bytes. It reads eight bytes at a time and mixes them by the full product of
/// two words, as wyhash does.
enum NameHash {
    /// The seed of this process.
    static let seed = UInt64.random(in: .min ... .max)

    /// Returns the hash of a name.
    static func hash(_ name: String) -> UInt32 {
        var name = name
        return name.withUTF8 { hash($0, seed: seed) }
    }

    /// Returns the hash of a name in UTF-8.
    @inline(__always)
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt32 {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = bytes.count
        var state = seed ^ UInt64(truncatingIfNeeded: count) &* 0xA076_1D64_78BD_642F
        if count >= 8 {
            var offset = 0
            while offset + 8 < count {
                state = mix(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            // The last eight bytes, which may overlap the previous ones.
            state = mix(state ^ raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
        } else if count >= 4 {
            let first = raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            state = mix(state ^ (UInt64(first) | UInt64(last) << 32))
        } else if count > 0 {
            let word = UInt64(bytes[0]) | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count - 1]) << 16
            state = mix(state ^ word)
        }
        let hash = mix(state)
        return UInt32(truncatingIfNeeded: hash)
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}
