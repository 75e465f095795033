import Basics
import Diagnostics
import JSON
import YAML

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
            report([.invalidJSON(error, in: file, from: mark)])
            return nil
        }
    }
}
