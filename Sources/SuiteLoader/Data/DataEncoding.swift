/// Byte order marks of files of rows.
enum DataEncoding {
    /// Where the text begins: behind a byte order mark of UTF-8. Other encodings are a problem.
    static func start(of bytes: [UInt8], problems: inout DataProblems) -> Int {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            problems.add(
                "invalid-encoding", "the file is written in UTF-16", 0..<0, line: 1, suggestion: "save it as UTF-8")
        }
        return 0
    }
}
