import Basics
import Diagnostics
import SuiteModel

/// Reports variables that nothing reads.
enum UnusedVariable: LintCheck {
    static let rule = LintRule("unused-variable", "A variable that no expression uses")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        var used: Set<SourcePosition> = []
        var unused: [NameTable.Definition] = []
        for variable in subject.names.definitions {
            switch variable.kind {
            case .capture, .column, .loop: continue
            case .suite, .environment, .test, .step: break
            }
            if subject.suite.secrets.contains(variable.name) || isUsed(variable, in: subject.names) {
                used.insert(variable.range.start)
            } else {
                unused.append(variable)
            }
        }
        for variable in unused where used.insert(variable.range.start).inserted {
            report(
                LintFinding(
                    message: "nothing uses the variable \"\(variable.name)\"", range: variable.range,
                    suggestion: suggestion(for: variable, in: subject.names)))
        }
    }

    private static func isUsed(_ variable: NameTable.Definition, in names: NameTable) -> Bool {
        guard let uses = names.uses[variable.name] else { return false }
        func isOther(_ use: NameTable.Use) -> Bool { use.definition != variable.range.start }
        if uses.inSuite.contains(where: isOther) { return true }
        guard let unit = variable.unit else { return uses.inUnit.values.contains { $0.contains(where: isOther) } }
        return uses.inUnit[unit, default: []].contains { use in
            guard isOther(use) else { return false }
            guard let step = variable.step, let place = use.step else { return true }
            return place == step
        }
    }

    private static func suggestion(for variable: NameTable.Definition, in names: NameTable) -> String {
        let known = names.uses.keys.sorted()
        let isOtherwise = names.uses[variable.name] != nil
        if isOtherwise { return "other tests use the name; this one is not seen there" }
        guard let nearest = Spelling.nearest(to: variable.name, among: known),
            !names.definitions.contains(where: { $0.name == nearest }), !NameRules.responseNames.contains(nearest)
        else { return "remove it, or write ${\(variable.name)} where it is meant" }
        return "did you mean \"\(nearest)\"?"
    }
}
