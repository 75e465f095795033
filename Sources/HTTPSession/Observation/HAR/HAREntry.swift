import ExchangeFormats
public import JSON

/// An exchange in a HAR file.
public struct HAREntry: Sendable, Hashable, Codable {
    /// The cache information of an entry, always empty.
    public struct Cache: Sendable, Hashable, Codable {
        /// Creates an empty cache object.
        public init() {}
    }

    /// The start of the request (ISO 8601).
    public var startedDateTime: String
    /// The total time in milliseconds.
    public var time: Double
    /// The request.
    public var request: HARRequest
    /// The response.
    public var response: HARResponse
    /// The cache information.
    public var cache = Cache()
    /// The timings of the phases.
    public var timings: HARTimings
    /// The IP address of the server, or of the proxy.
    public var serverIPAddress: String?
    /// A note, such as the number of the attempt or the reason why there is no response.
    public var comment: String?

    /// Creates an entry from a response, without the redirects that led to it.
    /// - Parameters:
    ///   - response: The response.
    ///   - date: The start of the request in seconds since 1970-01-01 UTC; nil computes it from the duration and the
    ///     current time.
    ///   - options: The options for omitted bodies and redaction.
    ///   - comment: A note.
    public init(
        _ response: Response, startedAt date: Double? = nil, options: HAROptions = .init(), comment: String? = nil
    ) {
        let maker = HAREntryMaker(options)
        timings = HARTimings(response.metrics)
        time = timings.total
        startedDateTime = UTCTime(date ?? SessionClock.system.date() - timings.total / 1000).extended
        request = maker.request(response.request, version: response.version, metrics: response.metrics)
        self.response = maker.response(response)
        serverIPAddress = response.remoteAddress.map(Self.host)
        self.comment = comment
    }

    /// Creates an entry from a failed request, without the redirects that preceded it.
    /// - Parameters:
    ///   - error: The error; its response is included, if any.
    ///   - sent: The request as it was sent, if known.
    ///   - date: The start of the request in seconds since 1970-01-01 UTC; nil computes it from the duration and the
    ///     current time.
    ///   - options: The options for omitted bodies and redaction.
    ///   - comment: A note.
    public init(
        _ error: SessionError, sent: SentRequest? = nil, startedAt date: Double? = nil, options: HAROptions = .init(),
        comment: String? = nil
    ) {
        let words = [comment, "failed: \(EventLine.name(error.reason)) (\(error.phase.rawValue))"]
        let text = words.compactMap { $0 }.joined(separator: "; ")
        if let response = error.response {
            self.init(response, startedAt: date, options: options, comment: text)
            return
        }
        let maker = HAREntryMaker(options)
        let timings = HARTimings(error.metrics)
        self.init(
            startedDateTime: UTCTime(date ?? SessionClock.system.date() - timings.total / 1000).extended,
            time: timings.total,
            request: sent.map { maker.request($0, version: error.head?.version, metrics: error.metrics) }
                ?? maker.request(error),
            response: maker.response(error), timings: timings, comment: text)
    }

    private init(
        startedDateTime: String, time: Double, request: HARRequest, response: HARResponse, timings: HARTimings,
        comment: String
    ) {
        self.startedDateTime = startedDateTime
        self.time = time
        self.request = request
        self.response = response
        self.timings = timings
        self.comment = comment
    }

    /// Returns the entries of a response and of the redirects that led to it, oldest first.
    /// - Parameters:
    ///   - response: The response.
    ///   - date: The start of the first request in seconds since 1970-01-01 UTC; nil computes it from the duration and
    ///     the current time.
    ///   - options: The options for omitted bodies and redaction.
    public static func entries(
        of response: Response, startedAt date: Double? = nil, options: HAROptions = .init()
    ) -> [HAREntry] {
        entries(of: response.history, startedAt: date, then: response.metrics, options) { start in
            HAREntry(response, startedAt: start, options: options)
        }
    }

