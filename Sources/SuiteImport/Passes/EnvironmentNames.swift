import CEL

/// The names of the environment variables that a suite reads without a default, and which must be set to run it.
struct EnvironmentNames {
    private var names: [String] = []
    private var known: Set<String> = []
    /// The expressions that were already searched, as most requests repeat those of others.
    private var searched: Set<String> = []

    /// Returns the names in the order of their uses: those of variables first, then those of requests.
    static func list(of suite: ImportedSuite) -> [String] {
        var pass = EnvironmentNames()
        for variable in suite.variables + suite.environments.flatMap(\.variables) { pass.add(variable.value) }
        for url in [suite.baseURL] + suite.environments.map(\.baseURL) { if let url { pass.add(url) } }
        for step in suite.setup { pass.add(step) }
        for test in suite.tests {
            switch test.rows {
            case .rows(let rows): for row in rows { pass.add(.mapping(row)) }
            case .file(let path): pass.add(path)
            case .matrix(let axes): pass.add(.mapping(axes))
            case nil: break
            }
            for variable in test.variables { pass.add(variable.value) }
            for step in test.steps + test.cleanup { pass.add(step) }
        }
        for step in suite.teardown { pass.add(step) }
        return pass.names
    }

    private mutating func add(_ step: ImportedStep) {
        var step = step
        var sources: [String] = []
        let transform = FormTransform { source in
            sources.append(source)
            return source
        }
        transform.applyBeforeResponse(to: &step)
        transform.applyAfterResponse(to: &step)
        for source in sources { add(expression: source) }
    }

    private mutating func add(_ value: ImportedValue) {
        var texts: [ImportedText] = []
        value.forEachText { texts.append($0) }
        for text in texts { add(text) }
    }

    private mutating func add(_ text: ImportedText) {
        for source in text.expressions { add(expression: source) }
    }

    private mutating func add(expression source: String) {
        guard source.contains("env"), searched.insert(source).inserted,
            let expression = try? CELExpression(source)
        else { return }
        for case .string(let name) in expression.constants(inCallsOf: "env") where known.insert(name).inserted {
            names.append(name)
        }
    }
}
