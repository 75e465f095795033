public import Basics
import Diagnostics
public import JSON
import RunModel
import XML

/// The finding for a body that is not the expected JSON, XML or HTML, reported once per body.
enum BodyProblem {
    /// The maximum length of an excerpt of the body, in Unicode scalars.
    private static let width = 72

    static func finding(
        _ error: JSONParseError, content: ResponseContent, range: SourceRange?, subject: Finding.Subject = .json(nil)
    ) -> Finding {
        guard !content.bytes.isEmpty else {
            return Finding(
                subject: subject, type: .json, message: "expected JSON, but the \(content.noun) is empty", range: range)
        }
        if let coding = content.undecodedCoding {
            return Finding(subject: subject, type: .json, message: "the \(content.noun) \(coding)", range: range)
        }
        var message: MessageText =
            "the \(content.noun) is not JSON: \(error.wording) at line \(error.line), column \(error.column)"
        if let hint = error.hint { message += "; \(hint)" }
        if !content.isDeclaredJSON, !content.isOfCommand {
            let type = content.exchange.response?.header("content-type")
            message += type.map { " (Content-Type is \($0))" } ?? " (no Content-Type)"
        }
        return Finding(
            subject: subject, type: .json, message: message, range: range,
            details: excerpt(line: error.line, column: error.column, content.text))
    }

    static func finding(
        _ error: XMLError, content: ResponseContent, markup: Markup, range: SourceRange?, subject: Finding.Subject
    ) -> Finding {
        var finding = Finding(
            subject: subject, type: .init(markup.rawValue), message: error.wording, range: range)
        switch error.kind {
        case .unavailable: finding.kind = .error
        case .cancelled: return .cutOff(subject: subject, range: range)
        case .limit: finding.wording = "the \(content.noun) was not parsed: \(error.wording)"
        case .syntax, .xpath:
            guard !content.bytes.isEmpty else {
                finding.wording = "expected \(markup.name), but the \(content.noun) is empty"
                return finding
            }
            if let coding = content.undecodedCoding {
                finding.wording = "the \(content.noun) \(coding)"
                return finding
            }
            let location = error.line.map { " (line \($0)" + (error.column.map { ", column \($0))" } ?? ")") } ?? ""
            finding.wording = "the \(content.noun) is not \(markup.name)\(location): \(error.wording)"
            guard !content.isOfCommand else { break }
            let type = content.exchange.response?.header("content-type")
            if markup == .xml, content.markup == .html {
                finding.wording +=
                    type.map { "; Content-Type is \($0): use \"html\"" } ?? "; it starts like HTML: use \"html\""
            } else if markup == .xml, !content.isDeclaredXML {
                finding.wording += type.map { "; Content-Type is \($0)" } ?? "; no Content-Type"
            }
            if let line = error.line {
                finding.details = excerpt(line: line, column: error.column ?? 1, content.text)
            }
        }
        return finding
    }

    /// Returns the part of the line around the column of the error, with a caret below.
    private static func excerpt(line: Int, column: Int, _ text: String) -> [MessageText] {
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        for _ in 1..<max(1, line) {
            guard let lineBreak = scalars[start...].firstIndex(of: "\n") else { return [] }
            start = scalars.index(after: lineBreak)
        }
        let end = scalars[start...].firstIndex(of: "\n") ?? scalars.endIndex
        let skipped = max(0, column - 1 - width / 2)
        let line = scalars[start..<end].dropFirst(skipped)
        let shown = BriefWriter.visible(line.prefix(width))
        let prefix = skipped > 0 ? "…" : ""
        let caret = String(repeating: " ", count: prefix.count + max(0, column - 1 - skipped)) + "^"
        return ["\(prefix)\(shown)\(line.count > width ? "…" : "")", MessageText(words: caret)]
    }
}

/// The description of duplicate members in a body.
public enum DuplicateMembersText {
    /// Returns a sentence without a final period, or nil without duplicate members.
    public static func sentence(_ members: [JSONDuplicateMember]) -> MessageText? {
        guard let first = members.first else { return nil }
        let more: MessageText =
            switch members.count {
            case 1: ""
            case 2: " (and 1 more)"
            case JSONParser.maximumDuplicateCount...: " (and many more)"
            default: " (and \(members.count - 1) more)"
            }
        return
            "the body repeats the member \(first.location.shorthand) at line \(first.line), column \(first.column)\(more); "
            + "the last value is used"
    }
}
