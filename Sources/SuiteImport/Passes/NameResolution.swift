/// Makes every name of a suite defined and used, so that the suite loads and the linter finds nothing.
///
/// - A name that nothing defines becomes a variable that is read from the environment. It may be null if it is only
///   compared with constants, as in a script that sets a token if it has none.
/// - A variable or capture that nothing uses is left out, and a comment says so.
/// - A variable that a capture replaces later in the run gets a name of its own, or is left out if nothing reads it
///   before.
struct NameResolution {
    /// The comments about what is left out.
    private(set) var comments: [String] = []

    private var uses = NameUses()
    /// The positions where each name is used. Exchange `i` is prepared at `2 * i`, and evaluated at `2 * i + 1`.
    private var positions: [String: [Int]] = [:]
    /// The positions where the value of each name is used, rather than only compared with other values.
    private var valueUses: [String: [Int]] = [:]
    /// The names that must be defined, because no file of rows can have a column of that name.
    private var required: Set<String> = []
    /// The positions where each name is captured.
    private var captures: [String: [Int]] = [:]
    /// The positions of the captures that use the previous value of their name.
    private var successive: [String: [Int]] = [:]

    /// The position of uses in variables of the suite, which may be evaluated before everything else.
    private static let suite = -1

    /// Resolves the names of a suite.
    ///
    /// - Returns: The comments for the top of the suite.
    static func apply(to suite: inout ImportedSuite) -> [String] {
        var pass = NameResolution()
        pass.addVariablesOfEnvironments(to: &suite)
        pass.collect(suite)
        pass.addPreviousValues()
        pass.defineMissing(in: &suite)
        pass.separateCaptured(in: &suite)
        pass.removeUnusedCaptures(from: &suite)
        PreviousValues.apply(to: &suite)
        pass.removeUnusedVariables(from: &suite)
        return pass.comments
    }

    // MARK: Collection

    private mutating func collect(_ suite: ImportedSuite) {
        for variable in suite.variables { add(variable.value, at: Self.suite, except: variable.name) }
        for environment in suite.environments {
            for variable in environment.variables { add(variable.value, at: Self.suite, except: variable.name) }
            if let url = environment.baseURL { add(url, at: Self.suite, local: []) }
        }
        if let url = suite.baseURL { add(url, at: Self.suite, local: []) }
        var index = 0
        func own(_ test: ImportedTest) -> Set<String> { Set(test.variables.map(\.name) + test.columns) }
        for step in suite.setup { collect(step, &index, local: []) }
        for test in suite.tests {
            let local = own(test)
            let start = 2 * index
            for variable in test.variables { variable.value.forEachText { add($0, at: start, local: local) } }
            switch test.rows {
            case .rows(let rows):
                for row in rows { for cell in row { cell.value.forEachText { add($0, at: Self.suite, local: []) } } }
            case .matrix(let axes):
                for axis in axes { axis.value.forEachText { add($0, at: Self.suite, local: []) } }
            case .file, nil: break
            }
            // The columns of a file are unknown, so any name may be one.
            let isOpen = if case .file? = test.rows { true } else { false }
            for step in test.steps + test.cleanup { collect(step, &index, local: local, isOpen: isOpen) }
        }
        for step in suite.teardown { collect(step, &index, local: []) }
    }

