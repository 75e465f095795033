public import Basics

/// A request and its response, which expectations check and reports show.
public struct Exchange: Sendable {
    /// A request as it was sent.
    public struct Request: Sendable {
        /// The method.
        public var method: String
        /// The absolute URL.
        public var url: String
        /// The header fields, in order.
        public var headers: [HeaderField]
        /// The bytes of the body; empty for a streamed body.
        public var body: [UInt8]
        /// The size in bytes of a streamed body, 0 if unknown; nil for any other body.
        public var streamedSize: Int?
        /// The size in bytes of the body as sent, if ``body`` is decoded from content codings.
        public var encodedSize: Int?
        /// The size in bytes of the whole body, if ``body`` is truncated or its secrets are masked.
        public var wholeSize: Int?
        /// The `curl` options that configure the same connection, such as `--insecure`, or `--proxy` with its value.
        public var curlOptions: [String] = []
        /// The parts of a multipart form body; empty for any other body and for a form with large text values.
        public var form: [FormPart] = []

        /// Creates a request.
        public init(
            method: String, url: String, headers: [HeaderField] = [], body: [UInt8] = [], streamedSize: Int? = nil
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.streamedSize = streamedSize
        }

        /// The ID of the trace in the `traceparent` field: 32 hexadecimal digits; nil without a valid field.
        ///
        /// See W3C Trace Context, section 3.2.
        public var traceID: String? {
            guard let field = headers.first(where: { $0.isNamed("traceparent") }) else { return nil }
            let parts = field.value.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count >= 4, parts.map(\.utf8.count).starts(with: [2, 32, 16, 2]) else { return nil }
            let isHexadecimal = parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            return isHexadecimal && parts[1].contains { $0 != "0" } ? String(parts[1]) : nil
        }
    }

    /// A response as it was received, with its content decoded.
    public struct Response: Sendable {
        /// The status code.
        public var status: Int
        /// The reason phrase, which is often empty.
        public var reason: String
        /// The HTTP version: `1.0`, `1.1`, or `2`.
        public var version: String
        /// The header fields, in order.
        public var headers: [HeaderField]
        /// The bytes of the body, without content codings.
        public var body: [UInt8]
        /// The size in bytes of the body as received, if the session kept its content codings and ``body`` is decoded.
        public var encodedSize: Int?
        /// Whether the session has removed all content codings of ``body``. False if it is unknown.
        public var isDecoded = false
        /// The size in bytes of the whole body, if ``body`` is truncated or its secrets are masked.
        public var wholeSize: Int?

        /// Creates a response.
        public init(
            status: Int, reason: String = "", version: String = "1.1", headers: [HeaderField] = [], body: [UInt8] = []
        ) {
            self.status = status
            self.reason = reason
            self.version = version
            self.headers = headers
            self.body = body
        }

        /// Returns the value of the first header field with a name.
        public func header(_ name: String) -> String? {
            headers.first { $0.isNamed(name) }?.value
        }
    }

    /// The durations of the phases of an exchange, in nanoseconds; nil for a phase that did not occur.
    public struct Timings: Sendable, Hashable {
        /// The DNS lookup of the host.
        public var dns: Int64?
        /// The connection attempt.
        public var connect: Int64?
        /// The TLS handshake.
        public var tls: Int64?
        /// The time from the end of the request to the first byte of the response.
        public var firstByte: Int64?
        /// The time from the first byte of the response to the last.
        public var transfer: Int64?
        /// The whole exchange, including redirects.
        public var total: Int64

        /// Creates timings.
        public init(
            dns: Int64? = nil, connect: Int64? = nil, tls: Int64? = nil, firstByte: Int64? = nil,
            transfer: Int64? = nil, total: Int64 = 0
        ) {
            self.dns = dns
            self.connect = connect
            self.tls = tls
            self.firstByte = firstByte
            self.transfer = transfer
            self.total = total
        }
    }

    /// An error that prevented a complete response.
    public struct Failure: Error, Sendable {
        /// A phase of an exchange, identified by the string that records use.
        public struct Phase: RawRepresentable, Sendable, Hashable {
            /// The name of the phase.
            public let rawValue: String

