/// Decompresses gzip (RFC 1952), zlib (RFC 1950) and raw deflate (RFC 1951) with bounds on what comes out.
struct Inflate {
    /// A content coding that uses deflate.
    enum Coding {
        case gzip
        /// The zlib format; raw deflate data, which some servers send under this name, is accepted too.
        case deflate
    }

    /// Why data cannot be decompressed; the message continues "the gzip body …".
    struct Failure: Error {
        var reason: SessionError.Reason = .invalidContentCoding
        var message: String
    }

    /// Decompresses all of `input`.
    static func decode(_ input: [UInt8], _ coding: Coding, limits: Limits) throws(Failure) -> [UInt8] {
        var decoder = Inflate(input: input, limits: limits)
        switch coding {
        case .gzip: try decoder.gzip()
        case .deflate: try decoder.zlibOrRaw()
        }
        return decoder.output
    }

    private let input: [UInt8]
    private let maximum: Int
    private let limits: Limits
    private var position = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    /// Where the current member's output begins: distances do not reach beyond it.
    private var memberStart = 0

    private init(input: [UInt8], limits: Limits) {
        self.input = input
        self.limits = limits
        let (product, overflow) = input.count.multipliedReportingOverflow(by: max(1, limits.decompressionRatio))
        maximum = min(limits.decodedBodyBytes, max(1 << 20, overflow ? .max : product))
        output.reserveCapacity(min(maximum, input.count * 4))
    }

    // MARK: Containers

    private mutating func gzip() throws(Failure) {
        repeat { try gzipMember() } while position < input.count
    }

    private mutating func gzipMember() throws(Failure) {
        // What does not begin as gzip is told apart from what is cut off, however short it is.
        let identification: [UInt8] = [0x1F, 0x8B, 8]
        guard zip(input[position...], identification).allSatisfy({ $0 == $1 }) else {
            throw Failure(message: position == 0 ? "is not gzip data" : "is followed by other data")
        }
        guard input.count - position >= 18 else { throw Self.incomplete }
        let flags = input[position + 3]
        position += 10
        if flags & 4 != 0 {
            guard position + 2 <= input.count else { throw Self.incomplete }
            position += 2 + Int(input[position]) + Int(input[position + 1]) << 8
        }
        if flags & 8 != 0 { try skipText() }
        if flags & 16 != 0 { try skipText() }
        if flags & 2 != 0 { position += 2 }
        guard position <= input.count else { throw Self.incomplete }
        memberStart = output.count
        try blocks()
        let expected = try trailer()
        let length = try trailer()
        guard CyclicRedundancyCheck.of(output[memberStart...]) == expected,
            length == UInt32(truncatingIfNeeded: output.count - memberStart)
        else { throw Failure(message: "is damaged: its checksum does not match") }
    }

    private mutating func skipText() throws(Failure) {
        while position < input.count, input[position] != 0 { position += 1 }
        position += 1
        guard position <= input.count else { throw Self.incomplete }
    }

    /// Four bytes in little-endian order after the last block.
    private mutating func trailer() throws(Failure) -> UInt32 {
        guard input.count - position >= 4 else { throw Self.incomplete }
        var value: UInt32 = 0
        for index in 0..<4 { value |= UInt32(input[position + index]) << UInt32(8 * index) }
        position += 4
        return value
    }

