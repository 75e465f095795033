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
    /// Parts of the request are left out one after another while the fault remains.
    func shrunk(_ finding: FuzzFinding) async -> FuzzFinding {
        // A request that follows another one, or that deletes something, cannot be repeated at will.
        guard finding.test.follows == nil, finding.test.request.method != "DELETE" else { return finding }
        let end = time() + Self.maximumTime
        let support = plan.predecessors(of: finding.test)
        var smallest = finding
        var requests = 0
        while requests < Self.maximumRequests, time() < end {
            let candidates = smallest.test.smaller.prefix(Self.batch).enumerated().map { index, request in
                var test = smallest.test
                test.request = request
                test.name = "candidate \(index)"
                return test
            }
            guard !candidates.isEmpty else { break }
            let results = await execution(plan.suite(of: support + candidates, isSerial: true))
            requests += results.count
            var next: FuzzFinding?
            for (test, result) in zip(candidates, results.dropFirst(support.count)) where next == nil {
                guard let exchange = result.steps.last?.exchange else { continue }
                next = judge.findings(test, exchange, followed: nil).first { $0.cause == finding.cause }
            }
            guard var next else { break }
            next.test.name = finding.test.name
            smallest = next
        }
        return smallest
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
