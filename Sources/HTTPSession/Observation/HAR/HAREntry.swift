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
        startedDateTime = HARTime.text(date ?? SessionClock.system.date() - timings.total / 1000)
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
            startedDateTime: HARTime.text(date ?? SessionClock.system.date() - timings.total / 1000),
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
