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
            [
                #"2:28: warning: "version" must be a string, got a number; put it in quotation marks: "1.0" [invalid-openapi]"#
            ]),
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
            [#"4:1: error: unknown key "sevrers" in the description; did you mean "servers"? [unknown-key]"#]),
        Mistake(
            "a key of Swagger 2.0",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            host: example.com
            """#,
            [
                #"4:1: error: unknown key "host" in the description; that is Swagger 2.0 syntax: use "servers" [unknown-key]"#
            ]),
        Mistake(
            "a key of a later version",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            webhooks: {}
            """#,
            [#"4:1: error: "webhooks" requires OpenAPI 3.1; this description uses 3.0 [unknown-key]"#]),
        Mistake(
            "an extension is not an error",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            x-anything: [1]
            """#,
            []),
        Mistake(
            "info is an array",
            #"""
            openapi: 3.1.0
            info: []
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"2:7: error: "info" must be an object, got an array [invalid-openapi]"#]),
        Mistake(
            "license with two names",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1", license: { name: MIT, identifier: MIT, url: https://example.com } }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [
                #"2:72: error: the license has both "identifier" and "url", which are mutually exclusive; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "contact with an unknown key",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1", contact: { mail: a@example.com } }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"2:44: error: unknown key "mail" in the contact; did you mean "email"? [unknown-key]"#]),
        Mistake(
            "tags twice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            tags: [{ name: a }, { name: a }]
            """#,
            [#"4:29: error: duplicate tag "a" [duplicate-tag]"#]),
        Mistake(
            "a tag without a parent",
            #"""
            openapi: 3.2.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            tags: [{ name: books, parent: al }, { name: all }]
            """#,
            [#"4:31: error: unknown tag "al"; did you mean "all"? [unknown-tag]"#]),
        Mistake(
            "tags are strings",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            tags: [a]
            """#,
            [#"4:8: error: an element of "tags" must be an object, got a string [invalid-openapi]"#]),
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
                #"4:63: warning: the server URL does not contain "{region}" [unused-server-variable]"#,
            ]),
        Mistake(
            "a default that is not in the enum",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r}.example.com", variables: { r: { default: de, enum: [eu, us] } } }]
            """#,
            ["4:72: error: the default is not one of the variable's values; valid values: eu, us [invalid-openapi]"]),
        Mistake(
            "an empty enum of a variable",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r}.example.com", variables: { r: { default: de, enum: [] } } }]
            """#,
            [#"4:82: error: "enum" is empty [invalid-openapi]"#]),
        Mistake(
            "a variable without a default",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r}.example.com", variables: { r: { enum: [eu] } } }]
            """#,
            [#"4:58: error: a server variable has no "default"; add "default" [missing-member]"#]),
        Mistake(
            "an open brace",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            servers: [{ url: "https://{r.example.com" }]
            """#,
            [#"4:18: error: the server URL has an unclosed brace; add "}" [invalid-openapi]"#]),
        Mistake(
            "an unknown scheme",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            security: [{ kye: [] }]
            components: { securitySchemes: { key: { type: apiKey, in: header, name: X } } }
            """#,
            [#"4:14: error: unknown security scheme "kye"; did you mean "key"? [unknown-security-scheme]"#]),
        Mistake(
            "an unknown type of scheme",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            components: { securitySchemes: { a: { type: basic } } }
            """#,
            [
                #"4:45: error: "basic" is not a security scheme type; write type: http, scheme: basic [invalid-openapi]"#
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
            [#"4:57: error: an API key must be in "query", "header", or "cookie", got "body" [invalid-openapi]"#]),
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
                #"4:62: error: unknown key "application" in "flows"; known keys: implicit, password, clientCredentials, authorizationCode [unknown-key]"#
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
                #"4:45: error: "mutualTLS" is not a security scheme type; known types: apiKey, http, oauth2, openIdConnect [invalid-openapi]"#
            ]),
        Mistake(
            "security is an object",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            security: { a: [] }
            """#,
            [#"4:11: error: "security" must be an array, got an object [invalid-openapi]"#]),
    ]
}
