/// A hash function with incremental input.
///
/// These functions serve protocols that require them; MD5 and SHA-1 alone provide no security.
public protocol HashFunction: Sendable {
    /// The block size in bytes, which HMAC needs.
    static var blockSize: Int { get }

    /// Creates a hash function with empty input.
    init()

    /// Appends bytes to the input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Returns the hash of the input so far.
    func finalize() -> [UInt8]
}

extension HashFunction {
    /// Appends bytes to the input.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Returns the hash of an array of bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var function = Self()
        function.update(bytes)
        return function.finalize()
    }
}

/// A keyed hash of a message (HMAC, RFC 2104).
public enum HMAC<Function: HashFunction> {
    /// Returns the authentication code of a message.
    public static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        var key = key.count > Function.blockSize ? Function.hash(key) : key
        key += repeatElement(0, count: Function.blockSize - key.count)
        var inner = Function()
        inner.update(key.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = Function()
        outer.update(key.map { $0 ^ 0x5C })
        outer.update(inner.finalize())
        return outer.finalize()
    }
}

/// The state of a Merkle–Damgård hash function, which processes whole blocks.
protocol HashState: Sendable {
    static var blockSize: Int { get }
    /// The size in bytes of the message length field at the end of the last block.
    static var lengthSize: Int { get }
    /// Whether the message length is big-endian.
    static var isBigEndian: Bool { get }

    init()

    /// Processes whole blocks.
    mutating func compress(_ blocks: UnsafeRawPointer, count: Int)

    /// The bytes of the hash.
    var bytes: [UInt8] { get }
}

/// A buffer that splits the input of a hash function into blocks.
struct BlockDigest<State: HashState>: Sendable {
    private var state = State()
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// Appends bytes; whole blocks are processed without a copy.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let missing = min(State.blockSize - rest.count, bytes.count)
            rest += bytes[..<missing]
            bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
            guard rest.count == State.blockSize else { return }
            let block = rest
            rest.removeAll(keepingCapacity: true)
            block.withUnsafeBytes { compress($0) }
        }
        let whole = bytes.count - bytes.count % State.blockSize
        compress(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
        rest += bytes[whole...]
    }

    /// Returns the hash of the input so far (FIPS 180-4, section 5.1; RFC 1321, sections 3.1 and 3.2).
    func finalize() -> [UInt8] {
        var last = self
        let block = State.blockSize
        var padding: [UInt8] = [0x80]
        let used = (rest.count + 1 + State.lengthSize) % block
        padding += repeatElement(0, count: used == 0 ? 0 : block - used)
        let bits = count.multipliedFullWidth(by: 8)
        let length = (0..<State.lengthSize).map { index -> UInt8 in
            let shift = UInt64(8 * index)
            return UInt8(truncatingIfNeeded: shift < 64 ? bits.low &>> shift : bits.high &>> (shift - 64))
        }
        padding += State.isBigEndian ? length.reversed() : length
        padding.withUnsafeBytes { last.update($0) }
        return last.state.bytes
    }

    private mutating func compress(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count >= State.blockSize else { return }
        state.compress(base, count: bytes.count / State.blockSize)
    }
}

extension FixedWidthInteger {
    /// The bytes in big-endian order.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// The MD5 hash function (RFC 1321), used by digest authentication.
public struct MD5: HashFunction {
    /// The block size in bytes.
    public static var blockSize: Int { 64 }

    private struct State: HashState {
        static var blockSize: Int { 64 }
        static var lengthSize: Int { 8 }
        static var isBigEndian: Bool { false }

        private var words: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]

        mutating func compress(_ blocks: UnsafeRawPointer, count: Int) {
            for block in 0..<count { compress(blocks + 64 * block) }
        }

        private mutating func compress(_ block: UnsafeRawPointer) {
            var (a, b, c, d) = (words[0], words[1], words[2], words[3])
            for index in 0..<64 {
                let (mixed, position): (UInt32, Int) =
                    switch index {
                    case ..<16: ((b & c) | (~b & d), index)
                    case ..<32: ((d & b) | (~d & c), (5 * index + 1) % 16)
                    case ..<48: (b ^ c ^ d, (3 * index + 5) % 16)
                    default: (c ^ (b | ~d), 7 * index % 16)
                    }
                let word = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: 4 * position, as: UInt32.self))
                let sum = a &+ mixed &+ word &+ MD5.constants[index]
                let shift = MD5.shifts[index / 16 * 4 + index % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum &<< shift | sum &>> (32 - shift)))
            }
            for (index, word) in [a, b, c, d].enumerated() { words[index] &+= word }
        }

        var bytes: [UInt8] { words.flatMap { $0.byteSwapped.bigEndianBytes } }
    }

    private var digest = BlockDigest<State>()

    /// Creates a hash function with empty input.
    public init() {}

    /// Appends bytes to the input.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Returns the hash of the input so far, 16 bytes.
    public func finalize() -> [UInt8] { digest.finalize() }

    private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    /// The constants derived from the sines of 1 to 64 (section 3.4).
    private static let constants: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]
}

/// The SHA-1 hash function (FIPS 180-4, section 6.1), used by the WebSocket handshake.
public struct SHA1: HashFunction {
    /// The block size in bytes.
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

    /// Creates a hash function with empty input.
    public init() {}

    /// Appends bytes to the input.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Returns the hash of the input so far, 20 bytes.
    public func finalize() -> [UInt8] { digest.finalize() }
}
