/// The members of a JSON object in the order they were written, with unique names compared by code point.
///
/// A copy shares its storage until it is changed. Small objects are searched in order; larger ones have an index.
public struct JSONObject: Sendable {
    /// A member: its name and its value.
    public typealias Element = (key: String, value: JSONValue)

    /// Up to this many members comparing the names one by one is faster than hashing them.
    static let largestUnindexedCount = 16

    private var members: [Element]
    /// Positions by name; empty while the object is small.
    private var index: MemberIndex

    /// An empty object.
    public init() {
        members = []
        index = MemberIndex()
    }

    /// An object with the given members; of members with one name the last value is kept, at the first one's place.
    public init(_ members: [(String, JSONValue)]) {
        self.init()
        self.members.reserveCapacity(members.count)
        for (name, value) in members { append(name, value) }
    }

    /// An object with the given members, such as another object's in part; of members with one name the last value is kept.
    public init(_ members: some Sequence<Element>) {
        self.init()
        self.members.reserveCapacity(members.underestimatedCount)
        for (name, value) in members { append(name, value) }
    }

    /// An object of members known to have different names, with their index if there are more than
    /// `largestUnindexedCount`.
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

    /// The value of the member named `name`; setting nil removes the member, setting a new name adds it at the end.
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

    /// The place of the member named `name` in the order of members, or nil.
    public func position(of name: String) -> Int? {
        if index.isEmpty {
            for position in members.indices where ExactText.equal(members[position].key, name) { return position }
            return nil
        }
        return index.position(hash: NameHash.hash(name)) { ExactText.equal(members[$0].key, name) }
    }

    /// Whether there is a member named `name`.
    public func contains(_ name: String) -> Bool {
        position(of: name) != nil
    }

    /// Adds a member at the end, or replaces the value of the member with that name at its place.
    public mutating func append(_ name: String, _ value: JSONValue) {
        if let position = insert(name, value) { members[position].value = value }
    }

    /// Adds a member unless the name is taken; returns the position of the member that has the name already.
    mutating func insert(_ name: String, _ value: JSONValue) -> Int? {
        if let position = position(of: name) { return position }
        members.append((name, value))
        if !index.isEmpty {
            index.insert(hash: NameHash.hash(name), position: members.count - 1)
        } else if members.count > JSONObject.largestUnindexedCount {
            rebuildIndex()
        }
        return nil
    }

    /// Replaces the value of the member at a position that `insert` returned.
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

    /// Removes every member that `condition` holds for, in linear time.
    public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
        try members.removeAll(where: condition)
        rebuildIndex()
    }

    /// An object with the same names and other values.
    public func mapValues<Failure: Error>(
        _ transform: (JSONValue) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONObject {
        var result = self
        for index in members.indices { result.members[index].value = try transform(members[index].value) }
        return result
    }

    /// Makes room for `count` members.
    public mutating func reserveCapacity(_ count: Int) {
        members.reserveCapacity(count)
    }

    /// Sorts the members by name, comparing code points.
    public mutating func sortMembers() {
        // The bytes of UTF-8 are in the order of the code points.
        members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        rebuildIndex()
    }

    /// Sorts the members by name, comparing UTF-16 code units, as RFC 8785 §3.2.3 asks.
    mutating func sortMembersByUTF16() {
        members.sort { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        rebuildIndex()
    }

    /// Calls `body` with the members, without a copy of each.
    @inline(__always)
    func withMembers<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }

    private mutating func rebuildIndex() {
        guard members.count > JSONObject.largestUnindexedCount else {
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
    /// Lets `body` read the members where they are, without the copies that subscripts make.
    @inline(__always)
    package func withUnsafeMembers<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same names with equal values, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.members.indices {
            let member = left.members[index]
            // The same document shape is by far the most frequent case: try the same place first.
            let other = right.members[index]
            if ExactText.equal(member.key, other.key) {
                if member.value != other.value { return false }
            } else if right[member.key] != member.value {
                return false
            }
        }
        return true
    }

    /// Hashes without regard to the order of members.
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
    /// An object with the members in the order written; of members with one name the last value is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

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

/// A fast hash of member names, seeded for each process so that no document can be made of names that collide.
///
/// It is in step with comparing names byte by byte. It reads eight bytes at a time and mixes them by the full product of
/// two words, as wyhash does.
enum NameHash {
    /// The seed of this process.
    static let seed = UInt64.random(in: .min ... .max)

    /// The hash of a name.
    static func hash(_ name: String) -> UInt32 {
        var name = name
        return name.withUTF8 { hash($0, seed: seed) }
    }

    /// The hash of a name given as UTF-8.
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
            // The last eight bytes, some of them again.
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
