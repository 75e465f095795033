import APITestKit
import Basics
import CEL
import Diagnostics
import FileSystem
import Output
import Redaction
import Reports
import RunModel
import Runner
import SuiteLoader
import SuiteModel

/// The `apitest load SUITE` command.
struct LoadCommand: Command {
    static let description = CommandDescription(
        name: "load", abstract: "Repeat the tests of a suite as load, and judge latencies",
        discussion: """
            An iteration runs the suite's tests once, in order, with captures and cookies of its own; the setup runs \
            once. The suite describes loads under `load`. --rate starts iterations at that rate, whether or not \
            earlier ones have finished; with --users, each user runs one iteration after another. Exit status: 0 all \
            thresholds are met; 1 one is not, or the figures are invalid because the program was late; 2 a suite or \
            an option is invalid.
            """)

    var suiteOptions = SuiteOptions()
    var configurationOptions = ConfigurationOptions()
    var tag: [String] = []
    var excludeTag: [String] = []
    var test: [String] = []
    var profile: String?
    var rate: String?
    var users: Int?
    var duration: String?
    var think: String?
    var warmup: String?
    var timeout: String?
    var seed: UInt64?
    var shard: String?
    var startAt: String?
    var otlp: String?
    var outputOptions = OutputOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .group(\.suiteOptions),
            .group(\.configurationOptions),
            .option("tag", \.tag, "Run tests that have this tag or match this tag expression"),
            .option(
                "exclude-tag", value: "tag", \.excludeTag, "Skip tests that have this tag or match this tag expression"),
            .option(
                "test", value: "pattern", \.test, "Run tests by name or id: text with * wildcards, =NAME or /regex/"),
            .option("profile", \.profile, "Profile of the suite (default: the only one)"),
            .option("rate", \.rate, "Rate of iterations, such as 200/s or 30/m"),
            .option("users", value: "n", \.users, "Number of users that each run one iteration after another"),
            .option("for", value: "duration", \.duration, "Duration of a constant load, such as 30s or 5m"),
            .option("think", value: "duration", \.think, "Time that a user waits between two iterations"),
            .option("warmup", value: "duration", \.warmup, "Time at the start that counts in no figure"),
            .option(
                "timeout", value: "duration", \.timeout,
                "Timeout of exchanges unless `timeout` is set, such as 10s or 1m30s"),
            .option("seed", \.seed, "Seed for random values, printed in reports"),
            .option(
                "shard", \.shard, "Generate one part of the load: I/N or auto; merge the records",
                completion: .words { _ in ["auto"] }),
            .option(
                "start-at", value: "time", \.startAt,
                "Time at which the load starts, such as 2026-12-01T09:30:00Z"),
            .option("otlp", value: "url", \.otlp, "Send metrics to this OpenTelemetry collector (OTLP/HTTP, JSON)"),
            .group(\.outputOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        try suiteOptions.requireSuites()
        if rate != nil, users != nil { throw UsageError(.conflictingOptions, "--rate cannot be used with --users") }
        if let users, !(1...LoadProfile.maximumUsers).contains(users) {
            throw UsageError(.invalidOption, "--users \(users): must be from 1 to \(LoadProfile.maximumUsers)")
        }
        _ = try overrides()
        _ = try part()
        _ = try startDate()
    }

    func run() async throws {
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw try await LoadPipeline(self).run(control: control)
    }

    /// Parses `--shard`.
    ///
    /// - Throws: ``UsageError`` if it is not a part of a load.
    private func part() throws -> ShardOption? {
        guard let shard else { return nil }
        guard let option = ShardOption(parsing: shard), option.rule == .balanced else {
            throw UsageError(
                .invalidOption,
                "--shard \(shard): write I/N, such as 2/5, with I from 1 to N and N up to \(Shard.maximumCount); or "
                    + "write auto")
        }
        return option
    }

    /// Returns the shard to run; nil for the whole load.
    ///
    /// - Throws: ``UsageError`` if the environment does not specify it.
    func part(environment: [String: String]) throws -> ShardOption.Resolved? {
        try part()?.resolved(environment: environment)
    }

    /// Parses `--start-at`.
    ///
    /// - Returns: The time in seconds since 1970-01-01T00:00:00Z.
    /// - Throws: ``UsageError`` if it is not a time.
    private func startDate() throws -> Double? {
        guard let startAt else { return nil }
        guard let time = CELTimestamp(startAt) else {
            throw UsageError(
                .invalidOption, "--start-at \(startAt): write a time with its zone, such as 2026-12-01T09:30:00Z")
        }
        return Double(time.seconds) + Double(time.nanoseconds) / 1e9
    }

