import Basics
import Diagnostics
import RunModel
import Runner
import SuiteLoader

/// The options for concurrency, retries, repetitions, and timeouts of tests.
struct ExecutionOptions: OptionGroup {
    var jobs = 16
    var rate: String?
    var failFast: Int?
    var retries: Int?
    var timeout: String?
    var `repeat`: Int?
    var shuffle = false
    var seed: UInt64?

    static var syntax: [Syntax] {
        [
            .option("jobs", short: "j", \.jobs, "Maximum number of exchanges in flight"),
            .option("rate", \.rate, "Maximum rate of requests, such as 50/s or 600/m"),
            .option(
                "fail-fast", value: "n", \.failFast, implied: "1",
                "Stop starting tests after N failures (default N: 1)"),
            .option(
                "retries", value: "n", \.retries,
                "Retry failed tests and setups N times unless `retry` is set; 0: never"),
            .option(
                "timeout", value: "duration", \.timeout,
                "Timeout of exchanges unless `timeout` is set, such as 10s or 1m30s"),
            .option(
                "repeat", value: "n", \.repeat,
                "Run each test and its dependencies N times, as \"name (2 of 3)\""),
            .flag(
                "shuffle", \.shuffle,
                "Run tests in random order, dependencies first (repeat with --seed)"),
            .option(
                "seed", \.seed,
                "Seed for random values and order, printed in reports"),
        ]
    }

    /// The maximum number of repetitions.
    private static let maximumRepetition = 1_000_000
    /// The maximum number of tests in a run with repetitions.
    private static let maximumTests = 10_000_000

    func validate() throws {
        if let retries, !(0...100).contains(retries) {
            throw UsageError(.invalidOption, "--retries \(retries): must be from 0 to 100")
        }
        guard jobs > 0 else { throw UsageError(.invalidOption, "--jobs \(jobs): must be at least 1") }
        if let failFast, failFast < 1 {
            throw UsageError(.invalidOption, "--fail-fast=\(failFast): must be at least 1")
        }
        if let times = self.repeat, !(1...Self.maximumRepetition).contains(times) {
            throw UsageError(.invalidOption, "--repeat \(times): must be from 1 to \(Self.maximumRepetition)")
        }
        _ = try exchangeTimeout()
        _ = try requestRate()
    }

    /// Returns the value of `--rate` in requests per second.
    ///
    /// - Throws: ``UsageError`` if the value is not a rate.
    func requestRate() throws -> Double? {
        guard let rate else { return nil }
        do throws(DurationOption.Failure) {
            return try RateOption.perSecond(rate)
        } catch {
            throw UsageError(.invalidOption, "--rate \(rate): \(error.message)")
        }
    }

    /// Raises the limit on open files as far as the run needs. Prints a warning if that is not possible.
    ///
    /// - Parameters:
    ///   - tests: The number of tests.
    ///   - isServed: Whether the program itself serves the connections, so that each needs two descriptors.
    func raiseOpenFiles(tests: Int, isServed: Bool) {
        let connections = min(jobs, tests) * (isServed ? 2 : 1)
        guard let limit = FileDescriptors.raiseLimit(forConnections: connections) else { return }
        StandardError.warn(
            .openFiles,
            "--jobs \(jobs) may need more open files than the limit of \(limit); use fewer jobs, or raise the "
                + "limit (ulimit -Hn)")
    }

    /// Returns the value of `--timeout` in nanoseconds.
    ///
    /// - Throws: ``UsageError`` if the value is not a positive duration.
    func exchangeTimeout() throws -> Int64? {
        guard let timeout else { return nil }
        do throws(DurationOption.Failure) {
            let nanoseconds = try DurationOption.nanoseconds(timeout)
            guard nanoseconds > 0 else { throw DurationOption.Failure(message: "must be greater than 0") }
            return nanoseconds
        } catch {
            throw UsageError(.invalidOption, "--timeout \(timeout): \(error.message)")
        }
    }

    /// Returns the plan with the requested repetitions of its tests.
    ///
    /// - Throws: ``ExitStatus/invalid`` if there would be too many tests. The error is printed.
    func repeated(_ plan: TestPlan) throws -> TestPlan {
        let times = self.repeat ?? 1
        guard plan.tests.count <= Self.maximumTests / times else {
            throw ExitStatus.invalid(
                .invalidOption,
                because:
                    "--repeat \(times): running \(plan.tests.count) tests \(times) times exceeds the maximum of \(Self.maximumTests)"
            )
        }
        return plan.repeated(times)
    }
}
