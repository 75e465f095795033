import Basics
import JSON
import OpenAPI
import RunModel

/// A search for the smallest request that shows the same fault.
struct FuzzShrinker {
    /// The maximum number of requests for one finding.
    private static let maximumRequests = 500
    /// The maximum time for one finding, in nanoseconds.
    private static let maximumTime: Int64 = 5_000_000_000

    let plan: FuzzPlan
    let judge: FuzzJudge
    let execution: SuiteExecution
    let time: () -> Int64

    /// The requests and the time that are left for one finding.
    private struct Budget {
        var requests: Int
        let end: Int64

        func isLeft(_ time: Int64) -> Bool { requests > 0 && time < end }
    }

    /// Returns the finding with a smaller request, or unchanged if there is none.
    ///
    /// Requests of a sequence are left out first, then parts of its last request, and finally values become simpler while
    /// the fault remains. A request that was proved to be valid or invalid remains so.
    func shrunk(_ finding: FuzzFinding) async -> FuzzFinding {
        var budget = Budget(requests: Self.maximumRequests, end: time() + Self.maximumTime)
        // A request that follows another one, or that deletes something, cannot be repeated at will.
        guard finding.before != nil || finding.test.follows == nil && finding.test.request.method != "DELETE" else {
            return finding
        }
        var smallest = finding
        if finding.before != nil { smallest = await shrunkSequence(finding, &budget) }
        let first = smallest
        let isInvalid = !judge.violations(first.test, first.exchange).isEmpty
        var reduction = RequestReduction(first.test.request, limits(of: first.test)) { candidates in
            guard budget.isLeft(time()) else { return nil }
            let tests = candidates.map { candidate in
                var test = first.test
                test.request = candidate
                return test
            }
            guard let next = await self.first(of: tests, like: smallest, isInvalid: isInvalid, &budget) else {
                return nil
            }
            smallest = next.finding
            return next.index
        }
        await reduction.reduce()
        smallest.test.name = name(of: smallest.test, reduction.simpler)
        return smallest
    }

    // MARK: Requests

    /// Returns the first of some tests that shows the fault of a finding.
    ///
    /// - Parameter isInvalid: Whether the requests must be invalid by the description, or must be valid.
    private func first(
        of tests: [GeneratedTest], like finding: FuzzFinding, isInvalid: Bool, _ budget: inout Budget
    ) async -> (index: Int, finding: FuzzFinding)? {
        let likely = tests.enumerated().filter { mayBeLike(finding.test, $1) }
        if finding.before != nil {
            for (index, test) in likely where budget.isLeft(time()) {
                var less = finding
                less.test = test
                guard let next = await repeated(less, &budget),
                    isInvalid != judge.violations(next.test, next.exchange).isEmpty
                else { continue }
                return (index, next)
            }
            return nil
        }
        guard !likely.isEmpty else { return nil }
        let support = plan.predecessors(of: finding.test)
        let named = likely.map { index, test in
            var test = test
            test.name = "candidate \(index)"
            return test
        }
        var found: [Int: FuzzFinding] = [:]
        // A request that breaks its connection or takes long would affect the others.
        let isAlone = finding.check == .noResponse || finding.check == .tooSlow
        let suite = plan.suite(of: support + named, isAlone ? .serial : .trials(after: support.count))
        let results = await execution.results(of: suite) { position, result in
            let position = position - support.count
            // Only the first one matters.
            guard named.indices.contains(position), !found.keys.contains(where: { $0 < position }) else { return }
            found[position] = result.steps.last?.exchange.flatMap { exchange in
                if finding.check.isStatus, exchange.response?.status != finding.exchange.response?.status { return nil }
                let differences = judge.differences(named[position], exchange)
                guard isInvalid == differences.contains(where: \.rule.isAboutRequest) else { return nil }
                return judge.findings(named[position], exchange, followed: nil, differences: differences)
                    .first { $0.cause == finding.cause }
            }
        }
        budget.requests -= results.count
        guard let position = found.keys.min(), var next = found[position] else { return nil }
        next.test.name = finding.test.name
        return (likely[position].offset, next)
    }

    /// Returns whether the body of a smaller request may be valid or invalid as that of another one is, so that it is worth
    /// sending.
    private func mayBeLike(_ test: GeneratedTest, _ smaller: GeneratedTest) -> Bool {
        guard let draft = plan.generator.drafts.first(where: { $0.operation == test.operation }),
            let schema = draft.body?.schema, let body = test.request.body, body.key == "json",
            let value = body.node.json, let less = smaller.request.body?.node.json
        else { return true }
        let sampler = plan.generator.builder.sampler
        // An invalid request may have a fault elsewhere.
        return !sampler.accepts(value, schema) || sampler.accepts(less, schema)
    }

