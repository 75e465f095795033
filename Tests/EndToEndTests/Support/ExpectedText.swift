/// Expected output with placeholders for the parts that vary between runs.
///
/// | placeholder | meaning |
/// | --- | --- |
/// | `<<ms>>` | a duration such as `41 ms`; wide gaps in its line may be wider or narrower |
/// | `<<s>>` | seconds with decimals, as in JUnit XML |
/// | `<<time>>` | a date and time, as in JUnit XML |
/// | `<<port>>`, `<<number>>` | a number |
/// | `<<version>>` | the version of the program |
/// | `<<uuid>>` | a UUID |
/// | `<<host>>` | a name without characters that XML escapes |
/// | `<<directory>>` | the directory of the scenario during the run |
/// | `<<…>>` | the rest of the line |
struct ExpectedText {
    private static let placeholders: [(name: String, pattern: String)] = [
        ("<<ms>>", #"(?:\d+ min )?\d+(?:\.\d+)? (?:µs|ms|s|min)"#), ("<<s>>", #"\d+\.\d{3}"#),
        ("<<time>>", #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"#), ("<<port>>", #"\d{2,5}"#),
        ("<<number>>", #"\d+(?:[.,]\d+)*"#),
        ("<<version>>", #"\d+\.\d+\.\d+"#),
        ("<<uuid>>", #"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"#), ("<<host>>", #"[^"<>&]+"#),
        ("<<…>>", ".*"),
    ]

    /// The replacements for variable parts when an expected file is written, in this order.
    private static let generalizations: [(pattern: String, replacement: String)] = [
        (#"127\.0\.0\.1:\d{2,5}"#, "127.0.0.1:<<port>>"), (#"time="\d+\.\d{3}""#, #"time="<<s>>""#),
        (#"timestamp="[^"]*""#, #"timestamp="<<time>>""#), (#"hostname="[^"]*""#, #"hostname="<<host>>""#),
        (#"Sec-WebSocket-Key: .*"#, "Sec-WebSocket-Key: <<…>>"),
        (#"^( *)Date: .*"#, "$1Date: <<…>>"), (#"apitest/\d+\.\d+\.\d+"#, "apitest/<<version>>"),
        (#"name="version" value="[^"]*""#, #"name="version" value="<<version>>""#),
        (#"\d+(?:[.,]\d+)*/s\b"#, "<<number>>/s"),
        (#""(startTime|start|duration|time|dns|connect|tls|firstByte|transfer|total)":[\d.]+"#, #""$1":<<number>>"#),
        (#""version":"\d+\.\d+\.\d+""#, #""version":"<<version>>""#),
        (#""hostName":"[^"]*""#, #""hostName":"<<host>>""#),
        (#""name":"Date","value":"[^"]*""#, #""name":"Date","value":"<<…>>""#),
        (#"name="seed" value="\d+""#, #"name="seed" value="<<number>>""#),
        (#"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"#, "<<uuid>>"),
        (#"seed \d+"#, "seed <<number>>"),
        (#" {2,}\d+(?:\.\d+)? (?:µs|ms|s)$"#, "  <<ms>>"),
        (#"(\d+\. (?:passed|flaky|failed|errored|skipped)), \d+(?:\.\d+)? (?:µs|ms|s): "#, "$1, <<ms>>: "),
        (#"\b(dns|connect|tls|byte|transfer|total) \d+(?:\.\d+)? (?:µs|ms|s)\b"#, "$1 <<ms>>"),
        (#" {2,}\x1B\[2m\d+(?:\.\d+)? (?:µs|ms|s)\b"#, "  \u{1B}[2m<<ms>>"),
        (#"\bin \d+(?:\.\d+)? (?:µs|ms|s)(?=,|$)"#, "in <<ms>>"),
        (#"\bgot \d+(?:\.\d+)? (?:µs|ms|s)$"#, "got <<ms>>"),
    ]

    /// The lines, with placeholders.
    let lines: [String]

    /// Creates expected text from the contents of a file.
    init(_ text: String) {
        lines = Self.lines(of: text)
    }

    /// Returns a description of the first difference from the actual text, or nil if they match.
    func difference(to actual: String) throws -> String? {
        let actualLines = Self.lines(of: actual)
        for index in 0..<max(lines.count, actualLines.count) {
            let expected = index < lines.count ? lines[index] : nil
            let found = index < actualLines.count ? actualLines[index] : nil
            if let expected, let found, try Self.matches(found, expected) { continue }
            return """
                line \(index + 1) differs
                  expected: \(expected ?? "(no line)")
                  actual:   \(found ?? "(no line)")
                the whole text:
                \(actual)
                """
        }
        return nil
    }

    /// Returns the actual text as expected text: matching lines are kept, and others get placeholders.
    func updated(from actual: String) throws -> String {
        var result: [String] = []
        for (index, line) in Self.lines(of: actual).enumerated() {
            if index < lines.count, try Self.matches(line, lines[index]) {
                result.append(lines[index])
            } else if let known = try lines.first(where: { try $0.contains("<<") && Self.matches(line, $0) }) {
                result.append(known)
            } else {
                result.append(try Self.generalized(line))
            }
        }
        return result.joined(separator: "\n")
    }

    /// Returns a line with placeholders for all parts that look variable.
    static func generalized(_ line: String) throws -> String {
        try generalizations.reduce(line) { line, rule in
            line.replacing(try Regex(rule.pattern)) { match in
                let group = match.output.count > 1 ? match.output[1].substring ?? "" : ""
                return rule.replacement.replacing("$1", with: group)
            }
        }
    }

    /// Returns whether a line matches a line with placeholders.
    static func matches(_ line: String, _ expected: String) throws -> Bool {
        if line == expected { return true }
        guard expected.contains("<<") else { return false }
        let hasDuration = expected.contains("<<ms>>")
        var pattern = ""
        var rest = expected[...]
        while !rest.isEmpty {
            if let placeholder = placeholders.first(where: { rest.hasPrefix($0.name) }) {
                pattern += "(?:\(placeholder.pattern))"
                rest = rest.dropFirst(placeholder.name.count)
            } else if hasDuration, !pattern.isEmpty, rest.hasPrefix("  ") {
                // Durations are right-aligned, so a longer one replaces spaces before it.
                rest = rest.drop { $0 == " " }
                pattern += " {2,}"
            } else {
                let character = rest.removeFirst()
                if #"\^$.|?*+()[]{}"#.contains(character) { pattern += "\\" }
                pattern.append(character)
            }
        }
        return try Regex(pattern).wholeMatch(in: line) != nil
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
