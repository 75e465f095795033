extension Mistake {
    /// Errors in Swagger 2.0.
    static let swaggerMistakes: [Mistake] = [
        Mistake(
            "Swagger: no paths",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            host: a
            """#,
            [#"1:1: error: the description has no "paths"; add "paths" [missing-member]"#]),
        Mistake(
            "Swagger: a key of 3.0",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } } }
            components: {}
            """#,
            [
                #"6:1: error: unknown key "components" in the description; that requires OpenAPI 3.0: use "definitions", "parameters", or "responses" [unknown-key]"#
            ]),
        Mistake(
            "Swagger: a body of 3.0",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { requestBody: { content: {} }, responses: { 200: { description: ok } } }
            """#,
            [
                #"5:13: error: unknown key "requestBody" in an operation; that requires OpenAPI 3.0: use a parameter with in: body [unknown-key]"#
            ]),
        Mistake(
            "Swagger: a body without a schema",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: body }], responses: { 200: { description: ok } } }
            """#,
            [#"5:26: error: a body parameter has no "schema"; add "schema" [missing-member]"#]),
        Mistake(
            "Swagger: a parameter without a type",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: query }], responses: { 200: { description: ok } } }
            """#,
            [#"5:26: error: a parameter has no "type"; add "type" [missing-member]"#]),
        Mistake(
            "Swagger: a parameter with a schema",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: query, schema: { type: string } }], responses: { 200: { description: ok } } }
            """#,
            [
                #"5:48: error: only a body parameter can have a "schema"; use "type" instead [invalid-openapi]"#
            ]),
        Mistake(
            "Swagger: a wrong location",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: cookie, type: string }], responses: { 200: { description: ok } } }
            """#,
            [
                #"5:41: error: "in" cannot be "cookie"; valid values: query, header, path, formData, body [invalid-openapi]"#
            ]),
        Mistake(
            "Swagger: an unknown format",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: query, type: array, items: { type: string }, collectionFormat: cvs }], responses: { 200: { description: ok } } }
            """#,
            [#"5:104: error: "collectionFormat" cannot be "cvs"; did you mean "csv"? [invalid-openapi]"#]),
        Mistake(
            "Swagger: an array without items",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: query, type: array }], responses: { 200: { description: ok } } }
            """#,
            [
                #"5:26: error: a parameter with type: array has no "items"; add items: { type: string } [missing-member]"#
            ]),
        Mistake(
            "Swagger: no responses",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { summary: a }
            """#,
            [#"5:5: error: an operation has no "responses"; add "responses" [missing-member]"#]),
        Mistake(
            "Swagger: a response with content",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, content: {} } } }
            """#,
            [
                #"5:50: error: unknown key "content" in a response; that requires OpenAPI 3.0: use "schema" and "produces" [unknown-key]"#
            ]),
        Mistake(
            "Swagger: a reference to nowhere",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, schema: { $ref: "#/definitions/Bok" } } } }
            definitions: { Book: { type: object } }
            """#,
            [
                ##"5:66: error: "#/definitions/Bok" cannot be resolved; did you mean "Book"? [unresolved-reference]"##,
                #"6:16: note: nothing refers to "Book" [unused-component]"#,
            ]),
        Mistake(
            "Swagger: an unused definition",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } } }
            definitions: { Book: { type: object } }
            """#,
            [#"6:16: note: nothing refers to "Book" [unused-component]"#]),
        Mistake(
            "Swagger: an unknown scheme",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } } }
            schemes: [htps]
            host: a
            """#,
            [#"6:11: error: an element of "schemes" cannot be "htps"; did you mean "https"? [invalid-openapi]"#]),
        Mistake(
            "Swagger: a scheme without a flow",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } } }
            securityDefinitions: { a: { type: oauth2 } }
            """#,
            [#"6:24: error: the security scheme "a" has no "flow"; add "flow" [missing-member]"#]),
        Mistake(
            "Swagger: an unknown scope",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { security: [{ a: [x] }], responses: { 200: { description: ok } } }
            securityDefinitions: { a: { type: oauth2, flow: implicit, authorizationUrl: /a, scopes: { read: reads } } }
            """#,
            [
                #"5:30: error: the security scheme "a" has no scope "x"; add it to the scopes of its flows [unknown-scope]"#
            ]),
        Mistake(
            "Swagger: an unknown type",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: query, type: int }], responses: { 200: { description: ok } } }
            """#,
            [#"5:54: error: unknown type "int"; did you mean "integer"? [invalid-schema]"#]),
        Mistake(
            "Swagger: a file in the query",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: query, type: file }], responses: { 200: { description: ok } } }
            """#,
            ["5:54: error: type \"file\" is allowed only in formData [invalid-openapi]"]),
        Mistake(
            "Swagger: oneOf",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: body, schema: { oneOf: [] } }], responses: { 200: { description: ok } } }
            """#,
            [#"5:57: warning: unknown key "oneOf" in a schema; that requires OpenAPI 3.0 [unknown-key]"#]),
        Mistake(
            "Swagger: a wrong default",
            #"""
            swagger: "2.0"
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: [{ name: a, in: body, schema: { $ref: "#/definitions/A" } }], responses: { 200: { description: ok } } }
            definitions: { A: { type: integer, default: a } }
            """#,
            [
                #"6:45: warning: the default does not match its schema: expected integer, got "a" (string) [invalid-example]"#
            ]),
    ]
}
