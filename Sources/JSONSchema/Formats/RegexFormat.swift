import RegularExpressions

/// Patterns of ECMA-262 with the flag `u`; those that are correct but that the engine cannot run count as well.
enum RegexFormat {
    /// How many parts that the engine refuses are looked at; with more, the rest of a pattern is taken as correct.
    private static let largestCount = 50

    static func isPattern(_ text: String) -> Bool {
        var scalars = Array(text.unicodeScalars)
        var numbers: [Int] = []
        var names: [String] = []
        for _ in 0..<largestCount {
            do throws(RegularExpressionError) {
                var pattern = String.UnicodeScalarView()
                pattern.append(contentsOf: scalars)
                let expression = try RegularExpression(String(pattern), dialect: .ecmaScript)
                return numbers.allSatisfy { $0 <= expression.groupCount }
                    && names.allSatisfy { expression.groupNames.contains($0) }
            } catch {
                // The error has no other sign of that than its sentence; a test holds on to it.
                if error.message.contains("too large") { return true }
                guard scalars.indices.contains(error.offset) else { return false }
                let rest = scalars[error.offset...]
                if let length = lookaroundLength(rest) {
                    scalars.replaceSubrange(error.offset..<(error.offset + length), with: "(?:".unicodeScalars)
                } else if let (length, number) = numberedReference(rest) {
                    numbers.append(number)
                    scalars.replaceSubrange(error.offset..<(error.offset + length), with: "(?:)".unicodeScalars)
                } else if let (length, name) = namedReference(rest) {
                    names.append(name)
                    scalars.replaceSubrange(error.offset..<(error.offset + length), with: "(?:)".unicodeScalars)
                } else {
                    return false
                }
            }
        }
        return true
    }

    /// How long the start of a lookahead or lookbehind is; nil for anything else.
    private static func lookaroundLength(_ text: ArraySlice<Unicode.Scalar>) -> Int? {
        for start in ["(?=", "(?!", "(?<=", "(?<!"] where text.starts(with: start.unicodeScalars) {
            return start.unicodeScalars.count
        }
        return nil
    }

    /// `\1`
    private static func numberedReference(_ text: ArraySlice<Unicode.Scalar>) -> (length: Int, number: Int)? {
        guard text.first == "\\" else { return nil }
        // More digits than these number no group.
        let digits = text.dropFirst().prefix(10).prefix { ("0"..."9").contains($0) }
        guard let first = digits.first, first != "0" else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
        return (digits.count + 1, number)
    }

    /// `\k<name>`
    private static func namedReference(_ text: ArraySlice<Unicode.Scalar>) -> (length: Int, name: String)? {
        guard text.starts(with: "\\k<".unicodeScalars), let end = text.firstIndex(of: ">") else { return nil }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: text[(text.startIndex + 3)..<end])
        return (end - text.startIndex + 1, String(name))
    }
}
