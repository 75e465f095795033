import FileSystem

/// The location of a suite, in the forms that readers of JUnit reports expect.
package struct SuiteLocation {
    /// The path with `/` separators, relative to the root or, if it is not below that, to the working directory.
    ///
    /// The path is absolute if it is below neither.
    package let file: String
    /// The class name of the suite: its path without the extension, with dots as separators.
    package let className: String
    /// The name before the file name in a stack trace: the directories as a package, followed by a class.
    private let traceName: String
    private let fileName: String

    private static let extensions = [".apitest.yaml", ".apitest.yml", ".yaml", ".yml"]

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - path: The path of the suite as given by the user.
    ///   - documentIndex: The index of the document in its file.
    ///   - workingDirectory: The absolute path of the working directory.
    ///   - root: The path of the directory to which ``file`` is relative, or `nil` for the working directory.
    package init(path: String, documentIndex: Int, workingDirectory: String, root: String? = nil) {
        var relative = path[...]
        if path.hasPrefix(workingDirectory + "/") { relative = relative.dropFirst(workingDirectory.count + 1) }
        let parts = Path.parts(of: relative)
        file =
            root.flatMap { Self.file(relative, below: $0, workingDirectory: workingDirectory) }
            ?? (relative.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        let directories = parts.dropLast()
        fileName = parts.last ?? ""

        var stem = fileName
        if let suffix = Self.extensions.first(where: { stem.hasSuffix($0) && stem.utf8.count > $0.utf8.count }) {
            stem.removeLast(suffix.count)
        }
        if documentIndex > 0 { stem += "_\(documentIndex + 1)" }
        className = (directories.filter { $0 != ".." } + [stem]).map(Self.identifier).joined(separator: ".")

        // dorny/test-reporter treats the components before the first uppercase letter as directories, in which it
        // searches for the file.
        let package = file.split(separator: "/").dropLast().map(String.init).reversed().prefix { part in
            (part.unicodeScalars.first?.value ?? 0) > 0x5A && !part.utf8.contains(UInt8(ascii: "."))
        }
        traceName = (package.reversed() + ["Suite"]).joined(separator: ".")
    }

    /// Returns the path of a file relative to a directory, or `nil` if it is not below that.
    private static func file(_ path: Substring, below root: String, workingDirectory: String) -> String? {
        func absolute(_ path: Substring) -> [String] {
            Path.parts(of: path.hasPrefix("/") ? path : workingDirectory + "/" + path)
        }
        let directory = absolute(root[...])
        let file = absolute(path)
        guard file.count > directory.count, file.starts(with: directory) else { return nil }
        return file.dropFirst(directory.count).joined(separator: "/")
    }

    /// Returns a stack trace line that leads to a line of the suite.
    package func trace(line: Int) -> String { "at \(traceName)(\(fileName):\(line))" }

    /// Returns a string without characters that would end a component of a class name.
    private static func identifier(_ text: String) -> String {
        var result = ""
        for character in text {
            let isPart = character.isLetter || character.isNumber || character == "_" || character == "-"
            result.append(isPart ? character : "_")
        }
        return result.isEmpty ? "_" : result
    }
}

/// The path of a suite within a project.
package enum ProjectPath {
    /// Returns a path relative to the project directory, with `.` and `..` resolved.
    ///
    /// - Parameters:
    ///   - path: The path as given by the user, absolute or relative to the working directory.
    ///   - workingDirectory: The absolute path of the working directory of the run.
    ///   - root: The absolute path of the project directory on this machine. If the run took place elsewhere, its
    ///     working directory is used instead.
    package static func file(_ path: String, workingDirectory: String, root: String) -> String {
        let isInside = !root.isEmpty && (workingDirectory == root || workingDirectory.hasPrefix(root + "/"))
        guard isInside else {
            return SuiteLocation(path: path, documentIndex: 0, workingDirectory: workingDirectory).file
        }
        let absolute = path.hasPrefix("/") ? path : workingDirectory + "/" + path
        return SuiteLocation(path: absolute, documentIndex: 0, workingDirectory: root).file
    }
}
