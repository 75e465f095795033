import Basics
import Diagnostics
import Output

/// The names of test cases as readers of reports get them.
package enum CaseName {
    /// The most bytes of a name.
    package static let longest = 4_096

    /// A name as a reader of the report gets it.
    package static func shown(_ name: String) -> String {
        var name = DisplayWidth.printable(name)
        let isPlain = name.withUTF8 { bytes in
            bytes.count <= longest && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xEF }
        }
        if isPlain { return name }
        var element = Array("<case".utf8)
        XMLText.appendAttribute("name", name, to: &element, limit: longest)
        element.append(contentsOf: "/>".utf8)
        var scanner = XMLScanner(element)
        guard case .start(_, let attributes)? = try? scanner.next() else { return name }
        return attributes["name"] ?? name
    }
}

/// The words by which a JUnit report says that a test was blocked: it has no element of its own for that.
package enum BlockedReason {
    private static let start = "blocked by \""
    private static let end = "\", which did not pass"

    /// The words for a test that was blocked by another.
    package static func text(by blocker: String) -> String { start + blocker + end }

    /// Whether a reason says that a test was blocked.
    package static func isOne(_ reason: String) -> Bool { reason.hasPrefix(start) && reason.hasSuffix(end) }
}

/// What stands between the name of a test and that of its step in the name of a case.
package enum StepSeparator {
    /// The separator.
    package static let text = " › "

    /// The whole name, then what stands before each separator, the longest first.
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

/// The ending ` (2 of 3)` by which the rounds of a repeated test are told apart.
enum RoundName {
    /// The name without such an ending; nil when it has none.
    static func removed(from name: Substring) -> Substring? {
        guard name.hasSuffix(")"), let start = name.range(ofLast: " (") else { return nil }
        let words = name[start.upperBound...].dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "of", isNumber(words[0]), isNumber(words[2]) else { return nil }
        return name[..<start.lowerBound]
    }

    /// The ending of the whole name, or of what stands before the name of a step; nil when there is none.
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
    /// The last occurrence of a text.
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

/// The kinds of what can fail a run beside its tests: reports whose readers only count tests have a test for each.
package enum TroubleKind: String, CaseIterable {
    /// Something that belongs to a suite went wrong, such as a server that ended by itself.
    case suite
    /// A server failed, of which no more is known.
    case server = "serve"
    /// The file of a snapshot could not be written or removed.
    case snapshot
    /// Less of a contract was covered than was asked for.
    case coverage
    /// Tests did not run, or records of them are missing.
    case incomplete

    /// The name of the test that stands for it.
    package var name: String {
        switch self {
        case .suite: "suite error"
        case .server: "a server failed"
        case .snapshot: "a snapshot was not written"
        case .coverage: "too little is covered"
        case .incomplete: "incomplete"
        }
    }

    /// A stable word for it, which reports have as the type of the test's error or failure.
    package var type: String { rawValue }

    /// Whether a test case of a report stands for a trouble, by its name and the type of its error or failure.
    package static func isOne(name: String, type: String?) -> Bool {
        type.flatMap(Self.init(rawValue:))?.name == name
    }
}
