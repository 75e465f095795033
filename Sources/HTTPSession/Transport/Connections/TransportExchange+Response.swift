import Basics
import NIOCore

/// The handling of responses, independent of the HTTP version: in memory, or as a stream.
extension TransportExchange {
    /// The maximum number of informational (1xx) responses before the final one.
    private static let maximumInformational = 100

    /// The maximum size of the body in bytes; unlimited for a streamed body.
    var bodyLimit: Int { isStreamed ? .max : request.limits.bodyBytes }

    /// Handles an informational (1xx) response (RFC 9110, section 15.2).
    func receivedInformational(_ head: ResponseHead) throws(HTTP1ParseFailure) {
        guard informational.count < Self.maximumInformational else {
            throw HTTP1ParseFailure(
                "the server sent more than \(Self.maximumInformational) informational (1xx) responses")
        }
        informational.append(head)
        firstByteAt = 0
        step = isRequestSent ? .waiting : .sending
        if let observer = request.observer { observer(.informational(head)) }
        if head.status == 100 { bodyWriter?.consented() }
    }

    /// Handles the head of the final response.
    ///
    /// An error response that arrives before the whole request was sent stops the sending. With a 2xx status it
    /// continues, because some servers respond while they read.
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - expectedLength: The announced length of the body.
    func receivedHead(_ head: ResponseHead, expectedLength: Int?) {
        self.head = head
        self.expectedLength = expectedLength
        step = .receiving
        if firstByteAt == 0 { firstByteAt = lastActivity }
        if let observer = request.observer { observer(.headReceived(head)) }
        // A server that responds without sending `100 Continue` first does not want the body, regardless of the status.
        if !isRequestSent, head.status >= 300 || waits.contains(.consent) { stopSending() }
        if head.status == 101, upgrade != nil { return }
        guard isStreamed else {
            if let expectedLength { body.reserveCapacity(min(expectedLength, 1 << 20)) }
            return
        }
        let stream = makeStream()
        self.stream = stream
        heldStream = stream
        // The calling task also reads the request body; it resumes only after the body has been sent.
        if feed == nil || isRequestSent || bodyWriter == nil { handOver() }
    }

    /// Handles a part of the body.
    /// - Returns: Whether to continue reading; if false, the connection waits until it is resumed.
    func receivedBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        metrics.bodyBytesReceived += bytes.count
        guard isStreamed else {
            body.append(contentsOf: bytes)
            return true
        }
        // Without a reader, drop the bytes: its cancellation is already scheduled on this event loop.
        if let stream, stream.yield([UInt8](bytes)) { return true }
        waits.insert(.reader)
        return false
    }

    /// Handles the end of the response.
    func complete(trailers: HTTPHeaders, at end: UInt64) {
        guard !isFinished, let head else { return }
        finishMetrics(at: end)
        guard isStreamed else { return finish(.success(response(head, trailers: trailers))) }
        handOver()
        let stream = stream
        step = .finished
        release()
        stream?.finish(.success(.init(trailers: trailers, metrics: metrics)))
    }

    /// Returns the response with the part of the body that has arrived.
    func response(_ head: ResponseHead, trailers: HTTPHeaders = .init()) -> TransportResponse {
        TransportResponse(
            head: head, body: body,
            details: Response.Storage(
                request: SentRequest(request), trailers: trailers, metrics: metrics, informational: informational,
                remoteAddress: connection?.remoteAddress, tls: connection?.tls, stream: heldStream))
    }

    /// Resumes the calling task with the head and the body stream.
    func handOver() {
        guard let head, let continuation = takeContinuation() else { return }
        finishMetrics(at: MonotonicClock.now())
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
        pool.fail(self, error(.cancelled, "the response body was discarded before its end"))
    }
}
