/// Which runs of six bytes stand in secrets, so that a place where none does needs no longer look.
///
/// It is a filter: of each run a bit is kept, so that some others are taken for one of them. Its size does not grow with the
/// secrets, as a run may learn thousands of tokens.
struct SecretWindows {
    /// The bytes of a run.
    static let length = 6
    private static let bitCount = 1 << 20

    /// Empty before the first run.
    private var bits: [UInt64] = []

    /// Adds all runs of a pattern's bytes.
    mutating func insert(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length else { return }
        if bits.isEmpty { bits = [UInt64](repeating: 0, count: Self.bitCount / 64) }
        var run: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            Self.append(byte, to: &run)
            guard index >= Self.length - 1 else { continue }
            let bit = Self.bit(of: run)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    /// Whether a run may begin at a position of a text, be it escaped; false is certain.
    func mayMatch(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard !bits.isEmpty, position + Self.length <= text.count else { return false }
        var plain: UInt64 = 0
        var isEscaped = false
        for byte in text[position..<position + Self.length] {
            Self.append(byte, to: &plain)
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "+"): isEscaped = true
            default: break
            }
        }
        return contains(plain) || (isEscaped && mayMatchEscaped(text, at: position))
    }

    private func mayMatchEscaped(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var run: UInt64 = 0
        // The same with each plus sign read as a space.
        var spaced: UInt64 = 0
        var count = 0
        var position = start
        while count < Self.length {
            guard position < text.count else { return false }
            let byte = text[position]
            let escape: (bytes: [UInt8], length: Int)? =
                switch byte {
                case UInt8(ascii: "%"): SecretPattern.percentDecoded(text, at: position).map { ([$0], 3) }
                case UInt8(ascii: "\\"): SecretPattern.unescaped(text, at: position)
                case UInt8(ascii: "&"): SecretPattern.referenced(text, at: position)
                default: nil
                }
            for decoded in (escape?.bytes ?? [byte]).prefix(Self.length - count) {
                Self.append(decoded, to: &run)
                let isSpace = escape == nil && decoded == UInt8(ascii: "+")
                Self.append(isSpace ? UInt8(ascii: " ") : decoded, to: &spaced)
                count += 1
            }
            position += escape?.length ?? 1
        }
        return contains(run) || contains(spaced)
    }

    private func contains(_ run: UInt64) -> Bool {
        let bit = Self.bit(of: run)
        return bits[bit >> 6] >> UInt64(bit & 63) & 1 == 1
    }

    private static func append(_ byte: UInt8, to run: inout UInt64) {
        run = (run << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
    }

    /// The highest bits of the product are the best mixed ones.
    private static func bit(of run: UInt64) -> Int {
        Int(truncatingIfNeeded: (run &* 0x9E37_79B9_7F4A_7C15) >> 44)
    }
}
