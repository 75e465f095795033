extension SessionEvent {
    /// The name of the case, as in `headReceived`; for logs and tests.
    public var name: String {
        switch self {
        case .created: "created"
        case .adapted: "adapted"
        case .servedFromCache: "servedFromCache"
        case .coalesced: "coalesced"
        case .resolved: "resolved"
        case .connected: "connected"
        case .secured: "secured"
        case .unverified: "unverified"
        case .sent: "sent"
        case .informational: "informational"
        case .headReceived: "headReceived"
        case .received: "received"
        case .redirected: "redirected"
        case .validated: "validated"
        case .retrying: "retrying"
        case .decoded: "decoded"
        case .finished: "finished"
        }
    }
}
