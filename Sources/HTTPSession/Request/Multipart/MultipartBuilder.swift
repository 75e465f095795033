public import Basics

/// A builder that joins the parts of a form into a request body.
struct MultipartBuilder {
    /// A piece of the body.
    enum Segment: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A file with the length that it had when it was added.
        case file(path: String, length: Int)
        /// A stream, produced while the body is sent.
        case stream(BodySource)
    }

    /// The maximum size of bytes that are copied into the surrounding segment; larger ones stay segments of their own.
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
    /// - Throws: ``SessionError`` if a file does not exist or a header field cannot be sent.
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

    /// Returns the whole body, in memory if all of it is in memory and not longer than `bytesInMemory`.
    func body(bytesInMemory: Int) -> RequestBody {
        var copy = self
        // A form without parts consists of its end only, although RFC 2046, section 5.1.1 requires at least one part.
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
                let reader = SegmentReader(segments)
                return { try await reader.next() }
            })
    }
}

extension MultipartPart {
    /// Returns the part's header, including the empty line at its end.
    /// - Throws: ``SessionError`` if a field cannot be sent.
    func header() throws(SessionError) -> [UInt8] {
        var text = "Content-Disposition: form-data; name=\"" + Self.escaped(name) + "\""
        if let fileName { text += "; filename=\"" + Self.escaped(fileName) + "\"" }
        text += "\r\n"
        var fields = headers
        fields.remove("Content-Disposition")
        if let contentType { fields.set(name: "Content-Type", value: contentType) }
        for field in fields {
            guard ByteClass.isToken(field.name), ByteClass.isFieldValue(field.value) else {
                throw MultipartFormData.failure(
                    .invalidHeader,
                    "the field \(SerializationFailure.excerpt(Array(field.name.utf8))) of the part "
                        + "\"\(SerializationFailure.excerpt(Array(name.utf8)))\" cannot be sent")
            }
            text += field.name + ": " + field.value + "\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// Returns a name escaped for a quoted string (HTML standard, multipart/form-data encoding algorithm).
    static func escaped(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += Array("%22".utf8)
            case 13: bytes += Array("%0D".utf8)
            case 10: bytes += Array("%0A".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A single pass over the segments of a form.
actor SegmentReader {
    /// The number of bytes to read from a file at a time.
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

    /// Returns the next piece, or nil at the end.
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
                message: "the stream of a part ended \(left) bytes before its declared length")
        }
        if let left, piece.count > left {
            throw MultipartError(
                message: "the stream of a part exceeds its declared length")
        }
        current = .stream(reader, left: left.map { $0 - piece.count })
        return piece
    }
}

/// A file in a form, read outside of the event loops.
struct MultipartFile: Sendable {
    private let file: ReadableFile

    private static func words(_ failure: FileFailure) -> MessageText {
        "the form file \"\(failure.path)\" cannot be read: \(failure.message)"
    }

    /// Returns the length of a regular file in bytes.
    static func size(of path: String) throws(SessionError) -> Int {
        do throws(FileFailure) {
            return try ReadableFile.open(path).length
        } catch {
            throw MultipartFormData.failure(.unreadableBody, words(error))
        }
    }

    /// Opens a file and checks that it still has the given length.
    static func open(_ path: String, length: Int) async throws(MultipartError) -> MultipartFile {
        let file = try await work { () throws(FileFailure) in try ReadableFile.open(path) }
        guard file.length == length else { throw changed(path, length) }
        return MultipartFile(file: file)
    }

    /// Reads up to `count` bytes, or returns nil at the end.
    func read(at offset: Int, count: Int) async throws(MultipartError) -> [UInt8]? {
        // At the end, try to read one more byte to detect that the file has grown.
        let wanted = offset < file.length ? min(count, file.length - offset) : 1
        let piece = try await Self.work { [file] () throws(FileFailure) in try file.bytes(wanted, at: offset) }
        guard piece.isEmpty == (offset >= file.length) else { throw Self.changed(file.path, file.length) }
        return piece.isEmpty ? nil : piece
    }

    private static func work<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(MultipartError) -> Value {
        do throws(FileFailure) {
            return try await BlockingWork.run(body)
        } catch {
            throw MultipartError(message: words(error))
        }
    }

    private static func changed(_ path: String, _ length: Int) -> MultipartError {
        MultipartError(
            message: "the form file \"\(path)\" changed size while it was sent; it had \(length) bytes")
    }
}

/// The error that ends the transfer of a multipart form whose parts cannot be read.
///
/// The request fails with ``SessionError/Reason/unreadableBody``, and this error is its ``SessionError/underlying``.
public struct MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the error in one line.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    init(message: MessageText) {
        wording = message
    }

    /// The message.
    public var description: String { message }
}
