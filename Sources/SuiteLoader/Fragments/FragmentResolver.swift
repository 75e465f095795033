import Basics
import Diagnostics
import RunModel
import SuiteModel

/// Resolves every name that the expressions of a fragment use.
///
/// The lookup order is: a parameter; a capture of an earlier step; a variable of the command line, of the step, of the
/// fragment, or of its file. No other names of a caller are visible.
struct FragmentResolver {
    /// The point at which an expression is evaluated.
    private enum Location {
        /// Before the fragment starts, as the default of a parameter.
        case file
        /// Before or during a step.
        case step(Int)
        /// After the last step.
        case end
    }

    /// The parameters that any expression reads.
    private(set) var usedParameters: Set<String> = []
    /// The steps. Those whose exchange later steps read are marked as referenced.
    private(set) var steps: [SuiteStep]

    private let context: LoadContext
    private let name: String
    private let range: SourceRange
    private let isInSuite: Bool
    private let scope: SuiteScope
    private let parameters: Set<String>
    private let variableRange: Range<Int>
    private let entries: [SuiteScope.StepEntry]
    /// The variables of the file, by name.
    private let fileVariables: [String: Int]
    /// The variables of the fragment, by name.
    private let variables: [String: Int]
    /// The variables of the current step, by name.
    private var stepVariables: [String: Int] = [:]
    /// The loop variables that the current step sees.
    private var loopNames: [String] = []
    /// Whether the current expression is evaluated after its step, so that the step is not skipped if a name is missing.
    private var isAfterStep = false
    /// The first step that captures each name.
    private var captures: [String: Int] = [:]
    /// Names whose capture may be missing, because its step may be skipped or uses such a name.
    private var uncertainNames: Set<String> = []
    /// The captures of the current step or WebSocket element.
    private var own = OwnCaptures()
    /// The captures of the WebSocket elements before the current one.
    private var stepCaptures: Set<String> = []
    /// The traversal of variables.
    private var walk = VariableWalk()
    private var reported: Set<SourcePosition> = []

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - context: The shared state of the readers.
    ///   - name: The name of the fragment.
    ///   - range: The source range of the name.
    ///   - isInSuite: Whether the fragment is defined in a suite.
    ///   - scope: The names that the file, the fragment, and its steps define.
    ///   - depths: The depths of the variables of a fragment file.
    ///   - parameters: The parameters of the fragment.
    ///   - variables: The fragment's variables, as a range of those of the scope.
    ///   - steps: The steps of the fragment.
    ///   - entries: The names that each step uses.
    init(
        _ context: LoadContext, name: String, range: SourceRange, isInSuite: Bool, scope: SuiteScope,
        depths: VariableDepths, parameters: [Fragment.Parameter], variables: Range<Int>, steps: [SuiteStep],
        entries: [SuiteScope.StepEntry]
    ) {
        self.context = context
        self.name = name
        self.range = range
        self.isInSuite = isInSuite
        self.scope = scope
        walk.depths = depths
        self.parameters = Set(parameters.map(\.name))
        self.steps = steps
        self.entries = entries
        variableRange = variables
        fileVariables = Self.dictionary(of: scope.suiteVariables, scope)
        self.variables = Self.dictionary(of: variables, scope)
        var uncertainEnd = 0
        for (index, step) in steps.enumerated() {
            let isUncertain = step.flow?.mayNotRun == true || index < uncertainEnd
            if isUncertain, let group = step.group { uncertainEnd = max(uncertainEnd, index + 1 + group.count) }
            for (name, _) in step.definedNames {
                if captures[name] == nil { captures[name] = index }
                if isUncertain { uncertainNames.insert(name) }
            }
        }
    }

