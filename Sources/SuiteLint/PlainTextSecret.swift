import Basics
import JSON
import RunModel
import SuiteLoader
import SuiteModel
import YAML

/// Reports secrets that are written in plain text.
enum PlainTextSecret: LintCheck {
    static let rule = LintRule("plain-text-secret", "A password, token or key in plain text")

    /// Keys whose values are not sent to a server.
    private static let skipped: Set<String> = [
        "name", "description", "tags", "secrets", "expect", "assert", "capture", "until", "skip", "id", "needs", "lock",
    ]

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let suite = subject.suite
        // Values for a server that only the suite itself starts are not secret.
        let isLocal = suite.serve != nil || isLocal(subject.root["baseURL"])
        for (key, value) in subject.root.members {
            guard let name = key.scalar?.text, !skipped.contains(name) else { continue }
            if name == "environments" {
                for (_, environment) in value.members {
                    // An environment uses the server of the suite unless it sets its own URL.
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

    /// Checks a node and its descendants. Parsing limits the depth, so this recursion is bounded.
    private static func check(_ node: YAMLNode, _ key: String, isLocal: Bool, _ report: (LintFinding) -> Void) {
        for element in node.elements { check(element, key, isLocal: isLocal, report) }
        for (member, value) in node.members {
            guard let name = member.scalar?.text else { continue }
            if skipped.contains(name), value.kind != .scalar || name == "description" || name == "skip" { continue }
            // The key of `apiKey` is in its `value` member.
            check(value, name == "value" && key == "apiKey" ? key : name, isLocal: isLocal, report)
        }
        guard let scalar = node.scalar, scalar.isString else { return }
        if let found = SecretShape.find(in: scalar.text) {
            note("\(found.name) in plain text", node, key, found.secret, report)
        } else if !isLocal, !ExpressionScan.mayHoldExpression(scalar.text[...]) {
            if let secret = secret(scalar.text, key) {
                note("the value of \"\(key)\" is in plain text", node, key, secret, report)
            } else if let password = SecretShape.passwordOfURL(in: scalar.text) {
                note("the password of the URL is in plain text", node, "password", password, report)
            }
        }
    }

    /// Returns the secret in a value whose key suggests one; nil if there is none.
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
        _ message: MessageText, _ node: YAMLNode, _ key: String, _ secret: String, _ report: (LintFinding) -> Void
    ) {
        let name = variableName(key)
        report(
            LintFinding(
                message: message, range: node.aliasRange ?? node.range,
                suggestion: "write ${env(\"\(name)\")}"
                    + (SecretNames.saysSo(name) ? "" : ", and add \"\(name)\" to \"secrets\""), secret: secret))
    }

    /// Returns the name of an environment variable for a key: `API_KEY` for `apiKey`.
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

/// Recognizes strings that are, or are likely to be, secrets.
package enum SecretShape {
    /// A kind of key that is recognized by its prefix.
    private struct Key {
        let beginning: [UInt8]
        /// The minimum number of letters, digits, `_`, and `-` after the prefix.
        let length: Int
        let name: String

        init(_ beginning: String, _ length: Int, _ name: String) {
            self.beginning = Array(beginning.utf8)
            self.length = length
            self.name = name
        }
    }

    private static let keys: [Key] = [
        Key("AKIA", 16, "an AWS access key"), Key("ASIA", 16, "an AWS access key"),
        Key("ghp_", 36, "a GitHub token"), Key("gho_", 36, "a GitHub token"), Key("ghu_", 36, "a GitHub token"),
        Key("ghs_", 36, "a GitHub token"), Key("ghr_", 36, "a GitHub token"),
        Key("github_pat_", 22, "a GitHub token"), Key("glpat-", 20, "a GitLab token"),
        Key("xoxb-", 20, "a Slack token"), Key("xoxp-", 20, "a Slack token"), Key("xoxa-", 20, "a Slack token"),
        Key("sk_live_", 16, "a Stripe key"), Key("rk_live_", 16, "a Stripe key"), Key("AIza", 35, "a Google API key"),
        Key("npm_", 36, "an npm token"), Key("SG.", 22, "a SendGrid key"),
    ]

    /// Words that occur in placeholders for secrets.
    private static let dummies: [String] = [
        "example", "sample", "test", "dummy", "fake", "mock", "demo", "placeholder", "change", "your", "secret",
        "s3cr", "password", "passw", "token", "wrong", "invalid", "expired", "unknown", "none", "null", "guest",
        "admin", "letmein", "sesame", "hunter2", "swordfish", "12345", "abcde", "qwert", "xxxx", "****", "....", "foo",
        "bar", "redacted", "hidden", "todo", "john", "alice", "correct horse", "wonderland", "value", "lorem",
    ]

    /// Suffixes of names whose values are secrets, in lowercase without `_` and `-`.
    private static let endings: [String] = [
        "password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "secretkey", "privatekey",
        "signingkey", "credential", "credentials", "bearer",
    ]
    /// Names with such a suffix whose values are not secret.
    private static let others: [String] = [
        "pagetoken", "nexttoken", "continuationtoken", "cursortoken", "csrftoken", "xsrftoken", "synctoken",
    ]

    /// Returns whether the value of a name is likely to be secret.
    package static func isSecretName(_ name: String) -> Bool {
        let plain = String(decoding: name.lowercased().utf8.filter { $0 != 0x5F && $0 != 0x2D }, as: UTF8.self)
        return endings.contains { plain.hasSuffix($0) } && !others.contains { plain.hasSuffix($0) }
    }

    /// Returns whether a string may be a secret and is not just a placeholder.
    package static func mayBeSecret(_ text: String) -> Bool {
        guard text.utf8.count >= 6, text.utf8.count <= 4_096 else { return false }
        if text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "/") && text.hasPrefix("/") }) {
            return false
        }
        return !isDummy(text)
    }

