/// The part of a description that a change is in.
public enum ChangeSection: String, Sendable, Hashable, CaseIterable {
    case info
    case servers
    case paths
    case parameters
    case requestBody = "request-body"
    case responses
    case headers
    case callbacks
    case webhooks
    case security
    case tags
    case components
}
