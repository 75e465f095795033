import Diagnostics

/// Reports variables that hide one of an outer scope, or that a capture hides.
enum ShadowedName: LintCheck {
    static let rule = LintRule(
        "shadowed-name", "A variable with the name of one of an outer scope, or of a capture, which hides it")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let names = subject.names
        var outer: [String: NameTable.Definition] = [:]
        var captures: [String: [NameTable.Definition]] = [:]
        var ofTests: [Place: NameTable.Definition] = [:]
        for definition in names.definitions {
            switch definition.kind {
            // The suite's is named where both have it, as an environment is there to replace it.
            case .suite: outer[definition.name] = definition
            case .environment: if outer[definition.name] == nil { outer[definition.name] = definition }
            case .capture: captures[definition.name, default: []].append(definition)
            case .test: ofTests[Place(definition.unit, definition.name)] = definition
            case .step, .column, .loop: break
            }
        }
        var seen: Set<SourcePosition> = []
        for definition in names.definitions {
            let finding: LintFinding? =
                switch definition.kind {
                case .suite, .environment: nil
                case .capture: hidden(by: definition, outer, names)
                case .test, .step, .column, .loop: hidden(by: definition, outer, captures, ofTests, names)
                }
            if let finding, seen.insert(finding.range.start).inserted { report(finding) }
        }
    }

    /// A name in a unit.
    private struct Place: Hashable {
        let unit: Int?
        let name: String

        init(_ unit: Int?, _ name: String) {
            self.unit = unit
            self.name = name
        }
    }

    /// What a capture hides.
    private static func hidden(
        by capture: NameTable.Definition, _ outer: [String: NameTable.Definition], _ names: NameTable
    ) -> LintFinding? {
        guard let variable = outer[capture.name], let unit = capture.unit, names.units[unit].kind != .fragment else {
            return nil
        }
        return LintFinding(
            message: "the capture \"\(capture.name)\" hides \(phrase(variable, names)) of the same name",
            range: capture.range,
            related: [Diagnostic.Related(message: "the variable is here", range: variable.range)],
            suggestion: "rename one of them")
    }

    /// What a variable of a test or a step hides, or is hidden by.
    private static func hidden(
        by variable: NameTable.Definition, _ outer: [String: NameTable.Definition],
        _ captures: [String: [NameTable.Definition]], _ ofTests: [Place: NameTable.Definition], _ names: NameTable
    ) -> LintFinding? {
        let name = variable.name
        let ofTest = ofTests[Place(variable.unit, name)]
        let isInner = variable.kind == .step || variable.kind == .column || variable.kind == .loop
        if isInner, let other = ofTest {
            return LintFinding(
                message: "\(phrase(variable, names)) \"\(name)\" hides \(phrase(other, names)) of the same name",
                range: variable.range,
                related: [Diagnostic.Related(message: "the other one is here", range: other.range)],
                suggestion: "rename one of them")
        }
        let unit = variable.unit ?? 0
        let capture = captures[name]?.first { capture in
            guard let place = capture.unit else { return false }
            return names.units[place].kind == .fragment ? place == unit : place <= unit
        }
        if let capture {
            let isHidden = variable.kind == .test || variable.kind == .step
            return LintFinding(
                message: isHidden
                    ? "the capture \"\(name)\" hides \(phrase(variable, names)) of the same name"
                    : "\(phrase(variable, names)) \"\(name)\" hides the capture of the same name",
                range: variable.range,
                related: [Diagnostic.Related(message: "the capture is here", range: capture.range)],
                suggestion: "rename one of them")
        }
        // A row gives a default of the suite another value, which is what a row is for.
        guard variable.kind != .column, let other = outer[name] else {
            return nil
        }
        return LintFinding(
            message: "\(phrase(variable, names)) \"\(name)\" hides \(phrase(other, names)) of the same name",
            range: variable.range,
            related: [Diagnostic.Related(message: "the other one is here", range: other.range)],
            suggestion: "rename one of them")
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
