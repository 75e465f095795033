import Basics
import JSON
import OpenAPI

/// The requests of a fuzz run, as tests of suites.
///
/// A case is a test from the beginning, so that what is reported is exactly what was sent.
struct FuzzPlan {
    /// The maximum number of requests with known values for one operation.
    private static let knownValues = 5
    /// The maximum number of links to follow to one operation.
    private static let followedLinks = 5
    /// The number of random requests with and without the learned rules that alternate: a quarter is without them.
    private static let learnedRounds = 8

    let options: FuzzOptions
    private(set) var generator: SuiteGenerator
    /// The rules that the server enforces beyond its description.
    var rules: LearnedRules
    private var index: TestIndex
    private var random: SplitMix64
    private let numbers: ChosenNumbers
    /// The paths with awkward values, by operation.
    private var awkwardPaths: [Int: [UnusualPath]] = [:]

    /// A path of an operation with an unusual value.
    private struct UnusualPath {
        var path: String
        /// The value as the end of a test name.
        var phrase: String
    }

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

    /// The keys of the suites of findings that name or start the server.
    var replayServer: [(String, SuiteNode)] {
        options.server?.map { ($0.key, SuiteNode(source: $0.value)) }
            ?? [("baseURL", .text(ServerAddress(text: options.baseURL).expression("BASE_URL")))]
    }

    /// The header fields of all requests for suites of findings, whose values come from a login or the environment.
    var replayHeaders: [(String, SuiteNode)] {
        options.allHeaders.map { ($0.name, .text("${env('\(Naming.environment($0.name))')}")) } + loginFields
    }

    /// Whether the suites of findings log in.
    var logsIn: Bool { options.login != nil }

    private var loginFields: [(String, SuiteNode)] { options.login?.fields.map { ($0.name, .text($0.value)) } ?? [] }

    /// Returns a test without the values of the second user's header fields, which come from the environment.
    func withoutSecrets(_ test: GeneratedTest) -> GeneratedTest {
        guard let (user, header) = options.otherUser else { return test }
        var test = test
        test.request.headers = test.request.headers.map { entry in
            guard entry.0 == header.name, case .text(SuiteNode.escaped(header.value)) = entry.1 else { return entry }
            return (entry.0, .text("${env('\(Naming.environment("\(user)_\(header.name)"))')}"))
        }
        return test
    }

    /// Returns a suite with tests. The suite expects nothing, because ``FuzzJudge`` judges the responses.
    ///
    /// - Parameter isSerial: Whether the tests run one after another, in their order.
    func suite(of tests: [GeneratedTest], isSerial: Bool) -> String {
        let (named, variables) = named(tests) { $0.fresh(numbers.next()) }
        let plain = named.map { test in
            var test = test
            test.expect = nil
            test.tags = []
            return test
        }
        return text(
            plain, server: [("baseURL", .text(SuiteNode.escaped(options.baseURL)))], head: [], variables: variables,
            headers: options.allHeaders.map { ($0.name, .text(SuiteNode.escaped($0.value))) } + loginFields,
            isSerial: isSerial)
    }

    /// Returns the text of a suite.
    ///
    /// - Parameters:
    ///   - server: The entries that name or start the server.
    ///   - head: The entries after those of the server.
    ///   - variables: The names that the requests choose.
    ///   - headers: The header fields of all requests.
    ///   - name: The name of the suite.
    ///   - isSerial: Whether the tests run one after another; nil if there are several.
    ///   - logsIn: Whether the suite logs in by itself.
    func text(
        _ tests: [GeneratedTest], server: [(String, SuiteNode)], head: [(String, SuiteNode)],
        variables names: [(String, SuiteNode)], headers: [(String, SuiteNode)],
        name: String? = nil, isSerial: Bool? = nil, logsIn: Bool = false
    ) -> String {
        var entries: [(String, SuiteNode)] = []
        entries.append(("name", .text(SuiteNode.escaped(name ?? "fuzz"))))
        entries += server.filter { $0.0 != "variables" }
        entries += head
        if isSerial ?? (tests.count > 1) { entries.append(("mode", .text("serial"))) }
        let nodes = tests.map(\.node)
        let used = tests.reduce(into: Set<String>()) { $0.formUnion($1.variables) }
        var variables =
            generator.variables.filter { entry in used.contains(entry.0) && !names.contains { $0.0 == entry.0 } }
            + names.filter { used.contains($0.0) }
        if case .members(let own)? = server.first(where: { $0.0 == "variables" })?.1 {
            variables = own.entries + variables.filter { entry in !own.entries.contains { $0.0 == entry.0 } }
        }
        if !variables.isEmpty { entries.append(("variables", .map(variables))) }
        var defaults = generator.defaults(adding: headers)
        if options.fieldNames.contains(where: { $0.lowercased() == "authorization" }) {
            defaults.removeAll { $0.0 == "auth" }
        }
        if !defaults.isEmpty { entries.append(("defaults", .map(defaults))) }
        if logsIn, let login = options.login,
            !SuiteNode.map(defaults).variables.union(used).isDisjoint(with: login.outputs)
        {
            entries.append(("use", .text(SuiteNode.escaped(login.file))))
            if !login.dotenv.isEmpty, !entries.contains(where: { $0.0 == "dotenv" }) {
                entries.append(("dotenv", .list(login.dotenv.map { .text(SuiteNode.escaped($0)) })))
            }
            entries.append(("setup", .list([login.call])))
        }
        entries.append(("tests", .list(nodes)))
        var writer = SuiteTextWriter()
        writer.write(entries, separated: ["variables", "defaults", "setup", "tests"])
        return writer.text
    }

