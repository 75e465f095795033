public import FoundationEssentials
public import JSON
public import NIOCore

/// A request that is bound to a session and sent each time its response is requested.
///
/// Each method returns a modified copy. Nothing is sent until you ask for the response, its body or a decoded value.
///
/// ```swift
/// let book: Book = try await session.get("books/7").validate().decode()
/// ```
public struct PendingExchange: Sendable {
    /// The session that sends the request.
    public let session: Session
    /// The request to send.
    public var request: Request
    /// The validators that check the response; all run, and the error lists every finding.
    public var validators: [Validator] = []
    /// The adapters that change the request before each attempt, after the session's adapters.
    public var adapters: [any RequestAdapter] = []
    /// The retriers that decide whether the request is retried, after the session's retriers.
    public var retriers: [any Retrier] = []
    /// A closure that is called as the body is written to the network.
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)?
    /// The error that occurred while the request was built; if set, the request is not sent.
    var failure: SessionError?

    init(session: Session, request: Request) {
        self.session = session
        self.request = request
    }

    private func changed(_ change: (inout PendingExchange) -> Void) -> PendingExchange {
        var copy = self
        change(&copy)
        return copy
    }

    /// Rejects a response whose status is not 2xx or whose content type the request does not accept.
    public func validate() -> PendingExchange {
        validate(.status(200..<300)).validate(.acceptedContentType)
    }

    /// Rejects a response that fails a validator.
    public func validate(_ validator: Validator) -> PendingExchange {
        changed { $0.validators.append(validator) }
    }

    /// Adds an adapter that changes the request before each attempt.
    public func adapt(with adapter: some RequestAdapter) -> PendingExchange {
        changed { $0.adapters.append(adapter) }
    }

    /// Adds a retrier that decides whether the request is retried after a failure.
    public func retry(with retrier: some Retrier) -> PendingExchange {
        changed { $0.retriers.append(retrier) }
    }

    /// Adds an interceptor, which both adapts and retries the request, such as one that authenticates it.
    public func intercept(with interceptor: some RequestInterceptor) -> PendingExchange {
        changed {
            $0.adapters.append(interceptor.adapter)
            $0.retriers.append(interceptor.retrier)
        }
    }

    /// Changes the request itself, such as its timeouts, cache policy or connection options.
    public func with(_ change: (inout Request) -> Void) -> PendingExchange {
        changed { change(&$0.request) }
    }

    /// Calls a closure as the body is written to the network.
    public func onUploadProgress(_ body: @escaping @Sendable (TransferProgress) -> Void) -> PendingExchange {
        changed { $0.uploadProgress = body }
    }

    /// Whether the request adds no stage to the session's own.
    var isPlain: Bool {
        validators.isEmpty && adapters.isEmpty && retriers.isEmpty && uploadProgress == nil && failure == nil
    }

    /// Returns the pipeline of the request.
    @inline(never)
    func pipeline(_ delivery: ResponseDelivery) -> ExchangePipeline {
        ExchangePipeline(
            session: session, request: request, delivery: delivery, adapters: adapters, retriers: retriers,
            validators: validators, uploadProgress: uploadProgress, failure: failure)
    }

    /// Sends the request and returns the response.
    /// - Throws: ``SessionError``. If a validator rejected the response, the error contains that response.
    public func response() async throws(SessionError) -> Response {
        if isPlain { return try await session.send(request) }
        return try await pipeline(.whole).run()
    }

    /// Sends the request and returns the response as soon as its head arrives.
    ///
    /// Validators and retriers run before the body is read, so they see an empty body.
    /// - Throws: ``SessionError``, also while the body is read.
    public func stream() async throws(SessionError) -> StreamedResponse {
        try await pipeline(.streamed).stream()
    }
}

extension PendingExchange {
    /// Sends the request and serializes the response.
    /// - Parameter serializer: The serializer that converts the response to a value.
    /// - Throws: ``SessionError``. If the serializer fails, the reason is ``SessionError/Reason/undecodable`` and the
    ///   error contains the response.
    public func serialize<Serializer: ResponseSerializer>(
        with serializer: Serializer
    ) async throws(SessionError) -> Serializer.Value {
        if isPlain, session.isPlain { return try await session.send(request).serialize(with: serializer) }
        return try await pipeline(.whole).run(serializer: serializer)
    }

    /// Sends the request and decodes the response's body.
    /// - Parameters:
    ///   - type: The type to decode. A response with an empty body decodes only to an ``EmptyResponse``.
    ///   - decoder: The decoder for the body.
    ///   - preprocessors: Transformations applied to the body before it is decoded.
    ///   - emptyBodies: The responses that may have an empty body.
    /// - Throws: ``SessionError``. If decoding fails, the reason is ``SessionError/Reason/undecodable`` and the error
    ///   contains the response.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard
    ) async throws(SessionError) -> Value {
        try await serialize(
            with: DecodableResponseSerializer<Value>(
                decoder: decoder, preprocessors: preprocessors, emptyBodies: emptyBodies))
    }

    /// Sends the request and returns the bytes of the response's body.
    public func data() async throws(SessionError) -> [UInt8] {
        try await serialize(with: DataResponseSerializer())
    }

    /// Sends the request and returns the response's body as a string.
    /// - Parameter encoding: The encoding of the body; nil detects it from the response.
    public func string(encoding: TextEncoding? = nil) async throws(SessionError) -> String {
        try await serialize(with: StringResponseSerializer(encoding: encoding))
    }

    /// Sends the request and returns the response's body as a JSON value.
    /// - Parameter removesNulls: Whether null object members and array elements are removed.
    public func json(removingNulls removesNulls: Bool = false) async throws(SessionError) -> JSONValue {
        try await serialize(with: JSONResponseSerializer(removesNulls: removesNulls))
    }
}

extension PendingExchange {
    /// Sends the request and returns the response's body as `Data`.
    @_disfavoredOverload
    public func data() async throws(SessionError) -> Data { Data(try await data() as [UInt8]) }

    /// Sends the request and returns the response's body as a `ByteBuffer`.
    public func buffer() async throws(SessionError) -> ByteBuffer { ByteBuffer(bytes: try await data() as [UInt8]) }
}