    private mutating func collect(
        _ step: ImportedStep, _ index: inout Int, local: Set<String>, isOpen: Bool = false
    ) {
        var step = step
        let local = local.union(step.variables.map(\.name))
        for name in step.capturedNames { captures[name, default: []].append(2 * index + 1) }
        var texts: [ImportedText] = []
        var expressions: [String] = []
        var transform = FormTransform { $0 }
        transform.text = {
            texts.append($0)
            return $0
        }
        transform.expression = {
            expressions.append($0)
            return $0
        }
        transform.applyBeforeResponse(to: &step)
        for text in texts { add(text, at: 2 * index, local: local, isOpen: isOpen) }
        for source in expressions { add(source, at: 2 * index, local: local, isOpen: isOpen) }
        let captures = step.captures
        step.captures = []
        texts = []
        expressions = []
        transform.applyAfterResponse(to: &step)
        for text in texts { add(text, at: 2 * index + 1, local: local, isOpen: isOpen) }
        for source in expressions { add(source, at: 2 * index + 1, local: local, isOpen: isOpen) }
        let last = Dictionary(captures.enumerated().map { ($0.element.name, $0.offset) }) { $1 }
        for (position, capture) in captures.enumerated() {
            texts = []
            expressions = []
            _ = transform(capture)
            for source in texts.flatMap(\.expressions) + expressions {
                for name in uses.names(in: source) where !local.contains(name) {
                    // A name that the step captures here or later has its previous value.
                    if name == capture.name {
                        successive[name, default: []].append(2 * index + 1)
                    } else {
                        let isPrevious = last[name].map { $0 > position } ?? false
                        add(name, of: source, at: 2 * index + (isPrevious ? 0 : 1), isOpen: isOpen)
                    }
                }
            }
        }
        index += 1
    }

    /// Adds the uses of previous values by captures whose new values are used.
    private mutating func addPreviousValues() {
        for (name, successive) in successive {
            let successive = Set(successive)
            var uses = positions[name, default: []].sorted()[...]
            // Whether the capture after the current one uses its value.
            var isPrevious = false
            for position in Set(captures[name, default: []]).sorted(by: >) {
                var isUsed = isPrevious
                while let last = uses.last, last >= position {
                    uses.removeLast()
                    isUsed = true
                }
                isPrevious = isUsed && successive.contains(position)
                guard isPrevious else { continue }
                positions[name, default: []].append(position - 1)
                required.insert(name)
            }
        }
    }

    private mutating func add(_ value: ImportedValue, at position: Int, except name: String) {
        value.forEachText { add($0, at: position, local: [name]) }
    }

    private mutating func add(
        _ text: ImportedText, at position: Int, local: Set<String>, isOpen: Bool = false
    ) {
        for source in text.expressions { add(source, at: position, local: local, isOpen: isOpen) }
    }

    private mutating func add(_ source: String, at position: Int, local: Set<String>, isOpen: Bool) {
        for name in uses.names(in: source) where !local.contains(name) {
            add(name, of: source, at: position, isOpen: isOpen)
        }
    }

    private mutating func add(_ name: String, of source: String, at position: Int, isOpen: Bool) {
        positions[name, default: []].append(position)
        if !isOpen { required.insert(name) }
        if !uses.onlyCompares(name, in: source) { valueUses[name, default: []].append(position) }
    }

    // MARK: Definitions

    /// Defines the variables that only environments have, with the values of the first one, so that the suite also runs
    /// without `--environment`.
    private func addVariablesOfEnvironments(to suite: inout ImportedSuite) {
        var known = Set(suite.variables.map(\.name))
        for environment in suite.environments {
            for variable in environment.variables where known.insert(variable.name).inserted {
                suite.variables.append(variable)
            }
        }
    }

    /// Adds variables for the names that are used before anything defines them.
    private mutating func defineMissing(in suite: inout ImportedSuite) {
        let known = Set(suite.variables.map(\.name))
        for (name, uses) in positions.sorted(by: { ($0.value.min() ?? 0, $0.key) < ($1.value.min() ?? 0, $1.key) }) {
            let first = captures[name]?.min() ?? Int.max
            guard !known.contains(name), required.contains(name), uses.contains(where: { $0 < first }) else { continue }
            let isOptional = !valueUses[name, default: []].contains { $0 < first }
            suite.variables.append(
                ImportedVariable(name, environment: ImportedNames.environmentName(name), isOptional: isOptional))
        }
    }

    /// Renames or removes the variables whose names are captured.
    private mutating func separateCaptured(in suite: inout ImportedSuite) {
        var names = ImportedNames()
        for name in suite.definedNames { _ = names.unique(name) }
        for name in suite.variables.map(\.name) {
            guard let first = captures[name]?.min() else { continue }
            guard positions[name, default: []].contains(where: { $0 < first }) else {
                suite.variables.removeAll { $0.name == name }
                for index in suite.environments.indices {
                    suite.environments[index].variables.removeAll { $0.name == name }
                }
                continue
            }
            let other = names.unique("initial" + name.prefix(1).uppercased() + name.dropFirst())
            rename(name, to: other, before: first, in: &suite)
        }
    }

