public import Basics
import Diagnostics
import OpenAPI
public import RunModel

extension FuzzRun {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// A suite that shows a fault.
        public struct Found: Sendable {
            /// The name of the file.
            public var fileName: String
            /// The suite as YAML.
            public var text: String
        }

        /// The properties of a finding that do not depend on the values of the request.
        public struct Identity: Sendable {
            /// The operation and the check, which are words of the program and data.
            public var test: MessageText
            /// The identifier of the check.
            public var check: String
            /// The fault and its place in the description, or in the response.
            public var message: MessageText
        }

        /// The results: a failed one for each finding, and a passed one for each operation without a finding.
        public var results: [TestResult] = []
        /// The identity of the finding of each failed result, by its position.
        public var identities: [Int: Identity] = [:]
        /// The names of the tests that found nothing, one for each operation and check.
        public var passes: [MessageText] = []
        /// The suites of the findings.
        public var found: [Found] = []
        /// The number of requests.
        public var requests = 0
        /// The parts of the description that were not tested.
        public var gaps: [GeneratedSuite.Gap] = []
        /// The findings that did not occur again when their requests were repeated, each in one sentence.
        public var unconfirmed: [MessageText] = []
        /// The findings whose requests were not repeated because the search ended, each in one sentence.
        public var unrepeated: [MessageText] = []
        /// Whether the search ended because the server no longer responded.
        public var hasLostServer = false
        /// The rules that the server enforces beyond its description, each in one sentence.
        public var lessons: [MessageText] = []
        /// The operations that require credentials that were not given, each in one sentence.
        public var missingCredentials: [MessageText] = []
        /// The operations that got no more requests because they did not respond, each in one sentence.
        public var silences: [MessageText] = []
        /// The operations that got no more random requests because these failed, each in one sentence.
        public var failures: [MessageText] = []