            /// Creates a phase with any name, such as one from a record of a later version.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Preparing the request for sending.
            public static let request = Phase(rawValue: "request")
            /// Resolving the host.
            public static let dns = Phase(rawValue: "dns")
            /// Establishing the connection.
            public static let connect = Phase(rawValue: "connect")
            /// The TLS handshake.
            public static let tls = Phase(rawValue: "tls")
            /// Waiting for the first byte of the response.
            public static let firstByte = Phase(rawValue: "firstByte")
            /// Receiving the response.
            public static let receive = Phase(rawValue: "receive")
            /// Following a redirect.
            public static let redirect = Phase(rawValue: "redirect")
            /// Decoding the content codings of the response.
            public static let decode = Phase(rawValue: "decode")
            /// Checking the complete response.
            public static let validate = Phase(rawValue: "validate")
            /// Running a program instead of sending a request.
            public static let command = Phase(rawValue: "run")
        }

        /// The phase that failed.
        public var phase: Phase
        /// The kind of error, which is the `type` of the failure in JUnit reports.
        public var kind: Finding.Reason
        /// The description of the error: one sentence without a final period.
        public var message: MessageText
        /// Whether the credentials of the request could not be obtained, so that it was not sent.
        public var isOfAuthentication: Bool

        /// Creates a failure.
        public init(phase: Phase, kind: Finding.Reason, message: MessageText, isOfAuthentication: Bool = false) {
            self.phase = phase
            self.kind = kind
            self.message = message
            self.isOfAuthentication = isOfAuthentication
        }
    }

    /// A response that redirected to the next request.
    public struct Hop: Sendable, Hashable {
        /// The status of the redirect.
        public var status: Int
        /// The URL that responded with the redirect.
        public var url: String
        /// The target of the redirect, as an absolute URL.
        public var location: String

        /// Creates a redirect.
        public init(status: Int, url: String, location: String) {
            self.status = status
            self.url = url
            self.location = location
        }
    }

    /// A request, or a closure that creates it on demand. The requests of most exchanges are never read.
    @usableFromInline enum LazyRequest: Sendable {
        case known(Request)
        case deferred(@Sendable () -> Request)

        var request: Request {
            switch self {
            case .known(let request): request
            case .deferred(let make): make()
            }
        }
    }

    @usableFromInline struct Values: Sendable {
        @usableFromInline var start: Int64 = 0
        @usableFromInline var sent: LazyRequest
        @usableFromInline var response: Response?
        @usableFromInline var failure: Failure?
        @usableFromInline var hops: [Hop]
        @usableFromInline var timings: Timings
        @usableFromInline var cookies: [ReceivedCookie]
        @usableFromInline @Indirect var details: ExchangeDetails?
    }

    /// The values, behind one reference, because an exchange is passed from the step through the test to the reports.
    ///
    /// It is inlinable from other modules, so that reading one value does not copy the others.
    @usableFromInline var storage: CopyOnWrite<Values>

    /// The time from the start of the run to the start of the exchange, in nanoseconds.
    public var start: Int64 {
        @inlinable get { storage.wrappedValue.start }
        _modify { yield &storage.wrappedValue.start }
    }

    /// The last request that was sent; after redirects, this is the final one.
    public var request: Request {
        get { storage.wrappedValue.sent.request }
        set { storage.wrappedValue.sent = .known(newValue) }
    }

    /// The size in bytes of both bodies that are in memory.
    public var bodySize: Int {
        var size = storage.wrappedValue.response?.body.count ?? 0
        if case .known(let request) = storage.wrappedValue.sent { size += request.body.count }
        return size
    }

    /// Prepares an exchange for being kept: creates a deferred request and sets the start time.
    ///
    /// - Parameter start: The time from the start of the run to the start of the exchange, in nanoseconds.
    public mutating func keep(from start: Int64) {
        if case .deferred(let make) = storage.wrappedValue.sent { storage.wrappedValue.sent = .known(make()) }
        storage.wrappedValue.start = start
    }

    /// The header fields of the request. More efficient than ``request`` if no other property is needed.
    public var requestHeaders: [HeaderField] {
        switch storage.wrappedValue.sent {
        case .known(let request): request.headers
        case .deferred(let make): make().headers
        }
    }

