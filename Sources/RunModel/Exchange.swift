public import Basics

/// A request that was sent and what came back: what expectations are checked against and reports show.
public struct Exchange: Sendable {
    /// The request as it was sent.
    public struct Request: Sendable {
        /// The method.
        public var method: String
        /// The absolute URL.
        public var url: String
        /// The header fields, in order.
        public var headers: [HeaderField]
        /// The body's bytes; empty for one that was made while it was sent.
        public var body: [UInt8]
        /// The number of bytes of a body that was made while it was sent, 0 when that is not known; nil for any other.
        public var streamedSize: Int?
        /// The bytes of the body as it was sent, where ``body`` is what they stand for without their content codings.
        public var encodedSize: Int?
        /// The bytes of the whole body, where ``body`` has only the first of them or its secrets are masked.
        public var wholeSize: Int?
        /// The options of `curl` that make the same connection, such as `--insecure` or `--proxy` with its value.
        public var curlOptions: [String] = []
        /// The parts of the multipart form that the body is; empty for another body and for a form with much text.
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
    }

    /// The response as it was received, its content decoded.
    public struct Response: Sendable {
        /// The status code.
        public var status: Int
        /// The reason phrase; often empty.
        public var reason: String
        /// The protocol's version: `1.0`, `1.1` or `2`.
        public var version: String
        /// The header fields, in order.
        public var headers: [HeaderField]
        /// The body's bytes, content encodings removed.
        public var body: [UInt8]
        /// The bytes of the body as it was received, where the session left its content codings and ``body`` has none.
        public var encodedSize: Int?
        /// The bytes of the whole body, where ``body`` has only the first of them or its secrets are masked.
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

        /// The value of the first field of that name.
        public func header(_ name: String) -> String? {
            headers.first { $0.isNamed(name) }?.value
        }
    }

    /// How long each phase took, in nanoseconds; nil for a phase that did not happen.
    public struct Timings: Sendable, Hashable {
        /// Resolving the host's name.
        public var dns: Int64?
        /// Connecting.
        public var connect: Int64?
        /// The TLS handshake.
        public var tls: Int64?
        /// From the request sent to the response's first byte.
        public var firstByte: Int64?
        /// From the first byte to the last.
        public var transfer: Int64?
        /// The whole exchange, redirects included.
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

    /// Why no whole response arrived.
    public struct Failure: Error, Sendable {
        /// What an exchange was doing, as the word that records have for it.
        public struct Phase: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
            /// The word.
            public let rawValue: String

            /// Creates a value of any word, such as one from a record of a later version.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Creates a value of a word.
            public init(stringLiteral value: String) { rawValue = value }

            /// Making the request that is sent of the one that was asked for.
            public static let request: Phase = "request"
            /// Looking up the host's addresses.
            public static let dns: Phase = "dns"
            /// Connecting.
            public static let connect: Phase = "connect"
            /// The handshake of TLS.
            public static let tls: Phase = "tls"
            /// Waiting for the first byte of the response.
            public static let firstByte: Phase = "firstByte"
            /// Undoing the content codings of the response.
            public static let decode: Phase = "decode"
        }

        /// A stable word for what went wrong; JUnit's `type`.
        public struct Kind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
            /// The word.
            public let rawValue: String

            /// Creates a value of any word, such as one from a record of a later version.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Creates a value of a word.
            public init(stringLiteral value: String) { rawValue = value }

            /// The exchange was given up, as by an interruption.
            public static let cancelled: Kind = "cancelled"
            /// A time limit was reached.
            public static let timeout: Kind = "timeout"
            /// What adapts requests has failed.
            public static let adapterFailed: Kind = "adapterFailed"
        }

        /// The phase that failed.
        public var phase: Phase
        /// What went wrong.
        public var kind: Kind
        /// What happened, as one sentence without a final full stop.
        public var message: String

