import Basics
package import Diagnostics
import FileSystem

/// Turns paths of the command line into the suite files they stand for.
package struct SuiteFinder {
    /// A suite file.
    package struct Found {
        /// The path as the user is shown it.
        package var path: String
        /// The absolute path.
        package var absolutePath: String
    }

    /// The endings by which a suite is recognized in a folder.
    package static let extensions = [".apitest.yaml", ".apitest.yml"]
    /// Folders are searched at most this deep.
    private static let maximumDepth = 64

    /// The folder against which relative paths resolve.
    let workingDirectory: String
    /// The endings of the files that are taken from folders.
    private let fileExtensions: [String]
    /// The suite files in order, each once.
    package private(set) var files: [Found] = []
    /// The problems.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The folders that were searched, absolute.
    package private(set) var folders: [String] = []
    private var seen: Set<String> = []
    /// The folders that were searched, and with which of the paths.
    private var searched: [String: Int] = [:]
    /// The number of folders that were added as paths.
    private var pathCount = 0

    /// Creates a finder that has found nothing yet.
    package init(workingDirectory: String, extensions: [String] = Self.extensions) {
        self.workingDirectory = workingDirectory
        fileExtensions = extensions
    }

    /// Adds what a path stands for.
    package mutating func add(_ path: String) {
        let absolutePath = Path.absolute(path, in: workingDirectory)
        switch File.kind(of: absolutePath) {
        case .file, .other: addFile(path, absolutePath)
        case .folder:
            var foundAny = false
            pathCount += 1
            search(path, absolutePath, depth: 0, foundAny: &foundAny)
            if !foundAny {
                diagnostics.append(
                    Diagnostic(
                        id: "no-suites", message: "there is no suite in the folder \"\(path)\"",
                        suggestion: "suites in a folder are named *.apitest.yaml or *.apitest.yml"))
            }
        case nil:
            let names = File.names(inFolder: Path.parent(of: absolutePath)) ?? []
            let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names)
            diagnostics.append(
                Diagnostic(
                    id: "missing-file", message: "there is no file or folder \"\(path)\"",
                    suggestion: nearest.map { "did you mean \"\($0)\"?" }))
        }
    }

    private mutating func addFile(_ path: String, _ absolutePath: String) {
        if seen.insert(File.realPath(absolutePath) ?? absolutePath).inserted {
            files.append(Found(path: path, absolutePath: absolutePath))
        }
    }

    private mutating func search(_ path: String, _ absolutePath: String, depth: Int, foundAny: inout Bool) {
        guard depth < Self.maximumDepth, let real = File.realPath(absolutePath) else { return }
        // A folder that is reached again, through a symbolic link or by another path, is searched once.
        if let other = searched[real] {
            // What another path found here, or missed, was taken or told with that path.
            if other != pathCount { foundAny = true }
            return
        }
        searched[real] = pathCount
        guard let names = File.names(inFolder: absolutePath) else { return }
        folders.append(absolutePath)
        for name in names where !name.hasPrefix(".") {
            let child = path == "." ? name : Path.absolute(name, in: path)
            let absoluteChild = Path.absolute(name, in: absolutePath)
            switch File.kind(of: absoluteChild) {
            case .folder: search(child, absoluteChild, depth: depth + 1, foundAny: &foundAny)
            case .file:
                guard fileExtensions.contains(where: name.hasSuffix) else { continue }
                foundAny = true
                addFile(child, absoluteChild)
            case .other, nil: continue
            }
        }
    }
}

/// Absolute paths as the user is shown them: from the working folder on.
struct ShownPath: Sendable {
    private let workingDirectories: [String]

    /// Creates what shows paths from the working folder of a load on.
    init(options: LoaderOptions) {
        let directory = Path.normalized(options.workingDirectory)
        workingDirectories = [directory, File.realPath(directory) ?? directory]
    }

    /// A path from the working folder on, unless they have nothing in common.
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
