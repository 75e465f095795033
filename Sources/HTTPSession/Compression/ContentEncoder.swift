/// Applies a content coding to a body as its pieces come.
public final class ContentEncoder {
    /// zlib's usual balance of time and length.
    public static let defaultLevel = 6

    /// The coding that is applied.
    public let coding: ContentCoding

    private let stream: DeflateStream
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)

    /// Creates an encoder.
    /// - Parameters:
    ///   - coding: The coding to apply.
    ///   - level: From 0, stored without compression, to 9, smallest; a number beyond is taken as the nearest.
    /// - Throws: ``ContentCodingError`` if there is not enough memory.
    public init(_ coding: ContentCoding, level: Int = ContentEncoder.defaultLevel) throws(ContentCodingError) {
        self.coding = coding
        stream = try DeflateStream(coding, level: level)
    }

    deinit { room.deallocate() }

    /// Encodes the next piece of a body.
    /// - Parameters:
    ///   - piece: The next bytes, any number.
    ///   - flush: Whether a receiver must be able to decode all bytes so far; costs some compression.
    /// - Returns: What is ready to be sent, which is often empty without `flush`.
    /// - Throws: ``ContentCodingError`` if the body has been finished.
    public func encode(_ piece: [UInt8], flush: Bool = false) throws(ContentCodingError) -> [UInt8] {
        try run(piece, flush ? .sync : .none)
    }

    /// Ends the body.
    /// - Returns: The rest of the encoded body.
    /// - Throws: ``ContentCodingError`` if the body has been finished.
    public func finish() throws(ContentCodingError) -> [UInt8] {
        try run([], .finish)
    }

    private var isFinished = false

    private func run(_ piece: [UInt8], _ flush: DeflateStream.Flush) throws(ContentCodingError) -> [UInt8] {
        guard !isFinished else { throw ContentCodingError(coding: coding, message: "has been finished already") }
        if case .finish = flush { isFinished = true }
        var output: [UInt8] = []
        var caught: ContentCodingError?
        piece.withUnsafeBytes { piece in
            do throws(ContentCodingError) {
                try stream.encode(piece, flush, room: room) { output.append(contentsOf: $0) }
            } catch {
                caught = error
            }
        }
        if let caught { throw caught }
        return output
    }
}
