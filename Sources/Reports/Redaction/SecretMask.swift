public import Diagnostics

/// Masks secrets in what is written beside the events of a run: diagnostics, lists, plans, logs.
public struct SecretMask: Sendable {
    private var redactor = SecretRedactor()

    /// Creates a mask for some secrets.
    public init(_ secrets: [String] = []) {
        for secret in secrets { redactor.learn(secret) }
    }

    init(_ redactor: SecretRedactor) {
        self.redactor = redactor
    }

    /// Whether there is no secret.
    public var isEmpty: Bool { redactor.isEmpty }

    /// A text with its secrets masked.
    public func masked(_ text: String) -> String {
        redactor.redacted(text) ?? text
    }

    /// Bytes with their secrets masked, or nil when they have none.
    public func masked(_ bytes: [UInt8]) -> [UInt8]? {
        redactor.redacted(bytes)
    }

    /// Diagnostics with the secrets masked in their words and in the lines that they show; columns stay true.
    public func masked(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.map { redactor.redacted($0) }
    }
}
