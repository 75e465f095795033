import Basics
import FileSystem

/// Checks the files that a suite references: they must be inside the file root, also after resolving symbolic links.
struct ProjectFiles {
    /// A reason why a path cannot be used.
    struct Problem {
        /// The id of the diagnostic.
        let id: String
        let message: MessageText
        var suggestion: MessageText?

        fileprivate init(_ id: String, _ message: MessageText, suggestion: MessageText? = nil) {
            self.id = id
            self.message = message
            self.suggestion = suggestion
        }
    }

    private let namedRoot: String
    /// The absolute path of the directory that relative paths resolve against.
    var directory: String
    /// The root with symbolic links resolved.
    private lazy var root = File.realPath(namedRoot) ?? namedRoot
    /// The files that have passed the checks.
    private var checked: Set<String> = []

    /// Creates the checks.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the directory that must contain all files.
    ///   - directory: The absolute path of the directory that relative paths resolve against.
    init(root: String, directory: String) {
        namedRoot = root
        self.directory = directory
    }

    /// Returns the absolute path of a file to read, and the reason if it cannot be read.
    mutating func existingFile(_ path: String) -> (path: String, problem: Problem?) {
        let absolute = Path.absolute(path, in: directory)
        if checked.contains(absolute) { return (absolute, nil) }
        let problem = problem(ofReading: absolute, shown: path)
        if problem == nil { checked.insert(absolute) }
        return (absolute, problem)
    }

    /// Returns the reason why a file cannot be read; `path` is its name in messages.
    mutating func problem(ofReading absolute: String, shown path: String) -> Problem? {
        guard let real = File.realPath(absolute) else {
            if let problem = problem(ofReaching: absolute, path: path) { return problem }
            let names = File.names(inDirectory: Path.parent(of: absolute)) ?? []
            let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names)
            return Problem(
                "missing-file", "\"\(path)\" does not exist", suggestion: nearest.map { "did you mean \"\($0)\"?" })
        }
        if let problem = problem(ofReaching: real, path: path) { return problem }
        switch File.kind(of: real) {
        case .directory: return Problem("missing-file", "\"\(path)\" is a directory, not a file")
        // Reading a pipe would block until another process writes to it.
        case .other: return Problem("unreadable-file", "\"\(path)\" is not a regular file")
        case .file, nil: break
        }
        return File.failure(ofReading: real).map {
            Problem("unreadable-file", "the file \"\(path)\" cannot be read: \($0.reason)")
        }
    }

    /// Returns the absolute path of a directory, and the reason if it cannot be used.
    mutating func existingDirectory(_ path: String) -> (path: String, problem: Problem?) {
        let absolute = Path.absolute(path, in: directory)
        let real = File.realPath(absolute)
        if let problem = problem(ofReaching: real ?? absolute, path: path) { return (absolute, problem) }
        return switch real.flatMap(File.kind) {
        case .directory: (absolute, nil)
        case nil: (absolute, Problem("missing-file", "the directory \"\(path)\" does not exist"))
        case .file, .other: (absolute, Problem("missing-file", "\"\(path)\" is not a directory"))
        }
    }

    /// Returns the absolute path of a file to write, and the reason if it cannot be written.
    mutating func writableFile(_ path: String) -> (path: String, problem: Problem?) {
        let absolute = Path.normalized(Path.absolute(path, in: directory))
        return (absolute, problem(ofWriting: absolute, path))
    }

    private mutating func problem(ofWriting absolute: String, _ path: String) -> Problem? {
        guard let parent = File.realPath(Path.parent(of: absolute)) else {
            return problem(ofReaching: absolute, path: path)
                ?? Problem("missing-file", "the directory of the file \"\(path)\" does not exist")
        }
        if let problem = problem(ofReaching: parent, path: path) { return problem }
        // Writing follows an existing symbolic link.
        guard let target = File.realPath(absolute) else {
            return File.isLink(absolute)
                ? Problem("missing-file", "\"\(path)\" is a symbolic link to a file that does not exist") : nil
        }
        if let problem = problem(ofReaching: target, path: path) { return problem }
        return File.kind(of: target) == .file ? nil : Problem("unreadable-file", "\"\(path)\" is not a regular file")
    }

    /// Returns the reason why an absolute path cannot be used, if it is outside of the root.
    mutating func problem(ofReaching absolute: String, path: String) -> Problem? {
        let normalized = Path.normalized(absolute)
        if Path.isInside(normalized, root) || Path.isInside(normalized, namedRoot) { return nil }
        return Problem(
            "file-outside-root", "\"\(path)\" is outside the project directory",
            suggestion: "move the file, or set a wider directory with --file-root")
    }
}
