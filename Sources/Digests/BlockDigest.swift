/// A hash function of Merkle and Damgård: a state that takes in whole blocks.
protocol HashState: Sendable {
    static var blockSize: Int { get }
    /// The size of the field for the message's length in bits at the end of the last block, in bytes.
    static var lengthSize: Int { get }
    /// Whether that length has its most significant byte first.
    static var isBigEndian: Bool { get }

    init()

    /// Takes in whole blocks.
    mutating func compress(_ blocks: UnsafeRawPointer, count: Int)

    /// The bytes of the hash.
    var bytes: [UInt8] { get }
}

/// The input of a hash function on its way into the state, block by block.
struct BlockDigest<State: HashState>: Sendable {
    private var state = State()
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// Adds bytes; whole blocks are taken from where they are.
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

    /// The hash of all bytes so far (FIPS 180-4, section 5.1; RFC 1321, sections 3.1 and 3.2).
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
    /// The bytes, the most significant first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
