import JSON

/// Makes a suite that tests what a description documents.
public struct SuiteGenerator {
    let description: OpenAPIDescription
    let options: GenerationOptions
    let builder: TestBuilder
    let bodies: BodyBuilder
    let operations: [Operation]
    var gaps: [GeneratedSuite.Gap] = []
    var variables: [(String, SuiteNode)] = []
    var tests: [SuiteNode] = []
    var names: Set<String> = []
    var sourceNames: [ChainPlan.Source: String] = [:]
    var defaultCredentials: String?
    var defaultAccept: String?

    /// Creates a generator.
    public init(_ description: OpenAPIDescription, options: GenerationOptions) {
        self.description = description
        self.options = options
        let sampler = SchemaSampler(description, direction: .request, seed: options.seed)
        builder = TestBuilder(description: description, sampler: sampler)
        bodies = BodyBuilder(sampler: sampler)
        operations = description.operations
    }

    /// What is sent by the test of an operation, before it is known what its path holds.
    struct Draft {
        var operation: Int
        var sent: [TestBuilder.Sent] = []
        var body: BodyBuilder.Body?
        var credentials: SecurityPlan.Credentials?
    }

    /// Makes the suite.
    public mutating func generate() -> GeneratedSuite {
        let drafts = operations.indices.filter { options.takes(operations[$0]) }.compactMap { draft($0) }
        let responses = responses(of: drafts)
        let chains = ChainPlan(operations, selected: drafts.map(\.operation), responses: responses)
        chooseDefaults(drafts)
        nameSources(chains, drafts)
        for draft in ordered(drafts, chains) { addTests(of: draft, chains) }
        return GeneratedSuite(
            text: text(), gaps: gaps, operationCount: drafts.count, testCount: tests.count)
    }

    mutating func tell(_ operation: Operation, _ reason: String) {
        let gap = GeneratedSuite.Gap(operation: operation.title, reason: reason)
        if !gaps.contains(gap) { gaps.append(gap) }
    }

    // MARK: Drafts

