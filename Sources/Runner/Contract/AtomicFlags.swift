import Synchronization

/// Flags that any task can set, without waiting for others.
///
/// `@unchecked`, as the words are behind a pointer: nothing but atomic operations reads or writes them.
final class AtomicFlags: @unchecked Sendable {
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordCount: Int
    private let count: Int

    /// Creates flags, none of them set.
    init(count: Int) {
        self.count = max(0, count)
        wordCount = self.count / 64 + 1
        words = .allocate(capacity: wordCount)
        for word in 0..<wordCount { (words + word).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: wordCount)
        words.deallocate()
    }

    /// Sets a flag; one that there is not stays away.
    func set(_ index: Int) {
        guard index >= 0, index < count else { return }
        let bit: UInt64 = 1 << UInt64(index & 63)
        // Most flags are set soon, and a word that is only read is not taken away from other cores.
        if words[index >> 6].load(ordering: .relaxed) & bit == 0 {
            words[index >> 6].bitwiseOr(bit, ordering: .relaxed)
        }
    }

    /// The flags that are set, in order.
    var indices: [Int] {
        (0..<count).filter { words[$0 >> 6].load(ordering: .acquiring) & 1 << UInt64($0 & 63) != 0 }
    }
}