    // MARK: Predecessors

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

    // MARK: Known values

    /// Returns tests with values that responses have shown, where parameters or members have the same names.
    func tests(with pool: ValuePool) -> (support: [GeneratedTest], cases: [GeneratedTest]) {
        var cases: [GeneratedTest] = []
        for draft in generator.drafts {
            guard let main = main(of: draft.operation), main.request.method != "DELETE" else { continue }
            var known = Set(["\(main.request.node)"])
            for index in 0..<Self.knownValues {
                guard var test = test(draft, main, with: pool, index: index),
                    known.insert("\(test.request.node)").inserted
                else { continue }
                test.name += " (\(index + 1))"
                cases.append(test)
            }
        }
        return (support(of: cases), cases)
    }

    private func test(
        _ draft: SuiteGenerator.Draft, _ main: GeneratedTest, with pool: ValuePool, index: Int
    ) -> GeneratedTest? {
        let sampler = generator.builder.sampler
        let operation = generator.operations[draft.operation]
        var draft = draft
        var path = main.request.path
        var isChanged = false
        for parameter in operation.parameters {
            guard let schema = parameter.schema else { continue }
            let position = draft.sent.firstIndex {
                $0.parameter.name == parameter.name && $0.parameter.location == parameter.location
            }
            let value = position.map { draft.sent[$0].value } ?? (try? generator.builder.value(of: parameter))?.value
            guard
                let other = value?.filled(
                    from: pool, index: index, name: parameter.name, isAllowed: { sampler.accepts($0, schema) }),
                other.isSendable(in: parameter.location), !other.isLostInForms
            else { continue }
            if parameter.location == .path {
                let text = ParameterText.path(parameter, other)
                guard let changed = generator.path(of: operation, replacing: parameter.name, with: text, in: path)
                else {
                    continue
                }
                path = changed
            } else {
                let sent = TestBuilder.Sent(parameter: parameter, value: other)
                if let position { draft.sent[position] = sent } else { draft.sent.append(sent) }
            }
            isChanged = true
        }
        if let body = draft.body, let value = body.value, let schema = body.schema,
            let other = value.filled(from: pool, index: index, isAllowed: { sampler.accepts($0, schema) })
        {
            draft.body = generator.bodies.body(body, with: other) ?? body
            isChanged = true
        }
        guard isChanged else { return nil }
        var test = main
        test.request.path = path
        test.request = generator.request(of: draft, like: test.request, sending: draft.sent)
        test.captures = []
        test.definesName = false
        test.intent = .variant(isCertain: false)
        test.name = "\(main.name) with known values"
        return test
    }

    /// Returns tests that read the resources that responses link to.
    ///
    /// - Parameters:
    ///   - links: Absolute URLs and absolute paths.
    ///   - route: Returns the operation of a `GET` request for a URL, or `nil` if there is none.
    func tests(following links: [String], route: (_ url: String) -> Int?) -> [GeneratedTest] {
        let base = ServerAddress(text: options.baseURL)
        var counts: [Int: Int] = [:]
        var cases: [GeneratedTest] = []
        for link in links {
            // A path may or may not include that of the base URL.
            for url in link.hasPrefix("/") ? [base.origin + link, base.text + link] : [link] {
                guard url.hasPrefix(base.text), let operation = route(url), let main = main(of: operation),
                    counts[operation, default: 0] < Self.followedLinks
                else { continue }
                counts[operation, default: 0] += 1
                var test = main
                test.request.path = SuiteNode.escaped(String(url.dropFirst(base.text.count)))
                (test.request.pairs, test.request.query, test.captures) = ([], [], [])
                test.intent = .variant(isCertain: false)
                test.name = "\(main.name) at the URL of a response (\(counts[operation, default: 0]))"
                cases.append(test)
                break
            }
        }
        return cases
    }

    // MARK: Random tests

    /// Returns tests with random values: at most one for each operation and round.
    ///
    /// The tests that create the resources of their paths come first.
    mutating func randomTests(rounds: Range<Int>) -> (support: [GeneratedTest], cases: [GeneratedTest]) {
        var cases: [GeneratedTest] = []
        for draft in generator.drafts {
            guard let main = main(of: draft.operation), main.request.method != "DELETE" else { continue }
            for round in rounds {
                if let test = randomTest(draft, main, round) { cases.append(test) }
            }
        }
        return (support(of: cases), cases)
    }

