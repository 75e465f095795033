/// Reads an asynchronous sequence from whichever task asks next, one at a time.
actor SequencePump<Pieces: AsyncSequence & Sendable> where Pieces.Element == [UInt8] {
    private var iterator: Pieces.AsyncIterator?

    init(_ pieces: Pieces) {
        iterator = pieces.makeAsyncIterator()
    }

    /// The next piece, or nil at the end; a call while another is waiting gives nil.
    func next() async throws -> [UInt8]? {
        guard var current = iterator.take() else { return nil }
        let piece = try await current.next(isolation: #isolation)
        if piece != nil { iterator = current }
        return piece
    }
}