    private mutating func zlibOrRaw() throws(Failure) {
        guard input.count >= 2 else { throw Self.incomplete }
        let isZlib = input[0] & 15 == 8 && (Int(input[0]) << 8 | Int(input[1])) % 31 == 0
        guard isZlib else { return try blocks() }
        guard input[1] & 0x20 == 0 else { throw Failure(message: "needs a dictionary") }
        position = 2
        try blocks()
        guard try trailer().byteSwapped == Self.adler32(output) else {
            throw Failure(message: "is damaged: its checksum does not match")
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var a: UInt32 = 1
        var b: UInt32 = 0
        var start = 0
        while start < bytes.count {
            // After 5552 bytes the sums could overflow (RFC 1950 section 9).
            let end = min(start + 5552, bytes.count)
            for byte in bytes[start..<end] {
                a &+= UInt32(byte)
                b &+= a
            }
            a %= 65521
            b %= 65521
            start = end
        }
        return b << 16 | a
    }

    private static let incomplete = Failure(message: "is incomplete")

    // MARK: Bits

    @inline(__always)
    private mutating func fill() {
        while bitCount <= 56, position < input.count {
            bits |= UInt64(input[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
    }

    private mutating func take(_ count: Int) throws(Failure) -> Int {
        if bitCount < count {
            fill()
            guard bitCount >= count else { throw Self.incomplete }
        }
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    /// Gives back whole bytes that were read ahead, and drops the rest of the current one.
    private mutating func alignToByte() {
        position -= bitCount / 8
        bits = 0
        bitCount = 0
    }

    private mutating func symbol(_ table: HuffmanTable) throws(Failure) -> Int {
        if bitCount < HuffmanTable.maximumLength { fill() }
        let entry = table.lookUp(bits)
        let length = Int(entry & 15)
        guard length > 0 else { throw Failure(message: "is damaged: it has a code that is not in its table") }
        guard length <= bitCount else { throw Self.incomplete }
        bits >>= UInt64(length)
        bitCount -= length
        return Int(entry >> 4)
    }

    // MARK: Blocks

    private mutating func blocks() throws(Failure) {
        bits = 0
        bitCount = 0
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try storedBlock()
            case 1: try compressedBlock(.fixedLiterals, .fixedDistances)
            case 2:
                let (literals, distances) = try dynamicTables()
                try compressedBlock(literals, distances)
            default: throw Failure(message: "is damaged: it has a block of unknown type")
            }
        }
        alignToByte()
    }

    private mutating func storedBlock() throws(Failure) {
        alignToByte()
        guard input.count - position >= 4 else { throw Self.incomplete }
        let length = Int(input[position]) | Int(input[position + 1]) << 8
        let inverse = Int(input[position + 2]) | Int(input[position + 3]) << 8
        guard length == inverse ^ 0xFFFF else { throw Failure(message: "is damaged: a block's length does not match") }
        position += 4
        guard input.count - position >= length else { throw Self.incomplete }
        try reserve(length)
        output.append(contentsOf: input[position..<(position + length)])
        position += length
    }

    private func reserve(_ count: Int) throws(Failure) {
        guard count > maximum - output.count else { return }
        if maximum == limits.decodedBodyBytes {
            throw Failure(
                reason: .limitExceeded(.decodedBodyBytes, maximum),
                message: "is larger than the limit of \(maximum) bytes when it is decoded")
        }
        throw Failure(
            reason: .limitExceeded(.decompressionRatio, limits.decompressionRatio),
            message: "becomes more than \(limits.decompressionRatio) times as long when it is decoded")
    }

    private static let lengthBase: [Int] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits: [Int] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase: [Int] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]

    private mutating func compressedBlock(_ literals: HuffmanTable, _ distances: HuffmanTable) throws(Failure) {
        while true {
            let code = try symbol(literals)
            if code < 256 {
                try reserve(1)
                output.append(UInt8(truncatingIfNeeded: code))
                continue
            }
            if code == 256 { return }
            let index = code - 257
            guard index < Self.lengthBase.count else { throw Failure(message: "is damaged: it has an invalid length") }
            let length = Self.lengthBase[index] + (try take(Self.lengthBits[index]))
            let distanceCode = try symbol(distances)
            guard distanceCode < Self.distanceBase.count else {
                throw Failure(message: "is damaged: it has an invalid distance")
            }
            let extra = distanceCode < 4 ? 0 : distanceCode / 2 - 1
            let distance = Self.distanceBase[distanceCode] + (try take(extra))
            guard distance <= output.count - memberStart else {
                throw Failure(message: "is damaged: it refers to data before its beginning")
            }
            try reserve(length)
            var source = output.count - distance
            for _ in 0..<length {
                output.append(output[source])
                source += 1
            }
        }
    }

    private mutating func dynamicTables() throws(Failure) -> (HuffmanTable, HuffmanTable) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        var codeLengths = [UInt8](repeating: 0, count: 19)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        for index in order.prefix(codeCount) { codeLengths[index] = UInt8(try take(3)) }
        let codes = try table(codeLengths[...])
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let code = try symbol(codes)
            switch code {
            case 0...15: lengths.append(UInt8(code))
            case 16:
                guard let previous = lengths.last else {
                    throw Failure(message: "is damaged: it repeats a length before the first")
                }
                lengths.append(contentsOf: repeatElement(previous, count: 3 + (try take(2))))
            case 17: lengths.append(contentsOf: repeatElement(0, count: 3 + (try take(3))))
            default: lengths.append(contentsOf: repeatElement(0, count: 11 + (try take(7))))
            }
        }
        guard lengths.count == literalCount + distanceCount else {
            throw Failure(message: "is damaged: it has too many code lengths")
        }
        return (try table(lengths[..<literalCount]), try table(lengths[literalCount...]))
    }

    private func table(_ lengths: ArraySlice<UInt8>) throws(Failure) -> HuffmanTable {
        guard let table = HuffmanTable(lengths: lengths) else {
            throw Failure(message: "is damaged: its code table is not valid")
        }
        return table
    }
}