    /// Returns the paths of an operation with a valid value that programs often handle wrongly.
    private mutating func awkwardPaths(of index: Int, _ main: GeneratedTest) -> [UnusualPath] {
        if let known = awkwardPaths[index] { return known }
        let operation = generator.operations[index]
        var paths: [UnusualPath] = []
        for parameter in operation.parameters where parameter.location == .path {
            guard let schema = parameter.schema, let (value, _) = try? generator.builder.value(of: parameter) else {
                continue
            }
            let samples = generator.builder.sampler.awkwardValues(like: value, schema, name: parameter.name)
            for sample in samples {
                let path = generator.path(
                    of: operation, replacing: parameter, with: sample.value, in: main.request.path)
                if let path { paths.append(UnusualPath(path: path, phrase: sample.phrase)) }
            }
        }
        awkwardPaths[index] = paths
        return paths
    }

    private mutating func randomTest(
        _ draft: SuiteGenerator.Draft, _ main: GeneratedTest, _ round: Int
    ) -> GeneratedTest? {
        let sampler = generator.builder.sampler
        var draft = draft
        var isValid = true
        var phrase = "with other values"
        var isCertain = false
        var unusual: UnusualPath?
        if case .valid(let certain) = main.intent { isCertain = certain }
        let parameters = generator.operations[draft.operation].parameters.filter {
            $0.location != .path && $0.location != .querystring && $0.schema != nil
        }
        // Some values ignore the learned rules, because a message may have been misunderstood.
        let rules = round % Self.learnedRounds >= Self.learnedRounds * 3 / 4 ? nil : self.rules
        for index in draft.sent.indices {
            let sent = draft.sent[index]
            guard let schema = sent.parameter.schema,
                let other = try? sampler.sample(
                    schema, name: sent.parameter.name, variation: round,
                    narrowedBy: rules?.narrowing(of: sent.parameter, in: draft.operation))
            else { continue }
            if !other.isLostInForms { draft.sent[index].value = other }
        }
        if let body = draft.body, let schema = body.schema,
            let other = try? sampler.sample(
                schema, variation: round, narrowedBy: rules?.body(of: draft.operation))
        {
            draft.body = generator.bodies.body(body, with: other) ?? body
        }
        // Every second request has an awkward value, in the body or in a parameter.
        if round % 2 == 1 {
            let inBody = draft.body?.value != nil && (parameters.isEmpty || Bool.random(using: &random))
            let paths = awkwardPaths(of: draft.operation, main)
            if !paths.isEmpty,
                draft.body?.value == nil && parameters.isEmpty || UInt8.random(in: 0..<3, using: &random) == 0
            {
                // Each value of the list has its turn.
                unusual = paths[(round / 2 + SuiteGenerator.awkwardPaths) % paths.count]
                phrase = unusual?.phrase ?? phrase
            } else if inBody, let body = draft.body, let value = body.value, let schema = body.schema {
                guard let mutated = sampler.mutation(of: value, schema, name: "body", using: &random),
                    body.key == "json" || !mutated.value.isLostInForms
                else { return nil }
                if body.key != "json", !mutated.isValid { return nil }
                guard let changed = generator.bodies.body(body, with: mutated.value) else { return nil }
                draft.body = changed
                (isValid, phrase) = (mutated.isValid, mutated.phrase)
            } else if let parameter = parameters.randomElement(using: &random), let schema = parameter.schema {
                let position = draft.sent.firstIndex {
                    $0.parameter.name == parameter.name && $0.parameter.location == parameter.location
                }
                let value =
                    position.map { draft.sent[$0].value } ?? (try? generator.builder.value(of: parameter))?.value
                guard let value,
                    let mutated = sampler.mutation(of: value, schema, name: parameter.name, using: &random),
                    !mutated.value.isLostInForms, mutated.value.isSendable(in: parameter.location)
                else { return nil }
                if !mutated.isValid, !generator.remainsInvalid(mutated.value, schema, besides: value) { return nil }
                let sent = TestBuilder.Sent(parameter: parameter, value: mutated.value)
                if let position { draft.sent[position] = sent } else { draft.sent.append(sent) }
                (isValid, phrase) = (mutated.isValid, mutated.phrase)
            }
        }
        var test = main
        test.request = generator.request(of: draft, like: main.request, sending: draft.sent)
        test.captures = []
        test.definesName = false
        test.isRandom = true
        test.intent = isValid ? .variant(isCertain: isCertain && unusual == nil) : .invalid
        if let unusual { (test.request.path, test.hasUnusualPath) = (unusual.path, true) }
        test.name = "\(main.name) \(SuiteNode.escaped(phrase)) (\(round + 1))"
        return repeatingName(test)
    }
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

extension JSONValue {
    /// Whether the value can be sent in a parameter: header fields and cookies have no control characters.
    fileprivate func isSendable(in location: Parameter.Location) -> Bool {
        guard location == .header || location == .cookie else { return true }
        switch self {
        case .string(let text):
            return text.unicodeScalars.allSatisfy {
                $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && !";,\"\\".unicodeScalars.contains($0)
            }
        case .null, .bool, .number: return true
        case .array(let elements): return elements.allSatisfy { $0.isSendable(in: location) }
        case .object(let object): return object.allSatisfy { $0.value.isSendable(in: location) }
        }
    }
}
