import OpenAPI
import Testing

@Suite("Mock XML bodies")
struct MockXMLTests {
    private static func answer(_ schema: String, components: String = "", version: String = "3.0.3") throws -> String {
        let text = """
            openapi: \(version)
            info: { title: a, version: "1" }
            paths:
              /a: { get: { responses: { 200: { description: ok, content: { application/xml: { schema: \(schema) } } } } } }
            components: { schemas: { Other: { type: integer }\(components.isEmpty ? "" : ", " + components) } }
            """
        let answer = try MockFixture(text).answer("GET /a")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/xml")
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        #expect(answer.text.hasPrefix(declaration), "\(answer.text)")
        return String(answer.text.dropFirst(declaration.count))
    }

    private static let pet = """
        Pet: { type: object, xml: { name: pet }, properties: {
          id: { type: integer, example: 7, xml: { attribute: true } },
          name: { type: string, example: "<Rex> & \\"co\\"" },
          category: { $ref: '#/components/schemas/Category' },
          photoUrls: { type: array, xml: { wrapped: true }, items: { type: string, example: u, xml: { name: photoUrl } } },
          tags: { type: array, items: { $ref: '#/components/schemas/Tag' } },
          gone: { type: boolean, nullable: true, example: null } } },
        Category: { type: object, xml: { name: kind }, properties: { id: { type: integer, example: 1 } } },
        Tag: { type: object, xml: { name: tag }, properties: { name: { type: string, example: t } } }
        """

    @Test("Names, attributes, and wrapped arrays follow the schema")
    func pet() throws {
        #expect(
            try Self.answer("{ $ref: '#/components/schemas/Pet' }", components: Self.pet)
                == #"<pet id="7"><name>&lt;Rex&gt; &amp; "co"</name><kind><id>1</id></kind>"#
                + "<photoUrls><photoUrl>u</photoUrl></photoUrls><tag><name>t</name></tag>"
                + #"<gone xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></pet>"#)
    }

    @Test(
        "Arrays are written as the specification shows",
        arguments: [
            (#"{ type: array, items: { type: string, example: v } }"#, "<animals>v</animals>"),
            (
                #"{ type: array, items: { type: string, example: v, xml: { name: animal } } }"#, "<animal>v</animal>"
            ),
            (
                #"{ type: array, items: { type: string, example: v, xml: { name: animal } }, xml: { name: aliens } }"#,
                "<animal>v</animal>"
            ),
            (
                #"{ type: array, items: { type: string, example: v }, xml: { wrapped: true } }"#,
                "<animals><animals>v</animals></animals>"
            ),
            (
                #"{ type: array, items: { type: string, example: v, xml: { name: animal } }, xml: { wrapped: true, name: aliens } }"#,
                "<aliens><animal>v</animal></aliens>"
            ),
            (
                #"{ type: array, items: { type: string, example: v }, xml: { wrapped: true, name: aliens } }"#,
                "<aliens><aliens>v</aliens></aliens>"
            ),
            (
                #"{ type: array, items: { type: array, items: { type: integer, example: 2 } } }"#,
                "<animals>2</animals>"
            ),
        ])
    func arrays(schema: String, expected: String) throws {
        #expect(
            try Self.answer("{ type: object, xml: { name: r }, properties: { animals: \(schema) } }")
                == "<r>\(expected)</r>")
    }

