import Basics
import Diagnostics
import JSON
import RunModel

/// A decoder of the lines of a record.
///
/// The line of a test becomes a ``RunEvent/testCompleted(_:)`` event.
struct RecordDecoder {
    /// Whether the record includes the exchanges of passed steps, which only reports that need them show.
    private(set) var hasAllExchanges = false
    /// The files without known contents, by name.
    private var files: [String: SourceFile] = [:]
    /// The excerpts of suite files in the current test, so that findings on the same line share them.
    private var excerpts: [Excerpt: SourceFile] = [:]
    private static let maximumFiles = 10_000

    private struct Excerpt: Hashable {
        var file: String
        var line: Int
        var text: String
    }

    /// Decodes the event of a line.
    ///
    /// - Parameter outlinesLoads: Whether a line of a load becomes a ``RecordLine/load(_:)`` without figures.
    mutating func decode(_ value: JSONValue, outlinesLoads: Bool = false) throws(RecordProblem) -> RecordLine {
        let fields = try RecordFields(value)
        guard let kind = try fields.optionalString("event") else {
            throw RecordProblem("this is not a line of a record: missing member \"event\"")
        }
        var sizes = BodySizes()
        let event: RunEvent
        switch kind {
        case "run": event = .runStarted(try run(fields))
        case "suiteStart":
            event = .suiteStarted(try suite(fields, index: try fields.count("suite")))
        case "testStart": event = .testStarted(try test(fields))
        case "test":
            excerpts.removeAll(keepingCapacity: true)
            event = .testCompleted(try result(fields, sizes: &sizes))
        case "loadSecond":
            if outlinesLoads { return .load(.second(middle: try Self.middle(fields))) }
            event = .load(.second(try loadSecond(fields)))
        case "load":
            excerpts.removeAll(keepingCapacity: true)
            if outlinesLoads { return .load(.result(try loadOutline(fields))) }
            event = .load(.finished(try load(fields)))
        case "notice": event = .notice(try notice(fields))
        case "suiteEnd":
            var summary = SuiteSummary(
                suite: try fields.count("suite"), counts: try counts(fields),
                duration: try fields.nanoseconds("duration"))
            summary.notRun = try fields.optionalCount("notRun") ?? 0
            summary.hasServerError = try fields.flag("serverError")
            event = .suiteFinished(summary)
        case "interruption": event = .interrupted(nil)
        case "runEnd":
            var summary = RunSummary(
                counts: try counts(fields), exchanges: try fields.count("exchanges"),
                duration: try fields.nanoseconds("duration"), wasInterrupted: try fields.flag("interrupted"),
                hasServerError: try fields.flag("serverError"))
            summary.hasSnapshotError = try fields.flag("snapshotError")
            summary.hasLowCoverage = try fields.flag("lowCoverage")
            if let missing = try fields.optionalObject("missing") {
                summary.missing = MissingTests(
                    notRun: try missing.count("notRun"), planned: try missing.count("planned"),
                    reasons: try missing.strings("reasons"))
            }
            summary.coverages = try fields.objects("contracts", Self.coverage)
            event = .runFinished(summary)
        default: return .unknown
        }
        return .event(event, sizes: sizes, time: try fields.optionalNanoseconds("time"))
    }

    // MARK: Run and suites

    private mutating func run(_ fields: RecordFields) throws(RecordProblem) -> RunInfo {
        let schema = try fields.integer("schema")
        guard schema <= RecordWriter.schema else {
            throw RecordProblem(
                "unsupported record format \(schema): this version of apitest reads format \(RecordWriter.schema)",
                member: "schema")
        }
        var suites: [SuiteInfo] = []
        for (index, element) in try fields.array("suites").enumerated() {
            suites.append(try suite(try RecordFields(element, member: "suites"), index: index))
        }
        let startTime = try fields.time("startTime")
        guard case .number(let seed)? = fields["seed"], let seed = seed.uint64 else {
            throw RecordProblem("\"seed\" is not an unsigned 64-bit integer", member: "seed")
        }
        hasAllExchanges = try fields.flag("allExchanges")
        return RunInfo(
            suites: suites, testCount: try fields.count("testCount"), seed: seed, jobs: try fields.count("jobs"),
            version: try fields.string("version"), startTime: startTime,
            hostName: try fields.optionalString("hostName") ?? "",
            workingDirectory: try fields.optionalString("workingFolder") ?? "",
            shard: try fields.optionalString("shard"),
            origin: try fields.optionalObject("origin").map(Self.origin) ?? RunOrigin(),
            testCountOfShards: try fields.optionalCount("testCountOfShards"))
    }

    private static func origin(_ fields: RecordFields) throws(RecordProblem) -> RunOrigin {
        func link(_ name: String) throws(RecordProblem) -> RunOrigin.Link? {
            guard let fields = try fields.optionalObject(name) else { return nil }
            return RunOrigin.Link(name: try fields.string("name"), url: try fields.optionalString("url"))
        }
        return RunOrigin(
            revision: try link("revision"), branch: try link("branch"), job: try link("job"),
            system: try fields.optionalString("system"), build: try fields.optionalInteger("build"))
    }

