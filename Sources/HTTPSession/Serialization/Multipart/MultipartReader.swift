/// One pass over the pieces of a form.
actor MultipartReader {
    /// How much of a file is read at a time.
    private static let pieceBytes = 128 << 10

    private enum Current {
        case file(MultipartFile, offset: Int)
        case stream(BodySource.Reader, left: Int?)
    }

    private let segments: [MultipartBuilder.Segment]
    private var position = 0
    private var current: Current?

    init(_ segments: [MultipartBuilder.Segment]) {
        self.segments = segments
    }

    /// The next piece, or nil at the end.
    func next() async throws -> [UInt8]? {
        while true {
            switch current {
            case .file(let file, let offset):
                let piece = try await file.read(at: offset, count: Self.pieceBytes)
                guard let piece else {
                    current = nil
                    continue
                }
                current = .file(file, offset: offset + piece.count)
                return piece
            case .stream(let reader, let left):
                if let piece = try await next(of: reader, left: left) { return piece }
            case nil:
                guard position < segments.count else { return nil }
                let segment = segments[position]
                position += 1
                switch segment {
                case .bytes(let bytes): return bytes
                case .file(let path, let length):
                    current = .file(try await MultipartFile.open(path, length: length), offset: 0)
                case .stream(let source): current = .stream(try await source.open(), left: source.length)
                }
            }
        }
    }

    private func next(of reader: @escaping BodySource.Reader, left: Int?) async throws -> [UInt8]? {
        guard let piece = try await reader() else {
            current = nil
            guard let left, left > 0 else { return nil }
            throw MultipartError(
                message: "a part's stream ended \(left) bytes before the length that was given for it")
        }
        if let left, piece.count > left {
            throw MultipartError(
                message: "a part's stream is longer than the length that was given for it")
        }
        current = .stream(reader, left: left.map { $0 - piece.count })
        return piece
    }
}
