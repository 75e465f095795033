/// Where a suite is, in the forms that readers of JUnit reports want.
package struct SuitePlace {
    /// The path relative to the root where it is below that, otherwise to the working folder, with `/`; absolute when it
    /// is below neither.
    package let file: String
    /// The suite's class: the path with dots, without the extension.
    package let className: String
    /// What stands before the file's name in a stack trace: the folders as a package, then a class.
    private let traceName: String
    private let fileName: String

    private static let extensions = [".apitest.yaml", ".apitest.yml", ".yaml", ".yml"]

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - path: The suite's path as it was given.
    ///   - documentIndex: The index of the document in its file.
    ///   - workingFolder: The absolute path of the working folder.
    ///   - root: The path of the folder to which ``file`` is relative; nil for the working folder.
    package init(path: String, documentIndex: Int, workingFolder: String, root: String? = nil) {
        var relative = path[...]
        if path.hasPrefix(workingFolder + "/") { relative = relative.dropFirst(workingFolder.count + 1) }
        let parts = Self.parts(of: relative)
        file =
            root.flatMap { Self.file(relative, below: $0, workingFolder: workingFolder) }
            ?? (relative.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        let folders = parts.dropLast()
        fileName = parts.last ?? ""

        var stem = fileName
        if let suffix = Self.extensions.first(where: { stem.hasSuffix($0) && stem.utf8.count > $0.utf8.count }) {
            stem.removeLast(suffix.count)
        }
        if documentIndex > 0 { stem += "_\(documentIndex + 1)" }
        className = (folders.filter { $0 != ".." } + [stem]).map(Self.identifier).joined(separator: ".")

        // dorny/test-reporter takes the parts before the first capital as folders, and looks for a file in these.
        let package = file.split(separator: "/").dropLast().map(String.init).reversed().prefix { part in
            (part.unicodeScalars.first?.value ?? 0) > 0x5A && !part.utf8.contains(UInt8(ascii: "."))
        }
        traceName = (package.reversed() + ["Suite"]).joined(separator: ".")
    }

    /// The parts of a path, those that lead back taken out.
    private static func parts(of path: Substring) -> [String] {
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

    /// The path of a file relative to a folder; nil when it is not below that.
    private static func file(_ path: Substring, below root: String, workingFolder: String) -> String? {
        func absolute(_ path: Substring) -> [String] {
            parts(of: path.hasPrefix("/") ? path : workingFolder + "/" + path)
        }
        let folder = absolute(root[...])
        let file = absolute(path)
        guard file.count > folder.count, file.starts(with: folder) else { return nil }
        return file.dropFirst(folder.count).joined(separator: "/")
    }

    /// A line of a stack trace that leads to a line of the suite.
    package func trace(line: Int) -> String { "at \(traceName)(\(fileName):\(line))" }

    /// A text without what would end a part of a class's name.
    private static func identifier(_ text: String) -> String {
        var result = ""
        for character in text {
            let isPart = character.isLetter || character.isNumber || character == "_" || character == "-"
            result.append(isPart ? character : "_")
        }
        return result.isEmpty ? "_" : result
    }
}

/// The path of a suite as a project's pages know it.
package enum ProjectPath {
    /// A path relative to the project's folder, without `.` and `..` in it.
    ///
    /// - Parameters:
    ///   - path: The path as it was given, relative to the working folder or absolute.
    ///   - workingFolder: The absolute path of the working folder of the run.
    ///   - root: The absolute path of the project's folder here; the run may have been made elsewhere, and then its
    ///     working folder stands for it.
    package static func file(_ path: String, workingFolder: String, root: String) -> String {
        let isInside = !root.isEmpty && (workingFolder == root || workingFolder.hasPrefix(root + "/"))
        guard isInside else {
            return SuitePlace(path: path, documentIndex: 0, workingFolder: workingFolder).file
        }
        let absolute = path.hasPrefix("/") ? path : workingFolder + "/" + path
        return SuitePlace(path: absolute, documentIndex: 0, workingFolder: root).file
    }
}
