extension Mistake {
    /// Errors in schemas.
    static let schemaMistakes: [Mistake] = [
        Mistake(
            "an unknown type",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: int } } } } }
            """#,
            [#"5:116: error: unknown type "int"; did you mean "integer"? [invalid-schema]"#]),
        Mistake(
            "a misspelled type",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: strnig } } } } }
            """#,
            [#"5:116: error: unknown type "strnig"; did you mean "string"? [invalid-schema]"#]),
        Mistake(
            "a type from another language",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: datetime } } } } }
            """#,
            [#"5:116: error: unknown type "datetime"; write type: string, format: date-time [invalid-schema]"#]),
        Mistake(
            "an array of types in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: [string, "null"] } } } } }
            """#,
            [
                #"5:116: error: "type" must be a single type in OpenAPI 3.0, got an array; write the type and nullable: true [invalid-schema]"#
            ]),
        Mistake(
            "null in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: "null" } } } } }
            """#,
            [
                #"5:116: error: "null" is not a type in OpenAPI 3.0; use nullable: true with another type [invalid-schema]"#
            ]),
        Mistake(
            "nullable in 3.1",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, nullable: true } } } } }
            """#,
            [
                #"5:124: warning: unknown key "nullable" in a schema; OpenAPI 3.1 ignores it: add 'null' to "type" [unknown-key]"#
            ]),
        Mistake(
            "nullable without a type",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { nullable: true } } } } }
            """#,
            [#"5:110: warning: "nullable" has no effect without "type"; add "type" [invalid-schema]"#]),
        Mistake(
            "a misspelled keyword",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, maxLenght: 5 } } } } }
            """#,
            [
                #"5:124: warning: unknown schema keyword "maxLenght" is ignored; did you mean "maxLength"? [unknown-key]"#
            ]),
        Mistake(
            "a keyword from a tool",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, goType: Text } } } } }
            """#,
            []),
        Mistake(
            "const in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { const: 1 } } } } }
            """#,
            [#"5:110: warning: unknown key "const" in a schema; use an enum with one value [unknown-key]"#]),
        Mistake(
            "a negative length",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, maxLength: -1 } } } } }
            """#,
            [#"5:135: error: "maxLength" must be a non-negative integer, got -1 [invalid-openapi]"#]),
        Mistake(
            "a length that is a string",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, maxLength: "5" } } } } }
            """#,
            [#"5:135: error: "maxLength" must be a number, got a string [invalid-openapi]"#]),
        Mistake(
            "bounds in the wrong order",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: integer, minimum: 5, maximum: 1 } } } } }
            """#,
            [#"5:146: warning: "maximum" is less than "minimum", so no value matches the schema [invalid-schema]"#]),
        Mistake(
            "an exclusive bound of 3.0 in 3.1",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: integer, minimum: 5, exclusiveMinimum: true } } } } }
            """#,
            [
                #"5:155: error: "exclusiveMinimum" must be a number since OpenAPI 3.1, got a boolean; write the bound here instead of in "minimum" [invalid-schema]"#
            ]),
        Mistake(
            "an exclusive bound of 3.1 in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: integer, exclusiveMinimum: 5 } } } } }
            """#,
            [
                #"5:143: error: "exclusiveMinimum" must be true or false in OpenAPI 3.0, got a number; write the bound as "minimum" and exclusiveMinimum: true [invalid-schema]"#
            ]),
        Mistake(
            "a broken pattern",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, pattern: "[a-" } } } } }
            """#,
            [
                #"5:133: error: "pattern" is not a valid regular expression: unterminated character class: expected "]" [invalid-schema]"#
            ]),
        Mistake(
            "an empty enum",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { enum: [] } } } } }
            """#,
            [#"5:110: warning: "enum" is empty, so no value matches the schema [invalid-schema]"#]),
        Mistake(
            "enum is a string",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { enum: a } } } } }
            """#,
            [#"5:116: error: "enum" must be an array, got a string [invalid-openapi]"#]),
        Mistake(
            "required is true",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, required: true } } } } }
            """#,
            [#"5:134: error: "required" must be an array, got a boolean [invalid-openapi]"#]),
        Mistake(
            "required with a misspelled property",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, required: [nmae], properties: { name: {} } } } } } }
            """#,
            [
                #"5:135: warning: "required" names "nmae", which is not a property; did you mean "name"? [unknown-property]"#
            ]),
        Mistake(
            "required twice",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, required: [name, name], properties: { name: {} } } } } } }
            """#,
            [#"5:141: warning: "required" names "name" twice [invalid-schema]"#]),
        Mistake(
            "an array without items in 3.0",
            #"""
            openapi: 3.0.3
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: array } } } } }
            """#,
            [#"5:116: error: a schema with type: array has no "items"; add items: {} [missing-member]"#]),
        Mistake(
            "properties are an array",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, properties: [name] } } } } }
            """#,
            [#"5:136: error: "properties" must be an object, got an array [invalid-openapi]"#]),
        Mistake(
            "a property that is a string",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, properties: { name: string } } } } } }
            """#,
            ["5:144: error: a schema must be an object, true, or false, got a string [invalid-openapi]"]),
        Mistake(
            "read-only and write-only",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { readOnly: true, writeOnly: true } } } } }
            """#,
            [
                #"5:126: error: a schema is both "readOnly" and "writeOnly", which are mutually exclusive; remove one of them [exclusive-members]"#
            ]),
        Mistake(
            "allOf is an object",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { allOf: { type: string } } } } } }
            """#,
            [#"5:117: error: "allOf" must be an array, got an object [invalid-openapi]"#]),
        Mistake(
            "allOf is empty",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { allOf: [] } } } } }
            """#,
            [#"5:110: error: "allOf" is empty; remove it [invalid-schema]"#]),
        Mistake(
            "multipleOf zero",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { multipleOf: 0 } } } } }
            """#,
            [#"5:122: error: "multipleOf" must be greater than 0, got 0 [invalid-schema]"#]),
        Mistake(
            "a discriminator without a property",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { oneOf: [{}], discriminator: { mapping: {} } } } } } }
            """#,
            [#"5:123: error: a discriminator has no "propertyName"; add "propertyName" [missing-member]"#]),
        Mistake(
            "a discriminator that is a string",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { oneOf: [{}], discriminator: kind } } } } }
            """#,
            [#"5:138: error: "discriminator" must be an object, got a string [invalid-openapi]"#]),
        Mistake(
            "a discriminator that cannot be resolved",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: "#/components/schemas/Cat" }], discriminator: { propertyName: kind, mapping: { cat: Cta, dog: "#/components/schemas/Dog" } } } } } } }
            components: { schemas: { Cat: { type: object } } }
            """#,
            [
                #"5:210: error: unknown schema "Cta"; did you mean "Cat"? [unresolved-reference]"#,
                ##"5:220: error: "#/components/schemas/Dog" cannot be resolved; available names: Cat [unresolved-reference]"##,
            ]),
        Mistake(
            "a discriminator whose values its schemas exclude",
            #"""
            openapi: 3.0.4
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Any" } } } } }
            components:
              schemas:
                Any: { oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cow" }], discriminator: { propertyName: kind, mapping: { cow: Cow } } }
                Kind: { properties: { kind: { enum: [dog, hound] } } }
                Cat: { properties: { kind: { enum: [cat] } } }
                Dog: { allOf: [{ $ref: "#/components/schemas/Kind" }] }
                Cow: { properties: { kind: { enum: [Cow] } } }
            """#,
            [
                #"8:135: warning: without a mapping, the discriminator value of "Cat" is its name, but its schema allows only "cat" for "kind" (and 1 more); add mapping: { cat: Cat } [unknown-discriminator-value]"#,
                #"8:183: warning: "kind" of "Cow" can never be "cow"; its schema allows "Cow" [unknown-discriminator-value]"#,
            ]),
        Mistake(
            "a default mapping",
            #"""
            openapi: 3.2.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { oneOf: [{}], discriminator: { propertyName: kind, defaultMapping: Other } } } } } }
            """#,
            [#"5:176: error: unknown schema "Other" [unresolved-reference]"#]),
        Mistake(
            "a wrong example",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, properties: { n: { type: integer } }, example: { n: a } } } } } }
            """#,
            [
                #"5:176: warning: the example does not match its schema: expected integer, got "a" (string) [invalid-example]"#
            ]),
        Mistake(
            "a wrong default",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: string, enum: [a, b], default: c } } } } }
            """#,
            [
                #"5:147: warning: the default does not match its schema: expected one of "a", "b", got "c" (string) [invalid-example]"#
            ]),
        Mistake(
            "a wrong example of a media type",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { type: integer } }, example: [1, a] } } } } }
            """#,
            [
                #"5:145: warning: the example does not match its schema: expected integer, got "a" (string) [invalid-example]"#
            ]),
        Mistake(
            "a wrong example of a parameter",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, parameters: [ { name: a, in: query, schema: { type: integer }, examples: { one: { value: one } } } ] }
            """#,
            [
                #"5:143: warning: the example "one" does not match its schema: expected integer, got "one" (string) [invalid-example]"#
            ]),
        Mistake(
            "an example with a read-only property",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post: { responses: { 200: { description: ok } }, requestBody: { content: { application/json: { schema: { type: object, required: [id], properties: { id: { readOnly: true, type: integer } }, example: {} } } } } }
            """#,
            []),
        Mistake(
            "equal branches",
            #"""
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a:
                post:
                  responses:
                    200:
                      description: ok
                      content:
                        application/json:
                          schema:
                            oneOf:
                              - { $ref: "#/components/schemas/A" }
                              - { type: integer }
                              - { $ref: "#/components/schemas/B" }
                              - { allOf: [{ type: string }], title: c }
                              - { allOf: [{ type: string, example: d }] }
                              - { allOf: [{ type: string, minLength: 1 }] }
            components:
              schemas:
                A: { type: object, properties: { a: { type: string, example: a } } }
                B: { description: b, type: object, properties: { a: { type: string, default: b } } }
            """#,
            [
                #"15:21: warning: branch 2 of "oneOf" equals branch 0, so a value that matches both does not match "oneOf"; remove one of them, or use "anyOf" [equal-branches]"#,
                #"17:21: warning: branch 4 of "oneOf" equals branch 3, so a value that matches both does not match "oneOf"; remove one of them, or use "anyOf" [equal-branches]"#,
            ]),
    ]
}
