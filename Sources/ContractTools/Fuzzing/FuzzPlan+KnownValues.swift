import JSON
import OpenAPI

/// Requests with values and URLs that responses have shown.
extension FuzzPlan {
    /// The maximum number of requests with known values for one operation.
    private static let knownValues = 5
    /// The maximum number of links to follow to one operation.
    private static let followedLinks = 5

    /// Returns tests with values that responses have shown, where parameters or members have the same names.
    func tests(with pool: ValuePool) -> (support: [GeneratedTest], cases: [GeneratedTest]) {
        var cases: [GeneratedTest] = []
        for draft in generator.drafts {
            guard let main = main(of: draft.operation), main.request.method != "DELETE" else { continue }
            var known = Set([main.request.node])
            for index in 0..<Self.knownValues {
                guard var test = test(draft, main, with: pool, index: index),
                    known.insert(test.request.node).inserted
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

    /// Returns the tests of operations again at the paths of existing resources, where their own path names none.
    ///
    /// Otherwise, all of them would get the same response with status 404.
    func testsAtKnownPaths() -> (support: [GeneratedTest], cases: [GeneratedTest]) {
        let cases = tests.compactMap { test -> GeneratedTest? in
            guard knownPaths[test.operation] != nil, let main = main(of: test.operation),
                main.request.method != "DELETE", test.request.method == main.request.method,
                test.request.path == main.request.path, test.intent.phase != .stateful
            else { return nil }
            var test = located(test)
            test.condition = nil
            test.captures = []
            test.definesName = false
            test.name += " at a known path"
            return test
        }
        return (support(of: cases), cases)
    }

    /// Returns a test at the path of an existing resource, if that of the operation's valid request names none.
    func located(_ test: GeneratedTest) -> GeneratedTest {
        guard let path = knownPaths[test.operation] else { return test }
        var test = test
        test.request.path = SuiteNode.escaped(path)
        if case .valid = test.intent { test.intent = .variant(isCertain: false) }
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
}
