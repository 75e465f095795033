/// The known keys that a map has, or was plainly meant to have, so that none of them is called missing.
struct FoundKeys<Key: Equatable> {
    /// A bit for each position of ``keys``.
    let bits: UInt64
    /// The keys of the map's schema.
    let keys: [Key]

    /// Whether a key is there, or another one was meant to be it.
    func contains(_ key: Key) -> Bool {
        guard let position = keys.firstIndex(of: key) else { return false }
        return bits & (1 << UInt64(truncatingIfNeeded: position)) != 0
    }
}
