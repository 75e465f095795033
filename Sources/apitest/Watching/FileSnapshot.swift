/// The state of watched files at one time.
struct FileSnapshot: Equatable {
    private(set) var signatures: [String: FileSignature] = [:]

    /// Adds the state of files that are not in it yet.
    mutating func add(_ paths: some Sequence<String>) {
        for path in paths where signatures[path] == nil { signatures[path] = FileSignature(ofFile: path) }
    }

    /// Sets the state of files to what it is now.
    mutating func renew(_ paths: some Sequence<String>) {
        for path in paths { signatures[path] = FileSignature(ofFile: path) }
    }

    /// The state of files now.
    static func now(of paths: some Sequence<String>) -> FileSnapshot {
        var snapshot = FileSnapshot()
        snapshot.add(paths)
        return snapshot
    }

    /// The files that are not as they were: changed, new, or gone; files that only this snapshot has are not compared.
    func changes(since earlier: FileSnapshot) -> Set<String> {
        var changes: Set<String> = []
        for (path, signature) in signatures {
            if let before = earlier.signatures[path], before != signature { changes.insert(path) }
        }
        return changes
    }
}
