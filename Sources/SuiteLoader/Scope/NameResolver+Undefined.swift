import Basics
import Diagnostics
import RunModel
import SuiteModel

/// Messages about undefined names, and about names that are captured only later.
extension NameResolver {
    /// Reports an undefined name with the most helpful suggestion for its context.
    mutating func reportUndefined(_ use: NameUse, at location: Location) {
        let range = use.range
        guard reported.insert(range.start).inserted else { return }
        let name = use.name
        if let message = use.misreadCall {
            context.report("invalid-expression", message, range)
            return
        }
        if NameRules.responseNames.contains(name) {
            context.report(
                "undefined-variable", "\"\(name)\" is available only after a response", range,
                suggestion: "use it in \"expect\", \"assert\" or \"capture\" of a request")
            return
        }
        switch location {
        case .suite(_, let hint):
            if captures[name] != nil {
                context.report(
                    "undefined-variable",
                    "\"\(name)\" is captured by a test, and is not available before the tests run",
                    range,
                    suggestion: hint)
                return
            }
            // Suggesting a definition would be wrong, because no variable may have that name.
            if name == "port", !scope.hasServe {
                context.report(
                    "undefined-variable", "undefined variable \"port\"", range,
                    suggestion: "\"${port}\" is available only with \"serve: { command: … }\"")
                return
            }
        case .anywhere, .test:
            if name == "port" {
                context.report(
                    "undefined-variable", "\"port\" is available only in a suite with \"serve\"", range)
                return
            }
        }
        let hint: MessageText =
            if let foreign = Self.foreignHint(use) {
                foreign
            } else if let environments = scope.otherEnvironments[name] {
                "it is a variable of \(EnvironmentNames.phrase(environments)); select one with --environment"
            } else if let nearest = context.nearest(to: name, among: knownNames(for: use, at: location)) {
                "did you mean \"\(nearest)\"?"
            } else {
                "define it under \"variables\", capture it, or pass --variable \(name)=…"
            }
        context.report("undefined-variable", "undefined variable \"\(name)\"", range, suggestion: hint)
    }

    /// Returns how to write a name that other tools define; nil for any other name.
    private static func foreignHint(_ use: NameUse) -> MessageText? {
        let member = use.path.dropFirst().first
        switch use.name {
        case "ENV", "env", "environ", "process": return "write env(\"\(use.path.dropFirst().last ?? "NAME")\")"
        case "vars", "variables", "globals": return member.map { "write \"\($0)\" without \"\(use.name).\"" }
        case "res", "resp": return "write \"response\", \"status\", \"headers\" or \"body\""
        default: return nil
        }
    }

    /// Returns the names that an expression can use.
    private func knownNames(for use: NameUse, at location: Location) -> [String] {
        var known = suiteVariables.keys.sorted() + context.options.variables.keys.sorted()
        switch location {
        case .suite(let hasPort, _):
            known += rowVariables.keys.sorted() + testVariables.keys.sorted()
            if hasPort { known.append("port") }
        case .anywhere, .test:
            known += captures.keys.sorted()
            known += stepVariables.keys.sorted() + testVariables.keys.sorted()
            known += rowVariables.keys.sorted() + loopNames
            if use.phase == .response || use.phase == .expectation { known += NameRules.responseNames }
        }
        return known
    }

    /// Resolves a name that only later tests or steps capture; returns false if there is none.
    mutating func resolveLater(_ use: NameUse, test: Int, step: Int) -> Bool {
        guard let sites = captures[use.name] else { return false }
        let later = sites.after(test)
        if tests[test].kind == .setup, let first = later.first {
            guard reported.insert(use.range.start).inserted else { return true }
            context.report(
                "undefined-variable", "\"\(use.name)\" is captured by a test, but the setup runs before all tests",
                use.range, related: [capture(of: use.name, inTest: first)])
            return true
        }
        if later.count == 1 {
            addEdge(to: later[0], .capture(name: use.name), from: test)
            return true
        }
        if later.count > 1 {
            guard reported.insert(use.range.start).inserted else { return true }
            context.report(
                "ambiguous-capture", "\"\(use.name)\" is captured by several later tests", use.range,
                related: later.prefix(3).map { capture(of: use.name, inTest: $0) },
                suggestion: "move this test after the test whose capture it should use")
            return true
        }
        // Only this test captures the name, in this step or in a later one.
        guard reported.insert(use.range.start).inserted else { return true }
        let isThisStep = tests[test].steps.dropFirst(step).first?.definedNames.contains { $0.name == use.name } == true
        context.report(
            "undefined-variable",
            isThisStep
                ? "\"\(use.name)\" is used before it is captured"
                : "\"\(use.name)\" is captured only by a later step",
            use.range, related: [capture(of: use.name, inTest: test)],
            suggestion: isInWhile(test: test, step: step)
                ? "define the value of the first iteration: \"variables: { \(use.name): … }\"" : nil)
        return true
    }

    /// Returns whether a step is repeated by `while`, by itself or in a group.
    private func isInWhile(test: Int, step: Int) -> Bool {
        guard tests[test].steps.indices.contains(step) else { return false }
        return tests[test].steps[step].flow?.whileRule != nil
            || tests[test].steps.hasGroup(around: step) { $0.flow?.whileRule != nil }
    }

    func capture(of name: String, inTest test: Int) -> Diagnostic.Related {
        let range = tests[test].steps.lazy.compactMap { step in step.definedNames.first { $0.name == name }?.range }
            .first
        return Diagnostic.Related(message: "\"\(tests[test].name)\" captures it here", range: range)
    }
}
