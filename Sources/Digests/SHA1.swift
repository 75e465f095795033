/// The hash function SHA-1 (FIPS 180-4, section 6.1), which the handshake of WebSockets names.
public struct SHA1: HashFunction {
    /// The size of a block in bytes.
    public static var blockSize: Int { 64 }

    private struct State: HashState {
        static var blockSize: Int { 64 }
        static var lengthSize: Int { 8 }
        static var isBigEndian: Bool { true }

        private var words: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]

        mutating func compress(_ blocks: UnsafeRawPointer, count: Int) {
            for block in 0..<count { compress(blocks + 64 * block) }
        }

        private mutating func compress(_ block: UnsafeRawPointer) {
            var schedule = (0..<16).map {
                UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
            for index in 16..<80 {
                let word = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
                schedule.append(word &<< 1 | word &>> 31)
            }
            var (a, b, c, d, e) = (words[0], words[1], words[2], words[3], words[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: ((b & c) ^ (~b & d), 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: ((b & c) ^ (b & d) ^ (c & d), 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = (a &<< 5 | a &>> 27) &+ mixed &+ e &+ constant &+ schedule[index]
                (e, d, c, b, a) = (d, c, b &<< 30 | b &>> 2, a, next)
            }
            for (index, word) in [a, b, c, d, e].enumerated() { words[index] &+= word }
        }

        var bytes: [UInt8] { words.flatMap(\.bigEndianBytes) }
    }

    private var digest = BlockDigest<State>()

    /// Creates the hash of nothing.
    public init() {}

    /// Adds bytes to the input.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Returns the hash of all bytes so far, 20 bytes.
    public func finalize() -> [UInt8] { digest.finalize() }
}
