import FileSystem

/// Absolute paths as the user is shown them: from the working folder on.
struct ShownPath: Sendable {
    private let workingDirectories: [String]

    /// Creates what shows paths from the working folder of a load on.
    init(options: LoaderOptions) {
        let directory = Path.normalized(options.workingDirectory)
        workingDirectories = [directory, FileSystem.realPath(directory) ?? directory]
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
