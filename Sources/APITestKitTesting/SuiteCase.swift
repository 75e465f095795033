#if canImport(Testing)
public import APITestKit
import Diagnostics
import Reports
import RunModel
import Runner
import SuiteModel
public import Testing

/// A test of a suite as a case of a parameterized Swift Testing test.
///
/// ```swift
/// @Test(arguments: try SuiteCase.load("bookshop.apitest.yaml"))
/// func bookshop(_ test: SuiteCase) async throws { try await test.check() }
/// ```
///
/// The cases that were loaded together are run together, in one run that begins with the first ``check(sourceLocation:)``:
/// in the order that the suites ask for, as many at a time as ``TestRunOptions/jobs`` allows.
public struct SuiteCase: Sendable {
    /// The name of the suite.
    public let suite: String
    /// The name of the test; of a row the row's.
    public let name: String
    /// The tags of the test and its suite.
    public let tags: [String]
    /// The absolute path of the suite's file.
    public let path: String
    /// The line on which the test begins.
    public let line: Int
    /// The column in which the test begins.
    public let column: Int

    private let key: SharedRun.Key
    private let run: SharedRun
    private let folder: String

    /// Loads suites.
    ///
    /// - Parameters:
    ///   - paths: Suite files, or folders with them; relative ones resolve against ``TestRunOptions/folder``.
    ///   - options: How the suites are loaded and run; without them, relative to the file that calls this.
    ///   - filePath: The file that calls this.
    ///   - isIncluded: Which tests are wanted, by what the cases say of them; those that they need are run too.
    /// - Returns: The cases, in the order of the files.
    /// - Throws: ``LoadFailure`` when a suite has a mistake; nothing is sent then.
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
                    SuiteCase(entry.reference, suite: run.plan.suites[entry.suite], run: all, folder: options.folder))
            })
    }

    private static func cases(of run: TestRun) -> [SuiteCase] {
        let shared = SharedRun(run)
        return run.plan.tests.compactMap { entry in
            let suite = run.plan.suites[entry.suite]
            // A setup or teardown that fails must not go unseen.
            guard entry.isSelected || suite.tests[entry.test].kind != .test else { return nil }
            return SuiteCase(entry.reference, suite: suite, run: shared, folder: run.options.folder)
        }
    }

    init(_ test: TestReference, suite: Suite, run: SharedRun, folder: String) {
        self.suite = suite.name
        name = test.name
        tags = test.tags
        path = Self.absolute(test.range.file.name, in: folder)
        line = Int(test.range.start.line)
        column = Int(test.range.start.column)
        key = SharedRun.Key(test)
        self.run = run
        self.folder = folder
    }

    /// Waits for the test's result, and records what is wrong as issues at their places in the suite.
    ///
    /// A test that is skipped or blocked cancels the case and says why; one that passes only when it was tried again records
    /// a warning.
    ///
    /// - Parameter sourceLocation: Where this is called; its module is that of the issues.
    /// - Throws: What cancels the case.
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

    /// What a case records.
    struct Verdict: Sendable {
        /// An issue at its place.
        struct Issue: Sendable {
            var text: String
            var path: String
            var line: Int
            var column: Int
            var isWarning = false
        }

        var issues: [Issue] = []
        /// Why the test was not run.
        var reasonNotRun: String?
    }

    /// What the case is to record.
    func verdict() async -> Verdict {
        var verdict = Verdict()
        guard let result = await run.result(of: key) else {
            verdict.issues.append(issue("the run has ended without a result for this test" + notices))
            return verdict
        }
        switch result.outcome {
        case .passed: break
        case .flaky:
            let attempts = result.earlierAttempts.count + (result.steps.map(\.earlierAttempts.count).max() ?? 0)
            verdict.issues.append(issue("passed only at attempt \(attempts + 1)", isWarning: true))
        case .known:
            verdict.issues.append(issue("fails, as is known", isWarning: true))
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
                    text: text, path: Self.absolute(range.file.name, in: folder), line: Int(range.start.line),
                    column: Int(range.start.column)))
        }
    }

    private func issue(_ text: String, isWarning: Bool = false) -> Verdict.Issue {
        Verdict.Issue(text: text, path: path, line: line, column: column, isWarning: isWarning)
    }

    private var notices: String {
        run.notices.map { "\n  " + ([$0.message] + $0.details).joined(separator: "\n    ") }.joined()
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }
}

extension SuiteCase: CustomTestStringConvertible {
    /// The names of the suite and the test.
    public var testDescription: String { "\(suite) › \(name)" }
}

extension SuiteCase: CustomTestArgumentEncodable {
    /// Encodes what tells the case from the others, so that it can be run by itself.
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
    /// Creates options in which paths resolve against the folder of a source file, and suites may name files in its package.
    ///
    /// - Parameter callingFile: The path of the source file.
    public init(callingFile: String = #filePath) {
        let folder = Self.parent(of: callingFile)
        var root = folder
        while access(root + "/Package.swift", F_OK) != 0, root.count > 1 { root = Self.parent(of: root) }
        self.init(folder: folder, fileRoot: root.count > 1 ? root : folder)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
#endif
