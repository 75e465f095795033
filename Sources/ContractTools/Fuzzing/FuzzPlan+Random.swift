import Basics
import JSON
import OpenAPI

/// Requests with random values.
extension FuzzPlan {
    /// The number of random requests with and without the learned rules that alternate: a quarter is without them.
    private static let learnedRounds = 8
    /// The number of random requests of an operation that have the same kinds of values.
    private static let swarm = 5

    /// Returns tests with random values: at most one for each operation and round.
    ///
    /// An operation with few possible requests gets fewer, because the same request seldom shows anything else.
    ///
    /// The tests that create the resources of their paths come first.
    ///
    /// - Parameter excluded: The operations without tests.
    mutating func randomTests(
        rounds: Range<Int>, without excluded: Set<Int>
    ) -> (support: [GeneratedTest], cases: [GeneratedTest]) {
        var cases: [GeneratedTest] = []
        for draft in generator.drafts where !excluded.contains(draft.operation) {
            guard let main = main(of: draft.operation).map(located), main.request.method != "DELETE" else { continue }
            for round in rounds {
                let test = randomTest(draft, main, round)
                if repetitions.isDue(test) { cases.append(test) }
            }
        }
        return (support(of: cases), cases)
    }

    /// Returns the paths of an operation with a valid value that programs often handle wrongly.
    private func unusualPaths(of index: Int, _ main: GeneratedTest) -> UnusualPaths {
        let operation = generator.operations[index]
        var paths: [UnusualPaths.Path] = []
        for parameter in operation.parameters where parameter.location == .path {
            guard let schema = parameter.schema, let (value, _) = try? generator.builder.value(of: parameter) else {
                continue
            }
            let samples = generator.builder.sampler.awkwardValues(like: value, schema, name: parameter.name)
            for sample in samples {
                let path = generator.path(
                    of: operation, replacing: parameter, with: sample.value, in: main.request.path)
                if let path { paths.append(UnusualPaths.Path(text: path, phrase: sample.phrase)) }
            }
        }
        // The first ones have tests of their own.
        return UnusualPaths(paths: paths, next: SuiteGenerator.awkwardPaths)
    }

    /// Returns the kinds of values in a random request. Each swarm lacks some of them, except the first one.
    private func variety(of operation: Int, _ round: Int) -> SampleVariety {
        let swarm = round / Self.swarm
        guard swarm > 0 else { return .all }
        var random = SplitMix64(
            seed: options.seed &+ UInt64(truncatingIfNeeded: operation << 32 + swarm) &* SplitMix64.increment)
        return .random(using: &random)
    }

    private mutating func randomTest(
        _ draft: SuiteGenerator.Draft, _ main: GeneratedTest, _ round: Int
    ) -> GeneratedTest {
        let variety = variety(of: draft.operation, round)
        let parameters = generator.operations[draft.operation].parameters.filter { parameter in
            parameter.location != .path && parameter.location != .querystring && parameter.schema != nil
                && !options.fieldNames.contains { $0.lowercased() == parameter.name.lowercased() }
        }
        var random = RandomCase(draft: draft)
        vary(&random, parameters, round, variety)
        // In the first swarm, every second request has an awkward value, and in the others more of them.
        if round % 2 == 1 || round >= Self.swarm && round % 4 == 2 {
            makeAwkward(&random, main, parameters, variety)
        }
        var isCertain = false
        if case .valid(let certain) = main.intent { isCertain = certain }
        var test = main
        test.request = generator.request(of: random.draft, like: main.request, sending: random.draft.sent)
        test.captures = []
        test.definesName = false
        test.isRandom = true
        test.intent = random.isValid ? .variant(isCertain: isCertain && random.path == nil) : .invalid
        if let path = random.path { (test.request.path, test.hasUnusualPath) = (path, true) }
        test.name = "\(main.name) \(SuiteNode.escaped(random.phrase)) (\(round + 1))"
        return repeatingName(test)
    }

    /// Replaces the values of a request by other valid ones.
    private mutating func vary(
        _ random: inout RandomCase, _ parameters: [Parameter], _ round: Int, _ variety: SampleVariety
    ) {
        let sampler = generator.builder.sampler
        let operation = random.draft.operation
        // Some values ignore the learned rules, because a message may have been misunderstood.
        let rules = round % Self.learnedRounds >= Self.learnedRounds * 3 / 4 ? nil : self.rules
        for parameter in parameters {
            let position = random.position(of: parameter)
            let isOptional = !parameter.isRequired && !(rules?.requires(parameter, in: operation) ?? false)
            if let position, isOptional, variety.contains(.omissions), UInt8.random(in: 0..<3, using: &self.random) == 0
            {
                random.draft.sent.remove(at: position)
                continue
            }
            if position == nil {
                guard variety.contains(.parameters), !parameter.isDeprecated,
                    rules?.permits(parameter, in: operation) ?? true, Bool.random(using: &self.random)
                else { continue }
            }
            guard let schema = parameter.schema,
                let other = try? sampler.sample(
                    schema, name: parameter.name, variation: round,
                    narrowedBy: rules?.narrowing(of: parameter, in: operation)),
                !other.isLostInForms, other.isSendable(in: parameter.location)
            else { continue }
            random.send(other, as: parameter)
        }
        let narrowing = rules?.body(of: operation)
        if let body = random.draft.body, let schema = body.schema,
            let other = try? sampler.sample(schema, variation: round, narrowedBy: narrowing)
        {
            let value = sampler.restructured(other, schema, variety, using: &self.random) { value in
                (body.key == "json" || !value.isLostInForms) && narrowing?.accepts(value) ?? true
            }
            random.draft.body = generator.bodies.body(body, with: value) ?? body
        }
    }

