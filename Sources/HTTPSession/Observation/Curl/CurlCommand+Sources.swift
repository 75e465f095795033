extension SentRequest {
    /// The `curl` command that sends this request.
    /// - Parameters:
    ///   - connection: How the connection was made.
    ///   - redaction: What is hidden; nil hides nothing.
    public func curlCommand(
        connection: ConnectionOptions = .init(), redaction: Redaction? = .standard
    ) -> CurlCommand {
        CurlCommand(self, connection: connection, redaction: redaction)
    }
}

extension Response {
    /// The `curl` command that sends the request of this response again, the last after redirects.
    /// - Parameters:
    ///   - connection: How the connection was made.
    ///   - redaction: What is hidden; nil hides nothing.
    public func curlCommand(
        connection: ConnectionOptions = .init(), redaction: Redaction? = .standard
    ) -> CurlCommand {
        request.curlCommand(connection: connection, redaction: redaction)
    }
}

extension PendingExchange {
    /// The `curl` command that sends this request as the session would; adapters are not asked.
    /// - Parameter redaction: What is hidden; nil hides nothing.
    /// - Throws: ``SessionError`` for a request that could not be sent.
    public func curlCommand(redaction: Redaction? = .standard) throws(SessionError) -> CurlCommand {
        if let failure { throw failure }
        return try CurlCommand(request, configuration: session.configuration, redaction: redaction)
    }
}
