import Basics

/// An incremental decoder for the content codings of a body (RFC 9110, section 8.4).
///
/// Both limits of ``Limits`` apply while it decodes: output beyond a limit is never returned. gzip data may have
/// several members, and `deflate` data may lack the zlib header. Data after the end are rejected, as by curl.
/// ``ContentCoding/brotli`` and ``ContentCoding/zstd`` need a library of the system; without it, decoding fails with
/// ``SessionError/Reason/unavailableContentCoding``.
public final class ContentDecoder {
    /// The maximum number of codings for one body; each coding needs its own window.
    public static let maximumCodings = 5

    /// The maximum length of an output piece in bytes.
    private static let pieceLength = 32 << 10

    /// The decoding stages; the coding that was applied last comes first.
    private let stages: [(coding: ContentCoding, stream: any DecodingStream)]
    private let room: UnsafeMutableRawBufferPointer
    private var written: [Int]
    private var budget: DecodingBudget
    private var receivedBytes = 0
    private var failure: ContentCodingError?

    /// Creates a decoder.
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied; without codings, bytes pass through unchanged.
    ///   - limits: The limits on the decoded length.
    ///   - encodedLength: The length of the encoded body in bytes, if it is known. Otherwise the decompression ratio is
    ///     computed from the bytes received so far.
    /// - Throws: ``ContentCodingError`` if there are more than ``maximumCodings`` codings, or if the library of a coding
    ///   is not installed.
    public init(
        _ codings: [ContentCoding], limits: Limits = .init(), encodedLength: Int? = nil
    ) throws(ContentCodingError) {
        try Self.check(codings)
        var stages: [(coding: ContentCoding, stream: any DecodingStream)] = []
        for coding in codings.reversed() { stages.append((coding, try coding.makeStream())) }
        self.stages = stages
        written = Array(repeating: 0, count: codings.count)
        budget = DecodingBudget(limits: limits, encodedLength: encodedLength ?? 0)
        room = .allocate(byteCount: codings.count * Self.pieceLength, alignment: 16)
    }

    deinit { room.deallocate() }

    /// Decodes the next piece of a body.
    /// - Parameter piece: The next encoded bytes, of any length.
    /// - Returns: The decoded bytes, which may be empty or much longer than the input.
    /// - Throws: ``ContentCodingError`` if the data are invalid or exceed a limit. All later calls throw the same
    ///   error.
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

    /// Decodes the next piece of a body and emits the output in pieces of limited length.
    /// - Parameters:
    ///   - piece: The next encoded bytes, of any length.
    ///   - emit: A closure that receives decoded bytes, which are valid only during the call.
    /// - Throws: ``ContentCodingError`` if the data are invalid or exceed a limit. All later calls throw the same
    ///   error.
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
    /// - Throws: ``ContentCodingError`` if data are missing, or the error that an earlier call threw.
    public func finish() throws(ContentCodingError) {
        if let failure { throw failure }
        for stage in stages { try stage.stream.finish() }
    }

    /// Passes bytes through the stages, starting with `index`.
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
            coding: nil, message: "has \(codings.count) content codings; at most \(maximumCodings) are supported")
    }

    // MARK: Whole bodies

    /// Decodes the codings of a whole body.
    /// - Parameters:
    ///   - body: The encoded body.
    ///   - codings: The codings in the order in which they were applied.
    ///   - limits: The limits on the decoded length.
    /// - Returns: The decoded body.
    /// - Throws: ``ContentCodingError`` if the data are invalid or incomplete, or exceed a limit.
    public static func decode(
        _ body: [UInt8], _ codings: [ContentCoding], limits: Limits = .init()
    ) throws(ContentCodingError) -> [UInt8] {
        try check(codings)
        let budget = DecodingBudget(limits: limits, encodedLength: body.count)
        var body = body
        for coding in codings.reversed() { body = try decode(body, coding, budget) }
        return body
    }

    /// Decodes directly into the array that is returned, whose length is estimated in advance.
    private static func decode(
        _ body: [UInt8], _ coding: ContentCoding, _ budget: DecodingBudget
    ) throws(ContentCodingError) -> [UInt8] {
        let stream = try coding.makeStream()
        // One byte more than allowed reveals a body that is too long.
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

    /// Returns the output so far with the bytes that follow it, up to `capacity` bytes in total.
    private static func extend(
        _ output: [UInt8], to capacity: Int, _ stream: any DecodingStream, _ rest: inout UnsafeRawBufferPointer
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

    /// Returns an estimate of the decoded length; gzip stores it in the last four bytes, which may be wrong.
    private static func expectedLength(_ body: [UInt8], _ coding: ContentCoding) -> Int {
        // Deflate expands one byte to at most 1032. A body in memory is far too short for an overflow.
        guard coding == .gzip, body.count >= 18 else { return body.count * 4 }
        let length = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return min(length, body.count * 1032)
    }
}

/// The number of bytes that a body may have when its codings are decoded.
struct DecodingBudget {
    private let limits: Limits
    /// The length of the encoded body if it was known in advance, or the number of bytes received so far.
    private var encodedLength: Int

    /// The maximum number of bytes that each coding may produce.
    private(set) var maximum = 0

    init(limits: Limits, encodedLength: Int) {
        self.limits = limits
        self.encodedLength = encodedLength
        update()
    }

    /// Records the number of encoded bytes received so far.
    mutating func received(_ count: Int) {
        guard count > encodedLength else { return }
        encodedLength = count
        update()
    }

    private mutating func update() {
        let (product, overflow) = encodedLength.multipliedReportingOverflow(by: max(1, limits.decompressionRatio))
        maximum = max(0, min(limits.decodedBodyBytes, max(1 << 20, overflow ? .max : product)))
    }

    /// Returns the error for a body that exceeds `maximum`.
    func failure(_ coding: ContentCoding) -> ContentCodingError {
        if maximum == max(0, limits.decodedBodyBytes) {
            return ContentCodingError(
                coding: coding, reason: .limitExceeded(.decodedBodyBytes, maximum),
                message: "is larger than the limit of \(maximum) bytes when decoded")
        }
        return ContentCodingError(
            coding: coding, reason: .limitExceeded(.decompressionRatio, limits.decompressionRatio),
            message: "expands to more than \(limits.decompressionRatio) times its size when decoded")
    }
}