    /// Returns the time at which the load starts, in seconds since 1970-01-01T00:00:00Z; nil to start at once.
    ///
    /// - Parameter now: The current time.
    /// - Throws: ``UsageError`` if the time is too far away to be meant.
    func startDate(now: Double) throws -> Double? {
        guard let startAt, let date = try startDate() else { return nil }
        guard abs(date - now) <= Self.maximumDistance else {
            throw UsageError(.invalidOption, "--start-at \(startAt): must be at most 7 days away")
        }
        return date
    }

    /// The maximum distance of `--start-at` from now, in seconds.
    private static let maximumDistance: Double = 7 * 86_400

    /// The values of the options that override a profile.
    struct Overrides {
        var model: LoadProfile.Model?
        var duration: Int64?
        var think: Int64?
        var warmup: Int64?
        var timeout: Int64?
    }

    /// Parses the options that override a profile.
    ///
    /// - Throws: ``UsageError`` if one is invalid.
    func overrides() throws -> Overrides {
        var overrides = Overrides()
        overrides.model =
            try users.map(LoadProfile.Model.users)
            ?? rate.map { text in
                do throws(DurationOption.Failure) {
                    return .rate(try RateOption.perSecond(text))
                } catch {
                    throw UsageError(.invalidOption, "--rate \(text): \(error.message)")
                }
            }
        overrides.duration = try Self.duration(duration, "--for", from: 1)
        overrides.think = try Self.duration(think, "--think", from: 0)
        overrides.warmup = try Self.duration(warmup, "--warmup", from: 0)
        overrides.timeout = try Self.duration(timeout, "--timeout", from: 1)
        return overrides
    }

    private static func duration(_ text: String?, _ option: String, from minimum: Int64) throws -> Int64? {
        guard let text else { return nil }
        do throws(DurationOption.Failure) {
            let nanoseconds = try DurationOption.nanoseconds(text)
            guard nanoseconds >= minimum else { throw DurationOption.Failure(message: "must be greater than 0") }
            return nanoseconds
        } catch {
            throw UsageError(.invalidOption, "\(option) \(text): \(error.message)")
        }
    }
}

/// The steps of a load: load the suite, choose its profile, and run it.
private struct LoadPipeline {
    let command: LoadCommand
    let environment = ProcessEnvironment.variables()
    /// The number of connections that a load with a rate should be able to open, if the system allows it.
    private static let connectionsOfRates = 16_000

    init(_ command: LoadCommand) {
        self.command = command
    }

    /// Runs the load and reports its figures.
    ///
    /// - Returns: The exit status of the program.
    /// - Throws: ``ExitStatus`` if nothing can be run. The error is printed.
    func run(control: RunControl) async throws -> ExitStatus {
        let overrides = try command.overrides()
        let loaded = try command.suiteOptions.load()
        guard let suite = loaded.suites.suites.first, loaded.suites.suites.count == 1 else {
            throw ExitStatus.invalid(
                .severalSuites,
                because: "a load needs one suite, but there are \(loaded.suites.suites.count); name one file")
        }
        let profile = try profile(of: suite, overrides)
        let plan = try plan(of: loaded, profile)
        let problems = LoadVerdict.problems(of: profile, in: plan)
        command.suiteOptions.printDiagnostics(loaded.mask.masked(problems))
        if !problems.isEmpty { throw ExitStatus.invalid }
        let shard = try command.part(environment: environment)
        let startDate = try command.startDate(now: WallClock.now())
        raiseOpenFiles(for: profile, of: suite, shards: shard?.shard.count ?? 1)
        try command.outputOptions.checkReports(inputs: [suite.path] + suite.fragmentFiles)
        let export = try MetricsExport(option: command.otlp, environment: environment)
        let options = try options(loaded, overrides)
        var reporters = try command.outputOptions.reporters(
            color: command.suiteOptions.color, environment: environment, authorities: options.trust.authorities,
            routes: options.routes, showsCoverage: false, shard: shard?.shard)
        if let export { reporters.all.append(export.reporter) }
        let reports = ReportFanOut(reporters.all, showsExchanges: false)
        note(shard, startDate)
        LoadMemory.growInLargeSteps()
        let summary = await RemoteRecords.sending(reporters.records, of: reports) {
            await MetricsExport.exporting(export, to: reports) { sink in
                await LoadRunner(
                    plan: plan, profile: profile, options: options, shard: shard?.shard, startDate: startDate,
                    progressInterval: export?.interval, control: control, startMock: MockStarter.start, sink: sink
                ).run()
            }
        }
        StandardOutput.flush()
        LogMasking.maskLogs(ofServersIn: plan.suites, with: reports.mask)
        let errors = reports.finish() + (await reporters.records?.finish() ?? [])
        for error in errors { StandardError.report(error.id, error.message) }
        return ExitStatus(of: summary, reportErrors: errors)
    }

