import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@testable import ContractTools

@Suite("Rules in responses that refuse requests")
struct RefusalReaderTests {
    static let description = """
        openapi: 3.1.0
        info: { title: Users, version: "1" }
        paths:
          /users:
            post:
              parameters:
                - { name: filter, in: query, schema: { type: string } }
                - { name: lat, in: query, schema: { type: number } }
                - { name: token, in: query, schema: { type: string } }
                - { name: X-Tenant, in: header, schema: { type: string } }
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        username: { type: string }
                        title: { type: string }
                        description: { type: string }
                        age: { type: integer }
                        status: { type: string }
                        topic_name: { type: string }
                        tags: { type: array, items: { type: string } }
                        contact: { type: object, properties: { email: { type: string } } }
                        items: { type: array, items: { type: object, properties: { code: { type: string } } } }
              responses: { 200: { description: a } }
        """

    /// Returns the lessons of a response, as sentences.
    private static func lessons(
        _ response: String, sent: String = #"{"username":"al","status":"x","age":7}"#, url: String = "/users?filter=a"
    ) throws -> [String] {
        let (description, problems) = TextSource(["/openapi.yaml": description]).load()
        #expect(problems.isEmpty, "\(problems)")
        let loaded = try #require(description)
        let request = RefusedRequest(
            try #require(loaded.operations.first), loaded, url: url, body: Array(sent.utf8))
        var reader = RefusalReader(request)
        reader.read(Array(response.utf8))
        return reader.lessons.map(\.sentence)
    }

    @Test(
        "The formats of frameworks and validators",
        arguments: [
            // Pydantic 2
            (
                #"{"detail":[{"type":"string_too_short","loc":["body","username"],"msg":"String should have at least 3 characters","ctx":{"min_length":3}}]}"#,
                [#"the member "username" must have at least 3 characters"#]
            ),
            (
                #"{"detail":[{"type":"missing","loc":["query","lat"],"msg":"Field required"},{"type":"greater_than","loc":["body","age"],"msg":"Input should be greater than 0","ctx":{"gt":0.0}}]}"#,
                [
                    #"the query parameter "lat" is required"#, #"the member "age" must be greater than 0.0"#,
                ]
            ),
            (
                #"{"detail":[{"type":"literal_error","loc":["body","status"],"msg":"Input should be 'a' or 'b'","ctx":{"expected":"'a' or 'b'"}},{"type":"uuid_parsing","loc":["query","token"],"msg":"Input should be a valid UUID"}]}"#,
                [
                    #"the member "status" must be one of "a", "b""#,
                    #"the query parameter "token" must have the format uuid"#,
                ]
            ),
            // Pydantic 1
            (
                #"{"detail":[{"loc":["body","username"],"msg":"ensure this value has at most 8 characters","type":"value_error.any_str.max_length","ctx":{"limit_value":8}}]}"#,
                [#"the member "username" must have at most 8 characters"#]
            ),
            // ajv
            (
                #"{"errors":[{"instancePath":"/username","keyword":"minLength","params":{"limit":3},"message":"must NOT have fewer than 3 characters"},{"instancePath":"/contact","keyword":"required","params":{"missingProperty":"email"}},{"instancePath":"","keyword":"additionalProperties","params":{"additionalProperty":"tags"}}]}"#,
                [
                    #"the member "username" must have at least 3 characters"#,
                    #"the member "contact.email" is required"#, #"the member "tags" is not allowed"#,
                ]
            ),
            // Zod
            (
                #"{"errors":[{"code":"too_big","maximum":30,"type":"string","inclusive":true,"path":["username"],"message":"m"},{"code":"too_small","minimum":1,"type":"array","inclusive":true,"path":["tags"]},{"code":"invalid_type","expected":"string","received":"undefined","path":["title"],"message":"Required"},{"code":"unrecognized_keys","keys":["filter"],"path":[]}]}"#,
                [
                    #"the member "username" must have at most 30 characters"#,
                    #"the member "tags" must have at least 1 elements"#, #"the member "title" is required"#,
                    #"the member "title" must have the type string"#, #"the query parameter "filter" is not allowed"#,
                ]
            ),
            // Symfony
            (
                #"[{"propertyPath":"username","message":"This value is too short. It should have 3 characters or more.","code":"9ff3fdc4-b214-49db-8718-39c315e33d45","parameters":{"{{ limit }}":"3"}}]"#,
                [#"the member "username" must have at least 3 characters"#]
            ),
            // validator of Go
            (
                #"{"errors":[{"field":"Username","kind":"string","namespace":"Body.Username","param":"3","tag":"min","type":"string","value":""},{"field":"Age","kind":"int","param":"5","tag":"max"},{"field":"Status","tag":"oneof","param":"a b","kind":"string"}]}"#,
                [
                    #"the member "username" must have at least 3 characters"#, #"the member "age" must be at most 5"#,
                    #"the member "status" must be one of "a", "b""#,
                ]
            ),
            // Litestar
            (
                #"{"status_code":400,"detail":"Validation failed for POST /users","extra":[{"message":"Expected `str` of length >= 3","key":"username","source":"body"}]}"#,
                [#"the member "username" must have at least 3 characters"#]
            ),
            // Spring
            (
                #"{"timestamp":"2026-05-01T01:00:40.560+0000","status":400,"error":"Bad Request","message":"Required Double parameter 'lat' is not present; Required String parameter 'token' is not present","path":"/users"}"#,
                [#"the query parameter "lat" is required"#, #"the query parameter "token" is required"#]
            ),
            (
                #"{"detail":"Method parameter 'token': Failed to convert value of type 'java.lang.String' to required type 'java.util.UUID'"}"#,
                [#"the query parameter "token" must have the format uuid"#]
            ),
            (
                #"{"errors":[{"field":"username","defaultMessage":"size must be between 3 and 8","code":"Size","rejectedValue":"al"}]}"#,
                [
                    #"the member "username" must have at least 3 characters"#,
                    #"the member "username" must have at most 8 characters"#,
                ]
            ),
            (
                #"{"message":"Required request body is missing: public com.example.Response com.example.Users.create(com.example.User)"}"#,
                ["the body is required"]
            ),
            // Bean Validation
            (
                #"{"messages":["email - must not be blank","contact.email - must be a well-formed email address","username - size must be between 3 and 8","age - must be greater than or equal to 0","age - must be less than or equal to 5","title - must match \"[A-Z]{2,5}\"","description - must be a valid URL"]}"#,
                [
                    #"the member "email" is required"#, #"the member "email" must have at least 1 characters"#,
                    #"the member "contact.email" must have the format email"#,
                    #"the member "username" must have at least 3 characters"#,
                    #"the member "username" must have at most 8 characters"#, #"the member "age" must be at least 0"#,
                    #"the member "age" must be at most 5"#, #"the member "title" must match [A-Z]{2,5}"#,
                    #"the member "description" must have the format uri"#,
                ]
            ),
            (
                #"{"message":"parameter name \"filter\" is not allowed; Unrecognized field: 'tags'","description":"uri=/cart","fieldErrors":[{"field":"age","message":"Value shall be a positive number"}]}"#,
                [
                    #"the query parameter "filter" is not allowed"#, #"the member "tags" is not allowed"#,
                    #"the member "age" must be greater than 0"#,
                ]
            ),
            // Jackson
            (
                #"{"msg":"JSON parse error: Cannot deserialize value of type `java.time.LocalDate` from String \"x\" through reference chain: User[\"title\"]"}"#,
                [#"the member "title" must have the format date"#]
            ),
            (
                #"{"error":"Cannot deserialize value of type `java.time.LocalDateTime` from String \"al\": Text 'al' could not be parsed"}"#,
                [#"the member "username" must have the format date-time"#]
            ),
            (
                #"{"message":"JSON parse error: Cannot deserialize value of type `com.example.Status` from String \"x\": not one of the values accepted for Enum class: [USER, ADMIN] through reference chain: User[\"status\"]"}"#,
                [#"the member "status" must be one of "USER", "ADMIN""#]
            ),
            (
                #"{"message":"JSON parse error: Numeric value (7) out of range of int; nested exception is com.fasterxml.jackson.databind.JsonMappingException: Numeric value (7) out of range of int (through reference chain: DTO[\"age\"])"}"#,
                [
                    #"the member "age" must be at least -2147483648"#,
                    #"the member "age" must be at most 2147483647"#,
                ]
            ),
            // ASP.NET
            (
                #"{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","title":"One or more validation errors occurred.","status":400,"errors":{"Username":["The field Username must be a string or array type with a minimum length of '3'."],"Title":["The Title field is required."],"$.contact.email":["The JSON value could not be converted to System.Guid. Path: $.contact.email"]}}"#,
                [
                    #"the member "username" must have at least 3 characters"#, #"the member "title" is required"#,
                    #"the member "contact.email" must have the format uuid"#,
                ]
            ),
            // Laravel
            (
                #"{"message":"The given data was invalid.","errors":{"username":["The username field must be at least 3 characters."],"description":["The description field must not be greater than 30 characters."]}}"#,
                [
                    #"the member "username" must have at least 3 characters"#,
                    #"the member "description" must have at most 30 characters"#,
                ]
            ),
            // Flask-RESTX, jsonschema
            (
                #"{"errors":{"username":"'x' is shorter than 3 characters"},"message":"Input payload validation failed"}"#,
                [#"the member "username" must have at least 3 characters"#]
            ),
            (
                #"{"errors":{"":"'title' is a required property"},"message":"Input payload validation failed"}"#,
                [#"the member "title" is required"#]
            ),
            // marshmallow
            (
                #"{"title":["Length must be between 3 and 30."],"description":["Missing data for required field."],"_schema":["Invalid input type."]}"#,
                [
                    #"the member "title" must have at least 3 characters"#,
                    #"the member "title" must have at most 30 characters"#, #"the member "description" is required"#,
                ]
            ),
            (
                #"{"errors":{"json":{"items":{"0":{"code":["Unknown field."]}}}}}"#,
                [#"the member "items.code" is not allowed"#]
            ),
            // Rails
            (
                #"{"username":["is too short (minimum is 3 characters)"]}"#,
                [#"the member "username" must have at least 3 characters"#]
            ),
            (
                #"{"errors":{"title":["is too long (maximum is 80 characters)","can't be blank"]}}"#,
                [
                    #"the member "title" must have at most 80 characters"#, #"the member "title" is required"#,
                    #"the member "title" must have at least 1 characters"#,
                ]
            ),
            (
                #"{"errors":["Username is too short (minimum is 3 characters)","Topic name is too long (maximum is 9 characters)"]}"#,
                [
                    #"the member "username" must have at least 3 characters"#,
                    #"the member "topic_name" must have at most 9 characters"#,
                ]
            ),
            // NestJS and class-validator
            (
                #"{"statusCode":400,"message":["username must be longer than or equal to 3 characters","property tags should not exist","age must not be less than 1","status must be one of the following values: a, b","contact.email must be an email"],"error":"Bad Request"}"#,
                [
                    #"the member "username" must have at least 3 characters"#, #"the member "tags" is not allowed"#,
                    #"the member "age" must be at least 1"#, #"the member "status" must be one of "a", "b""#,
                    #"the member "contact.email" must have the format email"#,
                ]
            ),
            // Joi
            (
                #"{"details":[{"message":"\"username\" length must be at least 3 characters long","path":["username"],"type":"string.min","context":{"limit":3,"key":"username"}}]}"#,
                [#"the member "username" must have at least 3 characters"#]
            ),
            // JSON:API
            (
                #"{"errors":[{"status":"422","source":{"pointer":"/data/attributes/title"},"detail":"must have exactly 4 characters"},{"source":{"parameter":"filter"},"title":"Invalid","detail":"must be a valid date"}]}"#,
                [
                    #"the member "title" must have at least 4 characters"#,
                    #"the member "title" must have at most 4 characters"#,
                    #"the query parameter "filter" must have the format date"#,
                ]
            ),
            // Plain messages
            (
                #"{"error_code":40002,"message":"Topic name is invalid: '' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"}"#,
                [#"the member "topic_name" must match [A-Za-z0-9._\-]+"#]
            ),
            (
                #"{"error":{"code":400,"message":"Bad Request: subject field missing"}}"#,
                [#"the member "subject" is required"#]
            ),
            (
                #"{"error":"the age must be from 3 to 9"}"#,
                [#"the member "age" must be at least 3"#, #"the member "age" must be at most 9"#]
            ),
            (#"{"error":"the title must have 13 digits"}"#, [#"the member "title" must match [0-9]{13}"#]),
            ("username must be at least 3 characters", [#"the member "username" must have at least 3 characters"#]),
            (
                #"{"message":"Required request header 'X-Tenant' for method parameter type String is not present"}"#,
                [#"the header parameter "X-Tenant" is required"#]
            ),
        ] as [(String, [String])])
    func formats(_ response: String, _ expected: [String]) throws {
        #expect(try Self.lessons(response) == expected, "\(response)")
    }

    @Test(
        "Responses without rules",
        arguments: [
            "", "{}", "[]", "null", "{", "<html><body>username is required</body></html>", "Bad Request",
            #"{"errors":[]}"#, #"{"message":"Payload error. Null input provided. Data is required."}"#,
            #"{"message":"Please provide Request Body in valid JSON format"}"#, #"{"msg":"JSON parse error"}"#,
            #"{"errors":{"base":["must be a valid JSON object"]}}"#, #"{"_schema":["Invalid input type."]}"#,
            #"{"title":"Conflict","status":409,"detail":"The email is already in use"}"#,
            #"{"error":"invalid_token","error_description":"The access token expired"}"#,
            #"{"detail":[{"loc":["path","user_id"],"type":"int_parsing","msg":"Input should be a valid integer"}]}"#,
            #"{"errors":[{"field":null,"message":7},{"field":{},"tag":[]},{"path":[{}],"code":"too_small"}]}"#,
        ])
    func nothing(_ response: String) throws {
        #expect(try Self.lessons(response) == [], "\(response)")
    }

    @Test("A sentence states the same when it is read again")
    func repetition() {
        let statements = RefusalStatements()
        for sentence in ["must be at least 3 characters", "is fine", String(repeating: "must be ", count: 1_000)] {
            let expected = RefusalSentence(sentence).statement
            for _ in 0..<2 { #expect(statements.statement(of: sentence) == expected) }
        }
        #expect(statements.statement(of: "must be at least 3 characters") != nil)
    }

    @Test("Hostile responses are read in bounded time")
    func hostile() throws {
        let deep = String(repeating: #"{"errors":["#, count: 2_000) + String(repeating: "]}", count: 2_000)
        #expect(try Self.lessons(deep) == [])
        let many = "[" + (0..<5_000).map { #""field\#($0) - must not be blank""# }.joined(separator: ",") + "]"
        #expect(try Self.lessons(many).count <= RefusalReader.maximumLessons)
        let long = #"{"messages":[""# + String(repeating: "a must be ", count: 20_000) + #""]}"#
        #expect(try Self.lessons(long) == [])
        #expect(try Self.lessons(#"{"message":"username length must be at least 99999999999999999999"}"#) == [])
        #expect(
            try Self.lessons(#"{"errors":[{"field":"username","message":"must match \"([\""}]}"#) == [])
        for size in [0, 1, 2, 17, 400] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
            #expect(try Self.lessons(String(decoding: bytes, as: UTF8.self)) == [])
        }
    }
}
