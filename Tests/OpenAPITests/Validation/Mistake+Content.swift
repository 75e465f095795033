extension Mistake {
    /// Errors in bodies, responses and references.
    static let contentMistakes: [Mistake] = [
        Mistake(
            "a body without content",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { requestBody: { required: true }, responses: { 200: { description: ok } } }
            """#,
            [#"5:13: error: a request body has no "content"; add "content" [missing-member]"#]),
        Mistake(
            "a body with a schema",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { requestBody: { schema: {} }, responses: { 200: { description: ok } } }
            """#,
            [
                #"5:13: error: a request body has no "content"; add "content" [missing-member]"#,
                #"5:28: error: unknown key "schema" in a request body; move it to a media type under "content" [unknown-key]"#,
            ]),
        Mistake(
            "a wrong media type",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { requestBody: { content: { json: {} } }, responses: { 200: { description: ok } } }
            """#,
            [
                #"5:39: error: "json" is not a media type; write a media type such as application/json or a range such as text/* [invalid-openapi]"#
            ]),
        Mistake(
            "content is an array",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { requestBody: { content: [] }, responses: { 200: { description: ok } } }
            """#,
            [#"5:37: error: "content" must be an object, got an array [invalid-openapi]"#]),
        Mistake(
            "an encoding of an unknown property",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { photo: { type: string } } }, encoding: { photos: { contentType: image/png } } } } }, responses: { 200: { description: ok } } }
            """#,
            [#"5:141: warning: the schema has no property "photos"; did you mean "photo"? [unknown-property]"#]),
        Mistake(
            "itemSchema in 3.1",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, content: { a/b: { itemSchema: {} } } } } }
            """#,
            [#"5:68: error: "itemSchema" requires OpenAPI 3.2; this description uses 3.1 [unknown-key]"#]),
        Mistake(
            "a response without a description",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: {} } }
            """#,
            [#"5:26: error: a response has no "description"; add "description" [missing-member]"#]),
        Mistake(
            "a schema next to the content",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, schema: {} } } }
            """#,
            [#"5:50: error: unknown key "schema" in a response; move it to a media type under "content" [unknown-key]"#]
        ),
        Mistake(
            "an example with two values",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, content: { application/json: { examples: { a: { value: 1, externalValue: a.json } } } } } } }
            """#,
            [
                #"5:108: error: an example has both "value" and "externalValue", which are mutually exclusive; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "an example in place of its object",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                get:
                  responses: { 200: { description: ok, content: { application/json: { examples: { a: { id: 1 } } } } } }
            """#,
            [#"6:92: error: unknown key "id" in an example; put the example under "value" [unknown-key]"#]),
        Mistake(
            "a link to nothing",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, links: { next: {} } } } }
            """#,
            [
                #"5:59: error: a link has neither "operationId" nor "operationRef"; name the target operation [missing-member]"#
            ]),
        Mistake(
            "a link to an unknown operation",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { operationId: makeA, responses: { 200: { description: ok, links: { next: { operationId: makeB } } } } }
            """#,
            [#"5:100: error: no operation has the operationId "makeB"; did you mean "makeA"? [unknown-operation]"#]),
        Mistake(
            "a link to an unknown location",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, links: { next: { operationRef: "#/paths/~1b/get" } } } } }
            """#,
            [##"5:81: error: "#/paths/~1b/get" cannot be resolved; did you mean "/a"? [unresolved-reference]"##]),
        Mistake(
            "a link with two names",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { operationId: x, responses: { 200: { description: ok, links: { next: { operationId: x, operationRef: "#/paths/~1a/post" } } } } }
            """#,
            [
                #"5:83: error: a link has both "operationRef" and "operationId", which are mutually exclusive; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "a reference to nowhere",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { $ref: "#/components/responses/Foudn" } } }
            components: { responses: { Found: { description: a } } }
            """#,
            [
                ##"5:39: error: "#/components/responses/Foudn" cannot be resolved; did you mean "Found"? [unresolved-reference]"##,
                #"6:28: note: nothing refers to "Found" [unused-component]"#,
            ]),
        Mistake(
            "a reference to something else",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { $ref: "#/components/schemas/A" } } }
            components: { schemas: { A: {} } }
            """#,
            [
                ##"5:39: error: "#/components/schemas/A" refers to a schema, not a response; refer to one under #/components/responses [wrong-reference]"##
            ]),
        Mistake(
            "a reference that is not a string",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { $ref: 5 } } }
            """#,
            [#"5:39: error: "$ref" must be a string [invalid-reference]"#]),
        Mistake(
            "siblings of a reference",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { $ref: "#/components/responses/A", content: {} } } }
            components: { responses: { A: { description: a } } }
            """#,
            [
                #"5:67: warning: "content" next to a $ref is ignored; remove it, or replace the reference with its target [ignored-sibling]"#
            ]),
        Mistake(
            "siblings of a schema reference in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/A", nullable: true } } } } }
            components: { schemas: { A: { type: string } } }
            """#,
            [
                #"5:142: warning: "nullable" next to a $ref is ignored; move the reference to allOf: [{ $ref: … }] [ignored-sibling]"#
            ]),
        Mistake(
            "a broken reference in an unused component",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { schemas: { A: { $ref: "#/components/schemas/B" } } }
            """#,
            [
                #"4:26: note: nothing refers to "A" [unused-component]"#,
                ##"4:37: error: "#/components/schemas/B" cannot be resolved; available names: A [unresolved-reference]"##,
            ]),
        Mistake(
            "an unused component",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { schemas: { A: { type: string } } }
            """#,
            [#"4:26: note: nothing refers to "A" [unused-component]"#]),
        Mistake(
            "an invalid component name",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { schemas: { "A b": {} } }
            """#,
            [
                #"4:26: error: "A b" is not a valid component name; use letters, digits, dots, hyphens, and underscores [invalid-name]"#,
                #"4:26: note: nothing refers to "A b" [unused-component]"#,
            ]),
        Mistake(
            "an unknown section",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { schema: {} }
            """#,
            [#"4:15: error: unknown key "schema" in "components"; did you mean "schemas"? [unknown-key]"#]),
    ]
}
