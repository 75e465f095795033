import Basics
import JSON
import OpenAPI

/// Requests with random values.
extension FuzzPlan {
    /// The number of random requests with and without the learned rules that alternate: a quarter is without them.
    private static let learnedRounds = 8

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
