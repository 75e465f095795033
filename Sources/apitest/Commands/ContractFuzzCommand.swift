import Basics
import ContractTools
import Diagnostics
import FileSystem
import Runner
import SuiteLoader

/// The `apitest contract fuzz FILE --url URL` command.
struct ContractFuzzCommand: Command {
    static let description = CommandDescription(
        name: "fuzz", abstract: "Search a server for faults that its OpenAPI description reveals",
        discussion: """
            Sends valid, unusual and invalid requests that are derived from the description, and reports only what an \
            exchange proves. Each finding is confirmed twice and written as a suite that fails until the fault is fixed. \
            The requests create, change and delete resources: use a test server. Exit status: 0 no fault was found; \
            1 a fault was found, or the login of --auth failed; 2 the description or an option is invalid; 3 no operation \
            was selected.
            """)

    var file = ""
    var url: String?
    var phases: [String] = []
    var duration: String?
    var cases: Int?
    var seed: UInt64?
    var rate: String?
    var operation: [String] = []
    var checks: [String] = []
    var excludeChecks: [String] = []
    var environment: String?
    var header: [String] = []
    var identity: [String] = []
    var auth: String?
    var failed: String?
    var baseline: String?
    var writeBaseline: String?
    var maxResponseTime: String?
    var output: String?
    var requests: String?
    var ignoresLessons = false
    var strict = false
    var descriptionOptions = DescriptionOptions()
    var outputOptions = OutputOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .argument(
                "file", \.file, isRequired: true, "Main file of the description, or a suite with a contract",
                completion: .files(["yaml", "yml", "json"])),
            .option("url", \.url, "URL of the server (default: that of the suite)"),
            .option(
                "phases", value: "list", \.phases,
                "Phases to run: " + FuzzPhase.allCases.map(\.rawValue).joined(separator: ", ")),
            .option("for", value: "duration", \.duration, "Time for random requests, such as 30s or 2m"),
            .option(
                "cases", value: "n", \.cases, "Maximum number of random requests for each operation (default: 100)"),
            .option("seed", \.seed, "Seed for random values, printed in reports"),
            .option("rate", \.rate, "Maximum rate of requests, such as 50/s or 300/m"),
            .option(
                "operation", \.operation,
                "Test only this operation: its operationId, or \"GET /books/*\""),
            .option("checks", value: "list", \.checks, "Make only these checks (default: all)"),
            .option("exclude-checks", value: "list", \.excludeChecks, "Do not make these checks"),
            .option("environment", value: "name", \.environment, "Environment of the suite"),
            .option("header", value: "name: value", \.header, "Header field of all requests"),
            .option(
                "identity", value: "name=header", \.identity,
                "Header field of a user; a second user must not see objects of the first"),
            .option(
                "auth", value: "file#name", \.auth,
                "Test of a suite, or fragment, that logs in; it captures the credentials",
                completion: .files(["yaml", "yml"])),
            .option(
                "failed", value: "report", \.failed,
                "Retest the operations that failed in this JUnit or JSON Lines report",
                completion: .files(["xml"])),
            .option(
                "baseline", value: "file", \.baseline,
                "Accept findings in this file (see --write-baseline); fail on new ones",
                completion: .files(["json"])),
            .option(
                "write-baseline", value: "file", \.writeBaseline,
                "Write the findings to this file", completion: .files(["json"])),
            .option(
                "max-response-time", value: "duration", \.maxResponseTime,
                "Time after which a response is a fault, such as 2s"),
            .option(
                "output", short: "o", value: "directory", \.output, "Directory for the suites of the findings",
                completion: .directories),
            .option(
                "requests", value: "path", \.requests,
                "Record every request and its response as JSON lines", completion: .files([])),
            .flag(
                "no-learning", \.ignoresLessons, "Learn nothing from responses, and keep testing operations that fail"),
            .flag("strict", \.strict, "Reject a description with any error, even in parts that no request uses"),
            .group(\.descriptionOptions),
            .group(\.outputOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        _ = try options()
        _ = try perSecond()
        if requests == "" { throw UsageError(.invalidOption, "--requests: must not be empty") }
        if output == "" { throw UsageError(.invalidOption, "--output: must not be empty") }
        guard let auth else { return }
        if LoginTest.parts(of: auth) == nil {
            throw UsageError(.invalidOption, "--auth \(auth): write FILE#NAME, such as suite.yaml#login")
        }
        if identity.count > 1 {
            throw UsageError(
                .conflictingOptions, "--identity: --auth logs the first user in, so give only the second one")
        }
    }

