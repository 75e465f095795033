import NIOCore

extension TransportExchange {
    /// The waits that the network does not cause; the idle timeout is suspended during them.
    struct Waits: OptionSet {
        let rawValue: UInt8

        /// The reader of a streamed response is applying back-pressure.
        static let reader = Waits(rawValue: 1)
        /// The source of the request body has no piece ready, or the bandwidth is limited.
        static let source = Waits(rawValue: 2)
        /// The server has not yet sent `100 Continue`.
        static let consent = Waits(rawValue: 4)
    }

    /// Notes that the exchange has a ready connection, which will send the request.
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

    /// The length of the body in bytes; nil if it is unknown or there is no body.
    var bodyLength: Int? {
        switch request.body {
        case .empty: nil
        case .bytes(let bytes): bytes.count
        case .file: file?.length
        case .stream(let source): source.length ?? announcedLength
        }
    }

    /// The length announced in the header, which a streamed body must match.
    var announcedLength: Int? {
        guard case .stream(let source) = request.body, !request.allowMalformed else { return nil }
        return source.length ?? request.headers["Content-Length"].flatMap { Int($0) }
    }

    /// The time to wait for `100 Continue` in nanoseconds; nil if `Expect` is not sent.
    ///
    /// It is not sent without a body (RFC 9110, section 10.1.1), or to a server that may not support it.
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

    /// Whether the request can be resent from its start.
    var canBeSentAgain: Bool { feed?.canBegin ?? true }

    /// Whether the request is resent automatically after a connection was lost before its response (RFC 9110, section
    /// 9.2.2).
    var mayBeRepeated: Bool { request.method.isIdempotent && feed?.source.isReplayable ?? true }

    /// Notes that the last byte of the request was handed to the network.
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

    /// Stops sending the body, because the server has responded without it.
    func stopSending() {
        bodyWriter?.stop()
        bodyWriter = nil
        feed?.stop()
    }
}
