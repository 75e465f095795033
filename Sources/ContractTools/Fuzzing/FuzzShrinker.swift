import Basics
import RunModel

/// A search for the smallest request that shows the same fault.
struct FuzzShrinker {
    /// The maximum number of requests for one finding.
    private static let maximumRequests = 500
    /// The maximum time for one finding, in nanoseconds.
    private static let maximumTime: Int64 = 5_000_000_000
    /// The maximum number of smaller requests to try at a time.
    private static let batch = 50

    let plan: FuzzPlan
    let judge: FuzzJudge
    let execution: FuzzRun.Execution
    let time: () -> Int64

    /// Returns the finding with a smaller request, or unchanged if there is none.
    ///
    /// Parts of the request are left out one after another while the fault remains. Those of a sequence are left out
    /// first.
    func shrunk(_ finding: FuzzFinding) async -> FuzzFinding {
        var budget = Budget(requests: Self.maximumRequests, end: time() + Self.maximumTime)
        if finding.before != nil { return await shrunkSequence(finding, &budget) }
        // A request that follows another one, or that deletes something, cannot be repeated at will.
        guard finding.test.follows == nil, finding.test.request.method != "DELETE" else { return finding }
        let support = plan.predecessors(of: finding.test)
        var smallest = finding
        while budget.isLeft(time()) {
            let candidates = smallest.test.smaller.prefix(Self.batch).enumerated().map { index, request in
                var test = smallest.test
                test.request = request
                test.name = "candidate \(index)"
                return test
            }
            guard !candidates.isEmpty else { break }
            let results = await execution(plan.suite(of: support + candidates, isSerial: true))
            budget.requests -= results.count
            var next: FuzzFinding?
            for (test, result) in zip(candidates, results.dropFirst(support.count)) where next == nil {
                guard let exchange = result?.steps.last?.exchange else { continue }
                next = judge.findings(test, exchange, followed: nil).first { $0.cause == finding.cause }
            }
            guard var next else { break }
            next.test.name = finding.test.name
            smallest = next
        }
        return smallest
    }

    /// The requests and the time that are left for one finding.
    private struct Budget {
        var requests: Int
        let end: Int64

        func isLeft(_ time: Int64) -> Bool { requests > 0 && time < end }
    }

    /// Returns the finding with fewer requests before its own, and then with a smaller one.
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
        var requests = smallest.test.smaller[...]
        while budget.isLeft(time()), let request = requests.popFirst() {
            var less = smallest
            less.test.request = request
            guard let next = await repeated(less, &budget) else { continue }
            smallest = next
            requests = smallest.test.smaller[...]
        }
        return smallest
    }

    /// Runs the sequence of a finding, and returns the same finding with its new exchange if it occurs again.
    private func repeated(_ finding: FuzzFinding, _ budget: inout Budget) async -> FuzzFinding? {
        let tests = (finding.before ?? []) + [finding.test]
        let results = await execution(plan.suite(of: tests, isSerial: true))
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

extension GeneratedTest {
    /// The requests with one part less.
    fileprivate var smaller: [RequestParts] {
        switch intent {
        // A header field that is left out says that the credentials are missing.
        case .withoutCredentials, .invalidCredentials: request.smaller(keepsHeaders: true)
        case .valid, .variant, .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod,
            .readsStored, .readsDeleted:
            request.smaller(keepsHeaders: false)
        }
    }
}

extension RequestParts {
    fileprivate func smaller(keepsHeaders: Bool) -> [RequestParts] {
        var result: [RequestParts] = []
        func without<Part>(_ key: WritableKeyPath<RequestParts, [Part]>) {
            for index in self[keyPath: key].indices {
                var less = self
                less[keyPath: key].remove(at: index)
                result.append(less)
            }
        }
        without(\.query)
        without(\.pairs)
        if !keepsHeaders {
            without(\.headers)
            without(\.cookies)
        }
        if let body {
            for node in body.node.smaller {
                var less = self
                less.body = (body.key, node)
                result.append(less)
            }
        }
        return result
    }
}

extension SuiteNode {
    /// The nodes with one entry less, at any depth.
    fileprivate var smaller: [SuiteNode] {
        switch self {
        case .text, .plain: return []
        case .members(let map):
            let entries = map.entries
            return entries.indices.flatMap { index in
                var less = entries
                let (key, value) = less.remove(at: index)
                let inner = value.smaller.map { node in
                    var changed = entries
                    changed[index] = (key, node)
                    return SuiteNode.map(changed)
                }
                return [SuiteNode.map(less)] + inner
            }
        case .list(let elements):
            return elements.indices.flatMap { index in
                var less = elements
                let value = less.remove(at: index)
                let inner = value.smaller.map { node in
                    var changed = elements
                    changed[index] = node
                    return SuiteNode.list(changed)
                }
                return [SuiteNode.list(less)] + inner
            }
        }
    }
}
