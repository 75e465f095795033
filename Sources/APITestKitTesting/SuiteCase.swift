#if canImport(Testing)
import Basics
public import APITestKit
import Diagnostics
import Reports
import RunModel
import Runner
import SuiteModel
public import Testing

/// A test of a suite, as an argument of a parameterized Swift Testing test.
///
/// ```swift
/// @Test(arguments: try SuiteCase.load("Suites/bookshop.apitest.yaml"))
/// func bookshop(_ test: SuiteCase) async throws {
///     try await test.check()
/// }
/// ```
///
/// Cases that are loaded together share one run. It starts with the first call of ``check(sourceLocation:)``, runs the
/// tests in the order that the suites define, and sends at most ``TestRunOptions/jobs`` requests at a time.
public struct SuiteCase: Sendable {
    /// The name of the suite.
    public let suite: String
    /// The name of the test, or of its row if the test has rows.
    public let name: String
    /// The tags of the test, including those of its suite.
    public let tags: [String]
    /// The absolute path of the suite file.
    public let path: String
    /// The line on which the test starts.
    public let line: Int
    /// The column at which the test starts.
    public let column: Int

    private let key: SharedRun.Key
    private let run: SharedRun
    private let directory: String

    /// Loads suites and returns their tests.
    ///
    /// - Parameters:
    ///   - paths: Paths of suite files, or of directories that contain them. Relative paths resolve against
    ///     ``TestRunOptions/directory``.
    ///   - options: The options for loading and running; nil creates options relative to the calling file.
    ///   - filePath: The path of the calling file.
    ///   - isIncluded: A closure that returns whether to include a test. The dependencies of included tests run, too.
    /// - Returns: The cases, in file order.
    /// - Throws: ``LoadFailure`` when a suite is invalid. No request is sent in that case.
    public static func load(
        _ paths: String..., options: TestRunOptions? = nil, filePath: String = #filePath,
        where isIncluded: ((SuiteCase) -> Bool)? = nil
    ) throws(LoadFailure) -> [SuiteCase] {
        let options = options ?? TestRunOptions(callingFile: filePath)
        let run = try TestRun(paths: paths, options: options)
        guard let isIncluded else { return cases(of: run) }
        let all = SharedRun(run)
        return cases(
            of: run.keeping { entry in
                isIncluded(
                    SuiteCase(
                        entry.reference, suite: run.plan.suites[entry.suite], run: all, directory: options.directory))
            })
    }

    private static func cases(of run: TestRun) -> [SuiteCase] {
        let shared = SharedRun(run)
        return run.plan.tests.compactMap { entry in
            let suite = run.plan.suites[entry.suite]
            // Setup and teardown are cases, too: their failures must be visible.
            guard entry.isSelected || suite.tests[entry.test].kind != .test else { return nil }
            return SuiteCase(entry.reference, suite: suite, run: shared, directory: run.options.directory)
        }
    }

    init(_ test: TestReference, suite: Suite, run: SharedRun, directory: String) {
        self.suite = suite.name
        name = test.name
        tags = test.tags
        path = Self.absolute(test.range.file.name, in: directory)
        line = Int(test.range.start.line)
        column = Int(test.range.start.column)
        key = SharedRun.Key(test)
        self.run = run
        self.directory = directory
    }