    private mutating func draft(_ index: Int) -> Draft? {
        let operation = operations[index]
        var draft = Draft(operation: index)
        guard TestBuilder.success(operation) != nil else {
            tell(operation, "no status of success is documented")
            return nil
        }
        do throws(SampleFailure) {
            draft.credentials = try SecurityPlan(description: description).credentials(for: operation)
        } catch {
            tell(operation, error.message)
            return nil
        }
        for parameter in operation.parameters where parameter.location != .path {
            // What the credentials send is no parameter of its own.
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
        if let body = operation.requestBody {
            do throws(SampleFailure) {
                draft.body = try bodies.body(body.content)
            } catch {
                tell(operation, error.message.hasPrefix("the body") ? error.message : "body: \(error.message)")
                if body.isRequired { return nil }
            }
        }
        return draft
    }

    /// The values in the successful responses, as far as they are JSON.
    private func responses(of drafts: [Draft]) -> [Int: JSONValue] {
        let answers = BodyBuilder(sampler: SchemaSampler(description, direction: .response, seed: options.seed))
        var values: [Int: JSONValue] = [:]
        for draft in drafts {
            guard
                let media = TestBuilder.success(operations[draft.operation])?.response?.content.first(where: {
                    $0.range.isJSON || !$0.range.isConcrete
                }), media.schema != nil || !media.examples.isEmpty
            else { continue }
            values[draft.operation] = try? answers.value(media)
        }
        return values
    }

    // MARK: Order

    /// Operations in the order of the file, but what gives a value before what needs it, and what deletes last.
    private func ordered(_ drafts: [Draft], _ chains: ChainPlan) -> [Draft] {
        var result: [Draft] = []
        var done: Set<Int> = []
        let byOperation = Dictionary(drafts.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
        func add(_ draft: Draft) {
            guard done.insert(draft.operation).inserted else { return }
            let needed = Set((chains.sources[draft.operation] ?? [:]).values.map(\.operation)).sorted()
            for source in needed { byOperation[source].map(add) }
            result.append(draft)
        }
        let deleting = drafts.filter { operations[$0.operation].method == "DELETE" }
        for draft in drafts where operations[draft.operation].method != "DELETE" { add(draft) }
        let depths = Set(deleting.map { operations[$0.operation].template.segments.count }).sorted(by: >)
        for depth in depths {
            for draft in deleting where operations[draft.operation].template.segments.count == depth { add(draft) }
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
        func most(_ list: [(key: String, count: Int)]) -> String? {
            list.reduce(nil as (key: String, count: Int)?) { $1.count > $0?.count ?? 0 ? $1 : $0 }?.key
        }
        defaultCredentials = most(counts)
        let accept = most(types)
        defaultAccept = MediaRange(accept ?? "").isJSON || types.contains { $0.count > 1 } ? accept : nil
    }

    /// The media type to ask an operation for.
    private func accept(_ operation: Operation) -> String? {
        let content = TestBuilder.success(operation)?.response?.content ?? []
        return (content.first { $0.range.isJSON } ?? content.first)?.range.instance
    }

    // MARK: Variables

    /// Gives each captured value a name.
    private mutating func nameSources(_ chains: ChainPlan, _ drafts: [Draft]) {
        var taken: Set<String> = []
        for draft in drafts {
            let template = operations[draft.operation].template
            for name in template.parameterNames {
                guard let source = chains.sources[draft.operation]?[name], sourceNames[source] == nil else { continue }
                var variable = variableName(name, in: template)
                var number = 2
                while !taken.insert(variable).inserted {
                    variable = variableName(name, in: template) + "\(number)"
                    number += 1
                }
                sourceNames[source] = variable
            }
        }
    }

    private func variableName(_ name: String, in template: PathTemplate) -> String {
        let plain = name.lowercased()
        guard ["id", "uuid", "key", "name", "slug", "code", "number"].contains(plain),
            let position = template.segments.firstIndex(where: { $0 == [.parameter(name)] }), position > 0,
            case .literal(let text)? = template.segments[position - 1].first
        else { return Naming.variable(name) }
        var noun = text
        // `/pets/by-name/{name}` has the name of a pet.
        if noun.lowercased().hasPrefix("by"), position > 1,
            case .literal(let outer)? = template.segments[position - 2].first
        {
            noun = outer
        }
        return Naming.variable(Naming.singular(noun) + "_" + name)
    }

    /// The variable with a value for a path parameter that no response gives.
    private mutating func madeUp(_ parameter: Parameter, _ value: JSONValue, in template: PathTemplate) -> String {
        var name = variableName(parameter.name, in: template)
        let node = SuiteNode(value)
        while true {
            if sourceNames.values.contains(name) {
                name += "Given"
                continue
            }
            guard let known = variables.first(where: { $0.0 == name }) else { break }
            if "\(known.1)" == "\(node)" { return name }
            name += "2"
        }
        variables.append((name, node))
        return name
    }

    // MARK: Tests

    private mutating func addTests(of draft: Draft, _ chains: ChainPlan) {
        let operation = operations[draft.operation]
        guard let (status, response) = TestBuilder.success(operation),
            let path = path(of: operation, chains.sources[draft.operation] ?? [:])
        else { return }
        var parts = RequestParts(method: operation.method, path: path)
        for sent in draft.sent { builder.add(sent, to: &parts) }
        add(draft.body, to: &parts)
        addCredentials(draft.credentials, to: &parts)
        if let accept = accept(operation), accept != defaultAccept { parts.headers.append(("Accept", .text(accept))) }
        if case .exact(let status)? = response?.status, status / 100 == 3 { parts.followsRedirects = false }
        let name = unique(SuiteNode.escaped(Naming.test(operation)))
        let captures = sourceNames.filter { $0.key.operation == draft.operation }
            .sorted { $0.value < $1.value }
            .map { ($0.value, SuiteNode.text(Naming.path($0.key.tokens))) }
        append(name, operation, parts, expectation(status, response), captures: captures)
        if options.hasNegativeTests { addNegatives(of: draft, name, parts) }
    }

    func add(_ body: BodyBuilder.Body?, to parts: inout RequestParts) {
        guard let body else { return }
        parts.body = (body.key, body.node)
        parts.contentType = body.contentType
        parts.queryStyle = parts.queryStyle ?? body.queryStyle
    }

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

    /// The path with the variables and texts of its parameters.
    private mutating func path(of operation: Operation, _ sources: [String: ChainPlan.Source]) -> String? {
        var path = ""
        for segment in operation.template.segments {
            path += "/"
            for piece in segment {
                switch piece {
                case .literal(let text): path += SuiteNode.escaped(text)
                case .parameter(let name):
                    guard let text = pathText(name, of: operation, sources[name]) else { return nil }
                    path += text
                }
            }
        }
        return path
    }

    private mutating func pathText(_ name: String, of operation: Operation, _ source: ChainPlan.Source?) -> String? {
        guard let parameter = operation.parameters.first(where: { $0.location == .path && $0.name == name }) else {
            tell(operation, "the path parameter \(name) is not declared")
            return nil
        }
        let prefix =
            parameter.style == .label ? "." : parameter.style == .matrix ? ";\(ParameterText.encoded(name))=" : ""
        if let source, let variable = sourceNames[source] { return "\(prefix)${\(variable)}" }
        do throws(SampleFailure) {
            let (value, isGiven) = try builder.value(of: parameter)
            switch value {
            case .array, .object: return SuiteNode.escaped(ParameterText.path(parameter, value))
            case .null, .bool, .number, .string: break
            }
            let variable = madeUp(parameter, value, in: operation.template)
            if !isGiven {
                tell(operation, "no response gives the path parameter \(name): the variable \(variable) is made up")
            }
            let isSafe = ParameterText.encoded(ParameterText.scalar(value)) == ParameterText.scalar(value)
            return isSafe ? "\(prefix)${\(variable)}" : "\(prefix)${url.encode(string(\(variable)))}"
        } catch {
            tell(operation, "path parameter \(name): \(error.message)")
            return nil
        }
    }

    private func expectation(_ status: SuiteNode, _ response: Response?) -> SuiteNode {
        guard let content = response?.content, content.count == 1, let type = content.first?.range, type.isConcrete
        else {
            if case .list = status { return .map([("status", status)]) }
            return status
        }
        return .map([
            ("status", status), ("headers", .map([("Content-Type", .map([("contains", .text(type.essence))]))])),
        ])
    }

    mutating func unique(_ name: String) -> String {
        var result = name
        var number = 2
        while !names.insert(result).inserted {
            result = "\(name) (\(number))"
            number += 1
        }
        return result
    }

    mutating func append(
        _ name: String, _ operation: Operation, _ parts: RequestParts, _ expect: SuiteNode,
        captures: [(String, SuiteNode)] = []
    ) {
        var entries: [(String, SuiteNode)] = [("name", .text(name))]
        let tags = operation.tags.filter { !$0.isEmpty }
        if !tags.isEmpty { entries.append(("tags", .list(tags.map { .text(SuiteNode.escaped($0)) }))) }
        entries.append(("request", parts.node))
        entries.append(("expect", expect))
        if !captures.isEmpty { entries.append(("capture", .map(captures))) }
        tests.append(.map(entries))
    }
}
