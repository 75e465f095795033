public import FoundationEssentials
public import NIOCore

extension RequestBody {
    /// Returns a body with the bytes of a `Data`.
    public static func data(_ data: Data) -> RequestBody { .bytes(Array(data)) }

    /// Returns a body with the readable bytes of a buffer.
    public static func buffer(_ buffer: ByteBuffer) -> RequestBody { .bytes(Array(buffer.readableBytesView)) }

    /// Returns a body with the contents of a file, read while it is sent.
    public static func file(_ url: URL) -> RequestBody { .file(path: url.path) }
}

extension Response {
    /// The body as a `Data`.
    public var data: Data { Data(body) }

    /// The body as a buffer.
    public var buffer: ByteBuffer { ByteBuffer(bytes: body) }
}

extension WebSocket {
    /// Sends a binary message.
    public func send(_ data: Data) async throws(SessionError) { try await send(Array(data)) }

    /// Sends the readable bytes of a buffer as a binary message.
    public func send(_ buffer: ByteBuffer) async throws(SessionError) {
        try await send(Array(buffer.readableBytesView))
    }
}

extension MultipartFormData {
    /// Adds bytes, as a field or, with a file name, as a file.
    public mutating func append(
        _ data: Data, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        append(Array(data), name: name, fileName: fileName, contentType: contentType)
    }

    /// Adds a file, which is read while the form is sent.
    public mutating func append(file url: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        append(file: url.path, name: name, fileName: fileName, contentType: contentType)
    }
}

extension PendingExchange {
    /// Sends the request and returns the response's body as a `Data`, where one is asked for.
    @_disfavoredOverload
    public func data() async throws(SessionError) -> Data { Data(try await data() as [UInt8]) }

    /// Sends the request and returns the response's body as a buffer.
    public func buffer() async throws(SessionError) -> ByteBuffer { ByteBuffer(bytes: try await data() as [UInt8]) }

    /// Returns a download of the response's body to a file.
    public func download(to url: URL, options: DownloadOptions = .init()) -> Download {
        download(to: url.path, options: options)
    }
}
