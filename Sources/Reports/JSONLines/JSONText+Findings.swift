import Diagnostics
import SuiteModel

extension JSONText {
    /// The characters of a line of a suite that are kept behind the beginning of what is marked in it.
    private static let reach = 1_100

    /// Appends the findings of a step or attempt.
    mutating func write(_ findings: [Finding]) {
        beginArray("findings")
        for finding in findings {
            beginObject()
            member("kind", finding.kind.rawValue)
            member("subject", finding.subject)
            member("type", finding.type)
            member("message", finding.message)
            var isCut = false
            if let expected = finding.expected { isCut = member("expected", expected) }
            if let actual = finding.actual { isCut = member("actual", actual) || isCut }
            if isCut { member("isCut", true) }
            if let range = finding.range { write(range) }
            member("details", finding.details)
            if finding.isKnown { member("isKnown", true) }
            endObject()
        }
        endArray()
    }

    /// Appends a range, with the text of the line on which it begins.
    private mutating func write(_ range: SourceRange) {
        beginObject("range")
        member("file", range.file.name)
        position("start", range.start)
        position("end", range.end)
        if let bytes = range.file.byteRange(ofLine: Int(range.start.line)) {
            let far = SourcePosition(line: Int(range.start.line), column: Int(range.start.column) + Self.reach)
            let end = min(bytes.upperBound, max(bytes.lowerBound, range.file.byteOffset(of: far)))
            member("text", String(decoding: range.file.text[bytes.lowerBound..<end], as: UTF8.self))
        }
        endObject()
    }

    private mutating func position(_ name: StaticString, _ position: SourcePosition) {
        beginObject(name)
        member("line", Int64(position.line))
        member("column", Int64(position.column))
        endObject()
    }
}
