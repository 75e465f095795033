/// Which rules are checked.
public struct LintOptions: Sendable {
    /// The names of rules that are switched on beside those that are on by default.
    public var enabled: Set<String>
    /// The names of rules that are switched off; they win over ``enabled``.
    public var disabled: Set<String>

    /// Creates options.
    public init(enabled: Set<String> = [], disabled: Set<String> = []) {
        self.enabled = enabled
        self.disabled = disabled
    }

    /// Whether a rule is checked.
    func isOn(_ rule: LintRule) -> Bool {
        !disabled.contains(rule.id) && (rule.isOnByDefault || enabled.contains(rule.id))
    }
}
