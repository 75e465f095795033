import Basics
import Diagnostics
import Output

/// The names of test cases as seen by readers of reports.
package enum CaseName {
    /// The maximum number of bytes of a name.
    package static let maximumLength = 4_096

    /// Returns a name as it is seen by a reader of the report.
    package static func shown(_ name: String) -> String {
        var name = DisplayWidth.printable(name)
        let isPlain = name.withUTF8 { bytes in
            bytes.count <= maximumLength && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xEF }
        }
        if isPlain { return name }
        var element = Array("<case".utf8)
        XMLText.appendAttribute("name", name, to: &element, limit: maximumLength)
        element.append(contentsOf: "/>".utf8)
        var scanner = XMLScanner(element)
        guard case .start(_, let attributes)? = try? scanner.next() else { return name }
        return attributes["name"] ?? name
    }
}

/// The skip reason that marks a blocked test in a JUnit report, which has no element for it.
package enum BlockedReason {
    private static let start = "blocked by \""
    private static let end = "\", which did not pass"

    /// Returns the skip reason of a test that was blocked by another one.
    package static func text(by blocker: String) -> String { start + blocker + end }

    /// Returns whether a skip reason marks a blocked test.
    package static func isOne(_ reason: String) -> Bool { reason.hasPrefix(start) && reason.hasSuffix(end) }
}

/// The separator between the name of a test and the name of its step in the name of a test case.
package enum StepSeparator {
    /// The separator.
    package static let text = " › "

    /// Returns the whole name, followed by its prefixes before each separator, longest first.
    package static func prefixes(of name: String) -> [Substring] {
        var result = [name[...]]
        guard name.utf8.contains(0xE2) else { return result }
        var start = name.startIndex
        var prefixes: [Substring] = []
        while start < name.endIndex {
            if name[start...].hasPrefix(text) { prefixes.append(name[..<start]) }
            start = name.index(after: start)
        }
        result += prefixes.reversed()
        return result
    }
}

/// The suffix ` (2 of 3)` that distinguishes the repetitions of a test.
enum RoundName {
    /// Returns the name without the suffix, or `nil` if it has none.
    static func removed(from name: Substring) -> Substring? {
        guard name.hasSuffix(")"), let start = name.range(ofLast: " (") else { return nil }
        let words = name[start.upperBound...].dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "of", isNumber(words[0]), isNumber(words[2]) else { return nil }
        return name[..<start.lowerBound]
    }

    /// Returns the suffix of the name or of its prefix before the name of a step, or `nil` if there is none.
    static func suffix(in name: String) -> String? {
        for end in StepSeparator.prefixes(of: name) {
            if let test = removed(from: end) { return String(end[test.endIndex...]) }
        }
        return nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit)
    }
}

extension Substring {
    /// Returns the last occurrence of a string.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        var end = endIndex
        while end > startIndex {
            let start = index(before: end)
            if self[start...].hasPrefix(text), let upper = index(start, offsetBy: text.count, limitedBy: endIndex) {
                return start..<upper
            }
            end = start
        }
        return nil
    }
}

/// The kinds of failures of a run outside its tests.
///
/// Reports whose readers only count tests have a test for each.
package enum ProblemKind: String, CaseIterable {
    /// An error of a suite, such as a server that exited on its own.
    case suite
    /// A failed server without further details.
    case server = "serve"
    /// A snapshot file that could not be written or removed.
    case snapshot
    /// A contract coverage below the requested threshold.
    case coverage
    /// Tests that did not run, or whose records are missing.
    case incomplete

    /// The name of the test that represents the failure.
    package var name: String {
        switch self {
        case .suite: "suite error"
        case .server: "a server failed"
        case .snapshot: "a snapshot was not written"
        case .coverage: "coverage below threshold"
        case .incomplete: "incomplete"
        }
    }

    /// A stable identifier, which reports use as the type of the test's error or failure.
    package var type: String { rawValue }

    /// Returns whether a test case represents a failure of the run, by its name and the type of its error or failure.
    package static func isOne(name: String, type: String?) -> Bool {
        type.flatMap(Self.init(rawValue:))?.name == name
    }
}
