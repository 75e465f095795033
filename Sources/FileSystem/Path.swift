#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Operations on file paths separated by `/`.
package enum Path {
    /// The absolute working directory; `/` if it cannot be determined.
    package static var workingDirectory: String {
        guard let pointer = getcwd(nil, 0) else { return "/" }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Returns a path with symbolic links and `..` resolved; nil with `errno` set if it does not exist.
    package static func real(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Returns whether an absolute path is a directory or inside it.
    ///
    /// To enforce that suites access nothing outside of the project, both must be real paths (``real(_:)``).
    package static func isInside(_ path: String, _ directory: String) -> Bool {
        if path == directory || directory == "/" { return true }
        return path.utf8.starts(with: (directory.hasSuffix("/") ? directory : directory + "/").utf8)
    }

    /// Returns a path made absolute relative to a directory, without resolving anything.
    package static func absolute(_ path: String, in directory: String) -> String {
        if path.hasPrefix("/") { return path }
        return directory.hasSuffix("/") ? directory + path : directory + "/" + path
    }

    /// Returns the parent directory of a path; `.` for a path without `/`.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last component of a path.
    package static func lastComponent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// Returns a path without `.`, `..` and repeated slashes, as far as possible without accessing the file system.
    package static func normalized(_ path: String) -> String {
        let parts = parts(of: path)
        // The parent of the root is the root itself.
        return path.hasPrefix("/")
            ? "/" + parts.drop { $0 == ".." }.joined(separator: "/") : parts.joined(separator: "/")
    }

    /// Returns the components of a path with `.` and `..` resolved. Only leading components can still be `..`.
    package static func parts(of path: some StringProtocol) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(String(part))
            }
        }
        return parts
    }

    /// Returns an absolute path relative to an absolute directory, with `..` if it is outside of the directory.
    package static func relative(_ path: String, to directory: String) -> String {
        let from = directory.split(separator: "/")
        let to = path.split(separator: "/")
        let common = zip(from, to).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(separator: "/")
    }
}
