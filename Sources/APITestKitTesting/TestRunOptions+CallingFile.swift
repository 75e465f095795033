#if canImport(Testing)
public import APITestKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TestRunOptions {
    /// Creates options in which paths resolve against the folder of a source file, and suites may name files in its package.
    ///
    /// - Parameter callingFile: The path of the source file.
    public init(callingFile: String = #filePath) {
        let folder = Self.parent(of: callingFile)
        var root = folder
        while access(root + "/Package.swift", F_OK) != 0, root.count > 1 { root = Self.parent(of: root) }
        self.init(folder: folder, fileRoot: root.count > 1 ? root : folder)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
#endif
