import Basics
import Diagnostics
import Output

/// The folding of sections in the log of a CI service.
public struct LogFolding: Sendable {
    /// A CI service that supports folding in its logs.
    enum Service: Hashable {
        case github, gitlab, buildkite
    }

    private let service: Service
    /// A guard that keeps the contents of a section from being interpreted as GitHub Actions commands.
    private let commands: CommandGuard?
    /// The timestamp of GitLab sections, in seconds since 1970.
    private let time: Int64

    /// Creates the folding of the CI service in whose job the process runs, or returns `nil` if there is none.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - time: The timestamp of GitLab sections, in seconds since 1970.
    ///   - token: Returns a word that no server or suite can guess.
    public init?(
        environment: [String: String], time: Double,
        token: @escaping @Sendable () -> String = CommandGuard.randomToken
    ) {
        self.time = Int64(max(0, min(time, 1e12)))
        if environment["GITHUB_ACTIONS"] == "true" {
            service = .github
            commands = CommandGuard(environment: environment, token: token)
        } else if environment["GITLAB_CI"] == "true" {
            service = .gitlab
            commands = nil
        } else if environment["BUILDKITE"] == "true" {
            service = .buildkite
            commands = nil
        } else {
            return nil
        }
    }

    /// Returns the text with the markup of folded sections.
    ///
    /// - Parameter count: The number of sections so far, which makes the names of GitLab sections unique.
    func rendered(_ text: FoldableText, count: inout Int) -> String {
        var result = ""
        for part in text.parts {
            switch part {
            case .plain(let lines): result += guarded(lines)
            case .details(let title, let body): result += section(title, body, isOpen: false, isDetail: true, &count)
            case .section(let title, let body, let isOpen):
                result += section(title, body, isOpen: isOpen, isDetail: false, &count)
            }
        }
        return result
    }

    private func section(
        _ title: String, _ body: String, isOpen: Bool, isDetail: Bool, _ count: inout Int
    ) -> String {
        let whole = isDetail ? body : title + "\n" + body
        switch service {
        case .github:
            guard !isOpen, !body.isEmpty else { return guarded(whole) }
            // The text of a workflow command has no colors.
            return WorkflowCommand(name: "group", message: Painter.unpainted(title)).line + guarded(body)
                + WorkflowCommand(name: "endgroup", message: "").line
        case .gitlab:
            guard !isOpen, !body.isEmpty else { return whole }
            count += 1
            let name = "apitest_\(count)"
            return "\u{1B}[0Ksection_start:\(time):\(name)[collapsed=true]\r\u{1B}[0K\(title)\n\(body)"
                + "\u{1B}[0Ksection_end:\(time):\(name)\r\u{1B}[0K\n"
        case .buildkite:
            // A Buildkite section ends at the start of the next one, so details cannot be folded separately.
            return isDetail ? body : (isOpen ? "+++ " : "--- ") + title + "\n" + body
        }
    }

    private func guarded(_ text: String) -> String { commands?.output(text) ?? text }
}

/// Console lines with sections that can be folded in the log of a CI service.
struct FoldableText {
    enum Part {
        /// Lines that are always visible.
        case plain(String)
        /// Lines that can be folded under a title.
        ///
        /// Without folding, the title is not shown.
        case details(title: String, body: String)
        /// A title and the lines below it.
        case section(title: String, body: String, isOpen: Bool)
    }

    private(set) var parts: [Part] = []

    var isEmpty: Bool { parts.isEmpty }

    /// Creates text from lines that are always visible.
    init(_ lines: String = "") {
        if !lines.isEmpty { parts = [.plain(lines)] }
    }

    /// Appends lines that are always visible.
    static func += (text: inout FoldableText, lines: String) {
        if lines.isEmpty { return }
        if case .plain(let before) = text.parts.last {
            text.parts[text.parts.count - 1] = .plain(before + lines)
        } else {
            text.parts.append(.plain(lines))
        }
    }

    /// Appends another text.
    mutating func append(_ other: FoldableText) {
        for part in other.parts { if case .plain(let lines) = part { self += lines } else { parts.append(part) } }
    }

    /// Appends lines that can be folded under a title, which is not shown without folding.
    mutating func append(details body: String, title: String) {
        if !body.isEmpty { parts.append(.details(title: title, body: body)) }
    }

    /// Appends a title and the lines below it.
    ///
    /// - Parameter isOpen: Whether the section is initially expanded.
    mutating func append(section title: String, body: String, isOpen: Bool) {
        parts.append(.section(title: title, body: body, isOpen: isOpen))
    }

    /// The text without folding.
    var plain: String {
        var text = ""
        for part in parts {
            switch part {
            case .plain(let lines): text += lines
            case .details(_, let body): text += body
            case .section(let title, let body, _): text += title + "\n" + body
            }
        }
        return text
    }
}

/// A guard that keeps GitHub Actions from interpreting echoed text as workflow commands.
///
/// The runner treats a line as a command if it starts with `::` after optional whitespace, or contains `##[`. Such
/// lines of a body or a name could set variables or hide later output. On standard output, they are enclosed in
/// `::stop-commands::TOKEN` and `::TOKEN::`, which leaves them unchanged. The runner may interleave lines of standard
/// error with these, so there the sequence is broken up by an escape.
public struct CommandGuard: Sendable {
    private let isOn: Bool
    private let token: @Sendable () -> String

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process, which shows whether GitHub Actions reads the output.
    ///   - token: Returns a word that no server or suite can guess.
    public init(environment: [String: String], token: @escaping @Sendable () -> String = Self.randomToken) {
        isOn = environment["GITHUB_ACTIONS"] == "true"
        self.token = token
    }

    /// Returns a word of 32 random hexadecimal digits.
    public static func randomToken() -> String {
        Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Returns whole lines that are safe to write to standard output.
    public func output(_ text: String) -> String {
        guard isOn, Self.holdsCommand(text) else { return text }
        let token = token()
        return "::stop-commands::\(token)\n" + text + (text.utf8.last == 0x0A ? "" : "\n") + "::\(token)::\n"
    }

    /// Returns text that is safe to write to standard error.
    public func error(_ text: String) -> String {
        guard isOn, Self.holdsCommand(text) else { return text }
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var shown = ""
            var rest = line
            if Self.beginsCommand(line.utf8) {
                let colon = line.firstIndex(of: ":") ?? line.startIndex
                shown += line[..<colon] + "\\x3A"
                rest = line[colon...].dropFirst()
            }
            lines.append(
                shown + rest.split(separator: "##[", omittingEmptySubsequences: false).joined(separator: "#\\x23["))
        }
        return lines.joined(separator: "\n")
    }

    /// Returns whether any line of a text could be a workflow command.
    static func holdsCommand(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var isAtStart = true
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 0x0A || byte == 0x0D {
                    isAtStart = true
                } else if byte == UInt8(ascii: "#") {
                    if index + 2 < bytes.count, bytes[index + 1] == byte, bytes[index + 2] == UInt8(ascii: "[") {
                        return true
                    }
                    isAtStart = false
                } else if isAtStart, !isSpace(byte) {
                    if byte == UInt8(ascii: ":"), index + 1 < bytes.count, bytes[index + 1] == byte { return true }
                    isAtStart = false
                }
                index += 1
            }
            return false
        }
    }

    private static func beginsCommand(_ line: Substring.UTF8View) -> Bool {
        let rest = line.drop(while: isSpace)
        return rest.starts(with: "::".utf8)
    }

    /// Returns whether a byte may be whitespace before a command.
    ///
    /// The runner also skips Unicode whitespace.
    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x80 }
}