        /// Creates the result of a run that ended before the search.
        public init(results: [TestResult] = [], requests: Int = 0) {
            self.results = results
            self.requests = requests
        }
    }

    // MARK: Outcome

    consuming func outcome(contractPath: String) -> Outcome {
        var outcome = Outcome()
        outcome.requests = requests.values.reduce(0, +)
        outcome.gaps = plan.gaps
        outcome.hasLostServer = isDown && !responding.isEmpty
        outcome.unrepeated = findings.removePending().map { sentence($0) }
        outcome.unconfirmed = findings.rejected.map { sentence($0.finding) }
        if let last, options.checks.contains(.noResponse) {
            findings.add(last)
            findings.confirm(last, at: time() - start)
        }
        outcome.lessons = lessons
        outcome.missingCredentials = credentialLessons
        outcome.silences = silences
        outcome.failures = failures
        var names: Set<String> = []
        var titles: Set<String> = []
        for operation in plan.tested {
            let title = judge.operations[operation].wording
            let own = findings.entries.filter { $0.finding.test.operation == operation }
            for entry in own {
                let found = FoundSuite(entry.finding, plan, contractPath: contractPath)
                let fileName = unique(found.fileName(judge.operations[operation]), &names)
                outcome.found.append(.init(fileName: fileName + ".apitest.yaml", text: found.text))
                let isOnly = own.count { $0.finding.check == entry.finding.check } == 1
                let name = title + Self.suffix(entry.finding.check)
                outcome.identities[outcome.results.count] = identity(of: entry.finding, test: name)
                outcome.results.append(
                    result(
                        entry, unique(isOnly ? name : "\(name) \(plan.wording(of: entry.finding.test))", &titles),
                        outcome.results.count))
            }
            if !isEnded, responding.contains(operation) {
                for check in FuzzCheck.allCases
                where options.checks.contains(check) && !own.contains(where: { $0.finding.check == check }) {
                    outcome.passes.append(title + Self.suffix(check))
                }
            }
            guard own.isEmpty else { continue }
            if outcome.hasLostServer, !responding.contains(operation) {
                outcome.results.append(
                    TestResult(
                        test: reference(operation, title, outcome.results.count),
                        outcome: .skipped(reason: "the server no longer responds")))
            } else if !responding.contains(operation), !isStopped() {
                let exchange = unanswered[operation] ?? (isDown ? unanswered.first?.value : nil)
                outcome.results.append(errored(operation, title, outcome.results.count, exchange))
            } else {
                outcome.results.append(passed(operation, title, outcome.results.count))
            }
        }
        return outcome
    }

    private func sentence(_ finding: FuzzFinding) -> MessageText {
        let check = MessageText(words: finding.check.rawValue)
        return "\(judge.operations[finding.test.operation].wording) \(check): \(finding.message)"
    }

    private static func suffix(_ check: FuzzCheck) -> MessageText { MessageText(words: " › \(check.rawValue)") }

    private func identity(of finding: FuzzFinding, test: MessageText) -> Outcome.Identity {
        let file = judge.contract.description.root.file.location
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let place = directory.isEmpty ? finding.place : finding.place.replacing(directory, with: "")
        let summary = MessageText(words: finding.check.summary)
        return Outcome.Identity(
            test: test, check: finding.check.rawValue,
            message: place.isEmpty ? summary : "\(summary) (\(MessageText(words: place)))")
    }

    private func unique(_ name: String, _ names: inout Set<String>) -> String {
        unique(MessageText(name), &names).text
    }

    private func unique(_ name: MessageText, _ names: inout Set<String>) -> MessageText {
        var result = name
        var number = 2
        while !names.insert(result.text).inserted {
            result = name + MessageText(words: "-\(number)")
            number += 1
        }
        return result
    }

    func reference(_ operation: Int, _ name: MessageText, _ position: Int) -> TestReference {
        let file = judge.contract.description.root.file
        let range =
            judge.operations[operation].node.keyRange
            ?? SourceRange(file: file.source, bytes: 0..<0)
        var reference = TestReference(
            suite: 0, position: position, name: name.text, tags: judge.operations[operation].tags, range: range)
        reference.wording = name
        return reference
    }

    private func passed(_ operation: Int, _ title: MessageText, _ position: Int) -> TestResult {
        TestResult(test: reference(operation, title, position), outcome: .passed)
    }

    /// Returns the result of an operation that no request reached.
    ///
    /// - Parameter exchange: The last exchange, or `nil` if no request was sent.
    private func errored(
        _ operation: Int, _ title: MessageText, _ position: Int, _ exchange: Exchange?
    ) -> TestResult {
        let reference = reference(operation, title, position)
        let failure = exchange?.failure
        let finding = Finding(
            kind: .error, subject: .other(failure?.phase.rawValue ?? "request"),
            type: failure?.kind ?? .connectionFailed,
            message: failure?.message ?? "no request was sent", range: reference.range)
        let step = TestResult.Step(
            name: title.text, outcome: .errored, findings: [finding], exchange: exchange, range: reference.range)
        return TestResult(test: reference, outcome: .errored, steps: [step])
    }

    private func result(
        _ entry: FuzzFindings.Entry, _ name: MessageText, _ position: Int
    ) -> TestResult {
        let finding = entry.finding
        let reference = reference(finding.test.operation, name, position)
        var details = finding.details
        details.append("request: \(plan.wording(of: finding.test))")
        if entry.count > 1 { details.append("\(entry.count) requests show this fault") }
        if let standard = finding.check.standard { details.append("see \(MessageText(words: standard))") }
        let shown = Finding(
            subject: .other(finding.check.rawValue), type: .init(finding.check.rawValue), message: finding.message,
            range: reference.range, details: details)
        let step = TestResult.Step(
            name: name.text, outcome: .failed, findings: [shown], exchange: finding.exchange, range: reference.range)
        var result = TestResult(
            test: reference, outcome: .failed, steps: [step], duration: finding.exchange.timings.total)
        result.steps[0].duration = finding.exchange.timings.total
        result.start = max(0, entry.time - finding.exchange.timings.total)
        result.steps[0].start = result.start
        return result
    }
}
