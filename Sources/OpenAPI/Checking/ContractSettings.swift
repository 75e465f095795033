/// What exchanges are held against, and how grave a difference is.
public struct ContractSettings: Sendable, Hashable {
    /// How grave a difference is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The step fails.
        case error
        /// The run says it once.
        case warning
        /// It is not looked at.
        case off
    }

    /// Whether requests are held against the description, or responses alone.
    public var checksRequests = true
    /// Whether a test ends with the first step in which something is different.
    public var stops = false
    /// Severities that replace those of the rules.
    public var severities: [ContractRule: Severity] = [:]

    /// Creates the usual settings.
    public init() {}

    /// Whether a rule is looked at.
    public func checks(_ rule: ContractRule) -> Bool {
        (checksRequests || !rule.isAboutRequest) && severities[rule] != .off
    }
}
