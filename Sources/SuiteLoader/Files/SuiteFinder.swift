import Basics
package import Diagnostics
import FileSystem

/// Finds the suite files for paths on the command line.
package struct SuiteFinder {
    /// A suite file.
    package struct Found {
        /// The path of the file, for messages.
        package var path: String
        /// The absolute path.
        package var absolutePath: String
        /// Whether the file was found in a directory, and not passed itself.
        package var isInDirectory = false
    }

    /// The file name suffixes of suites in a directory.
    package static let extensions = [".apitest.yaml", ".apitest.yml"]
    /// The maximum depth of the directory search.
    private static let maximumDepth = 64

    /// The directory that relative paths resolve against.
    let workingDirectory: String
    /// The file name suffixes of files to find in directories.
    private let fileExtensions: [String]
    /// The suite files in order, without duplicates.
    package private(set) var files: [Found] = []
    /// The diagnostics of the search.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The absolute paths of the directories that were searched.
    package private(set) var directories: [String] = []
    private var seen: Set<String> = []
    /// The directories that were searched, with the number of the path that led to them.
    private var searched: [String: Int] = [:]
    /// The number of directories that were added as paths.
    private var pathCount = 0

    /// Creates a finder without files.
    package init(workingDirectory: String, extensions: [String] = Self.extensions) {
        self.workingDirectory = workingDirectory
        fileExtensions = extensions
    }

    /// Adds the suite files of a path.
    package mutating func add(_ path: String) {
        let absolutePath = Path.absolute(path, in: workingDirectory)
        switch File.kind(of: absolutePath) {
        case .file, .other: addFile(path, absolutePath)
        case .directory:
            var foundAny = false
            pathCount += 1
            search(path, absolutePath, depth: 0, foundAny: &foundAny)
            if !foundAny {
                diagnostics.append(
                    Diagnostic(
                        id: "no-suites", message: "no suites in the directory \"\(path)\"",
                        suggestion: "suites in a directory must be named *.apitest.yaml or *.apitest.yml"))
            }
        case nil:
            let names = File.names(inDirectory: Path.parent(of: absolutePath)) ?? []
            let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names)
            diagnostics.append(
                Diagnostic(
                    id: "missing-file", message: "\"\(path)\" does not exist",
                    suggestion: nearest.map { "did you mean \"\($0)\"?" }))
        }
    }

    private mutating func addFile(_ path: String, _ absolutePath: String, isInDirectory: Bool = false) {
        if seen.insert(File.realPath(absolutePath) ?? absolutePath).inserted {
            files.append(Found(path: path, absolutePath: absolutePath, isInDirectory: isInDirectory))
        }
    }

    /// Searches a directory and its subdirectories for suite files.
    private mutating func search(_ path: String, _ absolutePath: String, depth: Int, foundAny: inout Bool) {
        guard depth < Self.maximumDepth, let real = File.realPath(absolutePath) else { return }
        // A directory that is reached again, through a symbolic link or another path, is searched only once.
        if let other = searched[real] {
            // Files or errors in this directory were already reported for the other path.
            if other != pathCount { foundAny = true }
            return
        }
        searched[real] = pathCount
        guard let names = File.names(inDirectory: absolutePath) else { return }
        directories.append(absolutePath)
        for name in names where !name.hasPrefix(".") {
            let child = path == "." ? name : Path.absolute(name, in: path)
            let absoluteChild = Path.absolute(name, in: absolutePath)
            switch File.kind(of: absoluteChild) {
            case .directory: search(child, absoluteChild, depth: depth + 1, foundAny: &foundAny)
            case .file:
                guard fileExtensions.contains(where: name.hasSuffix) else { continue }
                foundAny = true
                addFile(child, absoluteChild, isInDirectory: true)
            case .other, nil: continue
            }
        }
    }
}

/// Converts absolute paths to paths relative to the working directory, for messages.
struct ShownPath: Sendable {
    private let workingDirectories: [String]

    /// Creates a converter for the working directory of a load.
    init(options: LoaderOptions) {
        let directory = Path.normalized(options.workingDirectory)
        workingDirectories = [directory, File.realPath(directory) ?? directory]
    }

    /// Returns a path relative to the working directory, unless they have no common directory.
    func name(of path: String) -> String {
        let parts = path.split(separator: "/")
        var best = path
        for directory in workingDirectories {
            let base = directory.split(separator: "/")
            let common = zip(base, parts).prefix { $0 == $1 }.count
            guard common > 0 else { continue }
            let steps = Array(repeating: "..", count: base.count - common)
            let relative = (steps + parts[common...].map(String.init)).joined(separator: "/")
            if relative.utf8.count < best.utf8.count { best = relative }
        }
        return best
    }
}
