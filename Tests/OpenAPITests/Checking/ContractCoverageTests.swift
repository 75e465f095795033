import OpenAPI
import Testing

@Suite("Contract coverage")
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

    /// Returns the coverage of exchanges: the number of covered parts of each kind, and the undocumented parts.
    private static func figures(_ exchanges: [String]) throws -> (kinds: [String], undocumented: [String]) {
        let contract = try ContractText.contract(document)
        let outcomes = exchanges.map { ContractText.outcome(contract, ContractText.exchange($0)) }
        let covered = Set(outcomes.flatMap(\.covered))
        let kinds = ContractPart.Kind.allCases.map { kind in
            let all = contract.parts.indices.filter { contract.parts[$0].kind == kind }
            return "\(kind) \(all.count { covered.contains($0) })/\(all.count)"
        }
        return (kinds, outcomes.flatMap(\.undocumented))
    }

    @Test("Parts are named by their operation, in the order of the description")
    func parts() throws {
        let parts = try ContractText.contract(Self.document).parts
        #expect(
            parts.map { "\($0.operation) \($0.name)" } == [
                "GET /books ", "GET /books query limit", "GET /books 200", "GET /books 200 application/json",
                "GET /books 200 text/csv", "GET /books default", "POST /books ", "POST /books application/json",
                "POST /books application/xml", "POST /books 201",
            ])
    }

    @Test("Each part that an exchange uses is covered")
    func figures() throws {
        let none = try Self.figures([])
        #expect(
            none.kinds == [
                "operation 0/2", "parameter 0/1", "request 0/2", "response 0/3", "responseContent 0/2",
            ])
        let some = try Self.figures(["GET /books?limit=1 => 200 | {}", "GET /books => 418", "PUT /books => 200"])
        #expect(
            some.kinds == [
                "operation 1/2", "parameter 1/1", "request 0/2", "response 2/3", "responseContent 1/2",
            ])
        #expect(some.undocumented == ["PUT /books"])
        let first = try Self.figures(["GET /books => 200 | {}", "PUT /books => 200"])
        #expect(
            first.kinds == [
                "operation 1/2", "parameter 0/1", "request 0/2", "response 1/3", "responseContent 1/2",
            ])
        let second = try Self.figures(["POST /books | {} => 201", "DELETE /books => 200", "PUT /books => 200"])
        #expect(
            second.kinds == [
                "operation 1/2", "parameter 0/1", "request 1/2", "response 1/3", "responseContent 0/2",
            ])
        #expect(second.undocumented == ["DELETE /books", "PUT /books"])
    }
}
