import Basics
import Diagnostics
import Digests
import SuiteModel

/// Digests of suites' files that show whether a suite has changed since another run.
struct SuiteDigests {
    private let files: FileAccess
    /// The directory that paths of row files are relative to.
    private let workingDirectory: String
    /// The digests of files that several suites may share, by path.
    private var known: [String: [UInt8]] = [:]

    /// Creates digests of suites.
    ///
    /// - Parameters:
    ///   - files: The access to the files of the suites.
    ///   - workingDirectory: The absolute path of the directory that paths of row files are relative to.
    init(files: FileAccess, workingDirectory: String) {
        self.files = files
        self.workingDirectory = workingDirectory
    }

    /// Returns the digest of a suite as 32 hexadecimal digits.
    ///
    /// It covers the suite's file, the index of the suite's document, the settings and fragment files that it uses,
    /// the files of its tests' rows, and the values of generated rows.
    mutating func digest(of suite: Suite) -> String {
        var hash = SHA256()
        hash.update(suite.file.text)
        hash.update(Array("\n\(suite.documentIndex)\n".utf8))
        var paths = Set(suite.fragmentFiles + suite.settingsFiles)
        for test in suite.tests {
            for source in test.data?.sources ?? [] {
                switch source {
                case .file(let file):
                    paths.insert(file.path)
                case .table(let table):
                    // All rows of a table are in the same file.
                    if let range = table.ranges.first, range.file !== suite.file { paths.insert(range.file.name) }
                    // The schemas may be in any number of files, so the values represent them.
                    if table.isGenerated { Self.add(table, to: &hash) }
                case .repetition:
                    break
                }
            }
        }
        // Only the contents are hashed, in sorted order: the location of a checkout must not change the digest.
        for digest in paths.map({ digest(ofFile: $0, directory: suite.directory) }).sorted(by: Self.isBefore) {
            hash.update(digest)
        }
        return Hexadecimal.encode(hash.finalize().prefix(16))
    }

    /// Adds the values of generated rows.
    private static func add(_ table: RowTable, to hash: inout SHA256) {
        for row in table.rows {
            for case .constant(let value) in row { hash.update(Array("\(value)\n".utf8)) }
        }
    }

    private mutating func digest(ofFile path: String, directory: String) -> [UInt8] {
        if let digest = known[path] { return digest }
        // Row paths are relative to the working directory as displayed, but to the suite's directory if the plan was
        // created elsewhere.
        let digest =
            contents(ofFile: path, directory: workingDirectory) ?? contents(ofFile: path, directory: directory) ?? []
        known[path] = digest
        return digest
    }

    /// Returns the digest of a file's contents, or nil if it cannot be read.
    private func contents(ofFile path: String, directory: String) -> [UInt8]? {
        var hash = SHA256()
        do throws(FileAccess.Failure) {
            try files.readPieces(path, relativeTo: directory) { hash.update($0) }
        } catch {
            return nil
        }
        return hash.finalize()
    }

    private static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}
