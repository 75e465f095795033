import RunModel
import Testing

@Suite("Contract coverage")
struct ContractCoverageTests {
    /// The parts of a description: 2 operations, a parameter, 2 request bodies, 3 responses, and 2 of their media
    /// types.
    private static let items: [ContractCoverage.Item] = [
        .init(kind: .operation, operation: "GET /books"),
        .init(kind: .parameter, operation: "GET /books", name: "query limit"),
        .init(kind: .response, operation: "GET /books", name: "200"),
        .init(kind: .responseContent, operation: "GET /books", name: "200 application/json"),
        .init(kind: .responseContent, operation: "GET /books", name: "200 text/csv"),
        .init(kind: .response, operation: "GET /books", name: "default"),
        .init(kind: .operation, operation: "POST /books"),
        .init(kind: .request, operation: "POST /books", name: "application/json"),
        .init(kind: .request, operation: "POST /books", name: "application/xml"),
        .init(kind: .response, operation: "POST /books", name: "201"),
    ]

    private static func coverage(of covered: [Int], undocumented: [String] = []) -> ContractCoverage {
        var coverage = ContractCoverage(description: "openapi.yaml", items: items)
        coverage.record(covered: covered)
        for text in undocumented { coverage.note(undocumented: text) }
        return coverage
    }

    private static func figures(_ coverage: ContractCoverage) -> [String] {
        ContractCoverage.Item.Kind.allCases.map { kind in
            let share = coverage.share(of: kind)
            return "\(kind.rawValue) \(share.covered)/\(share.total)"
        }
    }

    @Test("Each covered part counts toward its kind")
    func figures() {
        let none = Self.coverage(of: [])
        #expect(
            Self.figures(none) == [
                "operation 0/2", "parameter 0/1", "request 0/2", "response 0/3", "response-content 0/2",
            ])
        #expect(none.total == ContractCoverage.Share(covered: 0, total: 10))
        #expect(none.missed.map { "\($0.operation) \($0.name)" } == ["GET /books ", "POST /books "])
        let some = Self.coverage(of: [0, 1, 2, 3, 0, 5], undocumented: ["PUT /books"])
        #expect(
            Self.figures(some) == [
                "operation 1/2", "parameter 1/1", "request 0/2", "response 2/3", "response-content 1/2",
            ])
        #expect(some.total.percent == 50)
        #expect(some.missed.map { "\($0.operation) \($0.name)" } == ["GET /books 200 text/csv", "POST /books "])
        #expect(some.undocumented == ["PUT /books"])
    }

    @Test("The coverage of several runs adds up in any order")
    func merging() {
        let first = Self.coverage(of: [0, 2, 3], undocumented: ["PUT /books"])
        let second = Self.coverage(of: [6, 7, 9], undocumented: ["DELETE /books", "PUT /books"])
        var sum = first
        sum.merge(second)
        var other = second
        other.merge(first)
        #expect(
            Self.figures(sum) == [
                "operation 2/2", "parameter 0/1", "request 1/2", "response 2/3", "response-content 1/2",
            ])
        #expect(Self.figures(sum) == Self.figures(other))
        #expect(sum.undocumented == ["PUT /books", "DELETE /books"])
        // A part in only one of them is retained.
        sum.merge(ContractCoverage(description: "x", items: [.init(kind: .operation, operation: "GET /new")]))
        #expect(sum.share(of: .operation) == ContractCoverage.Share(covered: 2, total: 3))
    }

    @Test("An empty description is fully covered")
    func empty() {
        let coverage = ContractCoverage(description: "x", items: [])
        #expect(coverage.total.percent == 100)
        #expect(coverage.missed.isEmpty)
    }
}
