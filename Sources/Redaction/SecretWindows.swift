import Synchronization

/// A filter for the runs of six bytes that occur in secrets or end one, to find remainders of secrets after `…`.
///
/// The filter keeps one bit per run, so it has false positives. Its size is constant, because a run may register
/// thousands of tokens. Copies of a redactor share the filter, since bits are only ever set.
///
/// `@unchecked Sendable` because the words are behind a pointer; they are accessed only by atomic operations.
final class SecretWindows: @unchecked Sendable {
    /// The number of bytes in a run.
    static let length = 6
    private static let bitCount = 1 << 22
    private static let wordCount = bitCount / 64

    private let words: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        words = .allocate(capacity: Self.wordCount)
        for word in 0..<Self.wordCount { (words + word).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: Self.wordCount)
        words.deallocate()
    }

    /// Adds all runs of bytes of a secret.
    func insert(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length else { return }
        var run: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            Self.append(SecretTree.folded(byte), to: &run)
            guard index >= Self.length - 1 else { continue }
            set(run)
        }
        set(run | Self.end)
    }

    /// Returns the end of the longest remainder of a secret at a position; nil if there is none.
    ///
    /// A remainder is a secret without its start. It must extend to the end of the secret, or to another truncation.
    ///
    /// - Parameters:
    ///   - text: The text to search.
    ///   - start: The position at which the remainder starts.
    ///   - isCut: A closure that returns whether the text is truncated at a position.
    func partEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int, isCut: (Int) -> Bool) -> Int? {
        guard start + Self.length <= text.count else { return nil }
        var run: UInt64 = 0
        for position in start..<start + Self.length - 1 { Self.append(SecretTree.folded(text[position]), to: &run) }
        var position = start + Self.length - 1
        var end: Int?
        var isWithin = false
        while position < text.count {
            Self.append(SecretTree.folded(text[position]), to: &run)
            guard has(run) else { break }
            isWithin = true
            position += 1
            if has(run | Self.end) { end = position }
        }
        return isWithin && isCut(position) ? position : end
    }

    /// The flag of a run that ends a secret.
    private static let end: UInt64 = 1 << 48

    private func set(_ run: UInt64) {
        let bit = Self.bit(of: run)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if words[bit >> 6].load(ordering: .relaxed) & mask == 0 {
            words[bit >> 6].bitwiseOr(mask, ordering: .relaxed)
        }
    }

    private func has(_ run: UInt64) -> Bool {
        let bit = Self.bit(of: run)
        return words[bit >> 6].load(ordering: .relaxed) >> UInt64(bit & 63) & 1 == 1
    }

    private static func append(_ byte: UInt8, to run: inout UInt64) {
        run = (run << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
    }

    /// Uses the highest bits of the product, which are mixed best.
    private static func bit(of run: UInt64) -> Int {
        Int(truncatingIfNeeded: (run &* 0x9E37_79B9_7F4A_7C15) >> 42)
    }
}
