import JSON
import Reports
import RunModel
import Testing

@Suite struct CoverageListingTests {
    private static let coverage = ContractCoverage(
        description: "open\u{1B}api.yaml",
        items: [
            .init(kind: .operation, operation: "GET /a|b", isCovered: true),
            .init(kind: .parameter, operation: "GET /a|b", name: "query limit"),
            .init(kind: .operation, operation: "PUT /c"),
            .init(kind: .request, operation: "PUT /c", name: "application/json"),
        ], undocumented: ["GET /x\n 200"])

    @Test func asText() {
        #expect(
            CoverageListing([Self.coverage]).text == """
                open\\x1Bapi.yaml: 25.0% covered, 1 of 2 operations, 0 of 1 parameter, 0 of 1 request media type

                     1 of 2  GET /a|b
                             not covered: query limit
                     0 of 2  PUT /c
                             not covered: all

                not documented:
                  GET /x\\n 200

                """)
    }

    @Test func asMarkdown() {
        #expect(
            CoverageListing([Self.coverage]).markdown == """
                ## `open\\x1Bapi.yaml`: 25.0% covered

                | Operation | Covered | Of | Not covered |
                | :--- | ---: | ---: | :--- |
                | `GET /a`&#124;`b` | 1 | 2 | `query limit` |
                | `PUT /c` | 0 | 2 | `all` |

                Not documented:

                - `GET /x\\n 200`

                """)
    }

    /// Everything is included unchanged, even the parts of an operation without exchanges.
    @Test func asJSON() throws {
        let contract = try #require(CoverageListing([Self.coverage]).json["contracts"]?[0])
        #expect(contract["description"] == .string("open\u{1B}api.yaml"))
        #expect(contract["undocumented"] == .array([.string("GET /x\n 200")]))
        let operation = try #require(contract["operations"]?[1])
        #expect(operation["covered"] == .number(JSONNumber(0)))
        #expect(
            operation["missed"]
                == .array([.object(["kind": .string("request"), "name": .string("application/json")])]))
    }
}
