/// Words of a POSIX shell command.
enum ShellWord {
    private static let plain = ByteClass.Set(alphanumericAnd: "-_./:@%+,=")

    /// A word that a shell reads as exactly this text, which has no NUL.
    ///
    /// Apostrophes keep everything but an apostrophe, line breaks too (POSIX.1, section 2.2.2).
    static func quoted(_ text: String) -> String {
        let set = plain
        if !text.isEmpty, text.utf8.allSatisfy({ set.contains($0) }) { return text }
        var word = "'"
        // An apostrophe may be a part of a character, with what combines with it: a shell reads bytes.
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}
