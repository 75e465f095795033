import SuiteLoader

/// The watched suites, and the files that each is made of.
struct WatchedSuites {
    /// The suites in the order of the paths.
    private(set) var suites: [SuiteFile] = []
    /// The folders in which new suites are looked for.
    private(set) var folders: Set<String> = []
    /// The files of each suite, by its absolute path.
    private var files: [String: Set<String>] = [:]

    /// Takes the suites that there are now.
    ///
    /// - Returns: those that were not there before.
    mutating func update(_ found: (files: [SuiteFile], folders: [String])) -> [SuiteFile] {
        let known = Set(suites)
        suites = found.files
        folders = Set(found.folders)
        let current = Set(suites.map(\.absolutePath))
        files = files.filter { current.contains($0.key) }
        return suites.filter { !known.contains($0) }
    }

    /// Says what a suite is made of.
    mutating func set(_ paths: Set<String>, of suite: SuiteFile) {
        files[suite.absolutePath] = paths
    }

    /// Says what else a suite is made of.
    mutating func add(_ paths: some Sequence<String>, to suite: SuiteFile) {
        files[suite.absolutePath, default: []].formUnion(paths)
    }

    /// All files of all suites.
    var allFiles: Set<String> {
        files.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// The suites of which a file is among the changed ones, in order.
    func touched(by changes: Set<String>) -> [SuiteFile] {
        suites.filter { files[$0.absolutePath].map { !$0.isDisjoint(with: changes) } ?? true }
    }
}
