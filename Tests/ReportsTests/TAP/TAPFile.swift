import Diagnostics
import JSON
import Testing
import YAML

/// A strictly parsed TAP report.
struct TAPFile {
    struct Point {
        var isOK: Bool
        var number: Int
        var description: String
        var skip: String?
        /// The YAML block.
        var block: JSONValue?
    }

    var points: [Point] = []
    var plan: Int?
    var bailOut: String?
    var comments: [String] = []
    /// The errors in the report.
    var problems: [String] = []

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() } else { problems.append("the last line does not end") }
        if lines.first != "TAP version 14" { problems.append("no version") }
        var index = 1
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.hasPrefix("ok ") || line.hasPrefix("not ok ") {
                if plan != nil { problems.append("a point after the plan") }
                readPoint(line)
            } else if line == "  ---" {
                guard let end = lines[index...].firstIndex(of: "  ...") else {
                    problems.append("a block does not end")
                    return
                }
                readBlock(lines[index..<end].joined(separator: "\n"))
                index = end + 1
            } else if line.hasPrefix("1.."), let count = Int(line.dropFirst(3)) {
                if plan != nil { problems.append("two plans") }
                plan = count
            } else if line.hasPrefix("Bail out!") {
                bailOut = String(line.dropFirst(9))
            } else if line.hasPrefix("# ") {
                comments.append(String(line.dropFirst(2)))
            } else {
                problems.append("not a line of TAP: \(line)")
            }
        }
        if plan != points.count {
            problems.append("\(plan.map(String.init) ?? "nothing") planned, \(points.count) run")
        }
        if points.enumerated().contains(where: { $0 + 1 != $1.number }) { problems.append("numbers") }
    }

    private mutating func readPoint(_ line: String) {
        let isOK = line.hasPrefix("ok ")
        let rest = line.dropFirst(isOK ? 3 : 7)
        guard let space = rest.firstIndex(of: " "), let number = Int(rest[..<space]), rest[space...].hasPrefix(" - ")
        else {
            problems.append("not a point: \(line)")
            return
        }
        var description = ""
        var directive: String?
        var isEscaped = false
        for character in rest[space...].dropFirst(3) {
            if directive != nil {
                directive?.append(character)
            } else if isEscaped {
                if character != "#", character != "\\" { problems.append("an escape: \(line)") }
                description.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "#" {
                directive = ""
            } else {
                description.append(character)
            }
        }
        if let directive, !directive.hasPrefix(" SKIP") { problems.append("a directive: \(directive)") }
        if directive != nil { description.removeLast() }
        points.append(
            Point(
                isOK: isOK, number: number, description: description,
                skip: directive.map { String($0.dropFirst(5)) }))
    }

    private mutating func readBlock(_ text: String) {
        let file = SourceFile(name: "block", text: text)
        let parsed = YAMLStream.parse(file)
        if !parsed.diagnostics.isEmpty || parsed.documents.count != 1 {
            problems.append("not YAML: \(parsed.diagnostics.map(\.message)) in\n\(text)")
        }
        guard let last = points.indices.last, points[last].block == nil else {
            problems.append("a block without a point")
            return
        }
        points[last].block = parsed.documents.first?.json
    }
}
