import ArgumentParser

/// The options that say how fast, how often and how long tests run.
struct ExecutionOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Exchanges in flight at most.")
    var jobs = 16

    @Option(
        name: .long,
        help: ArgumentHelp("Start no further test after N failed ones (1 without a number).", valueName: "n"))
    var failFast: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Try tests again up to N times of which their suite does not say how often; 0 tries nothing again.",
            valueName: "n"))
    var retries: Int?

    @Option(name: .long, help: "The seed of random values, printed in reports; the same seed gives the same values.")
    var seed: UInt64?

    func validate() throws {
        if let retries, !(0...100).contains(retries) {
            throw ValidationError("--retries \(retries): write a number from 0 to 100")
        }
        guard jobs > 0 else { throw ValidationError("--jobs \(jobs): write a number from 1") }
        if let failFast, failFast < 1 { throw ValidationError("--fail-fast=\(failFast): write a number from 1") }
    }
}
