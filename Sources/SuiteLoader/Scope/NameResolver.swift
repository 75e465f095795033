import Basics
import Diagnostics
import RunModel
import SuiteModel

/// Resolves every name that a suite's expressions use, and derives the dependencies between tests.
///
/// The lookup order is: a capture of the step itself, in its expectations, assertions and further captures; a capture of
/// an earlier step of the test; a capture of the nearest previous test; a variable of
/// the command line, of the step, of the test, or of the suite; and a capture of a later test, if only one captures the
/// name.
struct NameResolver {
    /// The point at which an expression is evaluated.
    enum Location {
        /// Before any test, as in `serve`.
        ///
        /// The hint is the suggestion for a name that only tests define.
        case suite(hasPort: Bool, hint: MessageText? = nil)
        /// Anywhere, to check variables that no expression reads.
        case anywhere
        /// In a test, before or during a step.
        case test(Int, step: Int)
    }

    let context: LoadContext
    var scope: SuiteScope
    let mode: Suite.Mode
    /// The names that are known before any request, if tests have rows.
    let staticScope: StaticScope?
    var tests: [SuiteTest]
    /// Names whose capture may be missing, because its step may be skipped or uses such a name.
    private var uncertainNames: Set<String> = []
    /// The tests that capture each name.
    private(set) var captures: [String: CaptureSites] = [:]
    /// The suite's variables by name, as indices of ``SuiteScope/variables``.
    private(set) var suiteVariables: [String: Int] = [:]
    /// The variables of the current test, by name.
    private(set) var testVariables: [String: Int] = [:]
    /// The variables of the current step, by name.
    private(set) var stepVariables: [String: Int] = [:]
    /// The columns of the current test, by name.
    var rowVariables: [String: Int] = [:]
    /// Whether the current test may have further columns, because its rows could not be read.
    var hasUnknownColumns = false
    /// The loop variables of the current step.
    private(set) var loopNames: [String] = []
    /// The first step of the current test that captures each name.
    private var ownCaptures: [String: Int] = [:]
    /// The captures of the current step or WebSocket element.
    private var own = OwnCaptures()
    /// The steps of each `while` loop of the current test, and the names that they capture.
    private var loops: [(steps: Range<Int>, names: Set<String>)] = []
    /// The captures so far in the current step that its later elements read.
    private var stepCaptures: Set<String> = []
    /// Whether the current expression is evaluated after its step, so that the step is not skipped if a name is missing.
    private var isAfterStep = false
    /// The tests by id.
    private(set) var ids: [String: Int] = [:]
    /// The dependencies of the current test, to avoid duplicates.
    var edges: Set<SuiteTest.Dependency> = []
    /// The positions of reported problems, because an expression may be resolved for several tests.
    var reported: Set<SourcePosition> = []
    /// The names of the variables of all tests and steps; computed on first use.
    private lazy var innerNames = Set(
        scope.variables.indices.filter { !scope.suiteVariables.contains($0) }.map { scope.variables[$0].name }
            + (tests.last.map { $0.kind == .teardown ? $0.steps.flatMap { $0.definedNames.map(\.name) } : [] } ?? [])
            + tests.flatMap { $0.cleanup.flatMap { $0.definedNames.map(\.name) } }
    ).union(scope.loopNames)
    /// The suite's variables whose values differ between tests.
    private var changing: Set<Int> = []
    /// The variables that each test uses, if any secrets are the output of programs.
    var usesOfTests: [Int: Set<Int>] = [:]
    /// The variables that the suite itself uses, if any secrets are the output of programs.
    var usesOfSuite: Set<Int> = []
    /// The traversal of variables. The suite's variables that differ between tests are visited for each test.
    var walk = VariableWalk()

    init(
        _ context: LoadContext, scope: SuiteScope, mode: Suite.Mode, tests: [SuiteTest],
        staticScope: StaticScope? = nil
    ) {
        self.staticScope = staticScope
        self.context = context
        self.scope = scope
        self.mode = mode
        self.tests = tests
    }

