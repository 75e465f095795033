/// A kind of change that a comparison tells.
public struct ChangeCheck: Sendable, Hashable {
    /// The name by which it is known in reports, overrides and ignore files.
    public let id: String
    /// What it means for clients unless that is overridden.
    public let level: ChangeLevel
    /// What has changed then, as one sentence without a final full stop.
    public let summary: String
}
