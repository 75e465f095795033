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
        let digits = Array("0123456789abcdef")
        return String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
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