    /// Resolves all names, and returns the tests with their dependencies.
    ///
    /// - Parameter secrets: The secrets whose values are the output of programs, which are marked if they are always
    ///   needed.
    mutating func resolve(_ secrets: inout [SecretCommand]) -> [SuiteTest] {
        collect()
        for index in scope.suiteVariables { suiteVariables[scope.variables[index].name] = index }
        visit(scope.serveUses, at: .suite(hasPort: scope.hasServe))
        visit(scope.baseURLUses, at: .suite(hasPort: scope.hasServe))
        walk.beginLocation()
        for index in scope.suiteVariables { visit(scope.variables[index].uses, at: .anywhere, from: index) }
        resolveRows()
        findTestVariables()
        for index in tests.indices { resolveTest(index) }
        resolveNeeds()
        addOrder()
        resolveSecrets(&secrets)
        DependencyCycles(context).check(tests)
        return tests
    }

    /// Returns whether anything in the suite or on the command line defines a name.
    mutating func defines(_ name: String) -> Bool {
        suiteVariables[name] != nil || captures[name] != nil || innerNames.contains(name)
            || context.options.variables[name] != nil
    }

    /// Makes tests depend on the setup and, in a serial suite, on the previous test.
    private mutating func addOrder() {
        let hasSetup = tests.first?.kind == .setup
        guard hasSetup || mode == .serial else { return }
        for index in tests.indices.dropFirst() where tests[index].kind == .test {
            if hasSetup { tests[index].dependencies.append(SuiteTest.Dependency(test: 0, reason: .setup)) }
            if mode == .serial, tests[index - 1].kind == .test {
                tests[index].dependencies.append(SuiteTest.Dependency(test: index - 1, reason: .order))
            }
        }
    }

    /// Collects the captures and ids of tests.
    private mutating func collect() {
        for index in tests.indices {
            // No test runs after the teardown that could use its captures.
            if tests[index].kind == .teardown { continue }
            // No other test can use the captures of a cleanup.
            let count = tests[index].steps.count - tests[index].cleanupCount
            var uncertainEnd = 0
            // Accesses steps by index, because iterating would copy each step as a whole.
            for step in 0..<count {
                var isUncertain = tests[index].steps[step].flow?.mayNotRun == true
                if let group = tests[index].steps[step].group {
                    if isUncertain { uncertainEnd = max(uncertainEnd, step + 1 + group.count) }
                    continue
                }
                isUncertain = isUncertain || step < uncertainEnd
                let hasCaptures = !tests[index].steps[step].captures.isEmpty
                let isPlain = hasCaptures && tests[index].steps[step].webSocket == nil
                guard isPlain || tests[index].steps[step].definesNames else { continue }
                guard isPlain else {
                    for capture in tests[index].steps[step].definedNames {
                        note(capture.name, capturedBy: index, isUncertain: isUncertain)
                    }
                    continue
                }
                for capture in tests[index].steps[step].captures.indices {
                    note(
                        tests[index].steps[step].captures[capture].name, capturedBy: index, isUncertain: isUncertain)
                }
            }
            guard let id = tests[index].id else { continue }
            if let other = ids[id] {
                context.report(
                    "duplicate-id", "duplicate test id \"\(id)\"", scope.tests[index].idRange,
                    related: [Diagnostic.Related(message: "the other one is here", range: scope.tests[other].idRange)])
            } else {
                ids[id] = index
            }
        }
    }

    private mutating func note(_ name: String, capturedBy test: Int, isUncertain: Bool) {
        if captures[name]?.add(test) == nil { captures[name] = CaptureSites(test) }
        if isUncertain { uncertainNames.insert(name) }
    }

