extension PendingExchange {
    /// The body of the response piece by piece, content codings undone; nothing is sent before the first is asked for.
    ///
    /// A response of any status is read, unless a validator refuses it. Use ``stream()`` to see its head first.
    public func bytes() -> ResponseBytes {
        ResponseBytes { () throws(SessionError) in try await stream().body }
    }

    /// The lines of the response's body; nothing is sent before the first is asked for.
    /// - Parameter maximumLength: The largest line in bytes; a longer one is an error.
    public func lines(maximumLength: Int = ResponseLines.standardMaximumLength) -> ResponseLines {
        ResponseLines(bytes: bytes(), maximumLength: maximumLength)
    }

    /// The events that a server sends; nothing is sent before the first is asked for.
    ///
    /// `Accept: text/event-stream` and `Cache-Control: no-store` are added to the request, and unless it has timeouts of
    /// its own, the session's idle and total timeouts do not apply: a stream of events may be silent for long.
    /// - Parameters:
    ///   - reconnection: Whether and when a lost stream is connected to again.
    ///   - lastEventID: The ID of the event after which to begin, for a server that knows it.
    ///   - maximumEventBytes: The largest event and the longest line in bytes; a larger one is an error.
    public func serverSentEvents(
        reconnection: EventReconnection = .standard, lastEventID: String = "",
        maximumEventBytes: Int = ServerSentEvents.standardMaximumEventBytes
    ) -> ServerSentEvents {
        ServerSentEvents(
            exchange: self, reconnection: reconnection, lastEventID: lastEventID, maximumEventBytes: maximumEventBytes)
    }
}

extension ResponseBodyStream {
    /// The lines of what is left of the body.
    /// - Parameter maximumLength: The largest line in bytes; a longer one is an error.
    public func lines(maximumLength: Int = ResponseLines.standardMaximumLength) -> ResponseLines {
        ResponseLines(bytes: ResponseBytes { () throws(SessionError) in self }, maximumLength: maximumLength)
    }
}
