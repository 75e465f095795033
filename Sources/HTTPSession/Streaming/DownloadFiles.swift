/// The files of one download: the one that is wanted, and those beside it while it is made. All of it may wait for a disk.
struct DownloadFiles: Sendable {
    /// The path of the file that is wanted.
    let destination: String
    let options: DownloadOptions
    /// Tells the temporary files of downloads to the same path apart.
    let mark: UInt64

    private var temporary: String {
        let (folder, name) = FileSystemCalls.split(destination)
        let prefix = (folder == "/" ? "" : folder) + "/." + name
        return options.resumes ? prefix + ".partial" : prefix + "." + String(mark, radix: 16) + ".partial"
    }

    private var record: String { temporary + ".info" }

    /// What an earlier transfer has left.
    struct Rest: Sendable {
        var file: PartialFile
        var length: Int
        var record: PartialFileRecord?
    }

    /// Checks the destination and opens the temporary file.
    /// - Parameter url: Where the file comes from; what is left of another is dropped.
    func open(url: String) throws(FileFailure) -> Rest {
        let (folder, name) = FileSystemCalls.split(destination)
        guard !name.isEmpty else { throw FileFailure(path: destination, number: 0, message: "the path names no file") }
        switch FileSystemCalls.kind(destination) {
        case .nothing: break
        case .folder: throw FileFailure(path: destination, number: 0, message: "it is a folder")
        case .file, .other:
            guard options.replacesFile else {
                throw FileFailure(path: destination, number: 0, message: "there is a file already")
            }
        }
        if options.createsFolders { try FileSystemCalls.makeFolder(folder) }
        guard options.resumes else {
            return Rest(file: try PartialFile.create(temporary), length: 0, record: nil)
        }
        let file = try PartialFile.resume(temporary)
        let record = FileSystemCalls.read(record).flatMap { PartialFileRecord($0) }
        let length = try file.length()
        if let record, record.url == url, length > 0 { return Rest(file: file, length: length, record: record) }
        try file.truncate(to: 0)
        FileSystemCalls.remove(self.record)
        return Rest(file: file, length: 0, record: nil)
    }

    /// Drops what there is, and notes what a next transfer can go on with.
    func begin(_ file: PartialFile, _ record: PartialFileRecord?) throws(FileFailure) {
        FileSystemCalls.remove(self.record)
        try file.truncate(to: 0)
        guard let record else { return }
        let info = try PartialFile.create(self.record)
        try info.write(record.bytes, at: 0)
    }

    /// Gives the file its name.
    func finish(_ file: PartialFile) throws(FileFailure) {
        if let permissions = options.permissions { try file.setPermissions(permissions) }
        if options.replacesFile {
            try FileSystemCalls.rename(temporary, to: destination)
        } else {
            try FileSystemCalls.renameToFree(temporary, to: destination)
        }
        if options.resumes { FileSystemCalls.remove(record) }
    }

    /// Removes the temporary files.
    func remove() {
        if options.resumes { FileSystemCalls.remove(record) }
        FileSystemCalls.remove(temporary)
    }
}
