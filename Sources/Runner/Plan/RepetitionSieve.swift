/// A detector of repeated hashes in limited memory, which needs several passes over them.
///
/// Each of the first passes sets two bits for each hash of its part, and keeps the few hashes whose bits are already
/// set. The last pass counts the occurrences of these.
struct RepetitionSieve {
    /// The bits, a power of two in number. The hashes of a pass set at most one in four.
    private var bits: [UInt64]
    /// The hashes that were kept, in ascending order during the last pass.
    private var kept: [Int] = []
    /// For each kept hash, whether it occurred in the last pass.
    private var hasCome: [Bool] = []
    /// The hashes that occurred at least twice. Valid after the last pass.
    private(set) var repeated: Set<Int> = []
    /// The number of passes before the last one. One is enough for four million hashes.
    let firstPasses: Int
    private var pass = 0

    private static let minimumWords = 64
    /// 4 MiB, less than what a run of a single test needs after its names are known.
    private static let maximumWords = 1 << 19

    /// Creates a sieve for the given number of hashes.
    ///
    /// - Parameter maximumWords: The maximum number of words of 64 bits.
    init(count: Int, maximumWords: Int = Self.maximumWords) {
        var words = Self.minimumWords
        while words * 8 < count, words < maximumWords { words *= 2 }
        bits = Array(repeating: 0, count: words)
        firstPasses = max(1, (count + words * 8 - 1) / (words * 8))
    }

    /// Adds a hash in one of the first passes.
    mutating func add(_ hash: Int) {
        guard firstPasses == 1 || part(of: hash) == pass else { return }
        if !mark(hash) { kept.append(hash) }
    }

    /// Ends one of the first passes.
    mutating func endPass() {
        pass += 1
        if pass < firstPasses { clear() }
    }

    /// Ends the first passes.
    ///
    /// - Returns: Whether the last pass with the same hashes is required.
    mutating func needsLastPass() -> Bool {
        if kept.isEmpty { return false }
        kept.sort()
        hasCome = Array(repeating: false, count: kept.count)
        clear()
        for hash in kept { _ = mark(hash) }
        return true
    }

    /// Adds a hash in the last pass.
    mutating func addAgain(_ hash: Int) {
        guard isMarked(hash) else { return }
        var low = 0
        var high = kept.count
        while low < high {
            let middle = (low + high) / 2
            if kept[middle] < hash { low = middle + 1 } else { high = middle }
        }
        guard low < kept.count, kept[low] == hash else { return }
        if hasCome[low] { repeated.insert(hash) }
        hasCome[low] = true
    }

    /// Returns the first pass that considers a hash, which depends on its highest bits.
    private func part(of hash: Int) -> Int {
        Int(UInt(bitPattern: hash).multipliedFullWidth(by: UInt(firstPasses)).high)
    }

    private mutating func clear() {
        for index in bits.indices { bits[index] = 0 }
    }

    /// Sets the bits of a hash. Returns false if both were already set.
    private mutating func mark(_ hash: Int) -> Bool {
        if isMarked(hash) { return false }
        let (first, second) = (location(of: hash), location(of: hash >> 26))
        bits[first.word] |= first.bit
        bits[second.word] |= second.bit
        return true
    }

    private func isMarked(_ hash: Int) -> Bool {
        let first = location(of: hash)
        guard bits[first.word] & first.bit != 0 else { return false }
        let second = location(of: hash >> 26)
        return bits[second.word] & second.bit != 0
    }

    private func location(of hash: Int) -> (word: Int, bit: UInt64) {
        let position = UInt(bitPattern: hash)
        return (Int(position >> 6) & (bits.count - 1), 1 << UInt64(position & 63))
    }
}
