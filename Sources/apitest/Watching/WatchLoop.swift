import FileSystem
import Runner
import SuiteLoader
import Synchronization

/// Runs suites, then again those that a changed file touches, until it is stopped.
struct WatchLoop {
    /// What is compared to find out that something has changed.
    private struct State: Equatable {
        var suites: [SuiteFile]
        var files: FileSnapshot
    }

    /// Changed files are named up to this many.
    private static let mostNames = 3

    let pipeline: RunPipeline
    let control: WatchControl
    var clock = RunClock.system

    private let loader: SuiteLoader
    private let paths: [String]
    /// Files that concern every suite.
    private let common: [String]

    init(pipeline: RunPipeline, control: WatchControl) {
        self.pipeline = pipeline
        self.control = control
        loader = pipeline.suiteOptions.loader(variables: (try? pipeline.suiteOptions.variables()) ?? [:])
        paths = pipeline.suiteOptions.splitPaths().paths
        common = pipeline.commonFiles.map(Self.absolute)
    }

    /// Runs until a signal comes.
    ///
    /// - Returns: how the last run ended.
    func run() async -> ExitStatus {
        var watched = WatchedSuites()
        let hints = ChangeHints()
        var pending = watched.update(loader.suiteFiles(at: paths))
        while true {
            // Taken before the run reads anything, so that a change meanwhile is not missed.
            var written: Set<String> = []
            for suite in pending {
                let files = loader.files(of: suite)
                watched.set(files.all, of: suite)
                // Such as the database that the command of a server names.
                written.formUnion(files.served)
            }
            watchWritten(by: pending, &watched)
            var base = State(suites: watched.suites, files: .now(of: watched.allFiles.union(common)))
            let status = await runOnce(pending)
            if control.isStopped { return status }
            // What the run itself has written is no reason for another one.
            written.formUnion(watchWritten(by: pending, &watched))
            base.files.renew(written)
            base.files.add(watched.allFiles)
            announce(watched)
            repeat {
                hints.watch(watched.folders.union((watched.allFiles.union(common)).map(Self.parent)))
                guard let state = await next(after: base, watched, hints) else { return status }
                let changes = state.files.changes(since: base.files)
                let new = watched.update(loader.suiteFiles(at: paths))
                pending = common.contains(where: changes.contains) ? watched.suites : watched.touched(by: changes)
                base = state
                separate(changes.union(new.map(\.absolutePath)), pending)
            } while pending.isEmpty
        }
    }

    /// Watches the snapshots and locks of suites too.
    ///
    /// - Returns: the snapshots, which runs write.
    @discardableResult
    private func watchWritten(by suites: [SuiteFile], _ watched: inout WatchedSuites) -> Set<String> {
        var all: Set<String> = []
        for suite in suites {
            let snapshots = SnapshotFiles.paths(ofSuiteFile: suite.absolutePath)
            all.formUnion(snapshots)
            watched.add(snapshots + [pipeline.lock(ofSuiteFile: suite.absolutePath)].compactMap { $0 }, to: suite)
        }
        return all
    }

    /// Waits for a change.
    private func next(after base: State, _ watched: WatchedSuites, _ hints: ChangeHints) async -> State? {
        let files = watched.allFiles.union(common)
        // What has changed while the suites ran has given no hint that is still there.
        var isFirst = true
        return await SettledChange(
            clock: clock,
            hasHint: {
                defer { isFirst = false }
                return hints.take() || isFirst
            },
            state: {
                var found = loader.suiteFiles(at: paths)
                // What came into a new folder before it was watched gives no hint: it is looked for.
                while hints.watch(found.folders) { found = loader.suiteFiles(at: paths) }
                return State(suites: found.files, files: .now(of: files))
            },
            isStopped: { control.isStopped }
        ).next(after: base)
    }

    private func runOnce(_ suites: [SuiteFile]) async -> ExitStatus {
        defer { StandardOutput.flush() }
        do {
            // Without any suite, loading says what is wrong with the paths.
            return try await pipeline.run(files: suites.isEmpty ? nil : suites.map(\.path), control: control.begin())
        } catch let status as ExitStatus {
            return status
        } catch {
            StandardError.write("apitest: \(error)\n")
            return .internalError
        }
    }

    // MARK: What is said

    private func announce(_ watched: WatchedSuites) {
        guard !pipeline.outputOptions.quiet else { return }
        let files = watched.allFiles.union(common).count
        StandardError.write("watching \(files == 1 ? "1 file" : "\(files) files"); Ctrl-C ends\n")
    }

    /// Sets the next run apart from the one before.
    private func separate(_ changes: Set<String>, _ suites: [SuiteFile]) {
        guard !suites.isEmpty else { return }
        let folder = Path.workingDirectory + "/"
        let names = changes.sorted().map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }
        var text = names.prefix(Self.mostNames).joined(separator: ", ")
        if names.count > Self.mostNames { text += " and \(names.count - Self.mostNames) more" }
        StandardOutput.write("\n── changed: \(text) ──\n\n")
        StandardOutput.flush()
    }

    private static func absolute(_ path: String) -> String {
        Path.absolute(path, in: Path.workingDirectory)
    }

    private static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

/// The handle by which a signal ends watching, and the run that is going on.
final class WatchControl: Sendable {
    private struct State {
        var isStopped = false
        var run: RunControl?
    }

    private let state = Mutex(State())

    /// Whether watching is to end.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The control of a run that begins; it is interrupted at once when watching is to end.
    func begin() -> RunControl {
        let run = RunControl()
        let isStopped = state.withLock { state in
            state.run = run
            return state.isStopped
        }
        if isStopped { run.interrupt() }
        return run
    }

    /// Ends watching.
    func stop() {
        let run = state.withLock { state in
            state.isStopped = true
            return state.run
        }
        run?.interrupt()
    }
}

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
