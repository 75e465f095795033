/// What is to be done about a redirect.
public enum RedirectDecision: Sendable {
    /// Follow it.
    case follow
    /// Give the redirect response to the caller.
    case stop
    /// Send this request instead; credentials in it are sent as they are.
    case modify(SentRequest)
}
