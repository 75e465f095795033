import Basics
import CEL
import Diagnostics
import JSON
import JSONSchema
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("JSON Schemas") struct SchemaCheckTests {
    private typealias Evaluator = MatcherEvaluator

    private static func schema(_ text: String, limits: JSONSchemaLimits = .init()) throws -> CompiledSchema {
        var options = JSONSchemaOptions()
        options.limits = limits
        return CompiledSchema(
            try JSONSchema(try JSONValue(parsing: text), options: options), title: "the schema s.json")
    }

    private func findings(_ schema: String, _ exchange: Exchange, limits: JSONSchemaLimits = .init()) throws
        -> [Finding]
    {
        var extras = ExpectationExtras()
        extras.schema = .init(try Self.schema(schema, limits: limits), range: Fixture.range())
        return Fixture.check(ExpectationSet(extras: extras, isDefault: false), exchange)
    }

    @Test func aBodyThatSatisfiesTheSchema() throws {
        #expect(try findings(#"{ "type": "object" }"#, Fixture.jsonExchange("{}")).isEmpty)
        // As with `json`, the body is parsed as JSON regardless of its declared type.
        #expect(try findings(#"{ "type": "object" }"#, Fixture.exchange(body: "{}", contentType: "text/plain")).isEmpty)
    }

    @Test func eachViolationIsAFinding() throws {
        let found = try findings(
            #"{ "required": ["b"], "properties": { "a": { "items": { "type": "integer" } } } }"#,
            Fixture.jsonExchange(#"{ "a": [1, "x", 2.5] }"#))
        #expect(Set(found.map(\.subject)) == ["schema $", "schema $.a[*]"])
        #expect(found.allSatisfy { $0.type == .schema && $0.kind == .failure && $0.range == Fixture.range() })
    }

    @Test func findingsAreBounded() throws {
        let body = "[" + Array(repeating: "\"x\"", count: 40).joined(separator: ",") + "]"
        let found = try findings(#"{ "items": { "type": "integer" } }"#, Fixture.jsonExchange(body))
        #expect(found.map(\.subject) == ["schema $[*]"])
        #expect(found.first?.message.hasSuffix("(in 40 places)") == true)
        #expect(found.first?.details.prefix(4).last == "and 37 more")
        let names = (0..<40).map { "\"m\($0)\": \"x\"" }.joined(separator: ",")
        let members = try findings(
            #"{ "additionalProperties": { "type": "integer" } }"#, Fixture.jsonExchange("{\(names)}"))
        #expect(members.count == 10)
        #expect(members.last?.details.last == "… and 30 more")
    }

    @Test func aBodyThatIsNotJSON() throws {
        let found = try findings("true", Fixture.exchange(body: "hello"))
        #expect(found.map(\.subject) == ["schema"])
        #expect(found.first?.message.hasPrefix("the body is not JSON: ") == true)
        var extras = ExpectationExtras()
        extras.schema = .init(try Self.schema("true"), range: Fixture.range())
        let set = ExpectationSet(
            json: [try Fixture.json("$.a", .exists(true))], extras: extras, isDefault: false)
        #expect(Fixture.check(set, Fixture.exchange(body: "hello")).map(\.subject) == ["json"])
    }

    @Test func aBoundOfTheWorkIsAnError() throws {
        var limits = JSONSchemaLimits()
        limits.maximumSteps = 3
        let found = try findings(
            #"{ "items": { "type": "integer" } }"#, Fixture.jsonExchange("[1,2,3,4,5,6,7,8]"), limits: limits)
        #expect(found.map(\.kind) == [.error])
    }

    // MARK: Matchers

    @Test func matchers() throws {
        let small = try Self.schema(#"{ "maximum": 3 }"#)
        let text = try Self.schema(#"{ "type": "string" }"#)
        MatcherCase(.schema(small), 3).run()
        MatcherCase(.schema(small), "text").run()
        MatcherCase(.not(Fixture.matcher(.schema(small))), 4).run()
        MatcherCase(
            .not(Fixture.matcher(.schema(small))), 3, "expected not to satisfy the schema s.json, got 3 (integer)"
        ).run()
        MatcherCase(.each(Fixture.matcher(.schema(small))), [1, 2, 3]).run()
        MatcherCase(.any(Fixture.matcher(.schema(small))), [5, 2]).run()
        MatcherCase(
            .none(Fixture.matcher(.schema(small))), [5, 2],
            "expected no element to satisfy the schema s.json, but element [1] does: 2 (integer)"
        ).run()
        MatcherCase(.either([Fixture.matcher(.schema(small)), Fixture.matcher(.schema(text))]), "x").run()
        MatcherCase(.schema(small), nil, "expected to satisfy the schema s.json, got no value").run()
    }

    @Test func theFirstViolationIsTheMessage() throws {
        let schema = try Self.schema(
            #"{ "required": ["a"], "properties": { "b": { "items": { "type": "integer" } } } }"#)
        let set = ExpectationSet(json: [try Fixture.json("$.x", .schema(schema))], isDefault: false)
        let found = Fixture.check(set, Fixture.jsonExchange(#"{ "x": { "b": ["t"] } }"#))
        #expect(found.map(\.subject) == ["json $.x"])
        let reported = [found.first?.message ?? ""] + (found.first?.details.map(\.text) ?? [])
        #expect(reported.count == 2)
        #expect(reported.contains { $0.hasPrefix("$.x.b[0]: ") })
    }

    @Test func textMaySayAValue() throws {
        let count = try Self.schema(#"{ "type": "integer", "minimum": 3 }"#)
        MatcherCase(.schema(count), "3").run(.text)
        MatcherCase(.schema(try Self.schema(#"{ "const": true }"#)), "true").run(.text)
        MatcherCase(.schema(try Self.schema(#"{ "type": "string" }"#)), "3").run(.text)
        for (text, kind) in [("2", Evaluator.SubjectKind.text), ("x", .text), ("3", .value)] {
            let evaluator = Evaluator(scope: CELVariables(), context: CELContext(), subjectKind: kind)
            #expect(evaluator.matches(.string(text), Fixture.matcher(.schema(count))) != nil)
        }
    }

    @Test func aBoundOfTheWorkIsAnErrorUnderNot() throws {
        var limits = JSONSchemaLimits()
        limits.maximumSteps = 2
        let schema = try Self.schema(#"{ "items": { "type": "integer" } }"#, limits: limits)
        let mismatch = Evaluator(scope: CELVariables(), context: CELContext()).matches(
            [1, 2, 3, 4, 5], Fixture.matcher(.not(Fixture.matcher(.schema(schema)))))
        #expect(mismatch?.kind == .error)
    }
}
