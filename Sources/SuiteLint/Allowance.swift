import Basics
import Diagnostics

/// A comment that suppresses a rule: `# apitest: allow RULE` or `# apitest: allow-file RULE`.
struct Allowance {
    /// The name of the rule.
    let id: String
    /// The source range of the name.
    let range: SourceRange
    /// The line that the comment applies to; nil for the whole file.
    let line: Int32?
    /// Whether the comment suppressed a finding.
    var isUsed = false

    private static let beginning = Array("# apitest: allow".utf8)

    /// Returns the allowances of a file.
    static func all(in file: SourceFile) -> [Allowance] {
        // Most files do not contain the marker and need no line-by-line search.
        guard contains(file.text[...], beginning[...]) else { return [] }
        var allowances: [Allowance] = []
        for number in 1...max(1, file.lineCount) {
            guard let bytes = file.byteRange(ofLine: number),
                let comment = position(of: beginning[...], in: file.text[bytes])
            else { continue }
            var rest = comment + beginning.count
            let isFile = file.text[rest..<bytes.upperBound].starts(with: "-file".utf8)
            if isFile { rest += 5 }
            guard rest < bytes.upperBound, isSpace(file.text[rest]) else { continue }
            let isAlone = file.text[bytes.lowerBound..<comment].allSatisfy(isSpace)
            let line = isFile ? nil : isAlone ? nextLine(after: number, in: file) : number
            for name in names(in: file.text, rest..<bytes.upperBound) {
                allowances.append(
                    Allowance(
                        id: String(decoding: file.text[name], as: UTF8.self),
                        range: SourceRange(file: file, bytes: name), line: line.map(Int32.init(clamping:))))
            }
        }
        return allowances
    }

    /// Marks the comments that suppress a diagnostic as used, and returns whether there is one.
    static func use(_ allowances: inout [Allowance], for diagnostic: Diagnostic) -> Bool {
        guard diagnostic.severity != .error, let range = diagnostic.range else { return false }
        var isAllowed = false
        for index in allowances.indices where allowances[index].covers(diagnostic.id, at: range) {
            allowances[index].isUsed = true
            isAllowed = true
        }
        return isAllowed
    }

    /// Returns whether the comment suppresses a rule at a location.
    private func covers(_ id: String, at location: SourceRange) -> Bool {
        id == self.id && location.file == range.file && (line == nil || line == location.start.line)
    }

    /// Returns a warning if the comment suppressed nothing.
    ///
    /// - Parameter checked: The names of the rules that were checked.
    func problem(checked: [String]) -> Diagnostic? {
        if isUsed { return nil }
        if !LintRules.names.contains(id) {
            return Diagnostic(
                id: LintRules.unusedAllowance.id, severity: .warning, message: "unknown rule \"\(id)\"",
                range: range,
                suggestion: Spelling.suggestion(for: id, among: LintRules.names)
                    ?? "run \"apitest lint --rules\" to list the rules")
        }
        guard checked.contains(id) else { return nil }
        return Diagnostic(
            id: LintRules.unusedAllowance.id, severity: .warning,
            message: "\"\(id)\" suppresses nothing \(line == nil ? "in this file" : "here")", range: range,
            suggestion: "remove the comment")
    }

    // MARK: Parsing

    /// Returns the comma-separated names after a position; the text that follows them is the reason.
    private static func names(in text: [UInt8], _ bytes: Range<Int>) -> [Range<Int>] {
        var names: [Range<Int>] = []
        var index = bytes.lowerBound
        while true {
            while index < bytes.upperBound, isSpace(text[index]) { index += 1 }
            let start = index
            while index < bytes.upperBound, isNamePart(text[index]) { index += 1 }
            guard index > start else { return names }
            names.append(start..<index)
            while index < bytes.upperBound, isSpace(text[index]) { index += 1 }
            guard index < bytes.upperBound, text[index] == UInt8(ascii: ",") else { return names }
            index += 1
        }
    }

    /// Returns the next line that is neither blank nor a comment.
    private static func nextLine(after number: Int, in file: SourceFile) -> Int {
        var next = number + 1
        while next < file.lineCount, let bytes = file.byteRange(ofLine: next) {
            let content = file.text[bytes].drop(while: isSpace)
            if let first = content.first, first != UInt8(ascii: "#") { break }
            next += 1
        }
        return next
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }

    private static func contains(_ text: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) -> Bool {
        position(of: part, in: text) != nil
    }

    private static func position(of part: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Int? {
        guard let first = part.first, text.count >= part.count else { return nil }
        var index = text.startIndex
        while index <= text.endIndex - part.count {
            if text[index] == first, text[index...].starts(with: part) { return index }
            index += 1
        }
        return nil
    }
}