    /// Returns the entries of a failed request and of the redirects that preceded it, oldest first.
    /// - Parameters:
    ///   - error: The error of the request.
    ///   - date: The start of the first request in seconds since 1970-01-01 UTC; nil computes it from the duration and
    ///     the current time.
    ///   - options: The options for omitted bodies and redaction.
    public static func entries(
        of error: SessionError, startedAt date: Double? = nil, options: HAROptions = .init()
    ) -> [HAREntry] {
        entries(of: error.history, startedAt: date, then: error.metrics, options) { start in
            HAREntry(error, startedAt: start, options: options)
        }
    }

    private static func entries(
        of history: [Response], startedAt date: Double?, then metrics: ExchangeMetrics, _ options: HAROptions,
        last: (Double) -> HAREntry
    ) -> [HAREntry] {
        let times = history.map { HARTimings($0.metrics).total / 1000 }
        let all = times.reduce(0, +) + HARTimings(metrics).total / 1000
        var start = date ?? SessionClock.system.date() - all
        var entries: [HAREntry] = []
        for (response, time) in zip(history, times) {
            entries.append(HAREntry(response, startedAt: start, options: options))
            start += time
        }
        return entries + [last(start)]
    }

    private static func host(_ address: String) -> String {
        guard let colon = address.lastIndex(of: ":") else { return address }
        let host = address[..<colon]
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }

    /// The entry as a JSON value.
    public var json: JSONValue {
        var object: JSONObject = [
            "startedDateTime": .string(startedDateTime), "time": HARTimings.number(time), "request": request.json,
            "response": response.json, "cache": [:], "timings": timings.json,
        ]
        if let serverIPAddress { object["serverIPAddress"] = .string(serverIPAddress) }
        if let comment { object["comment"] = .string(comment) }
        return .object(object)
    }
}

/// The timings of an entry in milliseconds; -1 for phases that did not occur.
public struct HARTimings: Sendable, Hashable, Codable {
    /// The time spent waiting for a connection, and in attempts on connections that the server had already closed.
    public var blocked: Double
    /// The time of name resolution.
    public var dns: Double
    /// The time of the TCP connection and the TLS handshake.
    public var connect: Double
    /// The time of sending the request.
    public var send: Double
    /// The time until the first byte of the response.
    public var wait: Double
    /// The time of receiving the response.
    public var receive: Double
    /// The time of the TLS handshake, which ``connect`` includes.
    public var ssl: Double

    /// Creates timings from the metrics of an exchange.
    public init(_ metrics: ExchangeMetrics) {
        func nanoseconds(_ duration: Duration) -> Int64 { Int64(clamping: MonotonicClock.nanoseconds(duration)) }
        let phases = HARPhases(
            queued: nanoseconds(metrics.queued), dns: metrics.dns.map(nanoseconds),
            connect: metrics.connect.map(nanoseconds), tls: metrics.tls.map(nanoseconds),
            send: nanoseconds(metrics.send), wait: nanoseconds(metrics.firstByte),
            receive: nanoseconds(metrics.receive), total: nanoseconds(metrics.total))
        func milliseconds(_ time: Int64?) -> Double { time.map { Double($0) / 1000 } ?? -1 }
        blocked = milliseconds(phases.blocked)
        dns = milliseconds(phases.dns)
        connect = milliseconds(phases.connect)
        ssl = milliseconds(phases.ssl)
        send = milliseconds(phases.send)
        wait = milliseconds(phases.wait)
        receive = milliseconds(phases.receive)
    }

    /// The sum of all phases; ``connect`` already includes ``ssl``.
    public var total: Double {
        let sum = [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
        return (sum * 1000).rounded() / 1000
    }

    /// The timings as a JSON value.
    public var json: JSONValue {
        [
            "blocked": Self.number(blocked), "dns": Self.number(dns), "connect": Self.number(connect),
            "send": Self.number(send), "wait": Self.number(wait), "receive": Self.number(receive),
            "ssl": Self.number(ssl),
        ]
    }

    /// Returns a JSON number; 0 for a value that is not finite.
    static func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? 0 }
}