    private func suite(_ fields: RecordFields, index: Int) throws(RecordProblem) -> SuiteInfo {
        var info = SuiteInfo(
            index: index, name: try fields.string("name"), path: try fields.string("path"),
            documentIndex: fields["documentIndex"] == nil ? 0 : try fields.count("documentIndex"),
            baseURL: try fields.optionalString("baseURL"), environment: try fields.optionalString("environment"),
            testCount: try fields.count("testCount"), start: try fields.optionalNanoseconds("start") ?? 0)
        info.digest = try fields.optionalString("digest")
        info.annotations = try annotations(fields)
        return info
    }

    private func annotations(_ fields: RecordFields) throws(RecordProblem) -> Annotations? {
        Annotations(
            description: try fields.optionalString("description"), owner: try fields.optionalString("owner"),
            properties: try fields.objects("properties") { fields throws(RecordProblem) in
                Annotations.Property(name: try fields.string("name"), value: try fields.string("value"))
            })
    }

    private func counts(_ fields: RecordFields) throws(RecordProblem) -> OutcomeCounts {
        let fields = try fields.object("counts")
        var counts = OutcomeCounts()
        counts.passed = try fields.count("passed")
        counts.flaky = try fields.count("flaky")
        counts.failed = try fields.count("failed")
        counts.errored = try fields.count("errored")
        counts.skipped = try fields.count("skipped")
        counts.blocked = try fields.count("blocked")
        if fields["known"] != nil { counts.known = try fields.count("known") }
        return counts
    }

    private func notice(_ fields: RecordFields) throws(RecordProblem) -> RunNotice {
        let severity = try fields.string("severity")
        guard let severity = RunNotice.Severity(rawValue: severity) else {
            throw RecordProblem("unknown severity \"\(severity)\"", member: "severity")
        }
        return RunNotice(
            id: fields["id"] == nil ? nil : try fields.string("id"), severity: severity,
            suite: fields["suite"] == nil ? nil : try fields.count("suite"),
            message: MessageText(try fields.string("message")),
            details: try fields.strings("details").map { MessageText($0) })
    }

    // MARK: Tests

    private mutating func test(_ fields: RecordFields) throws(RecordProblem) -> TestReference {
        let position = try fields.count("position")
        var test = TestReference(
            suite: try fields.count("suite"), position: position, name: try fields.string("name"),
            id: try fields.optionalString("id"), tags: try fields.strings("tags"),
            hasSteps: try fields.flag("hasSteps"), range: try location(fields, file: nil))
        test.annotations = try annotations(fields)
        test.isVerbose = try fields.flag("isVerbose")
        switch try fields.optionalString("kind") {
        case "setup": test.kind = .setup
        case "teardown": test.kind = .teardown
        default: break
        }
        test.ordinal = Int(clamping: try fields.optionalInteger("ordinal") ?? Int64(position))
        return test
    }

    private mutating func result(
        _ fields: RecordFields, sizes: inout BodySizes
    ) throws(RecordProblem) -> TestResult {
        let test = try test(fields)
        let file = test.range.file
        var steps: [TestResult.Step] = []
        for (index, element) in try fields.array("steps").enumerated() {
            let (step, pair) = try step(try RecordFields(element, member: "steps"), file: file)
            steps.append(step)
            sizes[index] = pair
        }
        var attempts: [TestResult.Attempt] = []
        for element in try fields.array("attempts") {
            let fields = try RecordFields(element, member: "attempts")
            var steps: [TestResult.Step] = []
            for element in try fields.array("steps") {
                steps.append(try step(try RecordFields(element, member: "steps"), file: file).step)
            }
            attempts.append(
                TestResult.Attempt(
                    outcome: try outcome(fields), steps: steps, duration: try fields.nanoseconds("duration")))
        }
        var result = TestResult(
            test: test, outcome: try outcome(fields), steps: steps, previousAttempts: attempts,
            start: try fields.nanoseconds("start"), duration: try fields.nanoseconds("duration"))
        result.isCutOff = try fields.flag("cutOff")
        result.variables = try variables("variables", of: fields)
        return result
    }

    private func variables(_ name: String, of fields: RecordFields) throws(RecordProblem) -> [UsedVariable] {
        try fields.objects(name) { fields throws(RecordProblem) in
            UsedVariable(name: try fields.string("name"), value: fields["value"] ?? .null)
        }
    }

    private func outcome(_ fields: RecordFields) throws(RecordProblem) -> TestResult.Outcome {
        let outcome = try fields.string("outcome")
        switch outcome {
        case "passed": return .passed
        case "flaky": return .flaky
        case "known": return .known(reason: try fields.optionalString("reason") ?? "")
        case "failed": return .failed
        case "errored": return .errored
        case "skipped": return .skipped(reason: try fields.optionalString("reason") ?? "")
        case "blocked": return .blocked(by: try fields.string("blockedBy"))
        default: throw RecordProblem("unknown outcome \"\(outcome)\"", member: "outcome")
        }
    }

