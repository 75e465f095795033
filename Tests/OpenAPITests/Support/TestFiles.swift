import FoundationEssentials

/// Files beside the tests.
enum TestFiles {
    /// The text of a file.
    ///
    /// - Parameter path: The path from this target's folder.
    static func text(_ path: String, file: String = #filePath) throws -> String {
        let folder = file.split(separator: "/").dropLast(2).joined(separator: "/")
        let data = try Data(contentsOf: URL(filePath: "/\(folder)/\(path)"))
        return String(decoding: data, as: UTF8.self)
    }
}
