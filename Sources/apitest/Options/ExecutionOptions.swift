import Runner
import SuiteLoader

/// The options for concurrency, retries, repetitions, and timeouts of tests.
struct ExecutionOptions: OptionGroup {
    var jobs = 16
    var failFast: Int?
    var retries: Int?
    var timeout: String?
    var `repeat`: Int?
    var shuffle = false
    var seed: UInt64?

    static var syntax: [Syntax] {
        [
            .option("jobs", short: "j", \.jobs, "Exchanges in flight at most."),
            .option(
                "fail-fast", value: "n", \.failFast, implied: "1",
                "Start no further test after N failed ones (1 without a number)."),
            .option(
                "retries", value: "n", \.retries,
                "Try tests again up to N times of which their suite does not say how often; 0 tries nothing again."),
            .option(
                "timeout", value: "duration", \.timeout,
                "How long an exchange may take of which its suite does not say it, as 10s or 1m30s."),
            .option(
                "repeat", value: "n", \.repeat,
                "Run each test N times, as \"name (2 of 3)\", each time with what it depends on."),
            .flag(
                "shuffle", \.shuffle,
                "Start tests in a random order, which --seed repeats, as far as they do not depend on each other."),
            .option(
                "seed", \.seed,
                "The seed of random values and orders, printed in reports; the same seed gives the same ones."),
        ]
    }

    /// The maximum number of repetitions.
    private static let maximumRepetition = 1_000_000
    /// The maximum number of tests in a run with repetitions.
    private static let maximumTests = 10_000_000

    func validate() throws {
        if let retries, !(0...100).contains(retries) {
            throw UsageError("--retries \(retries): write a number from 0 to 100")
        }
        guard jobs > 0 else { throw UsageError("--jobs \(jobs): write a number from 1") }
        if let failFast, failFast < 1 { throw UsageError("--fail-fast=\(failFast): write a number from 1") }
        if let times = self.repeat, !(1...Self.maximumRepetition).contains(times) {
            throw UsageError("--repeat \(times): write a number from 1 to \(Self.maximumRepetition)")
        }
        _ = try exchangeTimeout()
    }

    /// Returns the value of `--timeout` in nanoseconds.
    ///
    /// - Throws: ``UsageError`` if the value is not a positive duration.
    func exchangeTimeout() throws -> Int64? {
        guard let timeout else { return nil }
        do throws(DurationOption.Failure) {
            let nanoseconds = try DurationOption.nanoseconds(timeout)
            guard nanoseconds > 0 else { throw DurationOption.Failure(message: "a timeout is longer than nothing") }
            return nanoseconds
        } catch {
            throw UsageError("--timeout \(timeout): \(error.message)")
        }
    }

    /// Returns the plan with the requested repetitions of its tests.
    ///
    /// - Throws: ``ExitStatus/invalid`` if there would be too many tests. The error is printed.
    func repeated(_ plan: TestPlan) throws -> TestPlan {
        let times = self.repeat ?? 1
        guard plan.tests.count <= Self.maximumTests / times else {
            throw ExitStatus.invalid(
                because: "--repeat \(times): \(plan.tests.count) tests would make more than \(Self.maximumTests)")
        }
        return plan.repeated(times)
    }
}