    /// Returns the parts of a test's request that remain as they are.
    private func limits(of test: GeneratedTest) -> RequestReduction.Limits {
        var limits = RequestReduction.Limits()
        let operation = plan.operations[test.operation]
        switch test.intent {
        // A header field that is left out says that the credentials are missing.
        case .withoutCredentials, .invalidCredentials: limits.keepsHeaders = true
        case .valid, .variant, .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod,
            .readsStored, .readsDeleted:
            break
        }
        let segments = operation.template.segments
        let path = test.request.path.split(separator: "/", omittingEmptySubsequences: false)
        if path.count == segments.count + 1, path[0].isEmpty {
            for (index, pieces) in segments.enumerated() {
                if pieces.count == 1, case .parameter(let name) = pieces[0] { limits.segments[index + 1] = name }
            }
        }
        limits.freshMember = test.chosen?.member
        let bodySchema = plan.generator.drafts.first { $0.operation == test.operation }?.body?.schema
        let sampler = plan.generator.builder.sampler
        let schemas = operation.parameters.filter { $0.location == .query }.compactMap(\.schema)
        guard (schemas + [bodySchema].compactMap(\.self)).contains(where: sampler.mayRestrictParts) else {
            return limits
        }
        limits.allowed = { request in
            let body = request.body?.node
            var restrictions = bodySchema.flatMap { schema in
                body?.json.map { sampler.restrictions(of: $0, schema) }
            }
            return { place in
                switch place.part {
                case .body: return body.flatMap { restrictions?.allowedValues(at: $0.names(place.path)) }
                case .query:
                    guard let index = place.path.first, request.query.indices.contains(index),
                        let schema = operation.parameters.first(where: {
                            $0.location == .query && $0.name == request.query[index].0
                        })?.schema, let value = request.query[index].1.json
                    else { return nil }
                    var restrictions = sampler.restrictions(of: value, schema)
                    return restrictions.allowedValues(
                        at: request.query[index].1.names(Array(place.path.dropFirst())))
                case .path, .pairs, .headers, .cookies: return nil
                }
            }
        }
        return limits
    }

    /// Returns the name of a test, which no longer describes a value that has become simpler.
    private func name(of test: GeneratedTest, _ simpler: [String: ScalarChoice]) -> String {
        guard let main = plan.main(of: test.operation), test.name.hasPrefix(main.name), test.name != main.name else {
            return test.name
        }
        var phrase = test.name.dropFirst(main.name.count)
        if test.isRandom, phrase.hasSuffix(")"), let number = phrase.lastIndex(of: "(") {
            phrase = phrase[..<number].dropLast()
        }
        phrase = phrase.replacing("[", with: ".").replacing("]", with: "")
        let named = simpler.filter { phrase.hasSuffix(" \(SuiteNode.escaped($0.key))") }
        guard let (name, value) = named.max(by: { $0.key.utf8.count < $1.key.utf8.count }) else { return test.name }
        return "\(main.name) with \(value.words) as \(SuiteNode.escaped(name))"
    }

    // MARK: Sequences

    /// Returns the finding with fewer requests before its own.
    private func shrunkSequence(_ finding: FuzzFinding, _ budget: inout Budget) async -> FuzzFinding {
        var smallest = finding
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            var position = smallest.before?.count ?? 0
            while position > 0, budget.isLeft(time()) {
                position -= 1
                guard let less = smallest.without(position), let next = await repeated(less, &budget) else { continue }
                smallest = next
                position = min(position, next.before?.count ?? 0)
                isSmaller = true
            }
        }
        return smallest
    }

    /// Runs the sequence of a finding, and returns the same finding with its new exchange if it occurs again.
    private func repeated(_ finding: FuzzFinding, _ budget: inout Budget) async -> FuzzFinding? {
        let tests = (finding.before ?? []) + [finding.test]
        let results = await execution.results(of: plan.suite(of: tests, .serial))
        budget.requests -= results.count
        return WalkJudge(judge: judge).findings(tests, results.map { $0?.steps.last?.exchange }).first {
            $0.cause == finding.cause && $0.test.name == finding.test.name
        }
    }
}

extension FuzzFinding {
    /// Returns the finding without a request of its sequence and those that need it, or `nil` if its own one does.
    fileprivate func without(_ position: Int) -> FuzzFinding? {
        guard let before, before.indices.contains(position) else { return nil }
        var lost = Set(before[position].definitions)
        var left: [GeneratedTest] = []
        for (index, test) in before.enumerated() where index != position {
            if test.variables.isDisjoint(with: lost) { left.append(test) } else { lost.formUnion(test.definitions) }
        }
        guard test.variables.isDisjoint(with: lost) else { return nil }
        var less = self
        less.before = left
        return less
    }
}
