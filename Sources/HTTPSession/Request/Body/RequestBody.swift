public import FoundationEssentials
public import NIOCore

/// The body of a request.
///
/// ```swift
/// let response = try await session.put("cover.png", body: .file(path: "/srv/cover.png")).response()
/// ```
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case empty
    /// The given bytes.
    case bytes([UInt8])
    /// The contents of the file at a path, read while the body is sent.
    case file(path: String)
    /// A stream, produced while the body is sent.
    case stream(BodySource)

    /// Returns a body with the UTF-8 bytes of a string.
    public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool {
        if case .stream(let source) = self { return source.isReplayable }
        return true
    }

    /// The number of bytes, if it is known without opening a file.
    var knownLength: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file: nil
        case .stream(let source): source.length
        }
    }
}

/// A streamed request body, produced piece by piece while it is sent.
///
/// ```swift
/// let response = try await session.post("rows", body: .stream(BodySource(rows))).response()
/// ```
public struct BodySource: Sendable {
    /// A closure that returns the next piece, or nil at the end.
    public typealias Reader = @Sendable () async throws -> [UInt8]?

    /// The number of bytes, if it is known in advance; otherwise the body is sent with chunked transfer coding.
    public let length: Int?
    /// Whether the body can be opened more than once, and therefore resent after a failure or a redirect.
    public let isReplayable: Bool
    /// A closure that starts a new pass over the body.
    public let open: @Sendable () async throws -> Reader

    /// The parts of the form that the body encodes; empty if the body is not a form.
    var form: [MultipartPart] = []

    private final class Identity: Sendable {}
    private let identity = Identity()

    /// Creates a body from a closure that opens it.
    /// - Parameters:
    ///   - length: The number of bytes; nil if it is unknown.
    ///   - isReplayable: Whether `open` may be called more than once.
    ///   - open: A closure that starts a pass over the body. One task at a time calls the reader that it returns.
    public init(length: Int? = nil, isReplayable: Bool, open: @escaping @Sendable () async throws -> Reader) {
        self.length = length
        self.isReplayable = isReplayable
        self.open = open
    }

    /// Creates a body from a sequence of byte arrays, which can be read only once.
    ///
    /// A request with this body is never resent.
    /// - Parameters:
    ///   - length: The number of bytes; nil if it is unknown.
    ///   - pieces: The pieces of the body.
    public init<Pieces: AsyncSequence & Sendable>(
        length: Int? = nil, _ pieces: Pieces
    ) where Pieces.Element == [UInt8], Pieces.AsyncIterator: SendableMetatype {
        self.init(length: length, pieces) { $0 }
    }

    /// Creates a body from a sequence of `Data`, which can be read only once.
    ///
    /// A request with this body is never resent.
    /// - Parameters:
    ///   - length: The number of bytes; nil if it is unknown.
    ///   - pieces: The pieces of the body.
    public init<Pieces: AsyncSequence & Sendable>(
        length: Int? = nil, _ pieces: Pieces
    ) where Pieces.Element == Data, Pieces.AsyncIterator: SendableMetatype {
        self.init(length: length, pieces) { Array($0) }
    }

    /// Creates a body from a sequence of `ByteBuffer`, which can be read only once.
    ///
    /// A request with this body is never resent.
    /// - Parameters:
    ///   - length: The number of bytes; nil if it is unknown.
    ///   - pieces: The pieces of the body.
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
    /// Returns whether two values are the same source, by identity.
    public static func == (first: BodySource, second: BodySource) -> Bool { first.identity === second.identity }

    /// Hashes the identity of the source.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(identity))
    }
}

/// An asynchronous sequence that any task can advance, one at a time.
actor SequencePump<Pieces: AsyncSequence & Sendable> {
    private var iterator: Pieces.AsyncIterator?
    private let bytes: @Sendable (Pieces.Element) -> [UInt8]

    /// Creates a pump for a sequence.
    /// - Parameter bytes: A closure that returns the bytes of a piece.
    init(_ pieces: Pieces, bytes: @escaping @Sendable (Pieces.Element) -> [UInt8]) {
        iterator = pieces.makeAsyncIterator()
        self.bytes = bytes
    }

    /// Returns the next piece, or nil at the end. A call while another one is waiting returns nil.
    func next() async throws -> [UInt8]? {
        guard var current = iterator.take() else { return nil }
        guard let piece = try await current.next(isolation: #isolation) else { return nil }
        iterator = current
        return bytes(piece)
    }
}

/// The progress of the transfer of a body.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes transferred so far.
    public var completed: Int
    /// The total number of bytes, if it is known.
    public var total: Int?

    /// Creates a progress value.
    /// - Parameters:
    ///   - completed: The number of bytes transferred so far.
    ///   - total: The total number of bytes, if it is known.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The completed fraction, from 0 to 1; nil if the total is unknown.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
    }
}

extension RequestBody {
    /// Returns a body with the bytes of a `Data` value.
    public static func data(_ data: Data) -> RequestBody { .bytes(Array(data)) }

    /// Returns a body with the readable bytes of a `ByteBuffer`.
    public static func buffer(_ buffer: ByteBuffer) -> RequestBody { .bytes(Array(buffer.readableBytesView)) }

    /// Returns a body with the contents of a file, read while the body is sent.
    public static func file(_ url: URL) -> RequestBody { .file(path: url.path) }
}
