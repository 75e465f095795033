import ArgumentParser

/// When the live line is shown.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    /// Where standard error is a terminal that can draw it, and not in CI.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether the line is shown.
    func isOn(environment: [String: String]) -> Bool {
        switch self {
        case .auto: Terminal.canShowProgress(environment: environment)
        case .always: true
        case .never: false
        }
    }
}
