import NIOCore

extension TransportExchange {
    /// What the exchange waits for that is no fault of the network: the idle time does not run meanwhile.
    struct Waits: OptionSet {
        let rawValue: UInt8

        /// The reader of a streamed response has enough for now.
        static let reader = Waits(rawValue: 1)
        /// The source of the request's body gives nothing, or its speed is limited.
        static let source = Waits(rawValue: 2)
        /// The server is to say whether it wants the body.
        static let consent = Waits(rawValue: 4)
    }

    /// Takes note that the exchange is on a connection that is ready, which is to send the request.
    func begins(on connection: any ServerConnection, isReused: Bool) {
        self.connection = connection
        attempt = nil
        self.isReused = isReused
        metrics.attempts += 1
        if isReused {
            metrics.dns = nil
            metrics.connect = nil
            metrics.tls = nil
            if let observer = request.observer {
                observer(.connected(address: connection.remoteAddress ?? target, isReused: true, duration: nil))
            }
        }
        readyAt = MonotonicClock.now()
        if step == .queued, readyAt > stepStarted {
            metrics.queuedNanoseconds += Int64(clamping: readyAt - stepStarted)
        }
        step = .sending
        lastActivity = readyAt
    }

    /// The number of the body's bytes, where it is known; nil also where there is no body.
    var bodyLength: Int? {
        switch request.body {
        case .empty: nil
        case .bytes(let bytes): bytes.count
        case .file: file?.length
        case .stream(let source): source.length ?? announcedLength
        }
    }

    /// The number of bytes that the header announces, to which a body that is made while it is sent is held.
    var announcedLength: Int? {
        guard case .stream(let source) = request.body, !request.allowMalformed else { return nil }
        return source.length ?? request.headers["Content-Length"].flatMap { Int($0) }
    }

    /// How long the server's consent to the body is waited for, in nanoseconds; nil if it is not asked for.
    ///
    /// Without a body nothing is asked (RFC 9110 section 10.1.1), nor of a server that may not know of it.
    var consentTime: UInt64? {
        switch request.body {
        case .empty: return nil
        case .bytes(let bytes) where bytes.isEmpty: return nil
        case .bytes, .file, .stream: break
        }
        if file?.length == 0 || request.connection.version == .http10 { return nil }
        if let expectContinue = request.expectContinue { return MonotonicClock.nanoseconds(expectContinue) }
        guard request.headers.contains("Expect"), request.headers.tokens("Expect").contains("100-continue") else {
            return nil
        }
        return 1_000_000_000
    }

    /// Whether the request can be sent again from its beginning.
    var canBeSentAgain: Bool { feed?.canBegin ?? true }

    /// Whether the request is sent again unasked where a connection was lost before its response (RFC 9110 section 9.2.2).
    var mayBeRepeated: Bool { request.method.isIdempotent && feed?.source.isReplayable ?? true }

    /// Takes note that the last byte of the request was handed to the network.
    func requestSent() {
        guard !isFinished, !isRequestSent else { return }
        isRequestSent = true
        sentAt = MonotonicClock.now()
        bodyWriter = nil
        if let observer = request.observer { observer(.sent(SentRequest(request), bytes: metrics.bytesSent)) }
        if head != nil, isStreamed { handOver() }
        guard step == .sending else { return }
        step = .waiting
        pool.ensureTick(by: MonotonicClock.deadline(limits.firstByte, after: sentAt))
    }

    /// Sends nothing more of the body, as the server has answered without it.
    func stopSending() {
        bodyWriter?.stop()
        bodyWriter = nil
        feed?.stop()
    }
}
