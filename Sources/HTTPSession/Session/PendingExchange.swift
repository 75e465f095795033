public import FoundationEssentials
public import JSON
public import NIOCore

/// A request that is sent each time its response is asked for.
///
/// Its methods give changed copies: nothing is sent before the response, its body or a value of it is asked for.
public struct PendingExchange: Sendable {
    /// The session that sends it.
    public let session: Session
    /// The request.
    public var request: Request
    /// What the response must satisfy; all are asked, and all findings are in the error.
    public var validators: [Validator] = []
    /// Change the request before each attempt, after the session's.
    public var adapters: [any RequestAdapter] = []
    /// Are asked whether the request is sent again, after the session's.
    public var retriers: [any Retrier] = []
    /// Called as the body is handed to the network.
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)?
    /// Why the request could not be made; it then is not sent.
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

    /// Refuses a response whose status is not 2xx, or whose content type is none that the request accepts.
    public func validate() -> PendingExchange {
        validate(.status(200..<300)).validate(.acceptedContentType)
    }

    /// Refuses a response that the validator finds fault with.
    public func validate(_ validator: Validator) -> PendingExchange {
        changed { $0.validators.append(validator) }
    }

    /// Changes the request before each attempt.
    public func adapt(with adapter: some RequestAdapter) -> PendingExchange {
        changed { $0.adapters.append(adapter) }
    }

    /// Asks whether the request is sent again.
    public func retry(with retrier: some Retrier) -> PendingExchange {
        changed { $0.retriers.append(retrier) }
    }

    /// Changes the request before each attempt, and asks whether it is sent again; for what authenticates requests.
    public func intercept(with interceptor: some RequestInterceptor) -> PendingExchange {
        changed {
            $0.adapters.append(interceptor.adapter)
            $0.retriers.append(interceptor.retrier)
        }
    }

    /// Changes the request itself: its time limits, its cache policy, how it is connected.
    public func with(_ change: (inout Request) -> Void) -> PendingExchange {
        changed { change(&$0.request) }
    }

    /// Calls a function as the body is handed to the network.
    public func onUploadProgress(_ body: @escaping @Sendable (TransferProgress) -> Void) -> PendingExchange {
        changed { $0.uploadProgress = body }
    }

    /// Whether the request passes through no stages but the session's.
    var isPlain: Bool {
        validators.isEmpty && adapters.isEmpty && retriers.isEmpty && uploadProgress == nil && failure == nil
    }

    /// The stages of the request.
    func pipeline(_ delivery: ResponseDelivery) -> ExchangePipeline {
        ExchangePipeline(
            session: session, request: request, delivery: delivery, adapters: adapters, retriers: retriers,
            validators: validators, uploadProgress: uploadProgress, failure: failure)
    }

    /// Sends the request and gives the response.
    /// - Throws: ``SessionError``, also if a validator finds fault; it then has the response.
    public func response() async throws(SessionError) -> Response {
        if isPlain { return try await session.send(request) }
        return try await pipeline(.whole).run()
    }

    /// Sends the request and gives the response as soon as its head is there.
    ///
    /// Validators and retriers are asked before the body is read: they see an empty one.
    public func stream() async throws(SessionError) -> StreamedResponse {
        try await pipeline(.streamed).stream()
    }
}

extension PendingExchange {
    /// Sends the request, and makes a value of the response.
    /// - Throws: ``SessionError``; if no value can be made, with ``SessionError/Reason/undecodable`` and the response.
    public func serialize<Serializer: ResponseSerializer>(
        with serializer: Serializer
    ) async throws(SessionError) -> Serializer.Value {
        if isPlain, session.isPlain { return try await session.send(request).serialize(with: serializer) }
        return try await pipeline(.whole).run(serializer: serializer)
    }

    /// Sends the request, and makes a value of the response's body.
    /// - Parameters:
    ///   - type: The type of the value; an empty body needs an ``EmptyResponse``.
    ///   - decoder: Reads the body.
    ///   - preprocessors: Change the body first.
    ///   - emptyBodies: When the body may be empty.
    /// - Throws: ``SessionError``; if no value can be made, with ``SessionError/Reason/undecodable`` and the response.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard
    ) async throws(SessionError) -> Value {
        try await serialize(
            with: DecodableResponseSerializer<Value>(
                decoder: decoder, preprocessors: preprocessors, emptyBodies: emptyBodies))
    }

    /// Sends the request and gives the response's body.
    public func data() async throws(SessionError) -> [UInt8] {
        try await serialize(with: DataResponseSerializer())
    }

    /// Sends the request and gives the response's body as text, in the encoding that the response names.
    public func string(encoding: TextEncoding? = nil) async throws(SessionError) -> String {
        try await serialize(with: StringResponseSerializer(encoding: encoding))
    }

    /// Sends the request and gives the response's body as a JSON value.
    public func json(removingNulls removesNulls: Bool = false) async throws(SessionError) -> JSONValue {
        try await serialize(with: JSONResponseSerializer(removesNulls: removesNulls))
    }
}

extension PendingExchange {
    /// Sends the request and returns the response's body as a `Data`, where one is asked for.
    @_disfavoredOverload
    public func data() async throws(SessionError) -> Data { Data(try await data() as [UInt8]) }

    /// Sends the request and returns the response's body as a buffer.
    public func buffer() async throws(SessionError) -> ByteBuffer { ByteBuffer(bytes: try await data() as [UInt8]) }
}
