import Basics
import Diagnostics
import JSON

extension ImportContext {
    /// Returns the JSON value of a source; nil after reporting that it is not JSON.
    ///
    /// Some tools write a byte order mark, which is skipped.
    mutating func json(of file: SourceFile, maximumDepth: Int) -> JSONValue? {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let mark = file.text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        var parser = JSONParser()
        parser.limits.maximumDepth = maximumDepth
        do throws(JSONParseError) {
            return try parser.parse(Array(file.text[mark...]))
        } catch {
            let offset = min(error.byteOffset + mark, file.text.count)
            report(
                "invalid-json", "the file is not JSON: \(error.wording)",
                SourceRange(file: file, bytes: offset..<min(offset + 1, file.text.count)), suggestion: error.hint)
            return nil
        }
    }
}
