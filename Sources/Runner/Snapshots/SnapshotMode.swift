/// What a run does with snapshots beside comparing.
public enum SnapshotMode: Sendable, Hashable {
    /// Snapshots that are missing are written: on a developer's machine.
    case writeMissing
    /// Nothing is written, and a snapshot that is missing is a failure: in continuous integration.
    case readOnly
    /// Those that are missing or differ are written, those that no test uses are removed.
    case update

    /// The mode of a run.
    ///
    /// - Parameters:
    ///   - updates: Whether it was asked for to write snapshots anew.
    ///   - environment: The environment variables; `CI` says that nothing is written, unless it is empty or `false`.
    public init(updates: Bool = false, environment: [String: String]) {
        let isContinuousIntegration = environment["CI"].map { !$0.isEmpty && $0.lowercased() != "false" } ?? false
        self = updates ? .update : isContinuousIntegration ? .readOnly : .writeMissing
    }
}