    /// Prints which part of the load runs, and how long it waits.
    private func note(_ shard: ShardOption.Resolved?, _ startDate: Double?) {
        var parts: [String] = []
        if let shard { parts.append(shard.title) }
        if let startDate, let text = command.startAt {
            let seconds = Int((startDate - WallClock.now()).rounded())
            if seconds > 0 { parts.append("the load starts at \(text), in \(seconds) s") }
        }
        if !parts.isEmpty, !command.outputOptions.quiet {
            StandardError.write(parts.joined(separator: ": ") + "\n")
        }
        if shard != nil, (try? RequestedReports(command.outputOptions.report))?.recordPath == nil {
            StandardError.warn(
                .missingShardRecord,
                "the figures of this shard cannot be merged without its record; add --report json=PATH")
        }
    }

    /// Returns the profile to run: one of the suite, or one that the options describe, with the options applied.
    private func profile(of suite: Suite, _ overrides: LoadCommand.Overrides) throws -> LoadProfile {
        let names = suite.loadProfiles.map(\.name)
        var profile: LoadProfile
        if let name = command.profile {
            guard let found = suite.loadProfiles.first(where: { $0.name == name }) else {
                let hint = Spelling.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
                throw ExitStatus.invalid(
                    .unknownProfile, because: "--profile \(name): the suite has no such profile\(hint)")
            }
            profile = found
        } else if suite.loadProfiles.count == 1 {
            profile = suite.loadProfiles[0]
        } else if suite.loadProfiles.isEmpty || overrides.model != nil {
            profile = LoadProfile(name: suite.name)
        } else {
            throw ExitStatus.invalid(
                .missingOption,
                because: "the suite has several load profiles; choose one with --profile: "
                    + names.joined(separator: ", "))
        }
        if let model = overrides.model {
            profile.model = model
            // The targets of the stages are those of another load.
            profile.stages = []
        }
        if let duration = overrides.duration {
            profile.duration = duration
            profile.stages = []
        }
        if let think = overrides.think { profile.think = think }
        if let warmup = overrides.warmup { profile.warmup = warmup }
        guard profile.model != nil else {
            throw ExitStatus.invalid(.missingOption, because: "the load needs a rate or users: add --rate or --users")
        }
        guard let total = profile.totalDuration else {
            throw ExitStatus.invalid(.missingOption, because: "the load needs a duration: add --for")
        }
        guard profile.warmup < total else {
            throw ExitStatus.invalid(.invalidOption, because: "the warm-up must be shorter than the load")
        }
        return profile
    }

    /// Raises the limit on open files for the connections of the load.
    private func raiseOpenFiles(for profile: LoadProfile, of suite: Suite, shards: Int) {
        var isServed = false
        if case .mock? = suite.serve { isServed = true }
        guard case .users? = profile.model else {
            // The number of iterations in flight depends on the server. A shortage is the error of a request.
            _ = FileDescriptors.raiseLimit(forConnections: Self.connectionsOfRates)
            return
        }
        let level = profile.highestLevel
        let users = (Int(level) + shards - 1) / shards
        guard let limit = FileDescriptors.raiseLimit(forConnections: users * (isServed ? 2 : 1)) else { return }
        StandardError.warn(
            .openFiles,
            "\(users) users may need more open files than the limit of \(limit); use fewer users, or raise the "
                + "limit (ulimit -Hn)")
    }

    private func plan(of loaded: LoadedSuites, _ profile: LoadProfile) throws -> TestPlan {
        var selection = SelectionOptions()
        selection.tag = command.tag
        selection.excludeTag = command.excludeTag
        selection.test = command.test
        var plan = try SelectedPlan(selection, color: command.suiteOptions.color).plan(of: loaded).plan
        if let tests = profile.tests {
            plan = plan.keeping { index in tests.holds(for: plan.tests[index].reference.tags) }
        }
        guard plan.testCount > 0 else {
            throw ExitStatus.nothingSelected(
                because: "no test was selected: the profile \"\(profile.name)\" matches none")
        }
        return plan
    }

    private func options(_ loaded: LoadedSuites, _ overrides: LoadCommand.Overrides) throws -> RunOptions {
        var options = RunOptions(
            jobs: 1, seed: command.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)), variables: loaded.variables,
            snapshots: SnapshotMode(updates: false, environment: environment),
            fileRoot: command.suiteOptions.absoluteFileRoot, trust: try command.connectionOptions.trust(),
            routes: try command.connectionOptions.routes(), environment: environment, startTime: WallClock.now(),
            version: Apitest.version)
        options.outputDirectory = Path.absolute(command.outputOptions.outputDir, in: SystemInfo.workingDirectory)
        options.hostName = SystemInfo.hostName
        options.workingDirectory = SystemInfo.workingDirectory
        options.origin = RunOrigin(environment: environment, revision: command.outputOptions.historyOptions.revision)
        options.timeout = overrides.timeout
        return options
    }
}
