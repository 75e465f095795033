import Basics
import SuiteModel
import YAML

/// Reports secrets that stand in a suite as they are.
enum PlainTextSecret: LintCheck {
    static let rule = LintRule("plain-text-secret", "A password, token or key that stands in the file as it is")

    /// Keys whose values hold nothing that is sent.
    private static let skipped: Set<String> = [
        "name", "description", "tags", "secrets", "expect", "assert", "capture", "until", "skip", "id", "needs", "lock",
    ]

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let suite = subject.suite
        // What is sent to a server that only the suite itself starts is no one's secret.
        let isLocal = suite.serve != nil || isLocal(subject.root["baseURL"])
        for (key, value) in subject.root.members {
            guard let name = key.scalar?.text, !skipped.contains(name) else { continue }
            if name == "environments" {
                for (_, environment) in value.members {
                    // An environment has the suite's server unless it has one of its own.
                    let url = environment["baseURL"]
                    let isLocal = url == nil ? isLocal : self.isLocal(url)
                    for (key, value) in environment.members {
                        check(value, key.scalar?.text ?? "", isLocal: isLocal, report)
                    }
                }
                continue
            }
            check(value, name, isLocal: isLocal, report)
        }
    }

    private static func isLocal(_ url: YAMLNode?) -> Bool {
        guard let text = url?.scalar?.text else { return false }
        return ["://127.", "://localhost", "://[::1]"].contains { text.contains($0) }
    }

    /// Looks at a node and all below it. Reading bounds the depth, so this recursion is bounded.
    private static func check(_ node: YAMLNode, _ key: String, isLocal: Bool, _ report: (LintFinding) -> Void) {
        for element in node.elements { check(element, key, isLocal: isLocal, report) }
        for (member, value) in node.members {
            guard let name = member.scalar?.text else { continue }
            if skipped.contains(name), value.kind != .scalar || name == "description" || name == "skip" { continue }
            // The key of `apiKey` stands under `value`.
            check(value, name == "value" && key == "apiKey" ? key : name, isLocal: isLocal, report)
        }
        guard let scalar = node.scalar, scalar.isString else { return }
        if let found = SecretShape.find(in: scalar.text) {
            note("\(found.name) stands in plain text", node, key, found.secret, report)
        } else if !isLocal, !ExpressionScan.mayHoldExpression(scalar.text[...]) {
            if let secret = secret(scalar.text, key) {
                note("the value of \"\(key)\" stands in plain text", node, key, secret, report)
            } else if let password = SecretShape.passwordOfURL(in: scalar.text) {
                note("the password of the URL stands in plain text", node, "password", password, report)
            }
        }
    }

    /// The secret that a value is by its key.
    private static func secret(_ text: String, _ key: String) -> String? {
        if key.lowercased() == "authorization" {
            let parts = text.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            var secret = String(parts[1])
            if parts[0].lowercased() == "basic" {
                guard let bytes = Base64.decode(secret.utf8, allowing: [.whitespace, .withoutPadding]) else {
                    return nil
                }
                let credentials = String(decoding: bytes, as: UTF8.self)
                guard let colon = credentials.firstIndex(of: ":"),
                    SecretShape.mayBeSecret(String(credentials[credentials.index(after: colon)...]))
                else { return nil }
            } else if parts[0].lowercased() == "digest" {
                return nil
            } else if !SecretShape.mayBeSecret(secret) {
                return nil
            }
            if secret.isEmpty { secret = text }
            return secret
        }
        return SecretShape.isSecretName(key) && SecretShape.mayBeSecret(text) ? text : nil
    }

    private static func note(
        _ message: String, _ node: YAMLNode, _ key: String, _ secret: String, _ report: (LintFinding) -> Void
    ) {
        let name = variableName(key)
        report(
            LintFinding(
                message: message, range: node.aliasRange ?? node.range,
                suggestion: "write ${env(\"\(name)\")}, and mask the value with \"secrets\"", secret: secret))
    }

    /// The name of an environment variable for a key: `apiKey` gives `API_KEY`.
    private static func variableName(_ key: String) -> String {
        var name = ""
        var isLower = false
        for byte in key.utf8 where ExpressionScan.isNamePart(byte) || byte == UInt8(ascii: "-") {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isUpper, isLower { name += "_" }
            isLower = !isUpper
            name += byte == UInt8(ascii: "-") ? "_" : String(Unicode.Scalar(byte)).uppercased()
        }
        return name.isEmpty || name.utf8.first.map { $0 < 0x3A } == true ? "SECRET" : name
    }
}
