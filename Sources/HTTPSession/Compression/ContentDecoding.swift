/// Undoes the content codings of a response (RFC 9110 section 8.4).
enum ContentDecoding {
    /// Replaces the body by the decoded one; leaves it if a coding is none that was asked for.
    static func decode(_ response: inout Response, limits: Limits, history: [Response]) throws(SessionError) {
        let codings = response.headers.tokens("Content-Encoding").filter { $0 != "identity" }
        guard !codings.isEmpty, codings.allSatisfy({ ["gzip", "x-gzip", "deflate"].contains($0) }) else { return }
        var body = response.body
        for coding in codings.reversed() {
            do {
                body = try Inflate.decode(body, coding == "deflate" ? .deflate : .gzip, limits: limits)
            } catch {
                throw SessionError(
                    phase: .decode, reason: error.reason, message: "the \(coding) body \(error.message)",
                    attempt: response.metrics.attempts, method: response.request.method,
                    url: response.url.description, head: response.head, partialBody: response.body,
                    history: history, metrics: response.metrics)
            }
        }
        response.body = body
    }
}
