import Basics
public import Diagnostics
public import JSON

extension Diagnostic {
    /// Returns the error of a file that is not JSON, with its location and a hint for the correction if one is known.
    ///
    /// - Parameters:
    ///   - error: The error of the parser.
    ///   - file: The file.
    ///   - what: The name of the file in the message, as in `the schema is not JSON`.
    ///   - start: The offset of the text that was parsed in the file, in bytes.
    public static func invalidJSON(
        _ error: JSONParseError, in file: SourceFile, as what: String = "file", from start: Int = 0
    ) -> Diagnostic {
        let offset = min(error.byteOffset + start, file.text.count)
        return Diagnostic(
            id: "invalid-json", message: "the \(what) is not JSON: \(error.wording)",
            range: SourceRange(file: file, bytes: offset..<min(file.text.count, offset + 1)), suggestion: error.hint)
    }
}
