/// Reads an asynchronous sequence from whichever task asks next, one at a time.
actor SequencePump<Pieces: AsyncSequence & Sendable> {
    private var iterator: Pieces.AsyncIterator?
    private let bytes: @Sendable (Pieces.Element) -> [UInt8]

    /// Creates a pump of a sequence.
    /// - Parameter bytes: Returns the bytes of a piece.
    init(_ pieces: Pieces, bytes: @escaping @Sendable (Pieces.Element) -> [UInt8]) {
        iterator = pieces.makeAsyncIterator()
        self.bytes = bytes
    }

    /// The next piece, or nil at the end; a call while another is waiting gives nil.
    func next() async throws -> [UInt8]? {
        guard var current = iterator.take() else { return nil }
        guard let piece = try await current.next(isolation: #isolation) else { return nil }
        iterator = current
        return bytes(piece)
    }
}
