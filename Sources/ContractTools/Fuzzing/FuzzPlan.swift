import Basics
import JSON
import OpenAPI

/// The requests of a fuzz run, as tests of suites.
///
/// A case is a test from the beginning, so that what is reported is exactly what was sent.
struct FuzzPlan {
    let options: FuzzOptions
    var generator: SuiteGenerator
    /// The rules that the server enforces beyond its description.
    var rules: LearnedRules
    var index: TestIndex
    var random: SplitMix64
    let numbers: ChosenNumbers
    /// The paths with unusual values, by operation.
    var unusualPaths: [Int: UnusualPaths] = [:]
    /// The paths of existing resources, by the operations whose own path names none.
    var knownPaths: [Int: String] = [:]
    /// The random requests that only read, which are seldom repeated.
    var repetitions = RepeatedReads()

    /// Creates the plan for a description.
    ///
    /// - Parameters:
    ///   - rules: The rules that valid requests follow.
    ///   - previous: The plan that this one replaces, if any.
    init(
        _ description: OpenAPIDescription, _ options: FuzzOptions, rules: LearnedRules = LearnedRules(),
        replacing previous: FuzzPlan? = nil
    ) {
        self.options = options
        self.rules = rules
        numbers = previous?.numbers ?? ChosenNumbers(seed: options.seed)
        var generation = GenerationOptions(contractPath: "")
        let wanted = description.operations.filter { options.takes($0) }
        generation.operations = options.isPartial ? wanted.map(\.title) : []
        generation.login = options.login
        generation.negativeTests = options.phases.contains(.coverage) ? .always : .none
        generation.learned = rules
        generation.needsSuccess = false
        generation.needsCaptureDefaults = true
        generation.guessesIdentifiers = true
        generation.testsBoundaries = options.phases.contains(.coverage)
        generation.seed = options.seed
        generator = SuiteGenerator(description, options: generation)
        generator.addTests()
        random = SplitMix64(seed: options.seed)
        let phases = options.phases.union([.examples])
        let foreign = Self.foreignVariables(&generator, base: ServerAddress(text: options.baseURL))
        for operation in generator.operations {
            guard let variable = generator.serverVariable(operation), foreign.contains(variable) else { continue }
            generator.tell(operation, "it has another server")
        }
        let tests = generator.tests
            .filter { [generator] test in
                let variable = generator.serverVariable(generator.operations[test.operation])
                return phases.contains(test.intent.phase) && !(variable.map(foreign.contains) ?? false)
            }
            .map { $0.sending(options.fieldNames) }
        index = TestIndex(tests)
        index = TestIndex(tests.map { repeatingName($0) })
    }

    /// The deterministic tests in the order in which they run.
    var tests: [GeneratedTest] { index.tests }

    /// Moves the servers of single operations to the tested server.
    ///
    /// - Returns: The variables of the servers that are elsewhere.
    private static func foreignVariables(_ generator: inout SuiteGenerator, base: ServerAddress) -> Set<String> {
        let usual = generator.usualServer.origin
        var foreign: Set<String> = []
        for (text, name) in generator.serverNames {
            let address = ServerAddress(text: text)
            guard address.origin == usual, let position = generator.variables.firstIndex(where: { $0.0 == name }) else {
                foreign.insert(name)
                continue
            }
            generator.variables[position].1 = .text(SuiteNode.escaped(base.origin + address.path))
        }
        return foreign
    }

    /// The operations of the description.
    var operations: [Operation] { generator.operations }
    /// The indices of the operations with a test.
    var tested: [Int] { Set(tests.map(\.operation)).sorted() }
    /// The parts of the description that cannot be tested, each with its reason.
    var gaps: [GeneratedSuite.Gap] { generator.gaps }

    /// Returns the tests that a test needs before it, in the order in which they run.
    func predecessors(of test: GeneratedTest) -> [GeneratedTest] { index.predecessors(of: CollectionOfOne(test)) }

    /// Returns the tests that run before the test of a finding.
    func predecessors(of finding: FuzzFinding) -> [GeneratedTest] {
        finding.before ?? predecessors(of: finding.test)
    }

    /// Returns the tests that other tests need before them, each once.
    func support(of tests: [GeneratedTest]) -> [GeneratedTest] { index.predecessors(of: tests) }

    /// Returns whether the tests before a test create the resource that it refers to.
    func recreates(_ test: GeneratedTest) -> Bool { creates(predecessors(of: test)) }

    /// Returns whether the tests before the test of a finding create the resource that it refers to.
    func recreates(_ finding: FuzzFinding) -> Bool { creates(predecessors(of: finding)) }

    private func creates(_ tests: [GeneratedTest]) -> Bool {
        tests.contains { operations[$0.operation].method == "POST" || operations[$0.operation].method == "PUT" }
    }

    /// Returns the test of an operation's valid request.
    func main(of operation: Int) -> GeneratedTest? { index.main(of: operation) }
}

extension GeneratedTest {
    /// Returns the test for a suite whose defaults have header fields, which replace the generated credentials.
    func sending(_ headers: [String]) -> GeneratedTest {
        guard !headers.isEmpty else { return self }
        var test = self
        switch intent {
        case .withoutCredentials, .invalidCredentials:
            // Any of the fields may be a credential.
            let own = Set(request.headers.map { $0.0.lowercased() })
            test.request.headers += headers.filter { !own.contains($0.lowercased()) }.map { ($0, .plain("null")) }
        case .valid, .variant, .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod,
            .readsStored,
            .readsDeleted:
            let names = Set(headers.map { $0.lowercased() })
            test.request.headers.removeAll { names.contains($0.0.lowercased()) }
            if names.contains("authorization") { test.request.auth = nil }
        }
        return test
    }
}