        /// Creates a failure.
        public init(phase: Phase, kind: Kind, message: String) {
            self.phase = phase
            self.kind = kind
            self.message = message
        }
    }

    /// A response that redirected to the next request.
    public struct Hop: Sendable, Hashable {
        /// The status of the redirect.
        public var status: Int
        /// The URL that answered so.
        public var url: String
        /// Where it pointed, absolute.
        public var location: String

        /// Creates a hop.
        public init(status: Int, url: String, location: String) {
            self.status = status
            self.url = url
            self.location = location
        }
    }

    /// A request, or what makes it when somebody asks for it, as of most exchanges nobody does.
    @usableFromInline enum SentRequest: Sendable {
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
        @usableFromInline var sent: SentRequest
        @usableFromInline var response: Response?
        @usableFromInline var failure: Failure?
        @usableFromInline var hops: [Hop]
        @usableFromInline var timings: Timings
        @usableFromInline var cookies: [ReceivedCookie]
        @usableFromInline @Indirect var details: ExchangeDetails?
    }

    /// The values, behind one reference, as an exchange is handed from the step through the test to the reports.
    ///
    /// Visible to other modules' optimizer, so that reading one value does not copy the others beside it.
    @usableFromInline var storage: CopyOnWrite<Values>

    /// Nanoseconds from the run's start to that of the exchange.
    public var start: Int64 {
        @inlinable get { storage.wrappedValue.start }
        _modify { yield &storage.wrappedValue.start }
    }

    /// The request that was sent last: after redirects, the final one.
    public var request: Request {
        get { storage.wrappedValue.sent.request }
        set { storage.wrappedValue.sent = .known(newValue) }
    }

    /// The bytes of both bodies that are there.
    public var bodySize: Int {
        var size = storage.wrappedValue.response?.body.count ?? 0
        if case .known(let request) = storage.wrappedValue.sent { size += request.body.count }
        return size
    }

    /// Makes an exchange one that is kept: with its request, also if that was not asked for yet.
    ///
    /// - Parameter start: Nanoseconds from the run's start to that of the exchange.
    public mutating func keep(from start: Int64) {
        if case .deferred(let make) = storage.wrappedValue.sent { storage.wrappedValue.sent = .known(make()) }
        storage.wrappedValue.start = start
    }

    /// The header fields of the request, for who looks at nothing else of it.
    public var requestHeaders: [HeaderField] {
        switch storage.wrappedValue.sent {
        case .known(let request): request.headers
        case .deferred(let make): make().headers
        }
    }

    /// The URL of the request, for who looks at nothing else of it.
    public var requestURL: String {
        switch storage.wrappedValue.sent {
        case .known(let request): request.url
        case .deferred(let make): make().url
        }
    }

    /// The response; with a ``failure``, whatever had arrived.
    public var response: Response? {
        @inlinable _read { yield storage.wrappedValue.response }
        _modify { yield &storage.wrappedValue.response }
    }

    /// Why there is no whole response.
    public var failure: Failure? {
        @inlinable _read { yield storage.wrappedValue.failure }
        _modify { yield &storage.wrappedValue.failure }
    }

    /// Redirects that were followed, in order.
    public var hops: [Hop] {
        @inlinable _read { yield storage.wrappedValue.hops }
        _modify { yield &storage.wrappedValue.hops }
    }

    /// How long each phase took.
    public var timings: Timings {
        @inlinable _read { yield storage.wrappedValue.timings }
        _modify { yield &storage.wrappedValue.timings }
    }

    /// Cookies that the exchange's responses set, in order.
    public var cookies: [ReceivedCookie] {
        @inlinable _read { yield storage.wrappedValue.cookies }
        _modify { yield &storage.wrappedValue.cookies }
    }

    /// What few exchanges have: trailers, the server's certificate, the events of a stream.
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

    /// Creates an exchange whose request is made when it is asked for.
    ///
    /// - Parameter request: Makes the request, the same one each time.
    public init(deferredRequest request: @escaping @Sendable () -> Request, response: Response, timings: Timings) {
        storage = CopyOnWrite(
            wrappedValue: Values(sent: .deferred(request), response: response, hops: [], timings: timings, cookies: []))
    }
}

/// A header field as sent or received; the name's case is kept (RFC 9110, section 5).
public struct HeaderField: Sendable, Hashable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has the name, without regard to ASCII case.
    public func isNamed(_ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        // Most fields are written as they are asked for.
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
        /// A text.
        case text(String)
        /// The path of a file, absolute or relative to the working directory.
        case file(String)
    }

    /// The name of the field.
    public var name: String
    /// The content.
    public var content: Content
    /// The file name that the server is given; nil for none.
    public var fileName: String?
    /// The media type; nil for none.
    public var contentType: String?
    /// Further header fields, in order.
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
