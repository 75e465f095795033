import Basics
import Diagnostics
import Output

/// The way in which the log of a CI service folds parts away; text that is no log stays as it is.
public struct LogFolding: Sendable {
    /// A service whose logs can be folded.
    enum Service: Hashable {
        case github, gitlab, buildkite
    }

    private let service: Service
    /// Keeps what a section holds from being read as commands of GitHub Actions.
    private let commands: CommandGuard?
    /// The time that sections of GitLab have, in seconds since 1970.
    private let time: Int64

    /// Finds the service that reads the log; nil for any other.
    ///
    /// - Parameters:
    ///   - environment: The process's environment.
    ///   - time: Seconds since 1970, for GitLab's sections.
    ///   - token: Returns a word that no server and no suite can know.
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

    /// Renders the parts of a text.
    ///
    /// - Parameter count: The number of sections so far, by which GitLab tells them apart.
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
            // A command's text has no colors.
            return WorkflowCommand(name: "group", message: Painter.unpainted(title)).line + guarded(body)
                + WorkflowCommand(name: "endgroup", message: "").line
        case .gitlab:
            guard !isOpen, !body.isEmpty else { return whole }
            count += 1
            let name = "apitest_\(count)"
            return "\u{1B}[0Ksection_start:\(time):\(name)[collapsed=true]\r\u{1B}[0K\(title)\n\(body)"
                + "\u{1B}[0Ksection_end:\(time):\(name)\r\u{1B}[0K\n"
        case .buildkite:
            // A section there lasts until the next one begins, so that details cannot be folded apart.
            return isDetail ? body : (isOpen ? "+++ " : "--- ") + title + "\n" + body
        }
    }

    private func guarded(_ text: String) -> String { commands?.output(text) ?? text }
}

/// Lines of the console, of which parts can be folded away in the log of a CI service.
struct FoldableText {
    enum Part {
        /// Lines that are always seen.
        case plain(String)
        /// Lines that a title stands for where they are folded; elsewhere the title is not shown.
        case details(title: String, body: String)
        /// A title and the lines below it.
        case section(title: String, body: String, isOpen: Bool)
    }

    private(set) var parts: [Part] = []

    var isEmpty: Bool { parts.isEmpty }

    /// Creates a text of lines that are always seen.
    init(_ lines: String = "") {
        if !lines.isEmpty { parts = [.plain(lines)] }
    }

    /// Appends lines that are always seen.
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

    /// Appends lines that a title stands for where they are folded.
    mutating func append(details body: String, title: String) {
        if !body.isEmpty { parts.append(.details(title: title, body: body)) }
    }

    /// Appends a title and the lines below it.
    ///
    /// - Parameter isOpen: Whether the lines are seen at once.
    mutating func append(section title: String, body: String, isOpen: Bool) {
        parts.append(.section(title: title, body: body, isOpen: isOpen))
    }

    /// The text where nothing is folded.
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

/// Keeps text that a run echoes from being read as workflow commands by GitHub Actions.
///
/// A line is a command when `::` is the first of it but for white space, or when it holds `##[`; such lines of a body or a
/// name could set variables or hide what follows. Lines of standard output are put between `::stop-commands::TOKEN` and
/// `::TOKEN::`, which leaves them as they are. On standard error, whose lines the runner may read between these, the
/// sequence is broken up by an escape.
public struct CommandGuard: Sendable {
    private let isOn: Bool
    private let token: @Sendable () -> String

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - environment: The process's environment, which tells whether GitHub Actions reads the output.
    ///   - token: Gives a word that no server and no suite can know.
    public init(environment: [String: String], token: @escaping @Sendable () -> String = Self.randomToken) {
        isOn = environment["GITHUB_ACTIONS"] == "true"
        self.token = token
    }

    /// A word of 32 random hexadecimal digits.
    public static func randomToken() -> String {
        Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Whole lines for standard output.
    public func output(_ text: String) -> String {
        guard isOn, Self.holdsCommand(text) else { return text }
        let token = token()
        return "::stop-commands::\(token)\n" + text + (text.utf8.last == 0x0A ? "" : "\n") + "::\(token)::\n"
    }

    /// Text for standard error.
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

    /// Whether a line of a text could be a command.
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

    /// Whether a byte may be part of white space before a command: the runner also passes over that of Unicode.
    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x80 }
}
