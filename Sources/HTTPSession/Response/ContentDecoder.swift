/// Undoes the content codings of a body as its pieces arrive (RFC 9110 section 8.4).
///
/// Both bounds of ``Limits`` hold while it writes: what would exceed them is not handed out. gzip may have several
/// members; `deflate` may lack zlib's wrapping. Data behind the end are refused, as by curl.
public final class ContentDecoder {
    /// The most codings that are undone for one body; each needs a window of its own.
    public static let maximumCodings = 5

    /// The length of the pieces that are handed out, in bytes.
    private static let pieceLength = 32 << 10

    /// The coding that was applied last comes first.
    private let stages: [(coding: ContentCoding, stream: InflateStream)]
    private let room: UnsafeMutableRawBufferPointer
    private var written: [Int]
    private var budget: DecodingBudget
    private var receivedBytes = 0
    private var failure: ContentCodingError?

    /// Creates a decoder.
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied; without any, bytes pass as they are.
    ///   - limits: Bounds the decoded length.
    ///   - encodedLength: The length of the encoded body in bytes if it is known; without it, the ratio is taken of what
    ///     has been received so far.
    /// - Throws: ``ContentCodingError`` if there are more than ``maximumCodings``.
    public init(
        _ codings: [ContentCoding], limits: Limits = .init(), encodedLength: Int? = nil
    ) throws(ContentCodingError) {
        try Self.check(codings)
        stages = codings.reversed().map { ($0, InflateStream($0)) }
        written = Array(repeating: 0, count: codings.count)
        budget = DecodingBudget(limits: limits, encodedLength: encodedLength ?? 0)
        room = .allocate(byteCount: codings.count * Self.pieceLength, alignment: 16)
    }

    deinit { room.deallocate() }

    /// Decodes the next piece of a body.
    /// - Parameter piece: The next bytes as they were received, any number.
    /// - Returns: What they make, which may be empty, or much longer.
    /// - Throws: ``ContentCodingError`` if the data are wrong or become too long; then also at each later call.
    public func decode(_ piece: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        guard !stages.isEmpty else { return piece }
        var output: [UInt8] = []
        var caught: ContentCodingError?
        piece.withUnsafeBytes { piece in
            do throws(ContentCodingError) {
                try decode(piece) { output.append(contentsOf: $0) }
            } catch {
                caught = error
            }
        }
        if let caught { throw caught }
        return output
    }

    /// Decodes the next piece of a body and hands out what it makes in pieces of bounded length.
    /// - Parameters:
    ///   - piece: The next bytes as they were received, any number.
    ///   - emit: Receives decoded bytes, which are only there during the call.
    /// - Throws: ``ContentCodingError`` if the data are wrong or become too long; then also at each later call.
    public func decode(
        _ piece: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Void
    ) throws(ContentCodingError) {
        if let failure { throw failure }
        receivedBytes += piece.count
        budget.received(receivedBytes)
        do throws(ContentCodingError) {
            try run(piece, from: 0, emit)
        } catch {
            failure = error
            throw error
        }
    }

    /// Checks at the end of a body that it was complete.
    /// - Throws: ``ContentCodingError`` if more data were needed, or what an earlier call has thrown.
    public func finish() throws(ContentCodingError) {
        if let failure { throw failure }
        for stage in stages { try stage.stream.finish() }
    }

    /// Passes bytes through the codings from `index` on.
    private func run(
        _ piece: UnsafeRawBufferPointer, from index: Int, _ emit: (UnsafeRawBufferPointer) -> Void
    ) throws(ContentCodingError) {
        guard index < stages.count else {
            if !piece.isEmpty { emit(piece) }
            return
        }
        let start = index * Self.pieceLength
        let room = UnsafeMutableRawBufferPointer(rebasing: room[start..<(start + Self.pieceLength)])
        var piece = piece
        var count = 0
        repeat {
            count = try stages[index].stream.decode(&piece, into: room)
            guard count <= budget.maximum - written[index] else { throw budget.failure(stages[index].coding) }
            written[index] += count
            if count > 0 { try run(UnsafeRawBufferPointer(rebasing: room[..<count]), from: index + 1, emit) }
        } while count == room.count
    }