    private mutating func step(
        _ fields: RecordFields, file: SourceFile
    ) throws(RecordProblem) -> (step: TestResult.Step, sizes: BodySizes.Pair) {
        var step = TestResult.Step(
            name: try fields.string("name"), outcome: try outcome(fields), findings: try findings(fields),
            duration: try fields.nanoseconds("duration"), range: try location(fields, file: file))
        step.start = try fields.nanoseconds("start")
        step.printed = try variables("printed", of: fields)
        step.polls = fields["polls"] == nil ? 0 : try fields.count("polls")
        for element in try fields.array("calls") {
            step.calls.append(try location(try RecordFields(element, member: "calls"), file: nil))
        }
        var sizes = BodySizes.Pair()
        if let fields = try fields.optionalObject("exchange") {
            step.exchange = try fields.exchange(sizes: &sizes)
        } else if let fields = try fields.optionalObject("sent") {
            step.outline = ExchangeOutline(
                method: try fields.string("method"), url: try fields.string("url"),
                status: fields["status"] == nil ? nil : try fields.count("status"))
        }
        for element in try fields.array("attempts") {
            let fields = try RecordFields(element, member: "attempts")
            var sizes = BodySizes.Pair()
            step.previousAttempts.append(
                TestResult.StepAttempt(
                    outcome: try outcome(fields), findings: try findings(fields),
                    exchange: try fields.optionalObject("exchange")?.exchange(sizes: &sizes),
                    duration: try fields.nanoseconds("duration")))
        }
        return (step, sizes)
    }

    mutating func findings(_ fields: RecordFields) throws(RecordProblem) -> [Finding] {
        var findings: [Finding] = []
        for element in try fields.array("findings") {
            let fields = try RecordFields(element, member: "findings")
            let kind = try fields.string("kind")
            guard let kind = Finding.Kind(rawValue: kind) else {
                throw RecordProblem("unknown finding kind \"\(kind)\"", member: "kind")
            }
            var finding = Finding(
                kind: kind, subject: Finding.Subject(try fields.string("subject")),
                type: .init(rawValue: try fields.string("type")),
                message: MessageText(try fields.string("message")),
                details: try fields.strings("details").map { MessageText($0) })
            // null is a valid expected value.
            finding.expected = fields.value("expected")
            finding.actual = fields.value("actual")
            finding.isKnown = try fields.flag("isKnown")
            if let range = try fields.optionalObject("range") { finding.range = try self.range(range) }
            findings.append(finding)
        }
        return findings
    }

    // MARK: Locations

    /// Returns a location in a file whose contents are unknown.
    private mutating func location(_ fields: RecordFields, file: SourceFile?) throws(RecordProblem) -> SourceRange {
        let position = try fields.position()
        guard let name = try fields.optionalString("file") else {
            guard let file else { throw RecordProblem("missing member \"file\"") }
            return SourceRange(file: file, start: position, end: position)
        }
        return SourceRange(file: self.file(name), start: position, end: position)
    }

    private mutating func file(_ name: String) -> SourceFile {
        if let file = files[name] { return file }
        if files.count >= Self.maximumFiles { files.removeAll() }
        let file = SourceFile(name: name, text: "")
        files[name] = file
        return file
    }

    mutating func range(_ fields: RecordFields) throws(RecordProblem) -> SourceRange {
        let name = try fields.string("file")
        let start = try fields.object("start").position()
        let end = try fields.object("end").position()
        guard let text = try fields.optionalString("text") else {
            return SourceRange(file: file(name), start: start, end: end)
        }
        let excerpt = Excerpt(file: name, line: Int(start.line), text: text)
        if let file = excerpts[excerpt] { return SourceRange(file: file, start: start, end: end) }
        let file = SourceFile(name: name, text: Array(text.utf8), firstLine: Int(start.line))
        excerpts[excerpt] = file
        return SourceRange(file: file, start: start, end: end)
    }
}

extension RecordFields {
    /// Returns the line and column.
    fileprivate func position() throws(RecordProblem) -> SourcePosition {
        SourcePosition(line: max(1, try count("line")), column: max(1, try count("column")))
    }
}

extension RecordDecoder {
    /// Decodes the coverage of an API description.
    package static func coverage(_ fields: RecordFields) throws(RecordProblem) -> ContractCoverage {
        var items: [ContractCoverage.Item] = []
        for element in try fields.array("items") {
            let fields = try RecordFields(element, member: "items")
            // A newer version may have more kinds.
            guard let kind = ContractCoverage.Item.Kind(rawValue: try fields.string("kind")) else { continue }
            items.append(
                ContractCoverage.Item(
                    kind: kind, operation: try fields.string("operation"),
                    name: try fields.optionalString("name") ?? "", isCovered: try fields.flag("covered")))
        }
        return ContractCoverage(
            description: try fields.string("description"), items: items,
            undocumented: try fields.strings("undocumented"))
    }
}