    /// Waits for the result of the test and records its failures as issues at their locations in the suite file.
    ///
    /// A skipped or blocked test cancels the case and states the reason. A flaky test, which passed only after a retry,
    /// records a warning.
    ///
    /// - Parameter sourceLocation: The location of the call; its module is used for the recorded issues.
    /// - Throws: The error that cancels the case.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let verdict = await verdict()
        for issue in verdict.issues {
            Issue.record(
                Comment(rawValue: issue.text), severity: issue.isWarning ? .warning : .error,
                sourceLocation: location(of: issue, module: sourceLocation.moduleName))
        }
        if let reason = verdict.reasonNotRun {
            try Test.cancel(
                Comment(rawValue: reason),
                sourceLocation: location(
                    of: Verdict.Issue(text: reason, path: path, line: line, column: column),
                    module: sourceLocation.moduleName))
        }
    }

    private func location(of issue: Verdict.Issue, module: String) -> SourceLocation {
        let name = issue.path.split(separator: "/").last ?? "suite"
        return SourceLocation(
            fileID: "\(module)/\(name)", filePath: issue.path, line: max(1, issue.line), column: max(1, issue.column))
    }

    // MARK: Verdict

    /// The issues that a case records, or the reason for its cancellation.
    struct Verdict: Sendable {
        /// An issue and its location.
        struct Issue: Sendable {
            var text: String
            var path: String
            var line: Int
            var column: Int
            var isWarning = false
        }

        var issues: [Issue] = []
        /// The reason why the test did not run; nil if it ran.
        var reasonNotRun: String?
    }

    /// Waits for the result of the test and converts it to issues.
    func verdict() async -> Verdict {
        var verdict = Verdict()
        guard let result = await run.result(of: key) else {
            verdict.issues.append(issue("the run ended without a result for this test" + notices))
            return verdict
        }
        switch result.outcome {
        case .passed: break
        case .flaky:
            let attempts = result.previousAttempts.count + (result.steps.map(\.previousAttempts.count).max() ?? 0)
            verdict.issues.append(issue("passed only on attempt \(attempts + 1)", isWarning: true))
        case .known(let reason):
            verdict.issues.append(
                issue(
                    reason.isEmpty ? "failed with known findings only" : "failed as expected: \(reason)",
                    isWarning: true))
        case .failed, .errored:
            for step in result.steps { append(step, of: result, to: &verdict) }
            if verdict.issues.isEmpty { verdict.issues.append(issue("the test did not pass" + notices)) }
        case .skipped(let reason): verdict.reasonNotRun = reason.isEmpty ? "skipped" : reason
        case .blocked(let blocker):
            verdict.reasonNotRun = "blocked by \"\(blocker)\", which did not pass" + notices
        }
        return verdict
    }

    private func append(_ step: TestResult.Step, of result: TestResult, to verdict: inout Verdict) {
        for (index, finding) in step.findings.enumerated() {
            var text = FailureText.text(of: finding)
            if result.test.hasSteps, step.name != result.test.name { text = "\(step.name): " + text }
            if index == step.findings.count - 1, let exchange = step.exchange {
                text += "\n" + FailureText.text(of: exchange)
            }
            let range = finding.range ?? step.range
            verdict.issues.append(
                Verdict.Issue(
                    text: text, path: Self.absolute(range.file.name, in: directory), line: Int(range.start.line),
                    column: Int(range.start.column)))
        }
    }

    private func issue(_ text: String, isWarning: Bool = false) -> Verdict.Issue {
        Verdict.Issue(text: text, path: path, line: line, column: column, isWarning: isWarning)
    }

    private var notices: String {
        run.notices.map { "\n  " + ([$0.message] + $0.details.map(\.text)).joined(separator: "\n    ") }.joined()
    }

    private static func absolute(_ path: String, in directory: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}

extension SuiteCase: CustomTestStringConvertible {
    /// The names of the suite and the test.
    public var testDescription: String { "\(suite) › \(name)" }
}

extension SuiteCase: CustomTestArgumentEncodable {
    /// Encodes the identity of the case, so that Swift Testing can run it on its own.
    public func encodeTestArgument(to encoder: some Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(path) › \(suite) › \(name)")
    }
}
#endif

#if canImport(Testing)
public import APITestKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TestRunOptions {
    /// Creates options for the directory of a source file.
    ///
    /// Relative paths resolve against that directory. Suites may reference files in the enclosing Swift package.
    ///
    /// - Parameter callingFile: The path of the source file.
    public init(callingFile: String = #filePath) {
        let directory = Self.parent(of: callingFile)
        var root = directory
        while access(root + "/Package.swift", F_OK) != 0, root.count > 1 { root = Self.parent(of: root) }
        self.init(directory: directory, fileRoot: root.count > 1 ? root : directory)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
#endif
