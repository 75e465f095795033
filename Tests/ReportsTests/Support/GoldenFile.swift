import Glibc
import TestSupport
import Testing

/// A file under `Golden` with the expected bytes of a report of the rich run.
///
/// With `APITEST_UPDATE_EXPECTED=golden` in the environment, the files are updated instead. Review every line before
/// committing them.
enum GoldenFile {
    private static var isUpdating: Bool {
        guard let value = getenv("APITEST_UPDATE_EXPECTED") else { return false }
        return String(cString: value).split(separator: ",").contains("golden")
    }

    /// Expects that bytes equal those of a golden file.
    ///
    /// - Parameter name: The name of the file with its extension, such as `junit.xml`.
    static func expect(
        _ bytes: [UInt8], named name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let support = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "/\(support)/Golden/\(name)"
        if isUpdating {
            try TemporaryDirectory.write(bytes, to: path)
            return
        }
        let expected = try TemporaryDirectory.read(path)
        guard expected != bytes else { return }
        Issue.record("\(difference(expected, bytes, name))", sourceLocation: sourceLocation)
    }

    /// Returns the first different lines, with their numbers and the preceding line.
    private static func difference(_ expected: [UInt8], _ actual: [UInt8], _ name: String) -> String {
        let left = lines(expected)
        let right = lines(actual)
        var index = 0
        while index < left.count, index < right.count, left[index] == right[index] { index += 1 }
        var text = "\(name):\(index + 1) is not what the report is (\(left.count) lines, \(right.count) now)\n"
        if index > 0 { text += "      \(shown(left[index - 1]))\n" }
        for line in left[index...].prefix(3) { text += "    - \(shown(line))\n" }
        for line in right[index...].prefix(3) { text += "    + \(shown(line))\n" }
        return text + "    (APITEST_UPDATE_EXPECTED=golden writes it anew)"
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func shown(_ line: ArraySlice<UInt8>) -> String {
        let text = String(decoding: line.prefix(400), as: UTF8.self).debugDescription
        return line.count > 400 ? text + "…" : text
    }
}