    @Test("An array at the root is wrapped in one element")
    func rootArray() throws {
        #expect(
            try Self.answer(
                "{ type: array, items: { $ref: '#/components/schemas/Tag' } }",
                components: "Tag: { type: object, properties: { name: { type: string, example: t } } }")
                == "<root><Tag><name>t</name></Tag></root>")
        #expect(
            try Self.answer(
                "{ $ref: '#/components/schemas/Tags' }",
                components: "Tags: { type: array, items: { type: integer, example: 1, xml: { name: tag } } }")
                == "<Tags><tag>1</tag></Tags>")
    }

    @Test("Namespaces are declared where needed, and prefixes without a namespace are omitted")
    func namespaces() throws {
        let schema = """
            { type: object, xml: { name: r, namespace: 'urn:a', prefix: p }, properties: {
              one: { type: integer, example: 1, xml: { namespace: 'urn:a', prefix: p } },
              two: { type: integer, example: 2, xml: { namespace: 'urn:b' } },
              three: { type: integer, example: 3, xml: { prefix: q } },
              four: { type: integer, example: 4, xml: { attribute: true, prefix: z, namespace: 'urn:z' } } } }
            """
        #expect(
            try Self.answer(schema)
                == #"<p:r xmlns:p="urn:a" xmlns:z="urn:z" z:four="4"><p:one>1</p:one><two xmlns="urn:b">2</two><three>3</three></p:r>"#
        )
    }

    @Test("OpenAPI 3.2 node types are supported")
    func nodeTypes() throws {
        let schema = """
            { type: object, xml: { name: r }, properties: {
              id: { type: integer, example: 1, xml: { nodeType: attribute } },
              list: { type: array, xml: { nodeType: element }, items: { type: integer, example: 2, xml: { name: i } } },
              inner: { type: object, xml: { nodeType: none }, properties: { x: { type: integer, example: 3 } } },
              raw: { type: string, example: 'a]]>b', xml: { nodeType: cdata } },
              text: { type: string, example: 'a<b', xml: { nodeType: text } } } }
            """
        #expect(
            try Self.answer(schema, version: "3.2.0")
                == #"<r id="1"><list><i>2</i></list><x>3</x><![CDATA[a]]]]><![CDATA[>b]]>a&lt;b</r>"#)
    }

    @Test("The document is well-formed for any values and names")
    func characters() throws {
        let schema = #"""
            { type: object, properties: {
              "1 a:b": { type: string, example: "\u0001\uFFFE\t\r" },
              "x": { type: string, example: "a\n\"b\"", xml: { attribute: true } } } }
            """#
        #expect(
            try Self.answer(schema)
                == "<root x=\"a&#10;&quot;b&quot;\"><_1_a_b>\u{FFFD}\u{FFFD}\t&#13;</_1_a_b></root>")
    }

    @Test("Properties are collected from all parts of a composed schema")
    func composition() throws {
        let components = """
            Base: { type: object, required: [id], properties: { id: { type: integer, example: 1, xml: { attribute: true } } } },
            Dog: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, properties: { bark: { allOf: [{ $ref: '#/components/schemas/Bark' }], description: d } } }] },
            Bark: { type: string, example: wow, xml: { name: noise } },
            Cat: { type: object, required: [mew], properties: { mew: { type: integer, example: 2, xml: { name: sound } } } }
            """
        #expect(
            try Self.answer("{ $ref: '#/components/schemas/Dog' }", components: components)
                == #"<Dog id="1"><noise>wow</noise></Dog>"#)
        #expect(
            try Self.answer(
                "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: object, required: [mew, x], properties: { mew: { type: string } } }] }",
                components: components)
                == "<root><sound>2</sound></root>")
    }

    @Test("Structured examples are written according to the schema, and strings as they are")
    func examples() throws {
        let text = """
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a: { get: { responses: { 200: { description: ok, content: { application/xml: { schema: { $ref: '#/components/schemas/Tag' }, example: { name: x } } } } } } }
              /b: { get: { responses: { 200: { description: ok, content: { text/xml: { schema: { type: string, example: <b/> } } } } } } }
              /c: { get: { responses: { 200: { description: ok, content: { application/atom+xml: { schema: { type: string, example: plain } } } } } } }
              /d: { get: { responses: { 200: { description: ok, content: { application/xml: { example: "<d a='1'/>" } } } } } }
              /e: { get: { responses: { 200: { description: ok, content: { application/xml: {} } } } } }
              /f: { get: { responses: { 200: { description: ok, content: { '*/*': { schema: { $ref: '#/components/schemas/Tag' } } } } } } }
            components: { schemas: { Tag: { type: object, properties: { name: { type: string, example: y, xml: { name: n } } } } } }
            """
        let mock = try MockFixture(text)
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        #expect(mock.answer("GET /a").text == declaration + "<Tag><n>x</n></Tag>")
        #expect(mock.answer("GET /b").text == "<b/>")
        #expect(mock.answer("GET /c").text == declaration + "<root>plain</root>")
        #expect(mock.answer("GET /d").text == "<d a='1'/>")
        #expect(mock.answer("GET /e").text == declaration + "<root/>")
        let ranged = mock.answer("GET /f", ["Accept: application/xml"])
        #expect(ranged.text == declaration + "<Tag><n>y</n></Tag>")
        #expect(ranged.header("Content-Type") == "application/xml")
        #expect(mock.answer("GET /f").text == #"{"name":"y"}"#)
    }
}
