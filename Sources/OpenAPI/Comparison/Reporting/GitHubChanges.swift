import Diagnostics

/// A comparison as annotations of the new description's files.
struct GitHubChanges {
    private let report: ComparisonReport

    /// Creates the text of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// Workflow commands: one with the numbers of changes, and one for each change.
    var text: String {
        let summary = Diagnostic(id: "contract-diff", severity: .note, message: report.headline)
        return GitHubRenderer().render(
            [summary]
                + report.shown.map { change in
                    let severity: Severity =
                        switch change.level {
                        case .breaking: .error
                        case .warning: .warning
                        case .info: .note
                        }
                    let related =
                        report.range(of: change.oldPlace).map { [Diagnostic.Related(message: "before", range: $0)] }
                        ?? []
                    let message = change.operation.map { "\($0): \(change.message)" } ?? change.message
                    return Diagnostic(
                        id: change.id, severity: severity, message: message, range: report.range(of: change.newPlace),
                        related: related)
                })
    }
}