    /// Returns the kind and the text of a secret that is recognized by its format; nil if there is none.
    package static func find(in text: String) -> (name: String, secret: String)? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16 else { return nil }
        if contains("PRIVATE KEY-----", in: bytes), contains("-----BEGIN ", in: bytes) {
            return ("a private key", text)
        }
        for (index, byte) in bytes.enumerated() where index == 0 || !isKeyPart(bytes[index - 1]) {
            if byte == UInt8(ascii: "e"), let token = webToken(in: bytes, at: index) {
                return ("a JSON Web Token", token)
            }
            for key in keys where byte == key.beginning[0] && bytes[index...].starts(with: key.beginning) {
                let rest = bytes[(index + key.beginning.count)...].prefix(while: isKeyPart)
                let secret = String(decoding: bytes[index..<rest.endIndex], as: UTF8.self)
                if rest.count >= key.length, !isDummy(secret), !secret.uppercased().hasSuffix("EXAMPLE") {
                    return (key.name, secret)
                }
            }
        }
        return nil
    }

    /// Returns the password in the user information of a URL (RFC 3986, section 3.2.1); nil if there is none.
    package static func passwordOfURL(in text: String) -> String? {
        // Most URLs have none, and the search for a string is slow.
        guard text.utf8.contains(UInt8(ascii: "@")), let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != " " }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return nil
        }
        let password = String(authority[authority.index(after: colon)..<at])
        return password.isEmpty || password.contains("${") || isDummy(password) ? nil : password
    }

    private static func isDummy(_ text: String) -> Bool {
        let lower = text.lowercased()
        if Set(lower.utf8).count < 4 { return true }
        return dummies.contains { lower.contains($0) }
    }

    /// Returns the JSON Web Token (RFC 7519) that starts at a position; nil if there is none.
    private static func webToken(in bytes: [UInt8], at start: Int) -> String? {
        guard bytes[start...].starts(with: "eyJ".utf8) else { return nil }
        let token = bytes[start...].prefix { isKeyPart($0) || $0 == UInt8(ascii: ".") }
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count >= 12, parts[1].count >= 12, parts[2].count >= 16 else { return nil }
        let text = String(decoding: token, as: UTF8.self)
        // The well-known sample token in documentation: {"sub":"1234567890", …}.
        return text.contains("eyJzdWIiOiIxMjM0NTY3ODkwIi") ? nil : text
    }

    private static func isKeyPart(_ byte: UInt8) -> Bool {
        ExpressionScan.isNamePart(byte) || byte == UInt8(ascii: "-")
    }

    private static func contains(_ part: String, in bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(part)
    }
}
