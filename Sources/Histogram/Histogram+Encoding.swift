import Basics
import CZlib

extension Histogram {
    private static let cookie: UInt32 = 0x1C84_9303
    private static let compressedCookie: UInt32 = 0x1C84_9304
    /// The size in bytes of the header before the counts.
    private static let headerSize = 40
    /// The maximum size in bytes of an encoded count.
    private static let maximumCountSize = 9
    /// The bucket count of the largest configuration: 1 to the highest `Int64` with five digits.
    private static let maximumBucketCount = 47 << 17

    // MARK: Encoding

    /// Returns the configuration and the counts in the V2 encoding of [HdrHistogram](http://hdrhistogram.org).
    ///
    /// Store the minimum, the maximum and the sum separately if ``restore(minimum:maximum:sum:)`` is to restore them.
    public func encoded() -> [UInt8] {
        var payload: [UInt8] = []
        var zeros = firstIndex
        for count in counts {
            guard count > 0 else {
                zeros += 1
                continue
            }
            if zeros > 0 { payload.append(zigZag: zeros == 1 ? 0 : Int64(-zeros)) }
            payload.append(zigZag: Int64(count))
            zeros = 0
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerSize + payload.count)
        bytes.append(bigEndian: Self.cookie | 0x10)
        bytes.append(bigEndian: UInt32(payload.count))
        bytes.append(bigEndian: UInt32(0))  // normalizing index offset
        bytes.append(bigEndian: UInt32(configuration.significantDigits))
        bytes.append(bigEndian: configuration.lowestDiscernibleValue)
        bytes.append(bigEndian: configuration.highestTrackableValue)
        bytes.append(bigEndian: (1.0).bitPattern)  // conversion ratio
        return bytes + payload
    }

