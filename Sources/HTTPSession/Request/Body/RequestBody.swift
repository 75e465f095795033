public import FoundationEssentials
public import NIOCore

/// The body of a request.
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case empty
    /// Bytes in memory.
    case bytes([UInt8])
    /// The contents of a file at a path, read while it is sent.
    case file(path: String)
    /// A body that is made while it is sent.
    case stream(BodySource)

    /// The UTF-8 bytes of a text.
    public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool {
        if case .stream(let source) = self { return source.isReplayable }
        return true
    }

    /// The number of bytes, where it is known without opening a file.
    var knownLength: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file: nil
        case .stream(let source): source.length
        }
    }
}

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

/// How far a body has been transferred.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes so far.
    public var completed: Int
    /// All bytes, where that is known.
    public var total: Int?

    /// Creates a progress.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The part that is done, from 0 to 1, where the total is known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
    }
}

extension RequestBody {
    /// Returns a body with the bytes of a `Data`.
    public static func data(_ data: Data) -> RequestBody { .bytes(Array(data)) }

    /// Returns a body with the readable bytes of a buffer.
    public static func buffer(_ buffer: ByteBuffer) -> RequestBody { .bytes(Array(buffer.readableBytesView)) }

    /// Returns a body with the contents of a file, read while it is sent.
    public static func file(_ url: URL) -> RequestBody { .file(path: url.path) }
}