    /// Resolves all names.
    ///
    /// - Parameters:
    ///   - parameterDefaults: The names that the defaults of parameters use.
    ///   - outputs: The names that each output uses.
    mutating func resolve(parameterDefaults: Range<Int>, outputs: [Range<Int>]) {
        visit(parameterDefaults, at: .file)
        for (index, entry) in entries.enumerated() {
            stepVariables = [:]
            loopNames = entry.groups.flatMap(\.loopNames)
            walk.beginLocation()
            visit(entry.loopUses, at: .step(index))
            stepVariables = scope.variables(of: entry)
            if !entry.limitUses.isEmpty {
                walk.beginLocation()
                for uses in entry.limitUses { visit(uses, at: .step(index)) }
            }
            loopNames += entry.loopNames
            walk.beginLocation()
            own = OwnCaptures(steps[index].captures)
            if !own.isEmpty {
                // A variable keeps the value with which the request reads it, before the captures of the step.
                for uses in entry.defaultUses { visit(uses, at: .step(index), isDefault: true, isEarly: true) }
                visit(entry.uses, at: .step(index), isEarly: true)
                for uses in entry.defaultUses { visit(uses, at: .step(index), isDefault: true) }
                visit(entry.uses, at: .step(index))
            }
            for variable in entry.variables { visit(scope.variables[variable].uses, at: .step(index), from: variable) }
            if own.isEmpty {
                for uses in entry.defaultUses { visit(uses, at: .step(index), isDefault: true) }
                visit(entry.uses, at: .step(index))
            }
            own = OwnCaptures()
            visit(entry.elementUses, of: steps[index], at: .step(index))
            stepCaptures = Set(steps[index].definedNames.map(\.name))
            walk.beginLocation()
            visit(entry.outputUses, at: .step(index))
            stepCaptures = []
            if entry.conditionUses.isEmpty { continue }
            // Conditions after a step see its captures and those of its group.
            isAfterStep = true
            walk.beginLocation()
            for uses in entry.conditionUses { visit(uses, at: .step(index + 1 + (steps[index].group?.count ?? 0))) }
            isAfterStep = false
        }
        loopNames = []
        stepVariables = [:]
        walk.beginLocation()
        for uses in outputs { visit(uses, at: .end) }
        for variable in variableRange { visit(scope.variables[variable].uses, at: .end, from: variable) }
    }

    private static func dictionary(of range: Range<Int>, _ scope: SuiteScope) -> [String: Int] {
        var dictionary: [String: Int] = [:]
        for index in range { dictionary[scope.variables[index].name] = index }
        return dictionary
    }

    /// Resolves the names that WebSocket elements use. Each element sees the captures of those before it.
    private mutating func visit(_ elements: [SuiteScope.ElementUses], of step: SuiteStep, at location: Location) {
        if elements.isEmpty { return }
        let captures = step.webSocket?.captures ?? []
        stepCaptures = Set(step.captures.map(\.name))
        for (index, element) in elements.enumerated() {
            stepCaptures.formUnion(captures.prefix(element.captures).map(\.name))
            let end = index + 1 < elements.count ? elements[index + 1].captures : captures.count
            own = OwnCaptures(captures.prefix(end).dropFirst(element.captures))
            walk.beginLocation()
            visit(element.uses, at: location)
        }
        own = OwnCaptures()
        stepCaptures = []
    }

    // MARK: Traversal

    /// Resolves uses and, through variables, all names that these use.
    private mutating func visit(
        _ uses: Range<Int>, at location: Location, from variable: Int? = nil, isDefault: Bool = false,
        isEarly: Bool = false
    ) {
        guard walk.begin(uses, of: variable) else { return }
        while let event = walk.next() {
            switch event {
            case .end(let variable, let deepest):
                noteDepth(of: variable, deepest: deepest)
                walk.pass(variable)
            case .use(let index, let root):
                let moment = variable == nil ? context.uses[root ?? index].moment : .afterCaptures
                if isEarly, root == nil, moment != .beforeCaptures { continue }
                // A use in a variable of the suite is reported where the fragment uses the variable.
                let root = root.map { context.uses[$0] }
                guard
                    let found = resolve(
                        context.uses[index], at: location, moment, root: root, isDefault: isDefault)
                else { continue }
                if !isInSuite, scope.suiteVariables.contains(found) {
                    // The variables of a fragment file were already checked; those of a suite may use its captures.
                    walk.pass(found)
                } else if let cycle = walk.enter(found, scope.variables[found].uses) {
                    reportCycle(cycle)
                }
            }
        }
    }

