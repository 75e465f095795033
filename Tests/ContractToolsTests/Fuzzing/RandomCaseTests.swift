import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@testable import ContractTools

@Suite("Random requests")
struct RandomCaseTests {
    private static let text = """
        openapi: 3.1.0
        info: { title: Orders, version: "1" }
        paths:
          /orders:
            post:
              parameters:
                - { name: dry, in: query, schema: { type: boolean } }
                - { name: note, in: query, schema: { type: string, minLength: 1 } }
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      type: object
                      required: [id]
                      additionalProperties: false
                      properties:
                        id: { type: integer, minimum: 1 }
                        a: { type: [string, "null"] }
                        b: { type: [integer, "null"] }
                        c: { type: array, maxItems: 3, items: { type: boolean } }
                        d: { type: object, properties: { e: { type: string } } }
              responses: { 200: { description: a } }
        """

    private static func plan(seed: UInt64) throws -> FuzzPlan {
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        var options = FuzzOptions(baseURL: "http://localhost")
        options.seed = seed
        return FuzzPlan(try #require(description), options)
    }

    private static func tests(seed: UInt64, rounds: Int) throws -> [GeneratedTest] {
        var plan = try plan(seed: seed)
        return plan.randomTests(rounds: 0..<rounds, without: []).cases
    }

    @Test("A request that counts as valid is valid, and the same seed makes the same ones")
    func validity() throws {
        let plan = try Self.plan(seed: 3)
        let draft = try #require(plan.generator.drafts.first)
        let schema = try #require(draft.body?.schema)
        let tests = try Self.tests(seed: 3, rounds: 400)
        #expect(tests.count == 400)
        for test in tests {
            let body = try #require(test.request.body?.node.json)
            let isValid = plan.generator.builder.sampler.accepts(body, schema)
            #expect(isValid || test.intent == .invalid, "\(body)")
        }
        #expect(tests.contains { $0.intent == .invalid })
        #expect(
            try Self.tests(seed: 3, rounds: 40).map { "\($0.request.node)" }
                == tests.prefix(40).map { "\($0.request.node)" })
        #expect(
            try Self.tests(seed: 4, rounds: 40).map { "\($0.request.node)" }
                != tests.prefix(40).map { "\($0.request.node)" })
    }

    @Test("Optional parts are sent and left out, nullable values are null, and arrays have several lengths")
    func structures() throws {
        let tests = try Self.tests(seed: 1, rounds: 200)
        let bodies = tests.compactMap { $0.request.body?.node.json?.objectValue }
        for name in ["a", "b", "c", "d"] {
            #expect(bodies.contains { $0[name] == nil } && bodies.contains { $0[name] != nil }, "\(name)")
        }
        #expect(bodies.contains { $0["a"] == .null && $0["b"] == .null })
        #expect(Set(bodies.compactMap { $0["c"]?.arrayValue?.count }) == [0, 1, 2, 3])
        #expect(bodies.contains { $0["d"] == [:] } && bodies.contains { $0["d"]?["e"] != nil })
        for name in ["dry", "note"] {
            #expect(tests.contains { $0.request.query.contains { $0.0 == name } }, "\(name)")
            #expect(tests.contains { !$0.request.query.contains { $0.0 == name } }, "\(name)")
        }
    }

    @Test("Some groups of requests lack a kind of values that others have")
    func swarms() throws {
        let tests = try Self.tests(seed: 1, rounds: 200)
        let swarms = stride(from: 0, to: 200, by: 5).map { first in
            tests[first..<first + 5].compactMap { $0.request.body?.node.json?.objectValue }
        }
        let complete = swarms.filter { $0.allSatisfy { $0.count == 5 } }
        #expect(complete.count > 5 && complete.count < 35, "\(complete.count)")
        let withoutNulls = swarms.filter { $0.allSatisfy { !$0.contains { $0.value.isNull } } }
        #expect(withoutNulls.count > 10 && withoutNulls.count < 38, "\(withoutNulls.count)")
        // With all kinds at once, a request with so many values that programs handle wrongly would be rare.
        let invalid = stride(from: 0, to: 200, by: 5).map { first in
            tests[first..<first + 5].count { $0.intent == .invalid }
        }
        #expect(invalid.contains(0) && invalid.contains { $0 > 1 }, "\(invalid)")
    }
}
