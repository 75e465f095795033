/// Suggests quoted notations for values that YAML misinterprets.
enum Quoting {
    /// Returns a string in double quotes, such as `"a: b"`, or in single quotes if that avoids escapes.
    static func quoted(_ text: String) -> String {
        if !text.utf8.contains(UInt8(ascii: "\"")), !text.utf8.contains(UInt8(ascii: "\\")) { return "\"\(text)\"" }
        var result = "'"
        for character in text {
            result += character == "'" ? "''" : String(character)
        }
        return result + "'"
    }
}
