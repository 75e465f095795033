public import Basics

/// The rules for names: CEL identifiers and HTTP tokens.
package enum NameRules {
    /// The reason why an identifier cannot be the name of a variable.
    enum Taken {
        /// CEL reserves the identifier (cel-spec, "Syntax").
        case reserved
        /// The identifier denotes a part of a response.
        case response
        /// The identifier provides the exchanges of other steps or tests.
        case exchanges
        /// The identifier is the port of the server that a suite starts.
        case port
    }

    /// The names of the parts of a response.
    package static let responseNames = ["status", "headers", "body", "text", "cookies", "duration", "response"]

    /// The identifiers that cannot be the name of a variable.
    static let taken: [String: Taken] = {
        var taken: [String: Taken] = ["steps": .exchanges, "tests": .exchanges, "port": .port]
        for name in responseNames { taken[name] = .response }
        for name in [
            "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
            "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
        ] {
            taken[name] = .reserved
        }
        return taken
    }()

    /// Returns whether a name is a CEL identifier.
    package static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, first < UInt8(ascii: "0") || first > UInt8(ascii: "9") else { return false }
        return name.utf8.allSatisfy(ExpressionScan.isNamePart)
    }

    /// Returns an identifier that resembles a name; empty if there is none.
    package static func identifier(like name: String) -> String {
        var result = ""
        for byte in name.utf8 where byte < 0x80 {
            if ExpressionScan.isNamePart(byte) {
                if result.isEmpty, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { result = "_" }
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !result.isEmpty, !result.hasSuffix("_") {
                result += "_"
            }
        }
        return result == "_" ? "" : result
    }

    /// Returns whether a text is an HTTP token (RFC 9110, section 5.6.2), like a method or a header name.
    package static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Returns whether a byte is valid in an HTTP token (RFC 9110, section 5.6.2).
    @inline(__always)
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: ExpressionScan.isNamePart(byte)
        }
    }

    /// Returns whether two names are equal, ignoring ASCII case.
    static func areEqualIgnoringCase(_ left: String, _ right: String) -> Bool {
        let left = left.utf8
        let right = right.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { a, b in
            a == b || (a ^ b == 0x20 && (a | 0x20) >= 0x61 && (a | 0x20) <= 0x7A)
        }
    }
}

/// The rules for names of variables and captures.
public enum VariableNames {
    /// An error that reports an invalid variable name.
    public struct Problem: Error, Sendable, Hashable {
        /// The description of the error: one sentence without a final period.
        public let message: MessageText
        /// A suggested fix, if there is one.
        public let suggestion: MessageText?
    }

    /// Returns the reason why a name cannot be the name of a variable; nil if it can.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - what: A description of the named thing, for messages.
    public static func problem(of name: String, what: String = "a variable") -> Problem? {
        guard NameRules.isIdentifier(name) else {
            let other = NameRules.identifier(like: name)
            return Problem(
                message: "\"\(name)\" is not a valid name in expressions",
                suggestion: other.isEmpty ? "use letters, digits and \"_\"" : "write \"\(other)\"")
        }
        let reason: String
        switch NameRules.taken[name] {
        case nil: return nil
        case .reserved:
            return Problem(
                message: "\"\(name)\" is a reserved word of the expression language", suggestion: nil)
        case .response: reason = "is set by a response"
        case .exchanges: reason = "refers to earlier exchanges"
        case .port: reason = "is the port of the server that \"serve\" starts"
        }
        return Problem(
            message: "\"\(name)\" \(reason) and cannot name \(what)", suggestion: "choose another name")
    }
}
