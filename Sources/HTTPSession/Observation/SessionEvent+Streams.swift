extension SessionEvent {
    /// The event without the body of a response that is still to be read.
    ///
    /// The one who reads a body is the only one to hold it, so that letting go of it ends the exchange: a monitor that
    /// keeps events must not keep it.
    var withoutStream: SessionEvent {
        switch self {
        case .servedFromCache(let response): return .servedFromCache(response.withoutStream)
        case .received(let response): return .received(response.withoutStream)
        case .redirected(let response, let url): return .redirected(response.withoutStream, to: url)
        case .retrying(let attempt, let delay, var failure):
            failure.response = failure.response?.withoutStream
            failure.error = failure.error?.withoutStream
            return .retrying(attempt: attempt, delay: delay, after: failure)
        case .finished(.success(let response)): return .finished(.success(response.withoutStream))
        case .finished(.failure(let error)): return .finished(.failure(error.withoutStream))
        default: return self
        }
    }
}

extension Response {
    /// The response without a body that is still to be read.
    var withoutStream: Response {
        guard stream != nil else { return self }
        var copy = self
        copy.stream = nil
        return copy
    }
}

extension SessionError {
    /// The error without a body that is still to be read.
    var withoutStream: SessionError {
        guard let response, response.stream != nil else { return self }
        var copy = self
        copy.response = response.withoutStream
        return copy
    }
}
