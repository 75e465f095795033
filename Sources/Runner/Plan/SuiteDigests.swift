import Diagnostics
import Digests
import SuiteModel

/// What says whether suites are the same as in another run: a digest of each one's files.
struct SuiteDigests {
    private let files: FileAccess
    /// The folder to which paths of files of rows are relative.
    private let workingFolder: String
    /// Digests of files that several suites may share, by path.
    private var known: [String: [UInt8]] = [:]

    /// Creates digests of suites whose files are read in this way.
    ///
    /// - Parameter workingFolder: The absolute path of the folder to which paths of files of rows are relative.
    init(files: FileAccess, workingFolder: String) {
        self.files = files
        self.workingFolder = workingFolder
    }

    /// The digest of a suite: 32 hexadecimal digits.
    ///
    /// It covers the suite's file and which document of it the suite is, the files of fragments that it uses, and the files
    /// of its tests' rows.
    mutating func digest(of suite: Suite) -> String {
        var hash = SHA256()
        hash.update(suite.file.text)
        hash.update(Array("\n\(suite.documentIndex)\n".utf8))
        var paths = Set(suite.fragmentFiles)
        for test in suite.tests {
            for source in test.data?.sources ?? [] {
                switch source {
                case .file(let file):
                    paths.insert(file.path)
                case .table(let table):
                    // The rows of a table stand in one file.
                    if let range = table.ranges.first, range.file !== suite.file { paths.insert(range.file.name) }
                case .repetition:
                    break
                }
            }
        }
        // Sorted, and by what is in them alone: where a checkout is does not change a suite.
        for digest in paths.map({ digest(ofFile: $0, folder: suite.folder) }).sorted(by: Self.isBefore) {
            hash.update(digest)
        }
        return Self.hexadecimal(hash.finalize().prefix(16))
    }

    private mutating func digest(ofFile path: String, folder: String) -> [UInt8] {
        if let digest = known[path] { return digest }
        // Paths of rows are those that the user is shown; for a plan that was made elsewhere they may be the suite's.
        let digest = contents(ofFile: path, folder: workingFolder) ?? contents(ofFile: path, folder: folder) ?? []
        known[path] = digest
        return digest
    }

    /// The digest of what is in a file, or nil when it cannot be read.
    private func contents(ofFile path: String, folder: String) -> [UInt8]? {
        var hash = SHA256()
        do throws(FileAccess.Failure) {
            try files.readPieces(path, relativeTo: folder) { hash.update($0) }
        } catch {
            return nil
        }
        return hash.finalize()
    }

    private static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
