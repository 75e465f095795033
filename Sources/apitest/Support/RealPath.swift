import FileSystem

/// Paths by which it is told whether two are those of one file.
enum RealPath {
    /// The path of standard output.
    static let standardOutput = "/dev/stdout"

    /// The absolute path with symbolic links resolved, also where the file, or a folder above it, is not there yet.
    ///
    /// A device is known by its name alone, and standard output by one name.
    static func of(_ path: String) -> String {
        if path == "-" { return standardOutput }
        if path.hasPrefix("/dev/") { return path }
        let absolute = Path.absolute(path, in: Path.workingDirectory)
        let parts = absolute.split(separator: "/")
        // The longest beginning that is there.
        for count in stride(from: parts.count, through: 0, by: -1) {
            guard let real = Path.real("/" + parts[..<count].joined(separator: "/")) else { continue }
            return Path.normalized(([real] + parts[count...].map(String.init)).joined(separator: "/"))
        }
        return absolute
    }
}
