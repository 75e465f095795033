import JSON
package import RunModel

/// A writer of the results of a run for the history.
///
/// The format has JSON lines for the run and its suites. Each suite is followed by a line per test with the outcome, the
/// duration in microseconds, and the name, such as `p 41250 add a book`.
package struct HistoryWriter {
    /// The version of the format.
    package static let version = 1

    /// The lines that have not been taken.
    package private(set) var bytes: [UInt8] = []
    private var info: RunInfo?
    private var suite: Int?
    private let workingDirectory: String

    /// Creates a writer.
    ///
    /// - Parameter workingDirectory: The absolute path to which suite paths are relative if the run does not state it.
    package init(workingDirectory: String) { self.workingDirectory = workingDirectory }

    /// Removes and returns the lines.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Appends the lines of an event.
    package mutating func write(_ event: RunEvent) {
        switch event {
        case .runStarted(let info):
            self.info = info
            var members: [(String, JSONValue)] = [
                ("apitest", "history"), ("version", .number(JSONNumber(Self.version))),
                ("start", .number(JSONNumber(Self.milliseconds(info.startTime)))),
                ("seed", .string(String(info.seed))), ("tool", .string(info.version)),
            ]
            if let shard = info.shard { members.append(("shard", .string(shard))) }
            if let revision = info.origin.revision { members.append(("revision", .string(revision.name))) }
            append(members)
        case .testFinished(let result):
            write(result)
        case .runFinished(let summary):
            append([
                ("duration", .number(JSONNumber(summary.duration / 1_000))),
                ("interrupted", .bool(summary.wasInterrupted)),
            ])
        case .suiteStarted, .testStarted, .testCompleted, .secretRegistered, .load, .notice, .suiteFinished,
            .interrupted:
            break
        }
    }

    private mutating func write(_ result: TestResult) {
        if suite != result.test.suite {
            guard let info = info?.suites.first(where: { $0.index == result.test.suite }) else { return }
            suite = result.test.suite
            write(info)
        }
        bytes.append(HistoryOutcome(result.outcome).rawValue)
        bytes.append(UInt8(ascii: " "))
        append(number: max(0, result.duration / 1_000))
        bytes.append(UInt8(ascii: " "))
        for byte in result.test.name.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\\"): bytes += [byte, byte]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func write(_ suite: SuiteInfo) {
        let directory = info.map(\.workingDirectory) ?? ""
        let file = ProjectPath.file(
            suite.path, workingDirectory: directory.isEmpty ? workingDirectory : directory, root: "")
        var members: [(String, JSONValue)] = [
            ("suite", .string(file)), ("document", .number(JSONNumber(suite.documentIndex))),
            ("name", .string(suite.name)),
        ]
        if let environment = suite.environment { members.append(("environment", .string(environment))) }
        if let digest = suite.digest { members.append(("digest", .string(digest))) }
        append(members)
    }

    private mutating func append(_ members: [(String, JSONValue)]) {
        bytes += JSONValue.object(JSONObject(members)).serializedBytes()
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Converts a point in time to milliseconds.
    private static func milliseconds(_ seconds: Double) -> Int64 {
        seconds.isFinite ? Int64(min(max(0, seconds), 253_402_300_799) * 1_000) : 0
    }

    private mutating func append(number: Int64) {
        var digits: [UInt8] = []
        var rest = number
        repeat {
            digits.append(UInt8(truncatingIfNeeded: 0x30 + rest % 10))
            rest /= 10
        } while rest > 0
        bytes += digits.reversed()
    }
}

/// An outcome in a history file, represented by a letter.
package enum HistoryOutcome: UInt8 {
    /// The letter `p`.
    case passed = 0x70
    /// The letter `y`.
    case flaky = 0x79
    /// The letter `f`.
    case failed = 0x66
    /// The letter `e`.
    case errored = 0x65
    /// The letter `s`.
    case skipped = 0x73
    /// The letter `b`.
    case blocked = 0x62

    /// Creates the representation of an outcome.
    init(_ outcome: TestResult.Outcome) {
        switch outcome {
        // A known failure is not a change.
        case .passed, .known: self = .passed
        case .flaky: self = .flaky
        case .failed: self = .failed
        case .errored: self = .errored
        case .skipped: self = .skipped
        case .blocked: self = .blocked
        }
    }
}
