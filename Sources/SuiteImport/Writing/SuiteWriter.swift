import Basics
import Diagnostics
import SuiteFormat
import YAML

/// Writes imported suites as YAML that looks as if a person had written it.
package struct SuiteWriter {
    /// A suite as text.
    package struct Output: Sendable {
        /// The YAML, formatted.
        package var text: [UInt8]
        /// The number of tests.
        package var testCount: Int
        /// The number of requests.
        package var requestCount: Int
        /// The environment variables that the suite reads without a default.
        package var environment: [String]
    }

    private var suite: ImportedSuite
    private let common: CommonParts
    private let comments: [String]
    /// The environment variables that the suite reads without a default.
    private let environment: [String]

    /// Writes a suite without problems.
    ///
    /// A test that the loader rejects, because its source is not valid HTTP for example, becomes a comment.
    ///
    /// - Parameters:
    ///   - name: The name of the suite's file.
    ///   - context: The state of the import.
    /// - Returns: nil if the suite has no tests, or if it would not load, which is reported.
    package static func write(
        _ suite: ImportedSuite, as name: String, _ context: inout ImportContext
    ) -> Output? {
        var suite = suite
        for test in suite.tests where test.steps.isEmpty { suite.notes += test.notes }
        suite.tests.removeAll { $0.steps.isEmpty }
        var reason: String?
        while !suite.tests.isEmpty {
            let writer = SuiteWriter(suite)
            let output = writer.output()
            let check = SuiteCheck(output.text, as: name, context.options)
            guard let problem = check.problems.first else { return output }
            if check.rejected.isEmpty {
                context.report(
                    "invalid-import", "the suite of \"\(suite.source)\" would not load: \(problem.wording)", nil)
                return nil
            }
            for index in check.rejected.keys.sorted(by: >) where suite.tests.indices.contains(index) {
                let test = suite.tests.remove(at: index)
                reason = check.rejected[index]
                let request = test.steps.first?.request
                let title = "\(request?.method ?? "") \(request?.url.template ?? "")"
                suite.notes.insert(
                    context.untranslated(
                        "invalid request", file: suite.source, source: "\(title): \(reason ?? "")"), at: 0)
                suite.notes += test.notes
            }
        }
        if let reason {
            context.report("invalid-import", "no request of \"\(suite.source)\" is valid: \(reason)", nil)
        }
        return nil
    }

    private init(_ suite: ImportedSuite) {
        self.suite = suite
        EmptyOrigins.replace(in: &self.suite)
        SecretExtraction.apply(to: &self.suite)
        comments = NameResolution.apply(to: &self.suite)
        environment = EnvironmentNames.list(of: self.suite)
        common = CommonParts(of: &self.suite)
        TestNames.apply(to: &self.suite)
    }

    private func output() -> Output {
        let text = text()
        let formatter = SuiteFormatter(fileRoot: "/", workingDirectory: "/")
        let formatted = formatter.format(SourceFile(name: "suite.apitest.yaml", text: text)).text
        return Output(
            text: formatted ?? Array(text.utf8), testCount: suite.tests.count, requestCount: suite.steps.count,
            environment: environment)
    }

    // MARK: The suite

    private func text() -> String {
        var entries = Entries()
        entries.add("name", literal: suite.name.isEmpty ? nil : TestNames.plain(suite.name))
        entries.add("description", verbatim: suite.description)
        entries.add("baseURL", suite.baseURL)
        if suite.order == .serial, suite.tests.count > 1 { entries.add("mode", literal: "serial") }
        entries.add("variables", nonempty: variables(suite.variables))
        let environments = environments()
        entries.add("environments", nonempty: environments)
        let secrets = secretNames
        if !secrets.isEmpty { entries.add("secrets", .sequence(secrets.map(YAMLOutput.text))) }
        entries.add("defaults", nonempty: defaults())
        if !suite.setup.isEmpty { entries.add("setup", .sequence(suite.setup.map { step($0).output })) }
        var writer = YAMLWriter(Self.style)
        writer.writeComment(header(), indentation: 0)
        for (index, entry) in entries.list.enumerated() {
            if case .text(let key) = entry.key, index > 0, Self.separated.contains(key) {
                writer.write(verbatim: "\n")
            }
            writer.writeEntry(entry.key, entry.value, indentation: 0)
        }
        writer.write(verbatim: "\ntests:\n")
        var group: [String] = []
        for (index, test) in suite.tests.enumerated() {
            if index > 0 { writer.write(verbatim: "\n") }
            var output = self.test(test)
            if test.group != group, !test.group.isEmpty {
                output = .commented([TestNames.plain(test.group.joined(separator: " / "))], output)
            }
            group = test.group
            writer.writeElement(output, indentation: 2)
        }
        if !suite.teardown.isEmpty {
            writer.write(verbatim: "\n")
            writer.writeEntry(
                .text("teardown"), .sequence(suite.teardown.map { step($0).output }), indentation: 0)
        }
        return writer.text
    }

    /// The keys after a blank line.
    private static let separated: Set<String> = ["variables", "environments", "defaults", "setup"]

    /// The comment at the top.
    private func header() -> [String] {
        var lines: [String] = []
        if !environment.isEmpty {
            lines.append("Set these environment variables before you run the suite:")
            lines += environment.map { "  export \($0)=…" }
        }
        lines += comments
        lines += suite.comments
        for note in suite.notes { lines += note.comment }
        return lines
    }

    private func variables(_ variables: [ImportedVariable]) -> Entries {
        var entries = Entries()
        for variable in variables { entries.add(variable.name, value: variable.value) }
        return entries
    }

    private func environments() -> Entries {
        var entries = Entries()
        for environment in suite.environments {
            var values = Entries()
            values.add("baseURL", environment.baseURL)
            values.add("variables", nonempty: variables(environment.variables))
            entries.add(TestNames.plain(environment.name), values.output)
        }
        return entries
    }

    private var secretNames: [String] {
        var names: [String] = []
        for variable in suite.variables + suite.environments.flatMap(\.variables) where variable.isSecret {
            if !names.contains(variable.name) { names.append(variable.name) }
        }
        return names
    }

    private func defaults() -> Entries {
        var entries = Entries()
        if !common.headers.isEmpty { entries.add("headers", .fields(common.headers)) }
        if let auth = common.auth { entries.add("auth", RequestOutput.output(of: auth)) }
        for setting in common.settings { entries.add(setting.key.rawValue, value: setting.value) }
        if suite.keepsCookies { entries.add("cookieJar", literal: "keep") }
        return entries
    }

    // MARK: Tests and steps

    private func test(_ test: ImportedTest) -> YAMLOutput {
        var entries = Entries()
        entries.add("name", literal: test.name)
        entries.add("description", verbatim: test.description)
        entries.add("tags", oneOrMore: test.tags.map(YAMLOutput.text))
        entries.add("skip", verbatim: test.skip)
        entries.add("xfail", verbatim: test.expectedFailure)
        entries.add("needs", oneOrMore: test.needs.map(YAMLOutput.text))
        switch test.rows {
        case nil: break
        case .rows(let rows): entries.add("cases", .lines(rows.map { YAMLOutput(ImportedValue.mapping($0)) }))
        case .file(let path): entries.add("cases", path)
        case .matrix(let axes): entries.add("matrix", value: .mapping(axes))
        }
        entries.add("variables", nonempty: variables(test.variables))
        if test.steps.count == 1, test.steps[0].name == nil, test.variables.isEmpty || test.steps[0].variables.isEmpty {
            entries = Self.joined(entries, step(test.steps[0]))
        } else {
            entries.add("steps", .sequence(test.steps.map { step($0).output }))
        }
        if !test.cleanup.isEmpty { entries.add("finally", .sequence(test.cleanup.map { step($0).output })) }
        let notes = test.notes.flatMap(\.comment)
        return notes.isEmpty ? entries.output : .commented(notes, entries.output)
    }

    private static func joined(_ first: Entries, _ second: Entries) -> Entries {
        var result = first
        for entry in second.list { if case .text(let key) = entry.key { result.add(key, entry.value) } }
        return result
    }

    private func step(_ step: ImportedStep) -> Entries {
        var entries = Entries()
        entries.add("name", literal: step.name)
        entries.add("if", verbatim: step.condition)
        entries.add("skip", verbatim: step.skip)
        entries.add("delay", literal: step.delay)
        entries.add("variables", nonempty: variables(step.variables))
        entries.add("request", RequestOutput(step.request).output)
        if let polling = step.polling { entries.add("until", ResponseOutput.conditions(polling)) }
        let response = ResponseOutput(step.checks)
        entries.add("expect", response.expect)
        if !response.assertions.isEmpty { entries.add("assert", .lines(response.assertions)) }
        entries.add("capture", nonempty: ResponseOutput.captures(step.captures))
        if let messages = step.messages { entries.add("websocket", MessageOutput.output(of: messages)) }
        entries.add("save", literal: step.savedPath)
        entries.add("retry", value: step.retry)
        if step.continues { entries.add("continue", .plain("true")) }
        var lines = step.comments + step.notes.flatMap(\.comment)
        var checkLines = step.checkComments + step.checkNotes.flatMap(\.comment)
        if !step.unusedCaptures.isEmpty {
            checkLines.append("captured but not used: \(step.unusedCaptures.joined(separator: ", "))")
        }
        let key = ["expect", "assert", "until", "capture"].first { key in entries.comment(checkLines, on: key) }
        if key == nil { lines += checkLines }
        _ = entries.comment(lines, on: "request")
        return entries
    }

    // MARK: Style

    private static let style = {
        var style = YAMLWriter.Style()
        // Each test starts on its own line.
        style.hasShortElements = { $0 > 2 }
        style.isAlwaysOpen = { entries in
            entries.contains { if case .text("request") = $0.key { true } else { false } } || isMessage(entries)
        }
        style.isOpen = { key, entries in
            switch key {
            case "environments", "variables", "defaults", "capture": true
            case "request": entries.count > 3
            case "expect": entries.count > 1 && entries.contains { !isScalar($0.value) } || entries.count > 3
            case "headers", "json", "query": entries.count > 3
            default: false
            }
        }
        return style
    }()

    /// Returns whether a mapping is an element of `websocket`.
    private static func isMessage(_ entries: [(key: YAMLOutput, value: YAMLOutput)]) -> Bool {
        guard entries.count == 1, case .text(let key) = entries[0].key else { return false }
        return key == "send" || key == "receive"
    }

    private static func isScalar(_ value: YAMLOutput) -> Bool {
        switch value {
        case .text, .plain: true
        case .sequence, .mapping, .commented: false
        }
    }
}
