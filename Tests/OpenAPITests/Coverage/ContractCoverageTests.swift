import OpenAPI
import Testing

@Suite("Coverage of a description")
struct ContractCoverageTests {
    private static let document = """
        openapi: 3.0.3
        info: { title: Books, version: '1' }
        paths:
          /books:
            get:
              parameters: [{ name: limit, in: query, schema: { type: integer } }]
              responses:
                200: { description: x, content: { application/json: {}, text/csv: {} } }
                default: { description: x }
            post:
              requestBody: { content: { application/json: {}, application/xml: {} } }
              responses: { 201: { description: x } }
        """

    private static func coverage(_ exchanges: [String]) throws -> ContractCoverage {
        let contract = try ContractText.contract(document)
        var coverage = contract.emptyCoverage
        for text in exchanges { coverage.record(ContractText.outcome(contract, ContractText.exchange(text))) }
        return coverage
    }

    private static func figures(_ coverage: ContractCoverage) -> [String] {
        ContractCoverage.Item.Kind.allCases.map { kind in
            let share = coverage.share(of: kind)
            return "\(kind.rawValue) \(share.covered)/\(share.total)"
        }
    }

    @Test("Each part that an exchange is an instance of is covered")
    func figures() throws {
        let none = try Self.coverage([])
        #expect(
            Self.figures(none) == [
                "operation 0/2", "parameter 0/1", "request 0/2", "response 0/3", "response-content 0/2",
            ])
        #expect(none.total == ContractCoverage.Share(covered: 0, total: 10))
        #expect(none.missed.map { "\($0.operation) \($0.name)" } == ["GET /books ", "POST /books "])
        let some = try Self.coverage(["GET /books?limit=1 => 200 | {}", "GET /books => 418", "PUT /books => 200"])
        #expect(
            Self.figures(some) == [
                "operation 1/2", "parameter 1/1", "request 0/2", "response 2/3", "response-content 1/2",
            ])
        #expect(some.total.percent == 50)
        #expect(some.missed.map { "\($0.operation) \($0.name)" } == ["GET /books 200 text/csv", "POST /books "])
        #expect(some.undocumented == ["PUT /books"])
    }

    @Test("Coverages of several runs add up, in any order")
    func merging() throws {
        let first = try Self.coverage(["GET /books => 200 | {}", "PUT /books => 200"])
        let second = try Self.coverage(["POST /books | {} => 201", "DELETE /books => 200", "PUT /books => 200"])
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
        // A part that only one has is kept.
        sum.merge(ContractCoverage(description: "x", items: [.init(kind: .operation, operation: "GET /new")]))
        #expect(sum.share(of: .operation) == ContractCoverage.Share(covered: 2, total: 3))
    }

    @Test("Nothing is wholly covered")
    func empty() {
        let coverage = ContractCoverage(description: "x", items: [])
        #expect(coverage.total.percent == 100)
        #expect(coverage.missed.isEmpty)
    }
}
