import OpenAPI
import RunModel

/// Messages without the parts that vary between runs: numbers, identifiers, dates, times and ports.
enum StableMessage {
    /// The maximum length of a message, in bytes; the rest is cut off.
    private static let limit = 400
    /// The minimum length at which a word with digits counts as an identifier, in bytes.
    private static let identifierLength = 8
    /// The subjects of findings about a status. Their messages keep their numbers, which do not vary by themselves.
    private static let statusSubjects: Set<Finding.Subject> = Set(
        [.status, .lock("status")]
            + [ContractRule.undocumentedStatus, .undocumentedContentType, .serverError, .missingSecurity]
            .map { .contract($0.rawValue) })
    private static let units: Set<String> = ["ns", "us", "µs", "ms", "s", "m", "min", "h"]

    /// Returns the message of a finding in the form that baselines store. Messages about a status keep their numbers.
    static func text(_ message: String, subject: Finding.Subject) -> String {
        let line = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return cut(statusSubjects.contains(subject) ? line : withoutNumbers(line))
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    /// Returns a text with a `#` in place of each number, identifier, date and duration.
    private static func withoutNumbers(_ text: String) -> String {
        var output: [UInt8] = []
        var word: [UInt8] = []
        for byte in text.utf8 {
            if isWordByte(byte) {
                word.append(byte)
            } else {
                flush(&word, into: &output)
                output.append(byte)
            }
        }
        flush(&word, into: &output)
        return withoutUnits(String(decoding: joined(output), as: UTF8.self))
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// Appends a word. A long word with digits becomes a single `#`; otherwise each number in it becomes one.
    private static func flush(_ word: inout [UInt8], into output: inout [UInt8]) {
        defer { word.removeAll(keepingCapacity: true) }
        guard word.contains(where: isDigit) else {
            output += word
            return
        }
        if word.count >= identifierLength {
            output.append(UInt8(ascii: "#"))
            return
        }
        var isInNumber = false
        for byte in word {
            if isDigit(byte) {
                if !isInNumber { output.append(UInt8(ascii: "#")) }
                isInNumber = true
            } else {
                output.append(byte)
                isInNumber = false
            }
        }
    }

    /// Replaces `#.#`, `#:#`, `#-#` and `-#`, the parts of numbers, times and addresses, by a single `#`.
    private static func joined(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            guard byte == UInt8(ascii: "#") else {
                output.append(byte)
                continue
            }
            let isPart = index >= 1 && text[index - 1] != UInt8(ascii: "#")
            if isPart, output.count >= 2,
                [UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-")].contains(text[index - 1]),
                output[output.count - 2] == UInt8(ascii: "#")
            {
                output.removeLast()
                continue
            }
            if output.last == UInt8(ascii: "-"), output.count < 2 || !isWordByte(output[output.count - 2]) {
                output.removeLast()
            }
            output.append(byte)
        }
        return output
    }

    /// Removes the unit of time after each number, because the unit varies with the number.
    private static func withoutUnits(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return text }
        var output = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "#") {
            let next = rest.index(after: mark)
            output += rest[..<next]
            rest = rest[next...]
            while let (end, goesOn) = unit(rest) {
                rest = rest[end...]
                if goesOn { rest = rest.dropFirst() } else { break }
            }
        }
        return output + rest
    }

    /// Returns the end of the unit that a text starts with, and whether a number follows directly, as in `1m30s`.
    private static func unit(_ text: Substring) -> (end: Substring.Index, goesOn: Bool)? {
        let start = text.first == " " ? text.index(after: text.startIndex) : text.startIndex
        let word = text[start...].prefix { $0.isLetter }
        guard units.contains(String(word)) else { return nil }
        let next = text[word.endIndex...].first
        if next == "#" { return (word.endIndex, true) }
        return next.map { $0.isNumber || $0 == "_" } == true ? nil : (word.endIndex, false)
    }
}
