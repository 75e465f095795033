public import FoundationEssentials
public import NIOCore

/// A request body that is made while it is sent, piece by piece.
public struct BodySource: Sendable {
    /// Gives the next piece, or nil at the end.
    public typealias Reader = @Sendable () async throws -> [UInt8]?

    /// The number of bytes, where it is known before; otherwise the body is sent with chunked framing.
    public let length: Int?
    /// Whether the body can be opened more than once, and so be sent again after a failure or a redirect.
    public let isReplayable: Bool
    /// Begins a new pass over the body.
    public let open: @Sendable () async throws -> Reader

    /// The parts of the form that the body is; empty for another body.
    var form: [MultipartPart] = []

    private final class Identity: Sendable {}
    private let identity = Identity()

    /// Creates a body that can be read any number of times.
    /// - Parameters:
    ///   - length: The number of bytes, nil if it is not known.
    ///   - isReplayable: Whether `open` may be called more than once.
    ///   - open: Begins a pass over the body. The reader it gives is called by one task at a time.
    public init(length: Int? = nil, isReplayable: Bool, open: @escaping @Sendable () async throws -> Reader) {
        self.length = length
        self.isReplayable = isReplayable
        self.open = open
    }

    /// Creates a body of a sequence of pieces, which can be read once: such a request is never sent again.
    public init<Pieces: AsyncSequence & Sendable>(
        length: Int? = nil, _ pieces: Pieces
    ) where Pieces.Element == [UInt8], Pieces.AsyncIterator: SendableMetatype {
        self.init(length: length, pieces) { $0 }
    }

    /// Creates a body of a sequence of `Data`, which can be read once: such a request is never sent again.
    public init<Pieces: AsyncSequence & Sendable>(
        length: Int? = nil, _ pieces: Pieces
    ) where Pieces.Element == Data, Pieces.AsyncIterator: SendableMetatype {
        self.init(length: length, pieces) { Array($0) }
    }

    /// Creates a body of a sequence of buffers, which can be read once: such a request is never sent again.
    public init<Pieces: AsyncSequence & Sendable>(
        length: Int? = nil, _ pieces: Pieces
    ) where Pieces.Element == ByteBuffer, Pieces.AsyncIterator: SendableMetatype {
        self.init(length: length, pieces) { Array($0.readableBytesView) }
    }

    private init<Pieces: AsyncSequence & Sendable>(
        length: Int?, _ pieces: Pieces, bytes: @escaping @Sendable (Pieces.Element) -> [UInt8]
    ) where Pieces.AsyncIterator: SendableMetatype {
        self.init(length: length, isReplayable: false) {
            let pump = SequencePump(pieces, bytes: bytes)
            return { try await pump.next() }
        }
    }
}

extension BodySource: Hashable {
    /// Whether both are the same source.
    public static func == (first: BodySource, second: BodySource) -> Bool { first.identity === second.identity }

    /// Feeds the source's identity to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(identity))
    }
}
