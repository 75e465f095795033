/// The known keys that a map has, or was plainly meant to have, so that none of them is called missing.
struct FoundKeys<Key: Equatable> {
    /// A bit for each position of ``keys``.
    let bits: UInt64
    /// The keys of the map's schema.
    let keys: [Key]

    /// The bit of keys that begin with `x-`, beyond those of all positions.
    static var extensionBit: UInt64 { 1 << 63 }

    /// Whether the map may have keys that begin with `x-`.
    var hasExtensions: Bool { bits & Self.extensionBit != 0 }

    /// Whether a key is there, or another one was meant to be it.
    func contains(_ key: Key) -> Bool {
        guard let position = keys.firstIndex(of: key) else { return false }
        return bits & (1 << UInt64(truncatingIfNeeded: position)) != 0
    }
}
