import JSON
public import OpenAPI

/// A generator of suites that test the documented behavior of an API.
public struct SuiteGenerator {
    let description: OpenAPIDescription
    let options: GenerationOptions
    let builder: TestBuilder
    let bodies: BodyBuilder
    let operations: [Operation]
    /// The operations by the shape of their paths.
    let shapes: [String: [Int]]
    /// The JSON content of each operation's successful response. ``samples`` has a value for each.
    var content: [Int: MediaType] = [:]
    var samples: [Int: JSONValue] = [:]
    var gaps: [GeneratedSuite.Gap] = []
    var variables: [(String, SuiteNode)] = []
    var tests: [GeneratedTest] = []
    /// The requests of the selected operations, in the order of their tests.
    private(set) var drafts: [Draft] = []
    var names: Set<String> = []
    var sourceNames: [ChainPlan.Source: String] = [:]
    /// The names of resources that the requests of operations choose.
    var chosenNames: [Int: ChosenName] = [:]
    /// The members of changes that repeat the name in the path, with the variable of the name.
    var repeatedNames: [Int: (member: String, variable: String)] = [:]
    /// The variables with generated values, with the operations that use them.
    var madeUp: [(variable: String, operations: [String])] = []
    /// The variables for the URLs of servers that only some operations use.
    var serverNames: [String: String] = [:]
    /// The same variables with their URLs.
    var serverVariables: [(String, SuiteNode)] = []
    /// The path shapes that already have a test with an unsupported method.
    var testedMethods: Set<String> = []
    /// The condition of the tests that are currently being generated.
    var condition: SuiteNode?
    var defaultCredentials: String?
    var defaultAccept: String?

    /// Creates a generator.
    public init(_ description: OpenAPIDescription, options: GenerationOptions) {
        self.description = description
        self.options = options
        let sampler = SchemaSampler(description, direction: .request, seed: options.seed)
        builder = TestBuilder(description: description, sampler: sampler)
        bodies = BodyBuilder(sampler: sampler)
        let operations = description.operations
        self.operations = operations
        shapes = Dictionary(grouping: operations.indices) { operations[$0].template.shape }
    }

    /// The request of an operation's test, before the values in its path are known.
    struct Draft {
        var operation: Int
        var sent: [TestBuilder.Sent] = []
        var body: BodyBuilder.Body?
        var credentials: SecurityPlan.Credentials?
    }

    /// Generates the suite.
    public mutating func generate() -> GeneratedSuite {
        addTests()
        for (variable, operations) in madeUp {
            gaps.append(
                .init(
                    operations: operations,
                    reason: "the variable \"\(variable)\" has a placeholder value because no response provides it"))
        }
        return GeneratedSuite(
            text: text(), gaps: gaps, notes: notes, operationCount: drafts.count, testCount: tests.count)
    }

