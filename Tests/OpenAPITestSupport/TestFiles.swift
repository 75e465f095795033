import FoundationEssentials
import Testing

/// Files next to the tests.
package enum TestFiles {
    /// Returns the text of a file.
    ///
    /// - Parameter path: The path, relative to the directory of this target.
    package static func text(_ path: String, file: String = #filePath) throws -> String {
        String(decoding: try Data(contentsOf: url(path, file)), as: UTF8.self)
    }

    /// Compares a text with a file, which is updated if `APITEST_UPDATE_EXPECTED` is `golden`.
    package static func compare(_ text: String, with path: String, file: String = #filePath) throws {
        if ProcessInfo.processInfo.environment["APITEST_UPDATE_EXPECTED"] == "golden" {
            try Data(text.utf8).write(to: url(path, file))
        }
        let expected = try Self.text(path, file: file).split(separator: "\n", omittingEmptySubsequences: false)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == expected.count, "\(path)")
        for (number, (line, other)) in zip(lines, expected).enumerated() where line != other {
            Issue.record("\(path):\(number + 1): expected \"\(other)\", got \"\(line)\"")
            return
        }
    }

    private static func url(_ path: String, _ file: String) -> URL {
        let directory = file.split(separator: "/").dropLast(2).joined(separator: "/")
        return URL(filePath: "/\(directory)/\(path)")
    }
}
