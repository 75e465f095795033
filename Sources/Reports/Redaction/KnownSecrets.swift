/// The secrets that a text is searched for; a copy costs nothing, and stays as it is while others learn.
struct KnownSecrets: Sendable {
    /// A byte with which a secret may begin.
    static let start: UInt8 = 1
    /// A byte that asks for more than a comparison: it begins an escape, or tells how a text is encoded or cut.
    static let special: UInt8 = 2

    private(set) var tree = SecretTree()
    /// What may stand behind the `…` of a text that was cut.
    let windows = SecretWindows()
    /// The bytes of the shortest secret that is masked anywhere; the largest number when there is none.
    private(set) var shortest = Int.max
    /// How far from an escape a secret can stand that it is a part of, however it is encoded.
    private(set) var reach = 64
    /// Whether a byte in a secret looks like the beginning of an escape.
    private(set) var hasEscapes = false
    /// What each byte in a text asks for; nothing for most.
    private(set) var interests: [UInt8]

    init() {
        interests = [UInt8](repeating: 0, count: 256)
        for byte in "%\\&'\"\u{0}".utf8 { interests[Int(byte)] = Self.special }
        interests[0xE2] = Self.special
    }

    /// Adds a text.
    ///
    /// - Returns: Whether it was not there.
    mutating func insert(_ bytes: [UInt8], _ kind: SecretTree.Kind) -> Bool {
        guard let first = bytes.first, tree.insert(bytes, kind) else { return false }
        for byte in 0...UInt8.max where SecretTree.folded(byte) == SecretTree.folded(first) {
            interests[Int(byte)] |= Self.start
        }
        if bytes.contains(where: { !Escapes.kind(of: $0).isEmpty || $0 == 0x22 || $0 == 0x27 }) { hasEscapes = true }
        guard kind == .anywhere else { return true }
        windows.insert(bytes)
        shortest = min(shortest, bytes.count)
        // Two ways of encoding, one in the other, make twelve bytes of one.
        reach = max(reach, 64 + min(bytes.count, 1 << 20) * 12)
        return true
    }
}