    func run() async throws {
        throw try await FuzzPipeline(self).run()
    }

    /// Returns the options of the run. Without `--url`, the base URL is empty.
    ///
    /// - Throws: ``UsageError`` if one is invalid.
    func options() throws -> FuzzOptions {
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw UsageError(.invalidOption, "--url \(url): must start with http:// or https://")
        }
        var options = FuzzOptions(baseURL: url ?? "")
        if !phases.isEmpty { options.phases = Set(try Self.values(phases, "--phases")) }
        if !checks.isEmpty { options.checks = Set(try Self.values(checks, "--checks")) }
        options.checks.subtract(try Self.values(excludeChecks, "--exclude-checks"))
        options.operations = operation
        options.learns = !ignoresLessons
        options.seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        if let cases, cases < 1 { throw UsageError(.invalidOption, "--cases \(cases): must be at least 1") }
        options.duration = try Self.duration(duration, "--for")
        options.maximumDuration = try Self.duration(maxResponseTime, "--max-response-time")
        if let cases { options.cases = cases } else if duration != nil { options.cases = nil }
        options.headers = try header.map { try Self.field($0[...], "--header", "NAME: VALUE") }
        guard identity.count <= 2 else { throw UsageError(.conflictingOptions, "--identity: give at most two users") }
        options.identities = try identity.map { text in
            let equals = text.firstIndex(of: "=") ?? text.endIndex
            let field = try Self.field(text[equals...].dropFirst(), "--identity", "USER=NAME: VALUE")
            return (String(text[..<equals]), field)
        }
        return options
    }

    /// Returns the maximum number of requests per second, or `nil` for no maximum.
    func perSecond() throws -> Double? {
        guard let rate else { return nil }
        do throws(DurationOption.Failure) {
            return try RateOption.perSecond(rate)
        } catch {
            throw UsageError(.invalidOption, "--rate \(rate): \(error.message)")
        }
    }

    /// Parses a header field.
    private static func field(_ text: Substring, _ option: String, _ form: String) throws -> (String, String) {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw UsageError(.invalidOption, "\(option) \(text): write \(form)")
        }
        return (String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }))
    }

    /// Parses lists of values, which are separated by commas.
    private static func values<Value>(_ texts: [String], _ option: String) throws -> [Value]
    where Value: RawRepresentable<String> & CaseIterable {
        try texts.flatMap { $0.split(separator: ",") }.map { text in
            let name = String(text.drop { $0 == " " })
            guard let value = Value(rawValue: name) else {
                let known = Value.allCases.map(\.rawValue)
                throw UsageError(
                    .unknownValue,
                    "\(option) \(name): expected \(known.joined(separator: ", "))\(Spelling.hint(for: name, among: known).text)"
                )
            }
            return value
        }
    }

    private static func duration(_ text: String?, _ option: String) throws -> Int64? {
        guard let text else { return nil }
        do throws(DurationOption.Failure) {
            let nanoseconds = try DurationOption.nanoseconds(text)
            guard nanoseconds > 0 else { throw DurationOption.Failure(message: "must be greater than 0") }
            return nanoseconds
        } catch {
            throw UsageError(.invalidOption, "\(option) \(text): \(error.message)")
        }
    }
}
