import Diagnostics
import FileSystem
import Runner
import SuiteLoader
import Synchronization

/// A loop that runs suites and then reruns the ones affected by changed files, until it is stopped.
struct WatchLoop {
    /// The state that is compared to detect changes.
    private struct State: Equatable {
        var suites: [SuiteFile]
        var files: FileSnapshot
    }

    /// The maximum number of changed files to name.
    private static let maximumNames = 3

    let pipeline: RunPipeline
    let control: WatchControl
    var clock = RunClock.system

    private let loader: SuiteLoader
    private let paths: [String]
    /// The files that affect every suite.
    private let common: [String]

    init(pipeline: RunPipeline, control: WatchControl) {
        self.pipeline = pipeline
        self.control = control
        loader = pipeline.suiteOptions.loader(variables: (try? pipeline.suiteOptions.variables()) ?? [:])
        paths = pipeline.suiteOptions.splitPaths().paths
        common = pipeline.commonFiles.map(Self.absolute)
    }

    /// Runs until a signal arrives.
    ///
    /// - Returns: The exit status of the last run.
    func run() async -> ExitStatus {
        var watched = WatchedSuites()
        let hints = ChangeHints()
        var pending = watched.update(loader.suiteFiles(at: paths))
        while true {
            // Taken before the run reads any file, so that no change in the meantime is missed.
            var written: Set<String> = []
            for suite in pending {
                let files = loader.files(of: suite)
                watched.set(files.all, of: suite)
                // For example, the database of a server command.
                written.formUnion(files.served)
            }
            watchWritten(by: pending, &watched)
            var base = State(suites: watched.suites, files: .now(of: watched.allFiles.union(common)))
            let status = await runOnce(pending)
            if control.isStopped { return status }
            // Files written by the run itself do not trigger another one.
            written.formUnion(watchWritten(by: pending, &watched))
            base.files.renew(written)
            base.files.add(watched.allFiles)
            announce(watched)
            repeat {
                hints.watch(watched.directories.union((watched.allFiles.union(common)).map(Self.parent)))
                guard let state = await next(after: base, watched, hints) else { return status }
                let changes = state.files.changes(since: base.files)
                let new = watched.update(loader.suiteFiles(at: paths))
                pending = common.contains(where: changes.contains) ? watched.suites : watched.touched(by: changes)
                base = state
                separate(changes.union(new.map(\.absolutePath)), pending)
            } while pending.isEmpty
        }
    }

    /// Adds the snapshots and response locks of suites to the watched files.
    ///
    /// - Returns: The paths of the snapshots, which runs write.
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
        // Changes during the run may have left no hint.
        var isFirst = true
        return await StableChange(
            clock: clock,
            hasHint: {
                defer { isFirst = false }
                return hints.take() || isFirst
            },
            state: {
                var found = loader.suiteFiles(at: paths)
                // Files created in a new directory before it was watched cause no hint, so it is searched again.
                while hints.watch(found.directories) { found = loader.suiteFiles(at: paths) }
                return State(suites: found.files, files: .now(of: files))
            },
            isStopped: { control.isStopped }
        ).next(after: base)
    }

    private func runOnce(_ suites: [SuiteFile]) async -> ExitStatus {
        defer { StandardOutput.flush() }
        do {
            // Without any suites, loading reports the problem with the paths.
            return try await pipeline.run(files: suites.isEmpty ? nil : suites.map(\.path), control: control.begin())
        } catch let status as ExitStatus {
            return status
        } catch {
            StandardError.report(.internalError, "\(error)")
            return .internalError
        }
    }

    // MARK: Messages

    private func announce(_ watched: WatchedSuites) {
        guard !pipeline.outputOptions.quiet else { return }
        let files = watched.allFiles.union(common).count
        StandardError.write("watching \(files == 1 ? "1 file" : "\(files) files"); press Ctrl-C to stop\n")
    }

    /// Prints a separator between two runs.
    private func separate(_ changes: Set<String>, _ suites: [SuiteFile]) {
        guard !suites.isEmpty else { return }
        let directory = Path.workingDirectory + "/"
        let names = changes.sorted().map { $0.hasPrefix(directory) ? String($0.dropFirst(directory.count)) : $0 }
        var text = names.prefix(Self.maximumNames).joined(separator: ", ")
        if names.count > Self.maximumNames { text += " and \(names.count - Self.maximumNames) more" }
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

/// A handle through which a signal stops watching and interrupts the current run.
final class WatchControl: Sendable {
    private struct State {
        var isStopped = false
        var run: RunControl?
    }

    private let state = Mutex(State())

    /// Whether watching has been stopped.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Returns the control of a new run, which is interrupted immediately if watching has been stopped.
    func begin() -> RunControl {
        let run = RunControl()
        let isStopped = state.withLock { state in
            state.run = run
            return state.isStopped
        }
        if isStopped { run.interrupt() }
        return run
    }

    /// Stops watching.
    func stop() {
        let run = state.withLock { state in
            state.isStopped = true
            return state.run
        }
        run?.interrupt()
    }
}

/// The watched suites and the files that each depends on.
struct WatchedSuites {
    /// The suites, in the order of the paths.
    private(set) var suites: [SuiteFile] = []
    /// The directories that are searched for new suites.
    private(set) var directories: Set<String> = []
    /// The files of each suite, by its absolute path.
    private var files: [String: Set<String>] = [:]

    /// Replaces the suites with the current ones.
    ///
    /// - Returns: The new suites.
    mutating func update(_ found: (files: [SuiteFile], directories: [String])) -> [SuiteFile] {
        let known = Set(suites)
        suites = found.files
        directories = Set(found.directories)
        let current = Set(suites.map(\.absolutePath))
        files = files.filter { current.contains($0.key) }
        return suites.filter { !known.contains($0) }
    }

    /// Sets the files that a suite depends on.
    mutating func set(_ paths: Set<String>, of suite: SuiteFile) {
        files[suite.absolutePath] = paths
    }

    /// Adds files that a suite depends on.
    mutating func add(_ paths: some Sequence<String>, to suite: SuiteFile) {
        files[suite.absolutePath, default: []].formUnion(paths)
    }

    /// All files of all suites.
    var allFiles: Set<String> {
        files.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// Returns the suites affected by changed files, in order.
    func touched(by changes: Set<String>) -> [SuiteFile] {
        suites.filter { files[$0.absolutePath].map { !$0.isDisjoint(with: changes) } ?? true }
    }
}
