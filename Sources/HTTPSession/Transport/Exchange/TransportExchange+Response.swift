import NIOCore

/// What arrives, whatever version of HTTP brings it: in memory, or handed on as a stream.
extension TransportExchange {
    /// The most responses of status 1xx before the final one.
    private static let maximumInformational = 100

    /// The most bytes that the body may have; one that is handed on has no bound.
    var bodyLimit: Int { isStreamed ? .max : request.limits.bodyBytes }

    /// Takes a response of status 1xx (RFC 9110 section 15.2).
    func receivedInformational(_ head: ResponseHead) throws(HTTP1ParseFailure) {
        guard informational.count < Self.maximumInformational else {
            throw HTTP1ParseFailure("the server sent more than \(Self.maximumInformational) responses of status 1xx")
        }
        informational.append(head)
        firstByteAt = 0
        step = isRequestSent ? .waiting : .sending
        if let observer = request.observer { observer(.informational(head)) }
        if head.status == 100 { bodyWriter?.consented() }
    }

    /// Takes the head of the final response.
    ///
    /// A refusal that comes before the whole request was sent ends the sending; with a status of 2xx it goes on, as some
    /// servers answer while they read.
    /// - Parameters:
    ///   - head: The head.
    ///   - expectedLength: The length of the body as announced.
    func receivedHead(_ head: ResponseHead, expectedLength: Int?) {
        self.head = head
        self.expectedLength = expectedLength
        step = .receiving
        if firstByteAt == 0 { firstByteAt = lastActivity }
        if let observer = request.observer { observer(.headReceived(head)) }
        // A server that answers instead of consenting does not want the body, whatever the answer is.
        if !isRequestSent, head.status >= 300 || waits.contains(.consent) { stopSending() }
        if head.status == 101, upgrade != nil { return }
        guard isStreamed else {
            if let expectedLength { body.reserveCapacity(min(expectedLength, 1 << 20)) }
            return
        }
        let stream = makeStream()
        self.stream = stream
        heldStream = stream
        // The task that called reads the body it sends: it is let go when that is done.
        if feed == nil || isRequestSent || bodyWriter == nil { handOver() }
    }

    /// Takes a part of the body.
    /// - Returns: Whether more is wanted; otherwise the connection waits to be called.
    func receivedBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        metrics.bodyBytesReceived += bytes.count
        guard isStreamed else {
            body.append(contentsOf: bytes)
            return true
        }
        // Without a reader there is nobody to give it to: the end is on its way here.
        if let stream, stream.yield([UInt8](bytes)) { return true }
        waits.insert(.reader)
        return false
    }

    /// Takes the end of the response.
    func complete(trailers: HTTPHeaders, at end: UInt64) {
        guard !isFinished, let head else { return }
        settleMetrics(at: end)
        guard isStreamed else { return finish(.success(response(head, trailers: trailers))) }
        handOver()
        let stream = stream
        step = .finished
        release()
        stream?.finish(.success(.init(trailers: trailers, metrics: metrics)))
    }

    /// The response with what has arrived of it.
    func response(_ head: ResponseHead, trailers: HTTPHeaders = .init()) -> TransportResponse {
        TransportResponse(
            head: head, body: body,
            details: Response.Storage(
                request: SentRequest(request), trailers: trailers, metrics: metrics, informational: informational,
                remoteAddress: connection?.remoteAddress, tls: connection?.tls, stream: heldStream))
    }

    /// Gives the task that called the head and the stream.
    func handOver() {
        guard let head, let continuation = takeContinuation() else { return }
        settleMetrics(at: MonotonicClock.now())
        continuation.resume(returning: .success(response(head)))
        heldStream = nil
    }

    private func makeStream() -> ResponseBodyStream {
        let eventLoop = pool.eventLoop
        let exchange = NIOLoopBound(self, eventLoop: eventLoop)
        return ResponseBodyStream(
            onDemand: { eventLoop.execute { exchange.value.readerWantsMore() } },
            onAbandon: { eventLoop.execute { exchange.value.readerIsGone() } })
    }

    private func readerWantsMore() {
        guard !isFinished, waits.contains(.reader) else { return }
        waits.remove(.reader)
        lastActivity = MonotonicClock.now()
        pool.ensureTick(by: nextDeadline().time)
        connection?.resumeReading(for: self)
    }

    private func readerIsGone() {
        guard !isFinished else { return }
        pool.fail(self, error(.cancelled, "the response's body was let go of before its end"))
    }
}
