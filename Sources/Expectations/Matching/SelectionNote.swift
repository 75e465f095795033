import Basics
import Diagnostics
import JSON
import RunModel
import SuiteModel

/// Notes about matchers for one value that are applied to the list of the values that a path selects.
extension Matcher.Operation {
    /// The maximum length of an operand in a note, in characters.
    private static var maximumLength: Int { 60 }

    /// Returns the ways to write the operation for a list, if it failed because it is for one value.
    func noteOnSelection(_ mismatch: Mismatch) -> MessageText? {
        guard mismatch.kind == .failure else { return nil }
        guard `operator`.rejectsArrays || isForOneValue(mismatch.expected) else { return nil }
        let operand = source(mismatch.expected)
        guard case .equals = `operator` else {
            let matcher = "{ \(`operator`.keyword.rawValue): \(operand) }"
            return "the path yields a list: write { each: \(matcher) } or { any: \(matcher) }"
        }
        return "the path yields a list: write [\(operand)] or { any: \(operand) }"
    }

    /// Returns whether an evaluated operand is compared with the list as a whole, but is not a list.
    private func isForOneValue(_ expected: JSONValue?) -> Bool {
        switch `operator` {
        case .equals, .like, .strictLike:
            guard let expected else { return false }
            return expected.arrayValue == nil
        default: return false
        }
    }

    /// Returns the operand as it is written between braces.
    private func source(_ value: JSONValue?) -> String {
        let text = range.text
        let isQuoted = text.hasPrefix("\"") || text.hasPrefix("'") || text.hasPrefix("{") || text.hasPrefix("[")
        if range.isOneLine, text.count <= Self.maximumLength,
            isQuoted || !text.utf8.contains(where: { ",[]{}".utf8.contains($0) })
        {
            return BriefWriter.escapedMarkup(text.unicodeScalars)
        }
        return value.map { ValueDescription.plain($0, limit: Self.maximumLength) } ?? "…"
    }
}
