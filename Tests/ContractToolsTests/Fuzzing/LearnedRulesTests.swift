import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@testable import ContractTools

@Suite("Rules that requests follow")
struct LearnedRulesTests {
    private static let description = """
        openapi: 3.1.0
        info: { title: Users, version: "1" }
        paths:
          /users:
            post:
              parameters:
                - { name: filter, in: query, schema: { type: integer } }
                - { name: token, in: query, required: true, schema: { type: string }, example: NOT_A_UUID }
                - { name: q, in: query, schema: { type: string } }
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      required: [name]
                      properties:
                        name: { type: string }
                        age: { type: integer }
                        tags: { type: array, items: { type: string } }
                        contact: { type: object }
                        closed: { type: object, additionalProperties: false }
                    example: { name: dd-MM-yyyy, age: 7, tags: [a], note: kept }
              responses: { 200: { description: a } }
        """

    /// Returns the request of the operation after lessons that have been observed a number of times.
    private static func draft(
        _ lessons: [Lesson], observations: Int = 2, variation: Int = 0
    ) throws -> SuiteGenerator.Draft {
        let (description, problems) = TextSource(["/openapi.yaml": description]).load()
        #expect(problems.isEmpty, "\(problems)")
        let loaded = try #require(description)
        var rules = LearnedRules()
        for _ in 0..<observations { rules.observe(lessons, of: 0) }
        var options = GenerationOptions(contractPath: "")
        options.learned = rules
        var generator = SuiteGenerator(loaded, options: options)
        generator.addTests()
        var draft = try #require(generator.drafts.first)
        if variation > 0 {
            rules.apply(to: &draft, of: generator.operations[0], generator.bodies, variation: variation)
        }
        return draft
    }

    private static func member(_ names: String..., is rule: Lesson.Rule) -> Lesson {
        Lesson(place: .member(names), rule: rule)
    }

    @Test("A lesson takes effect after two observations")
    func observations() throws {
        let lesson = [Self.member("email", is: .required)]
        #expect(try Self.draft(lesson, observations: 1).body?.value?["email"] == nil)
        #expect(try Self.draft(lesson).body?.value?["email"]?.stringValue != nil)
        var rules = LearnedRules()
        var changes = [rules.observe(lesson, of: 3)]
        #expect(rules.learned.isEmpty)
        for _ in 0..<2 { changes.append(rules.observe(lesson, of: 3)) }
        #expect(changes == [false, true, false])
        #expect(rules.learned == [3])
        #expect(rules.lessons(of: 3) == lesson)
    }

    @Test("Only the members that violate a rule change")
    func members() throws {
        let draft = try Self.draft([
            Self.member("name", is: .format("date")), Self.member("age", is: .minimum(40, isExclusive: true)),
            Self.member("contact", "email", is: .required), Self.member("contact", "email", is: .format("email")),
            Self.member("tags", is: .forbidden), Self.member("closed", "x", is: .required),
        ])
        let body = try #require(draft.body?.value)
        #expect(body["name"]?.stringValue?.utf8.count == 10)
        #expect(body["name"] != "dd-MM-yyyy")
        #expect(try #require(body["age"]?.numberValue) > 40)
        #expect(body["contact"]?["email"]?.stringValue?.contains("@") == true)
        #expect(body["tags"] == nil)
        #expect(body["closed"]?["x"] == nil)
        #expect(
            try Self.draft([Self.member("age", is: .maximum(9, isExclusive: false))]).body?.value?["note"] == "kept")
    }

    @Test("Other values also follow the rules")
    func variations() throws {
        let lessons = [
            Self.member("name", is: .minimumLength(12)), Self.member("name", is: .maximumLength(13)),
            Self.member("name", is: .pattern("[A-Z]+")), Self.member("age", is: .allowed([3, 5])),
            Self.member("contact", "code", is: .allowed(["x", "y"])), Self.member("contact", "code", is: .required),
        ]
        for variation in 0..<10 {
            let body = try #require(try Self.draft(lessons, variation: variation).body?.value)
            let name = try #require(body["name"]?.stringValue)
            #expect((12...13).contains(name.count) && name.allSatisfy(\.isUppercase), "\(name)")
            #expect([3, 5].contains(body["age"]), "\(body)")
            #expect(["x", "y"].contains(body["contact"]?["code"]), "\(body)")
        }
    }

    @Test("Parameters follow the rules")
    func parameters() throws {
        let draft = try Self.draft([
            Lesson(place: .parameter(.query, "filter"), rule: .forbidden),
            Lesson(place: .parameter(.query, "token"), rule: .format("uuid")),
            Lesson(place: .parameter(.query, "token"), rule: .forbidden),
            Lesson(place: .parameter(.query, "q"), rule: .required),
        ])
        let sent = Dictionary(uniqueKeysWithValues: draft.sent.map { ($0.parameter.name, $0.value) })
        #expect(Set(sent.keys) == ["token", "q"])
        #expect(sent["token"]?.stringValue?.count == 36)
    }

    @Test("Contradictory rules leave a valid request")
    func contradictions() throws {
        let draft = try Self.draft([
            Self.member("name", is: .minimumLength(9)), Self.member("name", is: .maximumLength(2)),
            Self.member("name", is: .pattern("(")), Self.member("age", is: .type("string")),
            Self.member("age", is: .minimum(10, isExclusive: false)),
            Self.member("name", is: .forbidden), Self.member(is: .minimumLength(3)),
            Lesson(place: .member(["a", "b", "c", "d", "e", "f", "g", "h"]), rule: .required),
        ])
        let body = try #require(draft.body?.value)
        #expect(body["name"]?.stringValue != nil)
        #expect(try #require(body["age"]?.numberValue) >= 10)
    }
}
