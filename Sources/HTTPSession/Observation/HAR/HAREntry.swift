public import JSON

/// An exchange in a HAR file.
public struct HAREntry: Sendable, Hashable, Codable {
    /// What is known of the cache: nothing.
    public struct Cache: Sendable, Hashable, Codable {
        /// Creates the object, which is empty.
        public init() {}
    }

    /// When the request began (ISO 8601).
    public var startedDateTime: String
    /// Milliseconds from begin to end.
    public var time: Double
    /// The request.
    public var request: HARRequest
    /// The response.
    public var response: HARResponse
    /// What is known of the cache.
    public var cache = Cache()
    /// Where the time went.
    public var timings: HARTimings
    /// The IP address of the server, or of the proxy.
    public var serverIPAddress: String?
    /// What else is to be said: which attempt it was, why there is no response.
    public var comment: String?

    /// Creates the entry of a response, without the redirects that led to it.
    /// - Parameters:
    ///   - response: The response.
    ///   - date: When the request began, in seconds since 1970-01-01 UTC; nil for the time it took before now.
    ///   - options: What is left out and what is hidden.
    ///   - comment: What else is to be said.
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

    /// Creates the entry of a request that has failed, without the redirects before.
    /// - Parameters:
    ///   - error: Why; an error that has a response is shown with it.
    ///   - sent: What was sent, where it is known.
    ///   - date: When the request began, in seconds since 1970-01-01 UTC; nil for the time it took before now.
    ///   - options: What is left out and what is hidden.
    ///   - comment: What else is to be said.
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

    /// The entries of a response and of the redirects that led to it, oldest first.
    /// - Parameters:
    ///   - response: The response.
    ///   - date: When the first request began, in seconds since 1970-01-01 UTC; nil for the time it took before now.
    ///   - options: What is left out and what is hidden.
    public static func entries(
        of response: Response, startedAt date: Double? = nil, options: HAROptions = .init()
    ) -> [HAREntry] {
        entries(of: response.history, startedAt: date, then: response.metrics, options) { start in
            HAREntry(response, startedAt: start, options: options)
        }
    }

    /// The entries of a request that has failed and of the redirects before, oldest first.
    /// - Parameters:
    ///   - error: Why it has failed.
    ///   - date: When the first request began, in seconds since 1970-01-01 UTC; nil for the time it took before now.
    ///   - options: What is left out and what is hidden.
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

    /// The entry as it is in the file.
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

/// Where the time of an entry went, in milliseconds; -1 for what did not happen.
public struct HARTimings: Sendable, Hashable, Codable {
    /// Waiting: for a connection, and in attempts that met a connection which the server had closed.
    public var blocked: Double
    /// Name resolution.
    public var dns: Double
    /// The TCP connection and the TLS handshake.
    public var connect: Double
    /// Sending the request.
    public var send: Double
    /// Waiting for the response's first byte.
    public var wait: Double
    /// Receiving the response.
    public var receive: Double
    /// The TLS handshake, which is in ``connect`` too.
    public var ssl: Double

    /// Creates the timings of an exchange.
    public init(_ metrics: ExchangeMetrics) {
        let phases = [
            metrics.dns, metrics.connect, metrics.tls, metrics.send, metrics.firstByte, metrics.receive,
        ].reduce(Duration.zero) { $0 + ($1 ?? .zero) }
        // What the phases of the last attempt do not cover was waiting.
        blocked = Self.milliseconds(max(metrics.queued, metrics.total - phases))
        dns = metrics.dns.map(Self.milliseconds) ?? -1
        connect = metrics.connect.map { Self.milliseconds($0 + (metrics.tls ?? .zero)) } ?? -1
        ssl = metrics.tls.map(Self.milliseconds) ?? -1
        send = Self.milliseconds(metrics.send)
        wait = Self.milliseconds(metrics.firstByte)
        receive = Self.milliseconds(metrics.receive)
    }

    /// The sum of what happened: ``ssl`` is in ``connect``.
    public var total: Double {
        let sum = [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
        return (sum * 1000).rounded() / 1000
    }

    /// The timings as they are in the file.
    public var json: JSONValue {
        [
            "blocked": Self.number(blocked), "dns": Self.number(dns), "connect": Self.number(connect),
            "send": Self.number(send), "wait": Self.number(wait), "receive": Self.number(receive),
            "ssl": Self.number(ssl),
        ]
    }

    static func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? 0 }

    /// A duration in milliseconds, to a microsecond.
    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        let microseconds = (Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded()
        return microseconds / 1000
    }
}