    /// Records the depth of a variable after all of its uses were visited.
    private mutating func noteDepth(of variable: Int, deepest: Int) {
        // The depth of a suite's variables is reported separately from its fragments.
        let entry = scope.variables[variable]
        guard walk.depths.note(variable, nesting: entry.nesting, deepest: deepest),
            !scope.suiteVariables.contains(variable), reported.insert(entry.range.start).inserted
        else { return }
        VariableDepths.report(entry, in: context)
    }

    private mutating func reportCycle(_ cycle: [Int]) {
        // The variables of a file are checked separately from its fragments.
        guard let back = cycle.first, !scope.suiteVariables.contains(back),
            reported.insert(scope.variables[back].range.start).inserted
        else { return }
        let names = (cycle + [back]).map { scope.variables[$0].name }
        context.report(
            "variable-cycle",
            names.count == 2
                ? "the variable \"\(names[0])\" refers to itself"
                : "variables refer to each other: \(names.joined(separator: " → "))",
            scope.variables[back].range)
    }

    // MARK: Names

    /// Resolves a name and returns its variable; nil if it is something else or was reported.
    ///
    /// - Parameter moment: The time of the use, or of the use of the variable that contains it.
    private mutating func resolve(
        _ use: NameUse, at location: Location, _ moment: NameUse.Moment, root: NameUse?, isDefault: Bool
    ) -> Int? {
        let name = use.name
        if name == "tests" {
            report(
                use, "undefined-test", "a fragment cannot refer to the tests of its callers",
                suggestion: "pass the value as a parameter")
            return nil
        }
        if name == "steps" {
            resolveStep(use, at: location)
            return nil
        }
        if case .file = location {
        } else if parameters.contains(name) {
            usedParameters.insert(name)
            return nil
        }
        if use.phase == .response, NameRules.responseNames.contains(name) { return nil }
        if own.sees(name, at: moment) { return nil }
        if isKnown(name, at: location) {
            if uncertainNames.contains(name), !stepCaptures.contains(name) { noteMissing(name, at: location) }
            return nil
        }
        if context.options.variables[name] != nil { return nil }
        if case .file = location {} else if let variable = stepVariables[name] ?? variables[name] { return variable }
        if let variable = fileVariables[name] { return variable }
        if use.phase == .expectation, NameRules.responseNames.contains(name) { return nil }
        if own.follows(name, at: moment), case .step(let index) = location {
            if reported.insert(use.range.start).inserted {
                let captured = steps[index].definedNames.first { $0.name == name }?.range
                context.reportLaterCapture(name, use.range, captured: captured)
            }
            return nil
        }
        if !use.isTypeName { reportUndefined(use, at: location, root: root, isDefault: isDefault) }
        return nil
    }

    /// Returns whether a name is a capture of an earlier step, or a loop variable of the current step.
    private func isKnown(_ name: String, at location: Location) -> Bool {
        switch location {
        case .file: return false
        case .end: return captures[name] != nil
        case .step(let index):
            if stepCaptures.contains(name) { return true }
            if let capture = captures[name], capture < index { return true }
            return loopNames.contains(name)
        }
    }

    /// Records that a step uses a capture or an exchange that may be missing.
    private mutating func noteMissing(_ name: String, at location: Location) {
        guard case .step(let index) = location, steps.indices.contains(index), !isAfterStep,
            !steps[index].uncertainCaptures.contains(name)
        else { return }
        if loopNames.contains(name) { return }
        steps[index].uncertainCaptures.append(name)
        for capture in steps[index].definedNames { uncertainNames.insert(capture.name) }
    }