    /// Resolves the names that a test and its steps use, in evaluation order.
    private mutating func resolveTest(_ index: Int) {
        if scope.isPlain(test: index) { return }
        let entry = scope.tests[index]
        edges = []
        ownCaptures = [:]
        for position in tests[index].steps.indices where tests[index].steps[position].definesNames {
            for capture in tests[index].steps[position].definedNames where ownCaptures[capture.name] == nil {
                ownCaptures[capture.name] = position
            }
        }
        loops = []
        for position in tests[index].steps.indices where tests[index].steps[position].flow?.whileRule != nil {
            let range = position..<position + 1 + (tests[index].steps[position].group?.count ?? 0)
            let names = tests[index].steps[range].flatMap(\.definedNames).map(\.name)
            loops.append((range, Set(names)))
        }
        testVariables = dictionary(of: entry.variables)
        beginRows(of: index)
        if !entry.conditionUses.isEmpty {
            stepVariables = [:]
            walk.beginLocation()
            for uses in entry.conditionUses { visit(uses, at: .test(index, step: 0)) }
        }
        for (position, step) in entry.steps.enumerated() {
            let step = scope.steps[step]
            let location = Location.test(index, step: position)
            stepVariables = [:]
            loopNames = step.groups.flatMap(\.loopNames)
            walk.beginLocation()
            visit(step.loopUses, at: location)
            stepVariables = scope.variables(of: step)
            if !step.limitUses.isEmpty {
                walk.beginLocation()
                for uses in step.limitUses { visit(uses, at: location) }
            }
            loopNames += step.loopNames
            walk.beginLocation()
            own = OwnCaptures(tests[index].steps[position].captures)
            if !own.isEmpty {
                // A variable keeps the value with which the request reads it, before the captures of the step.
                for uses in step.defaultUses + [step.uses] { visit(uses, at: location, isEarly: true) }
                for uses in step.defaultUses + [step.uses] { visit(uses, at: location) }
            }
            for variable in step.variables { visit(scope.variables[variable].uses, at: location, from: variable) }
            if own.isEmpty {
                for uses in step.defaultUses { visit(uses, at: location) }
                visit(step.uses, at: location)
            }
            own = OwnCaptures()
            if !step.elementUses.isEmpty { visit(step.elementUses, of: tests[index].steps[position], at: location) }
            if !step.outputUses.isEmpty { visitOutput(step.outputUses, of: tests[index].steps[position], at: location) }
            if !step.conditionUses.isEmpty { visitConditions(step, ofTest: index, position) }
        }
        // A variable of a test may be read by any of its steps, and so may use the captures of all of them.
        stepVariables = [:]
        loopNames = []
        walk.beginLocation()
        for variable in entry.variables {
            visit(scope.variables[variable].uses, at: .test(index, step: entry.steps.count), from: variable)
        }
        finishRows(of: index)
        testVariables = [:]
    }

    /// Finds the suite's variables that depend, directly or indirectly, on values that differ between tests.
    ///
    /// The other variables are checked only once, and not for every test that reads them.
    private mutating func findTestVariables() {
        var readers: [Int: [Int]] = [:]
        var pending: [Int] = []
        for index in scope.suiteVariables {
            for use in context.uses[scope.variables[index].uses] {
                if use.name == "steps" || use.name == "tests" || captures[use.name] != nil
                    || innerNames.contains(use.name)
                {
                    pending.append(index)
                } else if let other = suiteVariables[use.name] {
                    readers[other, default: []].append(index)
                }
            }
        }
        while let index = pending.popLast() {
            if changing.insert(index).inserted { pending += readers[index] ?? [] }
        }
    }

    private func dictionary(of variables: Range<Int>) -> [String: Int] {
        var dictionary: [String: Int] = [:]
        for index in variables { dictionary[scope.variables[index].name] = index }
        return dictionary
    }

    // MARK: Traversal