    private static func check(_ codings: [ContentCoding]) throws(ContentCodingError) {
        guard codings.count > maximumCodings else { return }
        throw ContentCodingError(
            coding: nil, message: "has \(codings.count) content codings; at most \(maximumCodings) are undone")
    }

    // MARK: Whole bodies

    /// Undoes the codings of a whole body.
    /// - Parameters:
    ///   - body: The encoded body.
    ///   - codings: The codings in the order in which they were applied.
    ///   - limits: Bounds the decoded length.
    /// - Throws: ``ContentCodingError`` if the data are wrong, incomplete, or become too long.
    public static func decode(
        _ body: [UInt8], _ codings: [ContentCoding], limits: Limits = .init()
    ) throws(ContentCodingError) -> [UInt8] {
        try check(codings)
        let budget = DecodingBudget(limits: limits, encodedLength: body.count)
        var body = body
        for coding in codings.reversed() { body = try decode(body, coding, budget) }
        return body
    }

    /// Inflates into the array that is returned, whose length is guessed beforehand.
    private static func decode(
        _ body: [UInt8], _ coding: ContentCoding, _ budget: DecodingBudget
    ) throws(ContentCodingError) -> [UInt8] {
        let stream = InflateStream(coding)
        // One byte more than is allowed tells a body that is too long.
        let bound = budget.maximum == .max ? .max : budget.maximum + 1
        var capacity = min(bound, expectedLength(body, coding) + 1)
        var output: [UInt8] = []
        var caught: ContentCodingError?
        body.withUnsafeBytes { body in
            var rest = body
            do throws(ContentCodingError) {
                while true {
                    output = try extend(output, to: capacity, stream, &rest)
                    guard output.count == capacity else { break }
                    guard output.count <= budget.maximum else { throw budget.failure(coding) }
                    capacity = min(bound, max(4096, capacity.multipliedReportingOverflow(by: 2).partialValue))
                }
                try stream.finish()
            } catch {
                caught = error
            }
        }
        if let caught { throw caught }
        return output
    }

    /// The output so far and what follows it, up to `capacity` bytes in all.
    private static func extend(
        _ output: [UInt8], to capacity: Int, _ stream: InflateStream, _ rest: inout UnsafeRawBufferPointer
    ) throws(ContentCodingError) -> [UInt8] {
        var caught: ContentCodingError?
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            output.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
            count = output.count
            let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count..<capacity]))
            do throws(ContentCodingError) { count += try stream.decode(&rest, into: room) } catch { caught = error }
        }
        if let caught { throw caught }
        return result
    }

    /// A guess of the decoded length: gzip says it in its last four bytes, which need not be true.
    private static func expectedLength(_ body: [UInt8], _ coding: ContentCoding) -> Int {
        // Deflate makes at most 1032 bytes out of one; a body in memory is far too short to overflow.
        guard coding == .gzip, body.count >= 18 else { return body.count * 4 }
        let length = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return min(length, body.count * 1032)
    }
}

/// How many bytes a body may become when its codings are undone.
struct DecodingBudget {
    private let limits: Limits
    /// The length of the encoded body that is known beforehand, or that has been received so far.
    private var encodedLength: Int

    /// The most bytes that may come out of any of the codings.
    private(set) var maximum = 0

    init(limits: Limits, encodedLength: Int) {
        self.limits = limits
        self.encodedLength = encodedLength
        update()
    }

    /// Notes that so many bytes of the encoded body have been received.
    mutating func received(_ count: Int) {
        guard count > encodedLength else { return }
        encodedLength = count
        update()
    }

    private mutating func update() {
        let (product, overflow) = encodedLength.multipliedReportingOverflow(by: max(1, limits.decompressionRatio))
        maximum = max(0, min(limits.decodedBodyBytes, max(1 << 20, overflow ? .max : product)))
    }

    /// The error of a body that becomes longer than `maximum`.
    func failure(_ coding: ContentCoding) -> ContentCodingError {
        if maximum == max(0, limits.decodedBodyBytes) {
            return ContentCodingError(
                coding: coding, reason: .limitExceeded(.decodedBodyBytes, maximum),
                message: "is larger than the limit of \(maximum) bytes when it is decoded")
        }
        return ContentCodingError(
            coding: coding, reason: .limitExceeded(.decompressionRatio, limits.decompressionRatio),
            message: "becomes more than \(limits.decompressionRatio) times as long when it is decoded")
    }
}