    private mutating func resolveStep(_ use: NameUse, at location: Location) {
        guard use.path.count > 1 else {
            report(use, "undefined-step", "\"steps\" needs the name of a step", suggestion: "write steps.NAME")
            return
        }
        let name = use.path[1]
        let count: Int =
            switch location {
            case .file: 0
            case .step(let index): index
            case .end: steps.count
            }
        if let found = steps.prefix(count).lastIndex(where: { $0.name == name && $0.group == nil }) {
            steps[found].isReferenced = true
            if steps[found].mayLeaveNothing || steps.hasGroup(around: found, where: \.mayLeaveNothing) {
                noteMissing("steps.\(name)", at: location)
            }
            return
        }
        if steps.prefix(count).contains(where: { $0.name == name }) {
            report(
                use, "undefined-step", "the group \"\(name)\" has no exchange of its own",
                suggestion: "write the name of one of its steps")
            return
        }
        let isLater = steps.dropFirst(count).contains { $0.name == name }
        report(
            use, "undefined-step",
            isLater ? "the step \"\(name)\" has not run yet" : "no earlier step of the fragment is named \"\(name)\"",
            suggestion: isLater
                ? nil : knownStep(like: name, among: steps.prefix(count)).map { "did you mean \"\($0)\"?" })
    }

    private func knownStep(like name: String, among steps: ArraySlice<SuiteStep>) -> String? {
        context.nearest(to: name, among: steps.compactMap(\.name))
    }

    private mutating func report(_ use: NameUse, _ id: String, _ message: MessageText, suggestion: MessageText? = nil) {
        let range = use.selectionRange
        if reported.insert(range.start).inserted { context.report(id, message, range, suggestion: suggestion) }
    }

    private mutating func reportUndefined(_ use: NameUse, at location: Location, root: NameUse?, isDefault: Bool) {
        let range = (root ?? use).range
        guard reported.insert(range.start).inserted else { return }
        if let root {
            context.report(
                "undefined-variable",
                "\"\(root.name)\" uses \"\(use.name)\", which is not available in the fragment \"\(self.name)\"", range,
                related: [Diagnostic.Related(message: "it is used here", range: use.range)],
                suggestion: "pass it as a parameter")
            return
        }
        let name = use.name
        if let capture = captures[name], case .step(let index) = location {
            context.report(
                "undefined-variable",
                capture == index
                    ? "\"\(name)\" is used before it is captured"
                    : "\"\(name)\" is captured only by a later step", range)
            return
        }
        if NameRules.responseNames.contains(name) {
            context.report(
                "undefined-variable", "\"\(name)\" is available only after a response", range,
                suggestion: "use it in \"expect\", \"assert\" or \"capture\" of a request")
            return
        }
        var hint: MessageText =
            "a fragment cannot use names of its caller; pass the value as a parameter"
        if case .file = location { hint = "the default of a parameter can use only the variables of its file" }
        let related = [
            Diagnostic.Related(
                message: "the fragment \"\(self.name)\" uses the defaults of its file", range: self.range)
        ]
        context.report(
            "undefined-variable", "undefined variable \"\(name)\" in the fragment \"\(self.name)\"", range,
            related: isDefault ? related : [],
            suggestion: context.nearest(to: name, among: knownNames(at: location)).map { "did you mean \"\($0)\"?" }
                ?? hint)
    }

    /// Returns the names that an expression can use.
    private func knownNames(at location: Location) -> [String] {
        let known = fileVariables.keys.sorted() + context.options.variables.keys.sorted()
        if case .file = location { return known }
        return known + parameters.sorted() + captures.keys.sorted() + variables.keys.sorted()
            + stepVariables.keys.sorted()
    }
}
