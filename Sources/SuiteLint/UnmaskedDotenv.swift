import Basics
import Diagnostics
import RunModel
import SuiteModel
import YAML

/// Reports values of dotenv files that are likely to be secrets, but that no name says so.
enum UnmaskedDotenv: LintCheck {
    static let rule = LintRule("unmasked-dotenv", "A value of a dotenv file that looks like a secret but is not masked")

    /// Words of names whose values are likely to be secrets, besides those of ``SecretNames``.
    private static let words: Set<String> = [
        "auth", "bearer", "cookie", "dsn", "jwt", "pass", "passphrase", "passwd", "pin", "private", "pwd", "session",
        "signature",
    ]

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let secrets = subject.suite.secrets
        // The files may be named in a settings file.
        let range = range(subject) ?? subject.suite.range
        for (name, value) in subject.suite.dotenv.sorted(by: { $0.key < $1.key }) {
            if secrets.contains(name) || secrets.excludes(name) || SecretText.isUnmaskable(value) { continue }
            guard let reason = reason(name, value) else { continue }
            report(
                LintFinding(
                    message: "the value of \"\(name)\" from a dotenv file is not masked, although \(reason)",
                    range: range,
                    suggestion: "add \"\(name)\" to \"secrets\", or \"!\(name)\" if it is not a secret"))
        }
    }

    /// Returns the source range of `dotenv` in the suite or in its environment.
    private static func range(_ subject: LintSubject) -> SourceRange? {
        if let node = subject.root["dotenv"] { return node.range }
        guard let environment = subject.suite.environment else { return nil }
        return subject.root["environments"]?[environment]?["dotenv"]?.range
    }

    /// Returns the reason why a value is likely to be a secret; nil if it is not.
    private static func reason(_ name: String, _ value: String) -> String? {
        if let found = SecretShape.find(in: value) { return "it looks like \(found.name)" }
        if SecretShape.passwordOfURL(in: value) != nil { return "it is a URL with a password" }
        let parts = name.lowercased().split { $0 == "_" || $0 == "-" || $0 == "." }
        return parts.contains { words.contains(String($0)) } ? "its name suggests a secret" : nil
    }
}
