/// Undoes the content codings of a response (RFC 9110 section 8.4).
enum ContentDecoding {
    /// Replaces the body by the decoded one; leaves it if a coding is none that was asked for.
    static func decode(_ response: inout Response, limits: Limits, history: [Response]) throws(SessionError) {
        guard let codings = ContentCoding.applied(in: response.headers), !codings.isEmpty else { return }
        do {
            response.body = try ContentDecoder.decode(response.body, codings, limits: limits)
        } catch {
            throw SessionError(
                phase: .decode, reason: error.reason, message: error.description,
                attempt: response.metrics.attempts, method: response.request.method,
                url: response.url.description, head: response.head, partialBody: response.body,
                history: history, metrics: response.metrics)
        }
    }

    /// The stream with its content codings undone as it is read; as it is if a coding is none that was asked for.
    static func decoded(
        _ stream: ResponseBodyStream, of response: Response, limits: Limits
    ) throws(SessionError) -> ResponseBodyStream {
        guard let codings = ContentCoding.applied(in: response.headers), !codings.isEmpty else { return stream }
        let attempts = response.metrics.attempts
        let (method, url, head) = (response.request.method, response.url.description, response.head)
        return ResponseBodyStream(
            BodyDecoding(stream, codings, limits: limits) { error in
                SessionError(
                    phase: .decode, reason: error.reason, message: error.description, attempt: attempts,
                    method: method, url: url, head: head)
            })
    }
}
