import Basics
import Diagnostics
import RunModel
import SuiteLoader
import SuiteModel

/// Reports tests of a suite, or steps of a test, with the same name.
enum DuplicateName: LintCheck {
    static let rule = LintRule("duplicate-name", "Tests of a suite, or steps of a test, with the same name")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        var tests: [String: SourceRange] = [:]
        for test in subject.suite.tests where test.kind == .test {
            // A name with an expression may differ for each row.
            if ExpressionScan.mayHoldExpression(test.name[...]) { continue }
            if let first = tests[test.name], first.start != test.range.start {
                report(finding("several tests are named", test.name, test.range, first))
            } else {
                tests[test.name] = test.range
            }
        }
        for test in subject.suite.tests {
            var steps: [String: SourceRange] = [:]
            for step in test.steps {
                guard let name = step.name else { continue }
                if let first = steps[name], first.start != step.range.start {
                    report(finding("several steps of the test are named", name, step.range, first))
                } else {
                    steps[name] = step.range
                }
            }
        }
    }

    private static func finding(
        _ words: String, _ name: String, _ range: SourceRange, _ first: SourceRange
    ) -> LintFinding {
        LintFinding(
            message: "\(words) \"\(name)\", so reports cannot distinguish them", range: range,
            related: [Diagnostic.Related(message: "the first one is here", range: first)],
            suggestion: "give each of them a different name")
    }
}

/// Reports variables that shadow one of an outer scope, or that a capture shadows.
enum ShadowedName: LintCheck {
    static let rule = LintRule(
        "shadowed-name", "A variable that hides a variable of an outer scope or a capture of the same name")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let names = subject.names
        let scopes = Scopes(names)
        var seen: Set<SourcePosition> = []
        for definition in names.definitions {
            let finding: LintFinding? =
                switch definition.kind {
                case .suite, .environment: nil
                case .capture: hidden(by: definition, scopes, names)
                case .test, .step, .column, .loop: hiding(or: definition, scopes, names)
                }
            if let finding, seen.insert(finding.range.start).inserted { report(finding) }
        }
    }

    /// A name in a unit.
    private struct Location: Hashable {
        let unit: Int?
        let name: String

        init(_ unit: Int?, _ name: String) {
            self.unit = unit
            self.name = name
        }
    }

    /// The first definition of each name in each scope.
    private struct Scopes {
        /// The variables of the suite and its environments.
        var outer: [String: NameTable.Definition] = [:]
        /// The captures of tests, setup, and teardown. The first one shadows the name in everything that follows.
        var captures: [String: NameTable.Definition] = [:]
        /// The captures of fragments.
        var ofFragments: [Location: NameTable.Definition] = [:]
        /// The variables of tests and fragments.
        var ofTests: [Location: NameTable.Definition] = [:]

        init(_ names: NameTable) {
            for definition in names.definitions {
                let location = Location(definition.unit, definition.name)
                switch definition.kind {
                // The definition of the suite takes precedence, because an environment is supposed to override it.
                case .suite: outer[definition.name] = definition
                case .environment: if outer[definition.name] == nil { outer[definition.name] = definition }
                case .capture:
                    if let unit = definition.unit, names.units[unit].kind == .fragment {
                        ofFragments[location] = definition
                    } else if captures[definition.name] == nil {
                        captures[definition.name] = definition
                    }
                case .test: ofTests[location] = definition
                case .step, .column, .loop: break
                }
            }
        }

        /// Returns the capture with a variable's name that is visible at the variable, or becomes visible there.
        func capture(for variable: NameTable.Definition, in names: NameTable) -> NameTable.Definition? {
            guard let unit = variable.unit else { return nil }
            if names.units[unit].kind == .fragment { return ofFragments[Location(unit, variable.name)] }
            return captures[variable.name].flatMap { ($0.unit ?? 0) <= unit ? $0 : nil }
        }
    }

    /// Reports the variable that a capture shadows.
    private static func hidden(
        by capture: NameTable.Definition, _ scopes: Scopes, _ names: NameTable
    ) -> LintFinding? {
        guard let variable = scopes.outer[capture.name], let unit = capture.unit, names.units[unit].kind != .fragment
        else {
            return nil
        }
        return LintFinding(
            message: "the capture \"\(capture.name)\" hides \(phrase(variable, names)) of the same name",
            range: capture.range,
            related: [Diagnostic.Related(message: "the variable is here", range: variable.range)],
            suggestion: "rename one of them")
    }

    /// Reports the definition that a variable of a test or a step shadows, or that shadows it.
    private static func hiding(
        or variable: NameTable.Definition, _ scopes: Scopes, _ names: NameTable
    ) -> LintFinding? {
        let name = variable.name
        let ofTest = scopes.ofTests[Location(variable.unit, name)]
        let isInner = variable.kind == .step || variable.kind == .column || variable.kind == .loop
        if isInner, let other = ofTest {
            return LintFinding(
                message: "\(phrase(variable, names)) \"\(name)\" hides \(phrase(other, names)) of the same name",
                range: variable.range,
                related: [Diagnostic.Related(message: "the other one is here", range: other.range)],
                suggestion: "rename one of them")
        }
        if let capture = scopes.capture(for: variable, in: names) {
            if isFirstValue(variable, names) { return nil }
            let isHidden = variable.kind == .test || variable.kind == .step
            return LintFinding(
                message: isHidden
                    ? "the capture \"\(name)\" hides \(phrase(variable, names)) of the same name"
                    : "\(phrase(variable, names)) \"\(name)\" hides the capture of the same name",
                range: variable.range,
                related: [Diagnostic.Related(message: "the capture is here", range: capture.range)],
                suggestion: "rename one of them")
        }
        // Overriding a default of the suite is the purpose of a row.
        guard variable.kind != .column, let other = scopes.outer[name] else {
            return nil
        }
        return LintFinding(
            message: "\(phrase(variable, names)) \"\(name)\" hides \(phrase(other, names)) of the same name",
            range: variable.range,
            related: [Diagnostic.Related(message: "the other one is here", range: other.range)],
            suggestion: "rename one of them")
    }

    /// Returns whether a loop captures the name of a variable of its test, which is the value of the first iteration.
    private static func isFirstValue(_ variable: NameTable.Definition, _ names: NameTable) -> Bool {
        guard let unit = variable.unit else { return false }
        return names.definitions.contains { definition in
            guard definition.kind == .capture, definition.name == variable.name, definition.unit == unit,
                let step = definition.step
            else { return false }
            return names.units[unit].tree.repeats[step] != nil
        }
    }

    private static func phrase(_ definition: NameTable.Definition, _ names: NameTable) -> String {
        let isFragment = definition.unit.map { names.units[$0].kind == .fragment } ?? false
        return switch definition.kind {
        case .suite: "the suite's variable"
        case .environment: "the environment's variable"
        case .test: isFragment ? "the fragment's variable" : "the test's variable"
        case .step: "the step's variable"
        case .column: "the column"
        case .loop: "the loop's variable"
        case .capture: "the capture"
        }
    }
}
