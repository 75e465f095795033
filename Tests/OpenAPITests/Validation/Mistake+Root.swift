extension Mistake {
    /// Errors in the root, servers and security.
    static let rootMistakes: [Mistake] = [
        Mistake(
            "no info",
            #"""
            openapi: 3.1.0
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"1:1: error: the description has no "info"; add "info" [missing-member]"#]),
        Mistake(
            "no title",
            #"""
            openapi: 3.1.0
            info: { version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"2:1: error: "info" has no "title"; add "title" [missing-member]"#]),
        Mistake(
            "a number for a version",
            #"""
            openapi: 3.1.0
            info: { title: a, version: 1.0 }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"2:28: warning: "version" is a text, not a number; write "1.0" in quotation marks [invalid-openapi]"#]),
        Mistake(
            "no paths in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            components: {}
            """#,
            [#"1:1: error: the description has no "paths"; add "paths" [missing-member]"#]),
        Mistake(
            "nothing in 3.1",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            tags: []
            """#,
            [#"1:1: error: the description has no "paths"; add "paths" [missing-member]"#]),
        Mistake(
            "an unknown key",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            sevrers: []
            """#,
            [#"4:1: error: the description has no key "sevrers"; did you mean "servers"? [unknown-key]"#]),
        Mistake(
            "a key of Swagger 2.0",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            host: example.com
            """#,
            [#"4:1: error: the description has no key "host"; that was Swagger 2.0: use "servers" [unknown-key]"#]),
        Mistake(
            "a key of a later version",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            webhooks: {}
            """#,
            [#"4:1: error: "webhooks" came with OpenAPI 3.1; this description is 3.0 [unknown-key]"#]),
        Mistake(
            "an extension is no mistake",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            x-anything: [1]
            """#,
            []),
        Mistake(
            "info is a list",
            #"""
            openapi: 3.1.0
            info: []
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"2:7: error: "info" is an object, not a list [invalid-openapi]"#]),
        Mistake(
            "license with two names",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1", license: { name: MIT, identifier: MIT, url: https://example.com } }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [
                #"2:72: error: the license has "identifier" and "url", of which it may have one; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "contact with an unknown key",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1", contact: { mail: a@example.com } }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"2:44: error: the contact has no key "mail"; did you mean "email"? [unknown-key]"#]),
        Mistake(
            "tags twice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            tags: [{ name: a }, { name: a }]
            """#,
            [#"4:29: error: a second tag is called "a" [duplicate-tag]"#]),
        Mistake(
            "a tag without a parent",
            #"""
            openapi: 3.2.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            tags: [{ name: books, parent: al }, { name: all }]
            """#,
            [#"4:31: error: there is no tag "al"; did you mean "all"? [unknown-tag]"#]),
        Mistake(
            "tags are texts",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            tags: [a]
            """#,
            [#"4:8: error: an element of "tags" is an object, not a text [invalid-openapi]"#]),
        Mistake(
            "external documentation without a URL",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            externalDocs: { description: more }
            """#,
            [#"4:1: error: "externalDocs" has no "url"; add "url" [missing-member]"#]),
        Mistake(
            "a server without a URL",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ description: main }]
            """#,
            [#"4:11: error: a server has no "url"; add "url" [missing-member]"#]),
        Mistake(
            "an undeclared variable of a server",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{regoin}.example.com", variables: { region: { default: eu } } }]
            """#,
            [
                #"4:18: error: the server has no variable "regoin"; did you mean "region"? [unknown-server-variable]"#,
                #"4:63: warning: the server's URL has no "{region}" [unused-server-variable]"#,
            ]),
        Mistake(
            "a default that is no choice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r}.example.com", variables: { r: { default: de, enum: [eu, us] } } }]
            """#,
            ["4:72: error: the default is none of the variable's values; it may be eu, us [invalid-openapi]"]),
        Mistake(
            "an empty choice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r}.example.com", variables: { r: { default: de, enum: [] } } }]
            """#,
            [#"4:82: error: "enum" has no value [invalid-openapi]"#]),
        Mistake(
            "a variable without a default",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r}.example.com", variables: { r: { enum: [eu] } } }]
            """#,
            [#"4:58: error: a server's variable has no "default"; add "default" [missing-member]"#]),
        Mistake(
            "an open brace",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r.example.com" }]
            """#,
            [#"4:18: error: a brace in the server's URL is not closed; add "}" [invalid-openapi]"#]),
        Mistake(
            "an unknown scheme",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            security: [{ kye: [] }]
            components: { securitySchemes: { key: { type: apiKey, in: header, name: X } } }
            """#,
            [#"4:14: error: there is no security scheme "kye"; did you mean "key"? [unknown-security-scheme]"#]),
        Mistake(
            "an unknown type of scheme",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: basic } } }
            """#,
            [
                #"4:45: error: "basic" is no type of security scheme; write type: http, scheme: basic [invalid-openapi]"#
            ]),
        Mistake(
            "a key without a name",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: apiKey, in: header } } }
            """#,
            [#"4:34: error: a security scheme of type apiKey has no "name"; add "name" [missing-member]"#]),
        Mistake(
            "a key in the body",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: apiKey, in: body, name: a } } }
            """#,
            [#"4:57: error: an API key is in "query", "header" or "cookie", not in "body" [invalid-openapi]"#]),
        Mistake(
            "http without a scheme",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: http } } }
            """#,
            [#"4:34: error: a security scheme of type http has no "scheme"; add "scheme" [missing-member]"#]),
        Mistake(
            "a flow without its URL",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: oauth2, flows: { password: { scopes: {} } } } } }
            """#,
            [#"4:62: error: the flow "password" has no "tokenUrl"; add "tokenUrl" [missing-member]"#]),
        Mistake(
            "a flow without scopes",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: oauth2, flows: { password: { tokenUrl: /t } } } } }
            """#,
            [#"4:62: error: a flow has no "scopes"; add "scopes" [missing-member]"#]),
        Mistake(
            "an unknown flow",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: oauth2, flows: { application: { tokenUrl: /t, scopes: {} } } } } }
            """#,
            [
                #"4:62: error: "flows" has no key "application"; it has implicit, password, clientCredentials, authorizationCode [unknown-key]"#
            ]),
        Mistake(
            "an unknown scope",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            security: [{ a: [raed] }]
            components: { securitySchemes: { a: { type: oauth2, flows: { password: { tokenUrl: /t, scopes: { read: reads } } } } } }
            """#,
            [#"4:18: error: the security scheme "a" has no scope "raed"; did you mean "read"? [unknown-scope]"#]),
        Mistake(
            "scopes of a key",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            security: [{ a: [read] }]
            components: { securitySchemes: { a: { type: apiKey, in: header, name: a } } }
            """#,
            ["4:18: warning: a security scheme of type apiKey has no scopes; write a: [] [unknown-scope]"]),
        Mistake(
            "mutualTLS in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: mutualTLS } } }
            """#,
            [
                #"4:45: error: "mutualTLS" is no type of security scheme; known are apiKey, http, oauth2, openIdConnect [invalid-openapi]"#
            ]),
        Mistake(
            "security is an object",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            security: { a: [] }
            """#,
            [#"4:11: error: "security" is a list, not an object [invalid-openapi]"#]),
    ]
}
