import Glibc

/// Basic file access for tests.
enum TestFiles {
    /// The directory of this test target.
    static let target = parent(parent(#filePath))
    /// The directory of the package.
    static let package = parent(parent(target))

    /// Returns the path without its last component.
    static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Returns the bytes of a file, or nil if it cannot be read.
    static func bytes(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    /// Returns the text of a file, or nil if it cannot be read.
    static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file and replaces an existing one.
    ///
    /// - Returns: Whether the file was written.
    @discardableResult
    static func write(_ bytes: some Collection<UInt8>, to path: String) -> Bool {
        let file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        defer { close(file) }
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Returns whether a file or directory exists at a path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns whether a directory exists at a path.
    static func isDirectory(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the sorted names in a directory; empty if it does not exist.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Copies a directory with its contents.
    static func copy(_ source: String, to destination: String) {
        mkdir(destination, 0o755)
        for name in names(in: source) {
            if isDirectory("\(source)/\(name)") {
                copy("\(source)/\(name)", to: "\(destination)/\(name)")
            } else {
                write(bytes("\(source)/\(name)") ?? [], to: "\(destination)/\(name)")
            }
        }
    }

    /// Removes a file or a directory with its contents.
    static func remove(_ path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return }
        if information.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// Returns the arguments of a process on one line.
    static func commandLine(of process: pid_t) -> String {
        let bytes = bytes("/proc/\(process)/cmdline") ?? []
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}
