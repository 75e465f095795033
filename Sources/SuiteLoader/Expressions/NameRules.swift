/// What names may look like: identifiers of CEL, and tokens of HTTP.
package enum NameRules {
    /// Why an identifier can name no variable.
    enum Taken {
        /// CEL reserves it (cel-spec, "Syntax").
        case reserved
        /// It is what a part of a response is called.
        case response
        /// It gives the exchanges of other steps or tests.
        case exchanges
        /// It is the port of what a suite serves.
        case port
    }

    /// What the parts of a response are called.
    package static let responseNames = ["status", "headers", "body", "text", "cookies", "duration", "response"]

    /// The identifiers that can name no variable.
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

    /// Whether a name is an identifier of CEL.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, first < UInt8(ascii: "0") || first > UInt8(ascii: "9") else { return false }
        return name.utf8.allSatisfy(ExpressionScan.isNamePart)
    }

    /// An identifier that is much like a name.
    static func identifier(like name: String) -> String {
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

    /// Whether a text is a token of HTTP (RFC 9110, section 5.6.2), as methods and names of headers are.
    static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a byte may stand in a token of HTTP (RFC 9110, section 5.6.2).
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

    /// Whether two names are equal without regard to ASCII case.
    static func areEqualIgnoringCase(_ left: String, _ right: String) -> Bool {
        let left = left.utf8
        let right = right.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { a, b in
            a == b || (a ^ b == 0x20 && (a | 0x20) >= 0x61 && (a | 0x20) <= 0x7A)
        }
    }
}

/// Which names variables and captures can have.
public enum VariableNames {
    /// Why a name can name no variable.
    public struct Problem: Error, Sendable, Hashable {
        /// What is wrong, as one sentence without a final full stop.
        public let message: String
        /// What to do about it, when that is known.
        public let suggestion: String?
    }

    /// Why a name can name no variable, or nil when it can.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - what: What it names, in words.
    public static func problem(of name: String, what: String = "a variable") -> Problem? {
        guard NameRules.isIdentifier(name) else {
            let other = NameRules.identifier(like: name)
            return Problem(
                message: "\"\(name)\" cannot be used as a name in expressions",
                suggestion: other.isEmpty ? "use letters, digits and \"_\"" : "write \"\(other)\"")
        }
        let reason: String
        switch NameRules.taken[name] {
        case nil: return nil
        case .reserved:
            return Problem(
                message: "\"\(name)\" is a word of the expression language and no name", suggestion: nil)
        case .response: reason = "is known after a response"
        case .exchanges: reason = "gives earlier exchanges"
        case .port: reason = "is the port of what \"serve\" starts"
        }
        return Problem(
            message: "\"\(name)\" \(reason) and cannot name \(what)", suggestion: "choose another name")
    }
}