    /// Adds an awkward value to the path, the body, or a parameter of a request, if one of them can have it.
    private mutating func makeAwkward(
        _ random: inout RandomCase, _ main: GeneratedTest, _ parameters: [Parameter], _ variety: SampleVariety
    ) {
        let sampler = generator.builder.sampler
        let operation = random.draft.operation
        let kinds = variety.intersection([.texts, .numbers])
        let hasValues = !kinds.isEmpty && (random.draft.body?.value != nil || !parameters.isEmpty)
        if variety.contains(.paths), !hasValues || UInt8.random(in: 0..<3, using: &self.random) == 0 {
            var paths = unusualPaths[operation] ?? unusualPaths(of: operation, main)
            let path = paths.popFirst()
            unusualPaths[operation] = paths
            if let path {
                (random.path, random.phrase) = (path.text, path.phrase)
                return
            }
        }
        guard hasValues else { return }
        let inBody = random.draft.body?.value != nil && (parameters.isEmpty || Bool.random(using: &self.random))
        if inBody, let body = random.draft.body, let value = body.value, let schema = body.schema {
            guard let mutated = sampler.mutation(of: value, schema, name: "body", kinds: kinds, using: &self.random),
                body.key == "json" || !mutated.value.isLostInForms && mutated.isValid,
                let changed = generator.bodies.body(body, with: mutated.value)
            else { return }
            random.draft.body = changed
            (random.isValid, random.phrase) = (mutated.isValid, mutated.phrase)
        } else if let parameter = parameters.randomElement(using: &self.random), let schema = parameter.schema {
            guard let value = random.value(of: parameter) ?? (try? generator.builder.value(of: parameter))?.value,
                let mutated = sampler.mutation(
                    of: value, schema, name: parameter.name, kinds: kinds, using: &self.random),
                !mutated.value.isLostInForms, mutated.value.isSendable(in: parameter.location),
                mutated.isValid || generator.remainsInvalid(mutated.value, schema, besides: value)
            else { return }
            random.send(mutated.value, as: parameter)
            (random.isValid, random.phrase) = (mutated.isValid, mutated.phrase)
        }
    }
}

/// The paths of an operation with unusual values, in the order of their turns.
struct UnusualPaths {
    struct Path {
        var text: String
        /// The value as the end of a test name.
        var phrase: String
    }

    let paths: [Path]
    /// The position of the next path, without wrapping.
    var next: Int

    /// Returns the next path, or `nil` if there are none.
    mutating func popFirst() -> Path? {
        guard !paths.isEmpty else { return nil }
        defer { next += 1 }
        return paths[next % paths.count]
    }
}

/// The occurrences of identical random requests.
///
/// A request that only reads is sent at its first, fourth, 16th, 64th … occurrence, because the response may depend on what
/// other requests have changed. Each occurrence of another request may change something.
struct RepeatedReads {
    private var counts: [Int: [SuiteNode: Int]] = [:]

    /// Returns whether to send this occurrence of a request.
    mutating func isDue(_ test: GeneratedTest) -> Bool {
        guard test.request.onlyReads else { return true }
        let request = test.request.node
        let count = (counts[test.operation]?[request] ?? 0) + 1
        counts[test.operation, default: [:]][request] = count
        return count.nonzeroBitCount == 1 && count.trailingZeroBitCount.isMultiple(of: 2)
    }
}

/// A random request before its test is made.
private struct RandomCase {
    var draft: SuiteGenerator.Draft
    var isValid = true
    /// The values as the end of a test name.
    var phrase = "with other values"
    /// The path with an unusual value, if it has one.
    var path: String?

    /// Returns the value that is sent as a parameter.
    func value(of parameter: Parameter) -> JSONValue? { position(of: parameter).map { draft.sent[$0].value } }

    /// Sends a value as a parameter.
    mutating func send(_ value: JSONValue, as parameter: Parameter) {
        let sent = TestBuilder.Sent(parameter: parameter, value: value)
        if let position = position(of: parameter) { draft.sent[position] = sent } else { draft.sent.append(sent) }
    }

    /// Returns the position of a parameter among those that are sent.
    func position(of parameter: Parameter) -> Int? {
        draft.sent.firstIndex { $0.parameter.name == parameter.name && $0.parameter.location == parameter.location }
    }
}

extension JSONValue {
    /// Whether the value can be sent in a parameter: header fields and cookies have no control characters.
    func isSendable(in location: Parameter.Location) -> Bool {
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