    /// The URL of the request. More efficient than ``request`` if no other property is needed.
    public var requestURL: String {
        switch storage.wrappedValue.sent {
        case .known(let request): request.url
        case .deferred(let make): make().url
        }
    }

    /// The response; if there is a ``failure``, the part that was received.
    public var response: Response? {
        @inlinable _read { yield storage.wrappedValue.response }
        _modify { yield &storage.wrappedValue.response }
    }

    /// The error that prevented a complete response; nil if the response is complete.
    public var failure: Failure? {
        @inlinable _read { yield storage.wrappedValue.failure }
        _modify { yield &storage.wrappedValue.failure }
    }

    /// The redirects that were followed, in order.
    public var hops: [Hop] {
        @inlinable _read { yield storage.wrappedValue.hops }
        _modify { yield &storage.wrappedValue.hops }
    }

    /// The durations of the phases.
    public var timings: Timings {
        @inlinable _read { yield storage.wrappedValue.timings }
        _modify { yield &storage.wrappedValue.timings }
    }

    /// The cookies that the responses of the exchange set, in order.
    public var cookies: [ReceivedCookie] {
        @inlinable _read { yield storage.wrappedValue.cookies }
        _modify { yield &storage.wrappedValue.cookies }
    }

    /// Details that few exchanges have, such as trailers, the server's certificate, and the events of a stream.
    public var details: ExchangeDetails? {
        @inlinable _read { yield storage.wrappedValue.details }
        _modify { yield &storage.wrappedValue.details }
    }

    /// Creates an exchange.
    public init(
        request: Request, response: Response? = nil, failure: Failure? = nil, hops: [Hop] = [],
        timings: Timings = Timings(), cookies: [ReceivedCookie] = [],
        details: ExchangeDetails? = nil
    ) {
        storage = CopyOnWrite(
            wrappedValue: Values(
                sent: .known(request), response: response, failure: failure, hops: hops, timings: timings,
                cookies: cookies, details: Indirect(wrappedValue: details)))
    }

    /// Creates an exchange whose request is created on demand.
    ///
    /// - Parameters:
    ///   - request: A closure that creates the request and returns the same one each time.
    ///   - response: The response.
    ///   - timings: The durations of the phases.
    public init(deferredRequest request: @escaping @Sendable () -> Request, response: Response, timings: Timings) {
        storage = CopyOnWrite(
            wrappedValue: Values(sent: .deferred(request), response: response, hops: [], timings: timings, cookies: []))
    }
}

/// A header field as sent or received, with the case of its name preserved (RFC 9110, section 5).
public struct HeaderField: Sendable, Hashable {
    /// The name of the field.
    public var name: String
    /// The value of the field.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Returns whether the field has a name, ignoring ASCII case.
    public func isNamed(_ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        // Most names are queried in the case in which they were sent.
        return name == other || differsOnlyInCase(from: other)
    }

    private func differsOnlyInCase(from other: String) -> Bool {
        var left = name
        var right = other
        return left.withUTF8 { left in
            right.withUTF8 { right in
                for index in 0..<min(left.count, right.count) {
                    let (a, b) = (left[index], right[index])
                    if a != b && (a ^ b != 0x20 || (a | 0x20) < 0x61 || (a | 0x20) > 0x7A) { return false }
                }
                return true
            }
        }
    }
}

/// A part of a multipart form that was sent (RFC 7578).
public struct FormPart: Sendable, Hashable {
    /// The content of a part.
    public enum Content: Sendable, Hashable {
        /// A text value.
        case text(String)
        /// The contents of a file; the path is absolute or relative to the working directory.
        case file(String)
    }

    /// The name of the field.
    public var name: String
    /// The content.
    public var content: Content
    /// The file name that is sent to the server, if any.
    public var fileName: String?
    /// The media type, if any.
    public var contentType: String?
    /// Additional header fields, in order.
    public var headers: [HeaderField]

    /// Creates a part.
    public init(
        name: String, content: Content, fileName: String? = nil, contentType: String? = nil,
        headers: [HeaderField] = []
    ) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
        self.headers = headers
    }
}
