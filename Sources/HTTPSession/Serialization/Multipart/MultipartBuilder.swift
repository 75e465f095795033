/// Puts the parts of a form in a row.
struct MultipartBuilder {
    /// A piece of the body.
    enum Segment: Sendable {
        /// Bytes.
        case bytes([UInt8])
        /// A file that had so many bytes.
        case file(path: String, length: Int)
        /// A body that is made while it is sent.
        case stream(BodySource)
    }

    /// Bytes of parts up to this size are copied to those around them; larger ones are passed on as they are.
    private static let copiedBytes = 16 << 10

    private let boundary: String
    private var segments: [Segment] = []
    private var pending: [UInt8] = []
    private var length: Int? = 0
    private var isReplayable = true
    private var isInMemory = true

    init(boundary: String) {
        self.boundary = boundary
    }

    /// Adds a part.
    /// - Throws: ``SessionError`` for a file that is not there, and for a header that cannot be sent.
    mutating func append(_ part: MultipartPart) throws(SessionError) {
        add(Array((length == 0 ? "--" : "\r\n--").utf8) + Array((boundary + "\r\n").utf8))
        add(try part.header())
        switch part.body {
        case .empty: break
        case .bytes(let bytes): add(bytes)
        case .file(let path):
            let size = try MultipartFile.size(of: path)
            flush()
            segments.append(.file(path: path, length: size))
            lengthen(by: size)
            isInMemory = false
        case .stream(let source):
            flush()
            segments.append(.stream(source))
            lengthen(by: source.length)
            isInMemory = false
            isReplayable = isReplayable && source.isReplayable
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        lengthen(by: bytes.count)
        if bytes.count > Self.copiedBytes {
            flush()
            segments.append(.bytes(bytes))
        } else {
            pending += bytes
        }
    }

    private mutating func flush() {
        if !pending.isEmpty { segments.append(.bytes(pending)) }
        pending = []
    }

    private mutating func lengthen(by count: Int?) {
        guard let count, let length else {
            self.length = nil
            return
        }
        let (sum, isTooLarge) = length.addingReportingOverflow(count)
        self.length = isTooLarge ? nil : sum
    }

    /// The whole body; in memory if all of it is and it has at most so many bytes.
    func body(bytesInMemory: Int) -> RequestBody {
        var copy = self
        // A form without parts is its end alone (RFC 2046 section 5.1.1 wants one part at least).
        copy.add(Array(((length == 0 ? "--" : "\r\n--") + boundary + "--\r\n").utf8))
        copy.flush()
        let segments = copy.segments
        if isInMemory, let length = copy.length, length <= bytesInMemory {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(length)
            for case .bytes(let piece) in segments { bytes += piece }
            return .bytes(bytes)
        }
        return .stream(
            BodySource(length: copy.length, isReplayable: isReplayable) {
                let reader = MultipartReader(segments)
                return { try await reader.next() }
            })
    }
}
