/// A detector of repeated hashes that needs about two bytes of memory per hash and one or two passes.
///
/// The first pass sets a bit for each hash and keeps the few hashes whose bit is already set. The second pass counts
/// the occurrences of these.
struct RepetitionSieve {
    /// The bits, a power of two in number. Hashes set at most one in eight.
    private var bits: [UInt64]
    /// The hashes that were kept, in ascending order during the second pass.
    private var kept: [Int] = []
    /// For each kept hash, whether it occurred in the second pass.
    private var hasCome: [Bool] = []
    /// Whether a hash occurred twice. Valid after the second pass.
    private(set) var hasRepetition = false

    private static let minimumWords = 64

    /// Creates a sieve for the given number of hashes.
    init(count: Int) {
        var words = Self.minimumWords
        while words * 8 < count { words *= 2 }
        bits = Array(repeating: 0, count: words)
    }

    /// Adds a hash in the first pass.
    mutating func add(_ hash: Int) {
        if !mark(hash) { kept.append(hash) }
    }

    /// Ends the first pass.
    ///
    /// - Returns: Whether a second pass with the same hashes is required.
    mutating func needsSecondPass() -> Bool {
        if kept.isEmpty { return false }
        kept.sort()
        hasCome = Array(repeating: false, count: kept.count)
        for index in bits.indices { bits[index] = 0 }
        for hash in kept { _ = mark(hash) }
        return true
    }

    /// Adds a hash in the second pass.
    mutating func addAgain(_ hash: Int) {
        let (word, bit) = location(of: hash)
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

    /// Sets the bit of a hash. Returns false if it was already set.
    private mutating func mark(_ hash: Int) -> Bool {
        let (word, bit) = location(of: hash)
        if bits[word] & bit != 0 { return false }
        bits[word] |= bit
        return true
    }

    private func location(of hash: Int) -> (word: Int, bit: UInt64) {
        let position = UInt(bitPattern: hash)
        return (Int(position >> 6) & (bits.count - 1), 1 << UInt64(position & 63))
    }
}