    /// Resolves uses and, through variables, all names that these use.
    ///
    /// - Parameters:
    ///   - variable: The variable whose value contains the uses; nil for uses elsewhere.
    ///   - isEarly: Whether to resolve only uses before the captures of the step.
    mutating func visit(
        _ uses: Range<Int>, at location: Location, from variable: Int? = nil, isEarly: Bool = false
    ) {
        guard !uses.isEmpty, walk.begin(uses, of: variable) else { return }
        while let event = walk.next() {
            switch event {
            case .end(let variable, let deepest):
                noteDepth(of: variable, deepest: deepest)
                walk.pass(variable)
            case .use(let index, let root):
                let moment = variable == nil ? context.uses[root ?? index].moment : .afterCaptures
                if isEarly, root == nil, moment != .beforeCaptures { continue }
                guard let found = resolve(context.uses[index], at: location, moment) else { continue }
                noteUse(of: found, at: location)
                if isShared(found, at: location) {
                    walk.pass(found)
                } else if let cycle = walk.enter(found, scope.variables[found].uses) {
                    reportCycle(cycle)
                }
            }
        }
    }

    /// Returns whether a variable has the same value in every test, and thus was already visited.
    private func isShared(_ variable: Int, at location: Location) -> Bool {
        guard case .test = location else { return false }
        return scope.suiteVariables.contains(variable) && !changing.contains(variable)
    }

    /// Records the depth of a variable after all of its uses were visited.
    private mutating func noteDepth(of variable: Int, deepest: Int) {
        let entry = scope.variables[variable]
        guard walk.depths.note(variable, nesting: entry.nesting, deepest: deepest),
            reported.insert(entry.range.start).inserted
        else { return }
        VariableDepths.report(entry, in: context)
    }

    /// Resolves the names that the elements of `websocket` use. Each element sees the captures of those before it.
    private mutating func visit(_ elements: [SuiteScope.ElementUses], of step: SuiteStep, at location: Location) {
        let captures = step.webSocket?.captures ?? []
        stepCaptures = Set(step.captures.map(\.name))
        var seen = 0
        for (index, element) in elements.enumerated() {
            stepCaptures.formUnion(captures.prefix(element.captures).dropFirst(seen).map(\.name))
            seen = element.captures
            let end = index + 1 < elements.count ? elements[index + 1].captures : captures.count
            own = OwnCaptures(captures.prefix(end).dropFirst(seen))
            walk.beginLocation()
            visit(element.uses, at: location)
        }
        own = OwnCaptures()
        stepCaptures = []
    }

    /// Resolves the names that `save` and `print` use, which see the captures of the step.
    private mutating func visitOutput(_ uses: Range<Int>, of step: SuiteStep, at location: Location) {
        stepCaptures = Set(step.definedNames.map(\.name))
        walk.beginLocation()
        visit(uses, at: location)
        stepCaptures = []
    }

    /// Resolves the names that conditions after a step use. They see the captures of the step and of its group.
    private mutating func visitConditions(_ step: SuiteScope.StepEntry, ofTest test: Int, _ position: Int) {
        let end = position + 1 + (tests[test].steps[position].group?.count ?? 0)
        isAfterStep = true
        walk.beginLocation()
        for uses in step.conditionUses { visit(uses, at: .test(test, step: end)) }
        isAfterStep = false
    }

    private mutating func reportCycle(_ cycle: [Int]) {
        // A cycle is found from each of its variables, but reported only at the first of them.
        guard let first = cycle.min(), reported.insert(scope.variables[first].range.start).inserted,
            let turn = cycle.firstIndex(of: first)
        else { return }
        let ordered = Array(cycle[turn...] + cycle[..<turn]) + [first]
        let names = ordered.map { scope.variables[$0].name }
        let related = ordered.dropFirst().dropLast().map {
            Diagnostic.Related(message: "\"\(scope.variables[$0].name)\" is here", range: scope.variables[$0].range)
        }
        context.report(
            "variable-cycle",
            names.count == 2
                ? "the variable \"\(names[0])\" refers to itself"
                : "variables refer to each other: \(names.joined(separator: " → "))",
            scope.variables[first].range, related: Array(related))
    }

    // MARK: Names

