/// The kinds of failure that sending a request again may mend, each for one or several reasons of ``SessionError``.
public enum RetryableFailure: String, Sendable, Hashable, CaseIterable {
    /// ``SessionError/Reason/nameNotResolved``
    case nameNotResolved
    /// ``SessionError/Reason/connectionRefused``
    case connectionRefused
    /// ``SessionError/Reason/connectionFailed``
    case connectionFailed
    /// ``SessionError/Reason/connectionClosed``, ``SessionError/Reason/connectionReset`` and
    /// ``SessionError/Reason/protocolViolation``
    case connectionLost
    /// ``SessionError/Reason/timedOut(_:_:)``, whichever limit it was
    case timedOut
    /// ``SessionError/Reason/tlsFailed``
    case tlsFailed
    /// ``SessionError/Reason/certificate(_:)`` of a certificate that has expired or is not yet valid
    case certificateTime
    /// ``SessionError/Reason/invalidResponse``
    case invalidResponse
    /// ``SessionError/Reason/invalidContentCoding``
    case invalidContentCoding
    /// ``SessionError/Reason/proxyFailed``
    case proxyFailed
    /// ``SessionError/Reason/notInCache``
    case notInCache

    /// The kind of failure that a reason is of, or nil if sending the request again would change nothing.
    public init?(_ reason: SessionError.Reason) {
        switch reason {
        case .nameNotResolved: self = .nameNotResolved
        case .connectionRefused: self = .connectionRefused
        case .connectionFailed: self = .connectionFailed
        case .connectionClosed, .connectionReset, .protocolViolation: self = .connectionLost
        case .timedOut: self = .timedOut
        case .tlsFailed: self = .tlsFailed
        case .certificate(.expired), .certificate(.notYetValid): self = .certificateTime
        case .invalidResponse: self = .invalidResponse
        case .invalidContentCoding: self = .invalidContentCoding
        case .proxyFailed: self = .proxyFailed
        case .notInCache: self = .notInCache
        default: return nil
        }
    }
}
