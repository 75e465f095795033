import Synchronization

/// A coalescer that sends identical concurrent requests only once.
///
/// The first request is sent, and the others wait for its result. If the first one is cancelled, the next one takes
/// over, so that a cancellation does not affect other requests.
final class RequestCoalescer: Sendable {
    /// The identity of a request, which consists of everything that affects its result.
    struct Key: Hashable, Sendable {
        let url: String
        let fields: [HTTPHeaders.Field]
        let connection: ConnectionOptions
        let ownConnection: ConnectionOptions.Fields
        let ownTLS: TLSOptions.Fields
        let decompress: Bool
        let redirects: Int
        let ownRedirects: RedirectPolicy.Fields
        let timeouts: Timeouts
        let ownTimeouts: Timeouts.Fields
        let limits: Limits
        let ownLimits: Limits.Fields
        let cachePolicy: CachePolicy
        let allowsMalformed: Bool
        let bytesPerSecond: Int?
        let credentialFields: [String]

        /// Creates the key of a request, or returns nil if the request must always be sent.
        init?(_ request: Request) {
            guard request.method == .get, request.body == .empty, request.cookies.isInherited,
                request.redirects.decide == nil
            else { return nil }
            url = request.url
            fields = request.headers.fields
            connection = request.connection
            ownConnection = connection.fields
            ownTLS = connection.tls.fields
            decompress = request.decompress
            redirects = request.redirects.maximum
            ownRedirects = request.redirects.fields
            timeouts = request.timeouts
            ownTimeouts = timeouts.fields
            limits = request.limits
            ownLimits = limits.fields
            cachePolicy = request.cachePolicy
            allowsMalformed = request.allowMalformed
            bytesPerSecond = request.bytesPerSecond
            credentialFields = request.credentialFields
        }
    }

    /// The role of a request that joins a group.
    private enum Turn {
        case lead
        case take(Result<Response, SessionError>)
        case cancelled
    }

    private typealias Waiter = UnsafeContinuation<Turn, Never>

    private struct State {
        /// The waiting requests of each request in flight, in the order of arrival.
        var groups: [Key: [(id: UInt64, waiter: Waiter)]] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Sends the request, or waits for the result of an identical one.
    /// - Returns: The result, and whether it comes from another request; nil if the task was cancelled.
    func result(
        _ key: Key, send: () async -> Result<Response, SessionError>
    ) async -> (result: Result<Response, SessionError>, isShared: Bool)? {
        switch await join(key) {
        case .cancelled: return nil
        case .take(let result): return (result, true)
        case .lead: break
        }
        let result = await send()
        if case .failure(let error) = result, error.reason == .cancelled {
            handOver(key)
        } else {
            let waiters = state.withLock { $0.groups.removeValue(forKey: key) } ?? []
            for (_, waiter) in waiters { waiter.resume(returning: .take(result)) }
        }
        return (result, false)
    }

    private func join(_ key: Key) async -> Turn {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: Waiter) in
                let turn: Turn? = state.withLock { state in
                    if Task.isCancelled { return .cancelled }
                    guard state.groups[key] != nil else {
                        state.groups[key] = []
                        return .lead
                    }
                    state.groups[key]?.append((id, waiter))
                    return nil
                }
                if let turn { waiter.resume(returning: turn) }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard let index = state.groups[key]?.firstIndex(where: { $0.id == id }) else { return nil }
                return state.groups[key]?.remove(at: index).waiter
            }
            waiter?.resume(returning: .cancelled)
        }
    }

    /// Makes the next request of the group send, because the first one was cancelled.
    private func handOver(_ key: Key) {
        let next: Waiter? = state.withLock { state in
            guard let waiters = state.groups[key], !waiters.isEmpty else {
                state.groups[key] = nil
                return nil
            }
            return state.groups[key]?.removeFirst().waiter
        }
        next?.resume(returning: .lead)
    }
}
