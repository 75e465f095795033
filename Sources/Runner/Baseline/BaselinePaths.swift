import FileSystem
import SuiteModel

/// Paths of suites in baselines: relative to the file's folder where they are written, absolute where they are compared.
enum BaselinePaths {
    /// The absolute path of a suite's file.
    static func path(of suite: Suite) -> String { absolute(Path.lastComponent(of: suite.path), folder: suite.folder) }

    /// The absolute path of what a baseline names.
    static func absolute(_ path: String, folder: String) -> String {
        Path.normalized(Path.absolute(path, in: Path.real(folder) ?? folder))
    }

    /// An absolute path as a baseline in a folder names it.
    static func relative(_ path: String, folder: String) -> String {
        Path.relative(path, to: Path.real(folder) ?? folder)
    }
}

extension BaselineFile {
    /// The file with the absolute paths of its suites.
    ///
    /// - Parameter folder: The folder that the file is in, absolute.
    public func resolved(in folder: String) -> BaselineFile {
        var result = self
        for index in result.entries.indices {
            result.entries[index].key.suite = BaselinePaths.absolute(entries[index].key.suite, folder: folder)
        }
        return result
    }

    /// The file with paths relative to a folder, absolute.
    public func relative(to folder: String) -> BaselineFile {
        var result = self
        for index in result.entries.indices {
            result.entries[index].key.suite = BaselinePaths.relative(entries[index].key.suite, folder: folder)
        }
        return result
    }
}