    /// Adds the tests of all selected operations.
    mutating func addTests() {
        let drafts = operations.indices.filter { options.takes(operations[$0]) }.compactMap { draft($0) }
        content = content(of: drafts)
        samples = samples(of: content)
        let requests = Dictionary(
            drafts.compactMap { draft in
                draft.body?.key == "json" ? draft.body?.value.map { (draft.operation, $0) } : nil
            },
            uniquingKeysWith: { first, _ in first })
        let chains = ChainPlan(
            operations, selected: drafts.map(\.operation), responses: samples, requests: requests,
            guessesIdentifiers: options.guessesIdentifiers)
        var paths = PathValues(
            builder, operations, chains, content: content, samples: samples, requests: requests)
        chooseDefaults(drafts)
        nameServers(drafts)
        nameSources(chains, paths)
        if options.guessesIdentifiers { nameResources(drafts, paths) }
        let ordered = changing(ordered(drafts, chains), chains)
        self.drafts = ordered
        let byOperation = Dictionary(ordered.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
        for draft in ordered { addTests(of: draft, chains, byOperation, &paths) }
    }

    /// Records a gap of an operation. Operations with the same reason share a gap.
    mutating func tell(_ operation: Operation, _ reason: String) {
        let position = gaps.firstIndex { $0.reason == reason } ?? gaps.count
        if position == gaps.count { gaps.append(GeneratedSuite.Gap(operations: [], reason: reason)) }
        if !gaps[position].operations.contains(operation.title) { gaps[position].operations.append(operation.title) }
    }

    /// The notes about the whole description for users of the suite.
    var notes: [String] {
        if operations.contains(where: { !$0.security.isEmpty }) { return [] }
        return [
            description.securitySchemes.isEmpty
                ? "no security scheme is documented; expect 401s, or add `auth` under `defaults`"
                : "no operation requires a security scheme; expect 401s, or add `auth` under `defaults`"
        ]
    }

    /// Returns the expected success status with its response, or `nil` if the operation cannot be tested.
    private func success(_ operation: Operation) -> (node: SuiteNode, response: Response?)? {
        TestBuilder.success(operation) ?? (options.needsSuccess ? nil : (.text("2xx"), nil))
    }

    // MARK: Drafts

    private mutating func draft(_ index: Int) -> Draft? {
        let operation = operations[index]
        var draft = Draft(operation: index)
        // Its requests would target the path before the fragment (RFC 3986, section 3.5).
        guard !operation.path.contains("#") else {
            tell(operation, "the path has a fragment, which requests never send")
            return nil
        }
        guard success(operation) != nil else {
            tell(operation, "no success status is documented")
            return nil
        }
        do throws(SampleFailure) {
            draft.credentials = try SecurityPlan(description: description, login: options.login).credentials(
                for: operation)
        } catch {
            tell(operation, error.message)
            return nil
        }
        for parameter in operation.parameters where parameter.location != .path {
            // Credentials are not separate parameters.
            do throws(SampleFailure) {
                let (value, isGiven) = try builder.value(of: parameter)
                if builder.isWorthSending(parameter, value, isGiven: isGiven) {
                    draft.sent.append(TestBuilder.Sent(parameter: parameter, value: value))
                }
            } catch {
                guard parameter.isRequired else { continue }
                tell(operation, "\(parameter.location.rawValue) parameter \(parameter.name): \(error.message)")
                return nil
            }
        }
        if let reference = operation.unknownRequestBody {
            tell(operation, "the body is unknown: its $ref \(reference) cannot be resolved")
        }
        if let body = operation.requestBody {
            do throws(BodyBuilder.Failure) {
                draft.body = try bodies.body(body.content)
            } catch {
                tell(operation, error.message)
                if body.isRequired { return nil }
            }
        }
        options.learned?.apply(to: &draft, of: operation, bodies)
        return draft
    }

    /// Returns the JSON content of the successful responses.
    private func content(of drafts: [Draft]) -> [Int: MediaType] {
        var content: [Int: MediaType] = [:]
        for draft in drafts {
            content[draft.operation] = TestBuilder.success(operations[draft.operation])?.response?.content.first {
                ($0.range.isJSON || !$0.range.isConcrete) && ($0.schema != nil || !$0.examples.isEmpty)
            }
        }
        return content
    }

    /// Returns a sample value for each content.
    private func samples(of content: [Int: MediaType]) -> [Int: JSONValue] {
        let answers = BodyBuilder(sampler: SchemaSampler(description, direction: .response, seed: options.seed))
        return content.compactMapValues { try? answers.value($0) }
    }

    // MARK: Order

    /// Returns the operations in file order, except that sources precede their uses, and deletions come last.
    private func ordered(_ drafts: [Draft], _ chains: ChainPlan) -> [Draft] {
        var result: [Draft] = []
        var done: Set<Int> = []
        let byOperation = Dictionary(drafts.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
        func add(_ draft: Draft) {
            guard done.insert(draft.operation).inserted else { return }
            for needed in chains.predecessors(of: draft.operation).sorted() { byOperation[needed].map(add) }
            result.append(draft)
        }
        let deleting = drafts.filter { operations[$0.operation].method == "DELETE" }
        for draft in drafts where operations[draft.operation].method != "DELETE" { add(draft) }
        let depths = Set(deleting.map { operations[$0.operation].template.segments.count }).sorted(by: >)
        for depth in depths {
            // The resource created last is deleted first.
            for draft in deleting.reversed() where operations[draft.operation].template.segments.count == depth {
                add(draft)
            }
        }
        return result
    }

    private mutating func chooseDefaults(_ drafts: [Draft]) {
        var counts: [(key: String, count: Int)] = []
        var types: [(key: String, count: Int)] = []
        func add(_ key: String, _ list: inout [(key: String, count: Int)]) {
            if let position = list.firstIndex(where: { $0.key == key }) {
                list[position].count += 1
            } else {
                list.append((key, 1))
            }
        }
        for draft in drafts {
            if let credentials = draft.credentials, credentials.auth != nil { add(credentials.key, &counts) }
            if let accept = accept(operations[draft.operation]) { add(accept, &types) }
        }
        func maximum(_ list: [(key: String, count: Int)]) -> String? {
            list.reduce(nil as (key: String, count: Int)?) { $1.count > $0?.count ?? 0 ? $1 : $0 }?.key
        }
        defaultCredentials = maximum(counts)
        let accept = maximum(types)
        defaultAccept = MediaRange(accept ?? "").isJSON || types.contains { $0.count > 1 } ? accept : nil
    }

    /// Returns the media type to request from an operation.
    private func accept(_ operation: Operation) -> String? {
        let content = TestBuilder.success(operation)?.response?.content ?? []
        return (content.first { $0.range.isJSON } ?? content.first)?.range.instance
    }

    // MARK: Tests

    private mutating func addTests(
        of draft: Draft, _ chains: ChainPlan, _ drafts: [Int: Draft], _ paths: inout PathValues
    ) {
        let operation = operations[draft.operation]
        guard let (status, response) = success(operation), let path = path(of: operation, paths) else {
            return
        }
        var parts = request(of: draft, path)
        if case .exact(let status)? = response?.status, status / 100 == 3 { parts.followsRedirects = false }
        let name = unique(SuiteNode.escaped(Naming.test(operation)))
        condition = condition(of: draft.operation, &paths)
        let isCertain = paths.isCertain(draft.operation) && !paths.isAssumed(draft.operation)
        let expected =
            isCertain
            ? TestBuilder.expectation(status, response) : TestBuilder.lenient(operation, status, response)
        let captures = captures(of: draft.operation, chains, paths, isCertain)
        // After the deletion, the resource no longer exists, so these tests must come first.
        let deletes = operation.method == "DELETE"
        if !deletes {
            append(name, draft.operation, .valid(isCertain: isCertain), parts, expected, captures: captures)
            tests[tests.count - 1].definesName = chosenNames[draft.operation] != nil
            tests[tests.count - 1].identifiers = identifiers(of: draft.operation, chains)
            addReading(of: draft, name, drafts, &paths)
            addVariants(of: draft, name, parts, drafts, &paths)
            if options.testsBoundaries {
                addBoundaries(of: draft, name, parts, isCertain: isCertain)
                addWrongBodies(of: draft, name, parts)
            }
        }
        if options.negativeTests != .none { addNegatives(of: draft, name, parts, isCertain: isCertain) }
        if deletes {
            append(name, draft.operation, .valid(isCertain: isCertain), parts, expected, captures: captures)
            addReading(of: draft, name, drafts, &paths)
        }
    }

    /// Returns the request of an operation for a path.
    func request(of draft: Draft, _ path: String) -> RequestParts {
        let operation = operations[draft.operation]
        var parts = RequestParts(method: operation.method, path: path)
        for sent in draft.sent { builder.add(sent, to: &parts) }
        add(draft.body, to: &parts)
        addCredentials(draft.credentials, to: &parts)
        if let accept = accept(operation), accept != defaultAccept { parts.headers.append(("Accept", .text(accept))) }
        return parts
    }

    /// Adds a body to a request.
    func add(_ body: BodyBuilder.Body?, to parts: inout RequestParts) {
        guard let body else { return }
        parts.body = (body.key, body.node)
        parts.contentType = body.contentType
        parts.queryStyle = parts.queryStyle ?? body.queryStyle
    }

    /// Adds credentials to a request, or disables the default credentials if there are none.
    func addCredentials(_ credentials: SecurityPlan.Credentials?, to parts: inout RequestParts) {
        guard let credentials else {
            if defaultCredentials != nil { parts.auth = .text("none") }
            return
        }
        if credentials.key != defaultCredentials { parts.auth = credentials.auth }
        parts.headers += credentials.headers
        parts.query += credentials.query
        parts.cookies += credentials.cookies
    }

    /// Returns a unique test name, with a number appended if necessary.
    mutating func unique(_ name: String) -> String {
        var result = name
        var number = 2
        while !names.insert(result).inserted {
            result = "\(name) (\(number))"
            number += 1
        }
        return result
    }

    /// Appends a test of the operation with an index to the suite.
    mutating func append(
        _ name: String, _ operation: Int, _ intent: GeneratedTest.Intent, _ parts: RequestParts, _ expect: SuiteNode,
        captures: [(String, SuiteNode)] = [], follows: String? = nil
    ) {
        tests.append(
            GeneratedTest(
                name: name, operation: operation, intent: intent, follows: follows, condition: condition,
                tags: operations[operation].tags.filter { !$0.isEmpty }, request: parts, expect: expect,
                captures: captures, chosen: chosenNames[operation]))
    }
}

/// The options for generating a suite.
public struct GenerationOptions: Sendable {
    /// The path of the description relative to the suite's directory, for the key `contract`.
    public var contractPath: String
    /// The files relative to the suite's directory, with the URIs that they replace, for the key `schemas`.
    public var schemas: [(uri: String, path: String)] = []
    /// The operations to include, as `operationId` or `GET /books/{id}`. If empty, all operations are included.
    public var operations: [String] = []
    /// The tags of the operations to include. If empty, all operations are included.
    public var tags: [String] = []
    /// The extent of tests with requests that the server must reject.
    public var negativeTests = NegativeTests.documented
    /// Whether every capture has a default, so that tests run although a response lacks a value.
    var needsCaptureDefaults = false
    /// Whether responses without a description may contain identifiers.
    var guessesIdentifiers = false
    /// Whether to leave out operations without a documented success.
    var needsSuccess = true
    /// Whether to add valid requests with values at the boundaries of their constraints.
    var testsBoundaries = false
    /// The rules that the server enforces beyond its description.
    var learned: LearnedRules?
    /// The login that provides credentials.
    var login: FuzzLogin?
    /// A Boolean value that indicates whether the suite starts a mock of the description.
    public var servesMock = false
    /// The seed for values that the description does not provide.
    public var seed: UInt64 = 1

    /// Creates options with the default values.
    ///
    /// - Parameter contractPath: The path of the description relative to the suite's directory.
    public init(contractPath: String) {
        self.contractPath = contractPath
    }

    /// Returns whether to include an operation.
    func takes(_ operation: Operation) -> Bool {
        let isNamed =
            operations.isEmpty
            || operations.contains { $0 == operation.id || $0.lowercased() == operation.title.lowercased() }
        return isNamed && (tags.isEmpty || operation.tags.contains { tags.contains($0) })
    }
}

/// The extent of tests with requests that a server must reject.
public enum NegativeTests: Sendable {
    /// No such tests.
    case none
    /// Tests with a documented rejection, and tests without valid credentials.
    case documented
    /// All such tests, regardless of whether a rejection is documented.
    case always
}

/// A suite generated from a description.
public struct GeneratedSuite: Sendable {
    /// A part of operations that the suite lacks or fills with a generated value.
    public struct Gap: Sendable, Hashable {
        private static let namedOperations = 3

        /// The operations, such as `GET /books/{id}`.
        public var operations: [String]
        /// The reason, without a period.
        public var reason: String

        /// The reason, followed by the first few operations.
        public var text: String {
            if operations.count == 1 { return "\(operations[0]): \(reason)" }
            let rest = operations.count - Self.namedOperations
            let named = operations.prefix(Self.namedOperations).joined(separator: ", ")
            return "\(reason) (\(named)\(rest > 0 ? " and \(rest) more" : ""))"
        }
    }

    /// The suite as YAML.
    public var text: String
    /// The parts that could not be generated from the description.
    public var gaps: [Gap]
    /// The notes about the whole description for users of the suite.
    public var notes: [String]
    /// The number of operations with a test.
    public var operationCount: Int
    /// The number of tests.
    public var testCount: Int
}
