/// Finds out whether any of many hashes comes twice, in about two bytes for each: in a second pass, if need be.
///
/// The first pass marks a bit for each hash and keeps those whose bit was marked before, which are few. The second one
/// counts how often each of these comes.
struct RepetitionSieve {
    /// A power of two of bits, of which hashes mark one in eight at most.
    private var bits: [UInt64]
    /// The hashes that were kept; in the second pass in ascending order.
    private var kept: [Int] = []
    /// Which of the kept hashes has come in the second pass.
    private var hasCome: [Bool] = []
    /// Whether a hash came twice; known after the second pass.
    private(set) var hasRepetition = false

    private static let fewestWords = 64

    /// Creates a sieve for so many hashes.
    init(count: Int) {
        var words = Self.fewestWords
        while words * 8 < count { words *= 2 }
        bits = Array(repeating: 0, count: words)
    }

    /// Takes a hash in the first pass.
    mutating func add(_ hash: Int) {
        if !mark(hash) { kept.append(hash) }
    }

    /// Ends the first pass.
    ///
    /// - Returns: Whether there must be a second one with the same hashes.
    mutating func needsSecondPass() -> Bool {
        if kept.isEmpty { return false }
        kept.sort()
        hasCome = Array(repeating: false, count: kept.count)
        for index in bits.indices { bits[index] = 0 }
        for hash in kept { _ = mark(hash) }
        return true
    }

    /// Takes a hash in the second pass.
    mutating func addAgain(_ hash: Int) {
        let (word, bit) = place(of: hash)
        guard bits[word] & bit != 0 else { return }
        var low = 0
        var high = kept.count
        while low < high {
            let middle = (low + high) / 2
            if kept[middle] < hash { low = middle + 1 } else { high = middle }
        }
        guard low < kept.count, kept[low] == hash else { return }
        if hasCome[low] { hasRepetition = true }
        hasCome[low] = true
    }

    /// Marks the bit of a hash; false when it was marked before.
    private mutating func mark(_ hash: Int) -> Bool {
        let (word, bit) = place(of: hash)
        if bits[word] & bit != 0 { return false }
        bits[word] |= bit
        return true
    }

    private func place(of hash: Int) -> (word: Int, bit: UInt64) {
        let position = UInt(bitPattern: hash)
        return (Int(position >> 6) & (bits.count - 1), 1 << UInt64(position & 63))
    }
}
