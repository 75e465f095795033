import CDigests

/// The SHA-256 hash function (FIPS 180-4, section 6.2), with hardware acceleration if available.
public struct SHA256: HashFunction {
    /// The block size in bytes.
    public static var blockSize: Int { 64 }

    private struct State: HashState {
        static var blockSize: Int { 64 }
        static var lengthSize: Int { 8 }
        static var isBigEndian: Bool { true }

        private var words: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]

        mutating func compress(_ blocks: UnsafeRawPointer, count: Int) {
            words.withUnsafeMutableBufferPointer { cdg_sha256_compress($0.baseAddress, blocks, count) }
        }

        var bytes: [UInt8] { words.flatMap(\.bigEndianBytes) }
    }

    private var digest = BlockDigest<State>()

    /// Creates a hash function with empty input.
    public init() {}

    /// Appends bytes to the input.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Returns the hash of the input so far, 32 bytes.
    public func finalize() -> [UInt8] { digest.finalize() }
}
