import RegularExpressions

/// Patterns of ECMA-262 with the flag `u`; those that are correct but too large for the engine count as well.
enum RegexFormat {
    static func isPattern(_ text: String) -> Bool {
        do throws(RegularExpressionError) {
            _ = try RegularExpression(text, dialect: .ecmaScript)
            return true
        } catch {
            // The error has no other sign of that than its sentence; a test holds on to it.
            return error.message.contains("too large")
        }
    }
}
