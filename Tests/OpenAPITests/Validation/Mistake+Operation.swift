extension Mistake {
    /// Errors in paths, operations and parameters.
    static let operationMistakes: [Mistake] = [
        Mistake(
            "unresolvable links and callbacks",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a/{id}:
                parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
                get: { operationId: readA, responses: { 200: { description: ok } } }
              /a:
                post:
                  responses:
                    201:
                      description: ok
                      links:
                        read:
                          operationId: readA
                          parameters:
                            id: $response.body.id
                            path.id: $response.body#/id
                            number: $request.query.n
                            ID: $response.header.X Y
                        again: { operationRef: "#/paths/~1a~1{id}/get", parameters: { x: 1 } }
                  callbacks:
                    done: { "{$request.body#url}/x": { post: { responses: { 200: { description: ok } } } } }
            """#,
            [
                #"16:21: error: "$response.body.id" is not a runtime expression: a JSON Pointer must follow "body", such as body#/id [invalid-expression]"#,
                #"18:17: error: GET /a/{id} has no parameter "number"; it has id [unknown-link-parameter]"#,
                #"19:17: error: GET /a/{id} has no parameter "ID"; did you mean "id"? [unknown-link-parameter]"#,
                #"19:21: error: "$response.header.X Y" is not a runtime expression: "X Y" is not a header name [invalid-expression]"#,
                #"20:75: error: GET /a/{id} has no parameter "x"; it has id [unknown-link-parameter]"#,
                #"22:17: error: "$request.body#url" is not a runtime expression: a JSON Pointer must start with a slash: body#/url [invalid-expression]"#,
            ]),
        Mistake(
            "paths with a query or a fragment",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a?b=1: { get: { responses: { 200: { description: ok } } } }
              /a#b: { get: { responses: { 200: { description: ok } } } }
            """#,
            [
                #"4:3: warning: the path "/a?b=1" has a query, so no request matches it; end the path before "?", and describe the rest as query parameters [invalid-path]"#,
                ##"5:3: warning: the path "/a#b" has a fragment, so no request matches it; end the path before "#" [invalid-path]"##,
            ]),
        Mistake(
            "members that are null, and operations that are references",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a: { get: { responses: { 200: { description: ok, content: null } } } }
              /b: { get: { $ref: "#/paths/~1a/get" } }
              /c: { get: { responses: null } }
            """#,
            [
                #"4:53: warning: "content" is null and is treated as absent; remove it [null-member]"#,
                #"5:22: warning: an operation is a $ref, which the specification allows only for a whole path; it is accepted here, but other tools may reject it [invalid-openapi]"#,
                #"6:16: warning: "responses" is null and is treated as absent; remove it [null-member]"#,
            ]),
        Mistake(
            "references to the same missing target",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a: { get: { parameters: [{ $ref: "https://example.com/x.yaml#/p" }], responses: { 200: { $ref: "https://example.com/x.yaml#/r" } } } }
              /b/{id}: { get: { parameters: [{ $ref: "https://example.com/x.yaml#/id" }], responses: { 200: { description: ok } } } }
            """#,
            [
                #"4:37: error: "https://example.com/x.yaml" is not loaded from the network (3 references); save a copy and name it under "schemas" in the suite or with --schema https://example.com/x.yaml=FILE [unresolved-reference]"#
            ]),
        Mistake(
            "a path without a slash",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { a: { get: { responses: { 200: { description: ok } } } } }
            """#,
            [#"3:10: error: the path "a" must start with a slash; write "/a" [invalid-openapi]"#]),
        Mistake(
            "paths is an array",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: []
            """#,
            [#"3:8: error: "paths" must be an object, got an array [invalid-openapi]"#]),
        Mistake(
            "an unknown method",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { psot: { responses: { 200: { description: ok } } } } }
            """#,
            [#"3:16: error: unknown key "psot" in a path; did you mean "post"? [unknown-key]"#]),
        Mistake(
            "a method of 3.2",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { query: { responses: { 200: { description: ok } } } } }
            """#,
            [#"3:16: error: "query" requires OpenAPI 3.2; this description uses 3.1 [unknown-key]"#]),
        Mistake(
            "a method that has its own key",
            #"""
            openapi: 3.2.0
            info: { title: a, version: "1" }
            paths: { /a: { additionalOperations: { POST: { responses: { 200: { description: ok } } } } } }
            """#,
            [
                #"3:40: error: "POST" does not belong in "additionalOperations"; move it to the key "post" of the path [invalid-openapi]"#
            ]),
        Mistake(
            "two paths for the same requests",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { "/a/{b}": { get: { parameters: [{ name: b, in: path, required: true, schema: {} }], responses: { 200: { description: ok } } } }, "/a/{c}": { get: { parameters: [{ name: c, in: path, required: true, schema: {} }], responses: { 200: { description: ok } } } } }
            """#,
            [#"3:139: warning: "/a/{c}" matches the same requests as "/a/{b}" [ambiguous-path]"#]),
        Mistake(
            "an undeclared path parameter",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { "/a/{id}": { get: { responses: { 200: { description: ok } } } } }
            """#,
            [
                #"3:23: warning: the path parameter "id" is not declared; add { name: id, in: path, required: true, schema: { type: string } } to its parameters [undeclared-path-parameter]"#
            ]),
        Mistake(
            "an unknown path parameter",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { "/a/{id}": { get: { parameters: [{ name: id, in: path, required: true, schema: {} }, { name: Id, in: path, required: true, schema: {} }], responses: { 200: { description: ok } } } } }
            """#,
            [#"3:103: warning: the path has no parameter "Id"; did you mean "id"? [unknown-path-parameter]"#]),
        Mistake(
            "a path parameter twice in the path",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { "/a/{b}/{b}": { get: { parameters: [{ name: b, in: path, required: true, schema: {} }], responses: { 200: { description: ok } } } } }
            """#,
            [
                #"3:26: warning: the path contains "{b}" twice; give each path parameter its own name [duplicate-path-parameter]"#
            ]),
        Mistake(
            "a path is null",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: }
            """#,
            ["3:10: error: a path must be an object, got null [invalid-openapi]"]),
        Mistake(
            "no responses in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { summary: a }
            """#,
            [#"5:5: error: an operation has no "responses"; add "responses" [missing-member]"#]),
        Mistake(
            "empty responses",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: {} }
            """#,
            ["5:13: warning: the operation has no responses; add the statuses that it returns [no-responses]"]),
        Mistake(
            "a wrong status",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 20: { description: ok }, 600: { description: no } } }
            """#,
            [
                #"5:26: error: "20" is not a status; write a status such as 200, a class such as 2XX, or default [invalid-openapi]"#,
                #"5:51: error: "600" is not a status; write a status such as 200, a class such as 2XX, or default [invalid-openapi]"#,
            ]),
        Mistake(
            "operationId twice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { /a: { get: { operationId: x, responses: { 200: { description: ok } } }, put: { operationId: x, responses: { 200: { description: ok } } } } }
            """#,
            [#"3:102: error: duplicate operationId "x" [duplicate-operation-id]"#]),
        Mistake(
            "deprecated is a string",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { deprecated: "yes", responses: { 200: { description: ok } } }
            """#,
            [#"5:25: error: "deprecated" must be true or false, got a string [invalid-openapi]"#]),
        Mistake(
            "consumes in 3.1",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { consumes: [a/b], responses: { 200: { description: ok } } }
            """#,
            [
                #"5:13: error: unknown key "consumes" in an operation; that is Swagger 2.0 syntax: list media types under requestBody: { content: … } [unknown-key]"#
            ]),
        Mistake(
            "a misspelled key",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestbody: {} }
            """#,
            [#"5:54: error: unknown key "requestbody" in an operation; did you mean "requestBody"? [unknown-key]"#]),
        Mistake(
            "tags of an operation are numbers",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { tags: [1], responses: { 200: { description: ok } } }
            """#,
            [
                #"5:20: warning: an element of "tags" must be a string, got a number; put it in quotation marks: "1" [invalid-openapi]"#
            ]),
        Mistake(
            "a body for GET in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths: { /a: { get: { requestBody: { content: {} }, responses: { 200: { description: ok } } } } }
            """#,
            ["3:23: warning: a request body has no meaning for GET [ignored-request-body]"]),
        Mistake(
            "parameters are an object",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { parameters: { a: 1 }, responses: { 200: { description: ok } } }
            """#,
            [#"5:25: error: "parameters" must be an array, got an object [invalid-openapi]"#]),
        Mistake(
            "a parameter without a name",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { in: query, schema: {} } ] }
            """#,
            [#"5:68: error: a parameter has no "name"; add "name" [missing-member]"#]),
        Mistake(
            "a parameter without a location",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, schema: {} } ] }
            """#,
            [#"5:68: error: a parameter has no "in"; add "in" [missing-member]"#]),
        Mistake(
            "a parameter in the body",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: body, schema: {} } ] }
            """#,
            [
                #"5:83: error: a parameter cannot be in "body"; that is Swagger 2.0 syntax: use "requestBody" [invalid-openapi]"#
            ]),
        Mistake(
            "a parameter with a wrong location",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: querry, schema: {} } ] }
            """#,
            [
                #"5:83: error: a parameter cannot be in "querry"; use path, query, header, or cookie [invalid-openapi]"#
            ]),
        Mistake(
            "querystring in 3.1",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: querystring, content: { a/b: {} } } ] }
            """#,
            [
                #"5:83: error: a parameter cannot be in "querystring"; that requires OpenAPI 3.2; this description uses 3.1 [invalid-openapi]"#
            ]),
        Mistake(
            "querystring with a schema",
            #"""
            openapi: 3.2.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: querystring, schema: {} } ] }
            """#,
            [#"5:96: error: a parameter in "querystring" cannot have "schema"; use "content" [invalid-openapi]"#]),
        Mistake(
            "neither schema nor content",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query } ] }
            """#,
            [
                #"5:68: error: a parameter has neither "schema" nor "content"; add schema: { type: string } [missing-member]"#
            ]),
        Mistake(
            "schema and content",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, schema: {}, content: { a/b: {} } } ] }
            """#,
            [
                #"5:102: error: a parameter has both "schema" and "content", which are mutually exclusive; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "two media types of a parameter",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, content: { a/b: {}, a/c: {} } } ] }
            """#,
            [#"5:90: error: "content" of a parameter must have exactly one media type, got 2 [invalid-openapi]"#]),
        Mistake(
            "a path parameter that is not required",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths: { "/a/{id}": { get: { parameters: [{ name: id, in: path, schema: {} }], responses: { 200: { description: ok } } } } }
            """#,
            [#"3:43: error: the path parameter "id" must be required; add required: true [invalid-openapi]"#]),
        Mistake(
            "a style of another location",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, style: matrix, schema: {} } ] }
            """#,
            [
                #"5:97: error: "matrix" is not a valid style for a parameter in query; valid styles: form, spaceDelimited, pipeDelimited, deepObject [invalid-openapi]"#
            ]),
        Mistake(
            "an unknown style",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, style: foam, schema: {} } ] }
            """#,
            [
                #"5:97: error: "foam" is not a valid style for a parameter in query; valid styles: form, spaceDelimited, pipeDelimited, deepObject [invalid-openapi]"#
            ]),
        Mistake(
            "the same parameter twice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: A, in: header, schema: {} }, { name: a, in: header, schema: {} } ] }
            """#,
            [#"5:105: error: duplicate parameter "a" in header [duplicate-parameter]"#]),
        Mistake(
            "example and examples",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, schema: {}, example: 1, examples: {} } ] }
            """#,
            [
                #"5:114: error: a parameter has both "example" and "examples", which are mutually exclusive; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "type next to the schema",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, type: string } ] }
            """#,
            [
                #"5:68: error: a parameter has neither "schema" nor "content"; add schema: { type: string } [missing-member]"#,
                #"5:90: error: unknown key "type" in a parameter; move it to "schema" [unknown-key]"#,
            ]),
        Mistake(
            "the header Accept",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: Accept, in: header, schema: {} } ] }
            """#,
            [
                #"5:76: warning: a parameter for the header "Accept" is ignored; use the media types under "content" [ignored-parameter]"#
            ]),
        Mistake(
            "an empty value in a header",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: header, allowEmptyValue: true, schema: {} } ] }
            """#,
            [#"5:91: warning: "allowEmptyValue" is allowed only for query parameters [invalid-openapi]"#]),
        Mistake(
            "a header with a name",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, headers: { X-A: { name: X-A, schema: {} } } } } }
            """#,
            [#"5:68: error: unknown key "name" in a header; remove it: the key of a header is its name [unknown-key]"#]),
    ]
}