    /// Renames a variable, and its uses before a position.
    private mutating func rename(_ name: String, to other: String, before end: Int, in suite: inout ImportedSuite) {
        var uses = self.uses
        let transform = FormTransform { uses.renaming(name, to: other, in: $0) }
        func renamed(_ variables: [ImportedVariable]) -> [ImportedVariable] {
            transform(variables).map { variable in
                var variable = variable
                if variable.name == name { variable.name = other }
                return variable
            }
        }
        suite.variables = renamed(suite.variables)
        for index in suite.environments.indices {
            suite.environments[index].variables = renamed(suite.environments[index].variables)
            suite.environments[index].baseURL = suite.environments[index].baseURL.map(transform.text)
        }
        suite.baseURL = suite.baseURL.map(transform.text)
        var index = 0
        suite.forEachStep { step in
            if 2 * index < end {
                transform.applyBeforeResponse(to: &step)
                let own = step.captures.firstIndex { $0.name == name } ?? -1
                for position in step.captures.indices where position <= own {
                    step.captures[position] = transform(step.captures[position])
                }
            }
            if 2 * index + 1 < end { transform.applyAfterResponse(to: &step) }
            index += 1
        }
        self.uses = uses
        positions[other] = positions[name, default: []].filter { $0 < end }
        positions[name] = positions[name, default: []].filter { $0 >= end }
    }

    // MARK: Unused names

    private func removeUnusedCaptures(from suite: inout ImportedSuite) {
        let sortedCaptures = captures.mapValues { $0.sorted() }
        let sortedUses = positions.mapValues { $0.sorted() }
        var index = 0
        suite.forEachStep { step in
            let position = 2 * index + 1
            index += 1
            var expected: [ImportedCheck] = []
            step.captures.removeAll { capture in
                let next = sortedCaptures[capture.name]?.first { $0 > position } ?? Int.max
                let isUsed = sortedUses[capture.name]?.contains { $0 >= position && $0 < next } ?? false
                if !isUsed {
                    step.unusedCaptures.append(capture.name)
                    if capture.isExpectation, let check = capture.existence { expected.append(check) }
                }
                return !isUsed
            }
            step.checks += expected.filter { check in !step.checks.contains { $0.hasSubject(of: check) } }
        }
    }

    private mutating func removeUnusedVariables(from suite: inout ImportedSuite) {
        // A variable may be used only by another one that is unused itself.
        var used = Set(positions.filter { $0.value.contains { $0 != Self.suite } }.keys)
        var next = Array(used)
        var references: [String: [String]] = [:]
        for variable in suite.variables + suite.environments.flatMap(\.variables) {
            variable.value.forEachText { text in
                for source in text.expressions { references[variable.name, default: []] += uses.names(in: source) }
            }
        }
        var roots: [String] = []
        for url in [suite.baseURL] + suite.environments.map(\.baseURL) {
            for source in url?.expressions ?? [] { roots += uses.names(in: source) }
        }
        for test in suite.tests {
            func add(_ value: ImportedValue) {
                value.forEachText { for source in $0.expressions { roots += uses.names(in: source) } }
            }
            switch test.rows {
            case .rows(let rows): for row in rows { for cell in row { add(cell.value) } }
            case .matrix(let axes): for axis in axes { add(axis.value) }
            case .file, nil: break
            }
        }
        for name in roots where used.insert(name).inserted { next.append(name) }
        while let name = next.popLast() {
            for other in references[name] ?? [] where used.insert(other).inserted { next.append(other) }
        }
        let unused = suite.variables.map(\.name).filter { !used.contains($0) }
        suite.variables.removeAll { !used.contains($0.name) }
        for index in suite.environments.indices {
            suite.environments[index].variables.removeAll { !used.contains($0.name) }
        }
        if !unused.isEmpty { comments.append("Variables that no request uses: \(unused.joined(separator: ", "))") }
    }
}