    /// Returns the configuration and the counts in the compressed V2 encoding, which uses zlib (RFC 1950).
    public func compressed() -> [UInt8] {
        let plain = encoded()
        var size = compressBound(uLong(plain.count))
        let data = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let status = compress(buffer.baseAddress, &size, plain, uLong(plain.count))
            precondition(status == Z_OK, "out of memory")
            count = Int(size)
        }
        var bytes: [UInt8] = []
        bytes.append(bigEndian: Self.compressedCookie | 0x10)
        bytes.append(bigEndian: UInt32(data.count))
        return bytes + data
    }

    /// Returns the compressed V2 encoding as Base64, which starts with `HISTFAAA`.
    public func base64Encoded() -> String { Base64.encode(compressed()) }

    // MARK: Decoding

    /// Decodes a histogram from Base64 of the V2 encoding, compressed or not, as by ``init(encoded:configuration:)``.
    ///
    /// - Parameters:
    ///   - text: The Base64, with padding and without whitespace.
    ///   - expected: The only configuration to accept, or nil to accept all.
    /// - Throws: ``HistogramDecodingError`` if the text is invalid or has another configuration.
    public init(
        base64Encoded text: String, configuration expected: Configuration? = nil
    ) throws(HistogramDecodingError) {
        guard let bytes = Base64.decode(text.utf8) else { throw .invalidBase64 }
        try self.init(encoded: bytes, configuration: expected)
    }

    /// Decodes a histogram from the V2 encoding, compressed or not.
    ///
    /// The encoding does not contain the minimum, the maximum and the sum. As in HdrHistogram, they become the lowest value
    /// of the first bucket, the highest value of the last bucket and the sum of the midpoints of the buckets. Call
    /// ``restore(minimum:maximum:sum:)`` to replace them with the exact values.
    ///
    /// The configuration limits the memory of a histogram from untrusted data: the counts occupy at most 192 KiB in the
    /// default configuration, and 47 MiB in any.
    ///
    /// - Parameters:
    ///   - bytes: The encoded histogram, without other data.
    ///   - expected: The only configuration to accept, or nil to accept all.
    /// - Throws: ``HistogramDecodingError`` if the bytes are invalid or have another configuration.
    public init(
        encoded bytes: [UInt8], configuration expected: Configuration? = nil
    ) throws(HistogramDecodingError) {
        var reader = Reader(bytes)
        var cookie = try reader.cookie()
        if cookie == Self.compressedCookie {
            guard try reader.integer(UInt32.self) == reader.rest.count else { throw .invalidLength }
            let bucketCount = expected?.bucketCount ?? Self.maximumBucketCount
            reader = Reader(
                try Self.inflated(reader.rest, limit: Self.headerSize + bucketCount * Self.maximumCountSize))
            cookie = try reader.cookie()
        }
        guard cookie == Self.cookie else { throw .unsupportedFormat }
        let payloadSize = try reader.integer(UInt32.self)
        let normalizingIndexOffset = try reader.integer(UInt32.self)
        let significantDigits = try reader.integer(UInt32.self)
        let lowestDiscernibleValue = try reader.integer(Int64.self)
        let highestTrackableValue = try reader.integer(Int64.self)
        // The conversion ratio, which only histograms of floating-point values use.
        _ = try reader.integer(UInt64.self)
        guard payloadSize == reader.rest.count else { throw .invalidLength }
        guard normalizingIndexOffset == 0 else { throw .unsupportedFormat }
        let configuration = Configuration(
            lowestDiscernibleValue: lowestDiscernibleValue, highestTrackableValue: highestTrackableValue,
            significantDigits: Int(significantDigits))
        guard let configuration else { throw .invalidConfiguration }
        if let expected, configuration != expected {
            throw .unexpectedConfiguration(expected: expected, actual: configuration)
        }
        self.init(configuration: configuration)
        try decodeCounts(&reader)
    }

    /// Records the counts in the rest of the data.
    private mutating func decodeCounts(_ reader: inout Reader) throws(HistogramDecodingError) {
        let bucketCount = configuration.bucketCount
        var entries: [(index: Int, count: Int)] = []
        var nextIndex = 0
        var total = 0
        while !reader.isAtEnd {
            let number = try reader.zigZag()
            // A negative number represents several counts of zero.
            let length = number < 0 ? number.magnitude : 1
            guard length <= UInt64(bucketCount - nextIndex) else { throw .invalidCounts }
            nextIndex += Int(length)
            guard number > 0 else { continue }
            let (sum, overflow) = total.addingReportingOverflow(Int(number))
            guard !overflow else { throw .invalidCounts }
            total = sum
            entries.append((nextIndex - 1, Int(number)))
        }
        guard let first = entries.first, let last = entries.last else { return }
        allocate(first.index...last.index)
        for (index, count) in entries { recordBucket(at: index, count: count) }
    }

    /// Returns decompressed zlib data.
    private static func inflated(_ data: ArraySlice<UInt8>, limit: Int) throws(HistogramDecodingError) -> [UInt8] {
        // The maximum compression ratio of zlib is 1032:1, so a short input does not reserve the memory of the limit.
        let capacity = min(limit, data.count * 1_032)
        var status = Z_OK
        let plain = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var size = uLong(capacity)
            var consumed = uLong(data.count)
            status = data.withUnsafeBufferPointer { uncompress2(buffer.baseAddress, &size, $0.baseAddress, &consumed) }
            if consumed < data.count { status = Z_DATA_ERROR }
            count = status == Z_OK ? Int(size) : 0
        }
        guard status == Z_OK else { throw .invalidCompressedData }
        return plain
    }

    /// Replaces the minimum, the maximum and the sum that were derived by decoding with the exact values.
    ///
    /// - Parameters:
    ///   - minimum: The exact minimum of the recorded values.
    ///   - maximum: The exact maximum of the recorded values.
    ///   - sum: The exact sum of the recorded values.
    /// - Throws: ``HistogramDecodingError/inconsistentStatistics`` if no values with the counts of this histogram have
    ///   this minimum, maximum and sum. The histogram is then unchanged.
    public mutating func restore(minimum: Int64, maximum: Int64, sum: Int128) throws(HistogramDecodingError) {
        guard let start = counts.firstIndex(where: { $0 > 0 }), let end = counts.lastIndex(where: { $0 > 0 }) else {
            throw .inconsistentStatistics
        }
        let first = configuration.bounds(at: firstIndex + start)
        let last = configuration.bounds(at: firstIndex + end)
        guard first.contains(minimum),
            last.contains(maximum)
                || maximum > last.upperBound && last.contains(configuration.highestTrackableValue)
        else { throw .inconsistentStatistics }
        // At least one value is the minimum, and at least one is the maximum.
        var least = Int128(maximum) - Int128(max(last.lowerBound, minimum))
        var most = Int128(minimum) - Int128(start == end ? maximum : first.upperBound)
        // Most counts are 0, and are skipped without the overhead of a sequence of buckets.
        counts.withUnsafeBufferPointer { counts in
            var index = start
            while index <= end {
                let count = counts[index]
                if count > 0 {
                    let bounds = configuration.bounds(at: firstIndex + index)
                    least += Int128(max(bounds.lowerBound, minimum)) * Int128(count)
                    most += Int128(index == end ? maximum : bounds.upperBound) * Int128(count)
                }
                index += 1
            }
        }
        guard least <= sum, sum <= most else { throw .inconsistentStatistics }
        lowest = minimum
        highest = maximum
        self.sum = sum
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a number in ZigZag LEB128, whose ninth byte has eight bits.
    fileprivate mutating func append(zigZag value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        for _ in 0..<8 {
            guard rest >= 0x80 else { break }
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

/// A reader of the integers of an encoded histogram.
private struct Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes that have not been read.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    var isAtEnd: Bool { position == bytes.count }

    /// Reads the number that identifies the format, without the bits for the size of a count.
    mutating func cookie() throws(HistogramDecodingError) -> UInt32 { try integer(UInt32.self) & ~0xF0 }

    /// Reads a big-endian integer.
    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws(HistogramDecodingError) -> Value {
        let size = Value.bitWidth / 8
        guard bytes.count - position >= size else { throw .invalidLength }
        position += size
        return bytes[position - size..<position].reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    /// Reads a number in ZigZag LEB128, whose ninth byte has eight bits.
    mutating func zigZag() throws(HistogramDecodingError) -> Int64 {
        var bits: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard !isAtEnd else { throw .invalidCounts }
            let byte = UInt64(bytes[position])
            position += 1
            if byte < 0x80 || shift == 56 {
                bits |= byte << shift
                return Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)
            }
            bits |= (byte & 0x7F) << shift
            shift += 7
        }
    }
}

/// An error that occurs when a histogram is decoded.
public enum HistogramDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not valid Base64.
    case invalidBase64
    /// The data are not in the V2 encoding, or use an index offset, which only shifted histograms have.
    case unsupportedFormat
    /// The data are incomplete, or other data follow.
    case invalidLength
    /// The zlib data are damaged, incomplete or too long, or other data follow.
    case invalidCompressedData
    /// The range or the precision is invalid.
    case invalidConfiguration
    /// The range or the precision is not the expected one.
    case unexpectedConfiguration(expected: Histogram.Configuration, actual: Histogram.Configuration)
    /// A count is incomplete or outside the range of the histogram, or the total count is too high.
    case invalidCounts
    /// The minimum, maximum or sum to restore contradicts the counts.
    case inconsistentStatistics

    /// The message of the error.
    public var description: String {
        switch self {
        case .invalidBase64: "cannot decode the histogram: its Base64 is invalid"
        case .unsupportedFormat: "cannot decode the histogram: it is not in the V2 encoding of HdrHistogram"
        case .invalidLength: "cannot decode the histogram: its length is invalid"
        case .invalidCompressedData: "cannot decode the histogram: its compressed data are damaged or too long"
        case .invalidConfiguration: "cannot decode the histogram: its range or precision is invalid"
        case .unexpectedConfiguration(let expected, let actual):
            "cannot decode the histogram: expected \(expected), got \(actual)"
        case .invalidCounts: "cannot decode the histogram: its counts are invalid"
        case .inconsistentStatistics:
            "cannot restore the statistics of the histogram: they are inconsistent with its counts"
        }
    }
}
