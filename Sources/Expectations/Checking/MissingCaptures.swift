import Basics
public import RunModel
import SuiteModel

/// The effect of captures without a value on the expectations of their step.
public enum MissingCaptures {
    /// Returns the findings without those that only follow from a capture without a value.
    ///
    /// The first finding of a capture states their number.
    public static func withoutConsequences(_ findings: [Finding]) -> [Finding] {
        guard findings.contains(where: { $0.type == .missingCapture }) else { return findings }
        var kept = findings.filter { $0.type != .missingCapture }
        let count = findings.count - kept.count
        let cause = kept.firstIndex { finding in
            if case .capture = finding.subject { true } else { false }
        }
        guard let cause else { return findings }
        kept[cause].details.append(
            count == 1
                ? "1 expectation or capture that needs the value was not checked"
                : "\(count) expectations or captures that need the value were not checked")
        return kept
    }
}

extension TemplateError {
    /// The reason of a finding about the error.
    var reason: Finding.Reason { isUnavailable ? .missingCapture : .expression }

    /// Returns a finding about the error.
    func finding(subject: Finding.Subject) -> Finding {
        Finding(kind: .error, subject: subject, type: reason, message: message, range: range)
    }
}
