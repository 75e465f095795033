import Basics
import JSON
import RunModel
import SuiteModel

extension ExchangeCheck {
    /// Reports `not` with a text operator that holds for the value of a JSON body, but not for its text, since it is not
    /// evident which of them is meant.
    func checkNegatedText(of value: JSONValue, _ matcher: Matcher, _ findings: inout [Finding]) {
        switch value {
        case .object, .array: break
        case .null, .bool, .number, .string: return
        }
        let negated = matcher.operations.filter { operation in
            if case .not(let inner) = operation.operator { inner.searchesText } else { false }
        }
        guard !negated.isEmpty else { return }
        let onText = Matcher(negated, range: matcher.range)
        for var mismatch in textEvaluator.mismatches(.string(content.text), onText) where mismatch.kind == .failure {
            guard !findings.contains(where: { $0.subject == .body && $0.range == mismatch.range }) else { continue }
            mismatch.details.append(
                "body is a JSON value because of its Content-Type; write \"text\" instead of \"body\" to check its text, or \"json: { $: … }\" to check the value"
            )
            findings.append(mismatch.finding(subject: .body))
        }
    }
}

extension Matcher {
    /// Whether the matcher consists of operators that search a string.
    fileprivate var searchesText: Bool {
        !operations.isEmpty
            && operations.allSatisfy { operation in
                switch operation.operator {
                case .contains, .startsWith, .endsWith, .matches: true
                default: false
                }
            }
    }
}
