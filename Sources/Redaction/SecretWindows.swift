import Synchronization

/// Which runs of six bytes stand in secrets, and which of them end one: what may be left of a secret behind `…`.
///
/// It is a filter: of each run a bit is kept, so that some others are taken for one of them. Its size does not grow with the
/// secrets, as a run may learn thousands of tokens. Copies of a redactor share it, as bits are only ever set.
///
/// `@unchecked`, as the words are behind a pointer: nothing but atomic operations reads or writes them.
final class SecretWindows: @unchecked Sendable {
    /// The bytes of a run.
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

    /// Adds all runs of a secret's bytes.
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

    /// The end of the longest part of a secret, without its beginning, that a text has at a position; nil when there is none.
    ///
    /// The part must reach to the end of the secret, or to where the text was cut again.
    ///
    /// - Parameter isCut: Whether the text was cut at a position.
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

    /// Marks a run that ends a secret.
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

    /// The highest bits of the product are the best mixed ones.
    private static func bit(of run: UInt64) -> Int {
        Int(truncatingIfNeeded: (run &* 0x9E37_79B9_7F4A_7C15) >> 42)
    }
}