    /// Resolves a name and returns its variable; nil if it is something else or was reported.
    ///
    /// - Parameter moment: The time of the use, or of the use of the variable that contains it.
    private mutating func resolve(_ use: NameUse, at location: Location, _ moment: NameUse.Moment) -> Int? {
        let name = use.name
        if name == "tests" {
            resolveExchange(of: use, at: location)
            return nil
        }
        if name == "steps" {
            resolveStep(use, at: location)
            return nil
        }
        if use.phase == .response, NameRules.responseNames.contains(name) { return nil }
        if loopNames.contains(name) { return nil }
        if let variable = rowVariables[name] { return variable }
        if case .test(_, let step) = location, let variable = firstValue(of: name, at: step) { return variable }
        if case .test(let test, let step) = location {
            if own.sees(name, at: moment) { return nil }
            if isCaptured(name, before: step) {
                // A capture of the step itself exists when it is used.
                if !stepCaptures.contains(name) { noteCapture(name, test: test, step: step) }
                return nil
            }
            if let sites = captures[name], let other = sites.last(before: test) {
                // The teardown must see the capture, no matter which test made it.
                for site in tests[test].kind == .teardown ? sites.all : [other] {
                    addEdge(to: site, .capture(name: name), from: test)
                }
                noteCapture(name, test: test, step: step)
                return nil
            }
        }
        if context.options.variables[name] != nil { return nil }
        if let variable = stepVariables[name] ?? testVariables[name] { return variable }
        if let variable = suiteVariables[name] { return variable }
        if use.phase == .expectation, NameRules.responseNames.contains(name) { return nil }
        switch location {
        case .suite(let hasPort, _):
            if hasPort, name == "port" { return nil }
        case .anywhere, .test:
            if name == "port", scope.hasServe { return nil }
        }
        switch location {
        case .suite: break
        case .anywhere:
            if captures[name] != nil || innerNames.contains(name) { return nil }
        case .test(let test, let step):
            if own.follows(name, at: moment) {
                if reported.insert(use.range.start).inserted {
                    context.reportLaterCapture(name, use.range, captured: capture(of: name, inTest: test).range)
                }
                return nil
            }
            if resolveLater(use, test: test, step: step) { return nil }
        }
        if !use.isTypeName, !hasUnknownColumns { reportUndefined(use, at: location) }
        return nil
    }

    /// Returns the variable that a `while` loop starts with in place of a capture of its own; nil if there is none.
    private func firstValue(of name: String, at step: Int) -> Int? {
        if loops.isEmpty { return nil }
        let step = isAfterStep ? step - 1 : step
        guard let loop = loops.first(where: { $0.steps.contains(step) && $0.names.contains(name) }) else { return nil }
        if let variable = stepVariables[name] { return variable }
        // A variable of the test gives way to a capture of an earlier step.
        return isCaptured(name, before: loop.steps.lowerBound) ? nil : testVariables[name]
    }

    private func isCaptured(_ name: String, before step: Int) -> Bool {
        stepCaptures.contains(name) || ownCaptures[name].map { $0 < step } ?? false
    }

    /// Records that a step uses a capture or an exchange that may be missing.
    ///
    /// - Parameters:
    ///   - name: The name of the capture.
    ///   - test: The index of the test.
    ///   - step: The index of the step.
    ///   - isUncertain: Whether the capture is already known to be possibly missing.
    mutating func noteCapture(_ name: String, test: Int, step: Int, isUncertain: Bool = false) {
        let isCleanup = tests[test].kind == .teardown || step >= tests[test].steps.count - tests[test].cleanupCount
        guard isUncertain || uncertainNames.contains(name) || isCleanup, !isAfterStep,
            tests[test].steps.indices.contains(step), !tests[test].steps[step].uncertainCaptures.contains(name)
        else { return }
        tests[test].steps[step].uncertainCaptures.append(name)
        for capture in tests[test].steps[step].definedNames { uncertainNames.insert(capture.name) }
    }
}
