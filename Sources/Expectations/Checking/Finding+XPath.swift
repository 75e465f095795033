import Diagnostics
public import SuiteModel
import XML

extension Finding {
    /// The type of the finding of a check that was given up, as its task was cancelled.
    public static let cutOffType = "cutOff"

    /// Creates the finding of a check that was given up.
    static func cutOff(subject: String, range: SourceRange?) -> Finding {
        Finding(
            kind: .error, subject: subject, type: cutOffType, message: "was given up before it was finished",
            range: range)
    }

    /// Creates the finding of an XPath that could not be evaluated.
    static func xpath(_ error: XMLError, subject: String, range: SourceRange?) -> Finding {
        if error.kind == .cancelled { return cutOff(subject: subject, range: range) }
        return Finding(kind: .error, subject: subject, type: "xpath", message: error.message, range: range)
    }
}
