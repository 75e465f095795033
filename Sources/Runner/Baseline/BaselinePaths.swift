import Glibc
import SuiteModel

/// Paths of suites in baselines: relative to the file's folder where they are written, absolute where they are compared.
enum BaselinePaths {
    /// The absolute path of a suite's file.
    static func path(of suite: Suite) -> String {
        let name = suite.path.split(separator: "/").last.map(String.init) ?? suite.path
        return absolute(name, folder: suite.folder)
    }

    /// The absolute path of what a baseline names.
    static func absolute(_ path: String, folder: String) -> String {
        var parts = path.hasPrefix("/") ? [] : parts(of: folder)
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// An absolute path as a baseline in a folder names it.
    static func relative(_ path: String, folder: String) -> String {
        let from = parts(of: folder)
        let to = path.split(separator: "/").map(String.init)
        var common = 0
        while common < from.count, common < to.count, from[common] == to[common] { common += 1 }
        return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(separator: "/")
    }

    private static func parts(of folder: String) -> [String] {
        (realPath(folder) ?? folder).split(separator: "/").map(String.init)
    }

    private static func realPath(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
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
