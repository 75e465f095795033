import OpenAPI
import Testing

/// Tests of parameters in every style, with and without `explode`.
@Suite("Parameter styles")
struct StyleTests {
    private static let scalar = "{ type: integer }"
    private static let list = "{ type: array, items: { type: integer }, minItems: 2 }"
    private static let object =
        "{ type: object, required: [r, g], properties: { r: { type: integer }, g: { type: integer } } }"

    /// A parameter's location, style, explode and schema, with conforming and violating values.
    ///
    /// The values are ends of URLs, or values of headers or cookies.
    private static let rows: [(String, String, Bool, String, [String], [String])] = [
        ("path", "simple", false, scalar, ["5"], ["x", "1,2"]),
        ("path", "simple", false, list, ["1,2,3"], ["1", "1,x"]),
        ("path", "simple", false, object, ["r,1,g,2"], ["r,1", "r,1,g", "r,x,g,2"]),
        ("path", "simple", true, object, ["r=1,g=2"], ["r=1", "r,1,g,2"]),
        ("path", "label", false, scalar, [".5"], ["5", ".x"]),
        ("path", "label", false, list, [".1,2", ".1.2"], [".1", "1,2"]),
        ("path", "label", true, list, [".1.2"], [".1", ".1,2"]),
        ("path", "label", true, object, [".r=1.g=2"], [".r=1"]),
        ("path", "matrix", false, scalar, [";p=5"], ["5", ";q=5", ";p=x"]),
        ("path", "matrix", false, list, [";p=1,2"], [";p=1", ";q=1,2"]),
        ("path", "matrix", true, list, [";p=1;p=2"], [";p=1"]),
        ("path", "matrix", false, object, [";p=r,1,g,2"], [";p=r,1"]),
        ("path", "matrix", true, object, [";r=1;g=2"], [";r=1"]),
        ("query", "form", true, scalar, ["p=5", "p=%35"], ["p=x", "p=5&p=6", "p="]),
        ("query", "form", true, list, ["p=1&p=2"], ["p=1", "p=1,2"]),
        ("query", "form", false, list, ["p=1,2", "p=1%2C2", "p=1&p=2"], ["p=1"]),
        ("query", "form", true, object, ["r=1&g=2"], ["r=1", "r=x&g=2"]),
        ("query", "form", false, object, ["p=r,1,g,2"], ["p=r,1"]),
        ("query", "spaceDelimited", false, list, ["p=1%202", "p=1+2"], ["p=1,2"]),
        ("query", "pipeDelimited", false, list, ["p=1|2", "p=1%7C2"], ["p=1,2"]),
        ("query", "deepObject", true, object, ["p[r]=1&p[g]=2", "p%5Br%5D=1&p%5Bg%5D=2"], ["p[r]=1", "p=1"]),
        ("header", "simple", false, scalar, ["5"], ["x"]),
        ("header", "simple", false, list, ["1,2", "1, 2"], ["1"]),
        ("header", "simple", true, object, ["r=1, g=2"], ["r=1"]),
        ("header", "simple", false, object, ["r,1,g,2"], ["r,1"]),
        ("cookie", "form", true, scalar, ["a=b; p=5"], ["p=x"]),
        ("cookie", "form", false, list, ["p=1,2"], ["p=1"]),
    ]

    @Test("Values are parsed according to style and explode", arguments: rows)
    func style(_ row: (String, String, Bool, String, [String], [String])) throws {
        let (location, style, explode, schema, valid, invalid) = row
        let path = location == "path" ? "/a/{p}" : "/a"
        let contract = try ContractText.contract(
            """
            openapi: 3.0.3
            info: { title: x, version: '1' }
            paths:
              \(path):
                get:
                  parameters:
                    - { name: p, in: \(location), required: true, style: \(style), explode: \(explode), schema: \(schema) }
                  responses: { 204: { description: x } }
            """)
        func findings(_ text: String) -> [String] {
            let request =
                switch location {
                case "path": "GET /a/\(text)"
                case "query": "GET /a?\(text)"
                case "header": "GET /a | P: \(text)"
                default: "GET /a | Cookie: \(text)"
                }
            return ContractText.lines(ContractText.outcome(contract, ContractText.exchange("\(request) => 204")))
                .filter { $0.hasPrefix("error") }
        }
        for text in valid { #expect(findings(text) == [], "\(text)") }
        for text in invalid { #expect(!findings(text).isEmpty, "\(text)") }
    }

    @Test("Parameters of several types, of any type, and with JSON content are checked")
    func types() throws {
        let contract = try ContractText.contract(
            """
            openapi: 3.1.0
            info: { title: x, version: '1' }
            paths:
              /a:
                get:
                  parameters:
                    - { name: any, in: query, schema: {} }
                    - { name: either, in: query, schema: { anyOf: [{ type: integer }, { type: string, pattern: '^x' }] } }
                    - { name: texts, in: query, schema: { type: [string, 'null'], minLength: 2 } }
                    - { name: flag, in: query, schema: { type: boolean } }
                    - { name: id, in: query, schema: { type: string, pattern: '^[0-9]+$' } }
                    - { name: filter, in: query, content: { application/json: { schema: { type: object, required: [a] } } } }
                    - { name: free, in: query, allowEmptyValue: true, schema: { type: integer } }
                  responses: { 204: { description: x } }
            """)
        func lines(_ query: String) -> [String] {
            ContractText.lines(ContractText.outcome(contract, ContractText.exchange("GET /a?\(query) => 204")))
        }
        for query in [
            "any=1", "any=x", "either=1", "either=xy", "texts=ab", "texts=", "flag=true", "id=12", "filter={%22a%22:1}",
            "free=", "free",
        ] { #expect(lines(query) == [], "\(query)") }
        #expect(lines("either=y").count == 1)
        #expect(lines("flag=1") == ["error request-parameters [query flag] expected boolean, got \"1\" (string)"])
        #expect(
            lines("filter={}") == ["error request-parameters [query filter] missing property \"a\""])
        #expect(
            lines("filter=x").first?.hasPrefix(
                "error request-parameters [query filter] the parameter \"filter\" cannot be parsed: it is not JSON")
                == true)
    }

    private static let unions = """
        openapi: 3.1.0
        info: { title: x, version: '1' }
        components: { securitySchemes: { key: { type: apiKey, in: query, name: api_key } } }
        paths:
          /deep:
            get:
              parameters:
                - name: phases
                  in: query
                  style: deepObject
                  schema:
                    type: array
                    maxItems: 2
                    items:
                      type: object
                      required: [iterations, items]
                      properties:
                        iterations: { type: integer }
                        items:
                          type: array
                          items: { type: object, required: [price, quantity], properties: { quantity: { type: integer } } }
                - name: created
                  in: query
                  style: deepObject
                  schema: { anyOf: [{ type: object, required: [gt], properties: { gt: { type: integer } } }, { type: integer }] }
              responses: { 204: { description: x } }
          /list:
            get:
              parameters:
                - name: ids
                  in: query
                  schema: { type: array, items: { anyOf: [{ type: integer, maximum: 10 }, { type: string, enum: ['100', all] }] } }
                - name: one
                  in: query
                  schema: { oneOf: [{ type: array, items: { type: integer }, minItems: 2 }, { type: string, enum: [all] }] }
                - name: f
                  in: query
                  schema: { oneOf: [{ type: string, maxLength: 3 }, { type: object, required: [lo], properties: { lo: { type: integer } } }] }
              responses: { 204: { description: x } }
          /open:
            get:
              parameters:
                - { name: counts, in: query, required: true, schema: { type: object, additionalProperties: { type: integer } } }
                - { name: limit, in: query, schema: { type: string } }
                - { name: filter, in: query, style: deepObject, schema: { type: object } }
              responses: { 204: { description: x } }
          /path/{ids}:
            get:
              parameters:
                - name: ids
                  in: path
                  required: true
                  schema: { oneOf: [{ type: array, items: { type: integer } }, { type: string, enum: [all] }] }
              responses: { 204: { description: x } }
          /matrix/{ids}:
            get:
              parameters:
                - name: ids
                  in: path
                  required: true
                  style: matrix
                  explode: true
                  schema: { anyOf: [{ type: integer }, { type: object, required: [lo], properties: { lo: { type: integer } } }] }
              responses: { 204: { description: x } }
        """

    @Test(
        "A value may have one of several types, at any depth",
        arguments: [
            ("/deep?phases[0][items][0][price]=p&phases[0][items][0][quantity]=2&phases[0][iterations]=12", true),
            ("/deep?phases[1][iterations]=1&phases[1][items][][price]=p&phases[0][items][0][price]=p", false),
            ("/deep?phases[0][items][0][price]=p&phases[0][iterations]=12", false),
            ("/deep?created=123", true), ("/deep?created[gt]=123", true), ("/deep?created=x", false),
            ("/deep?created[lt]=1", false),
            ("/list?ids=100", true), ("/list?ids=1&ids=all&ids=100&ids=2", true), ("/list?ids=1&ids=11", false),
            ("/list?one=all", true), ("/list?one=1&one=2", true), ("/list?one=1", false), ("/list?one=none", false),
            ("/list?f=abc", true), ("/list?lo=1", true), ("/list?f=abcd", false), ("/list?lo=x", false),
            ("/open?a=1&b=2", true), ("/open?a=1&limit=x&filter[a]=b&api_key=k", true), ("/open?a=x", false),
            ("/open", false), ("/open?limit=x&api_key=k", false),
            ("/path/all", true), ("/path/1,2", true), ("/path/1", true), ("/path/none", false),
            ("/matrix/;ids=5", true), ("/matrix/;lo=5", true), ("/matrix/;ids=x", false), ("/matrix/;hi=5", false),
        ])
    func severalTypes(_ url: String, _ isValid: Bool) throws {
        let contract = try ContractText.contract(Self.unions)
        let lines = ContractText.lines(ContractText.outcome(contract, ContractText.exchange("GET \(url) => 204")))
        #expect(lines.isEmpty == isValid, "\(lines)")
    }

    @Test("Each element of a long ambiguous array is still checked")
    func longLists() throws {
        let contract = try ContractText.contract(Self.unions)
        let numbers = (0..<40).map { "ids=\($0 % 10)" }.joined(separator: "&")
        func lines(_ query: String) -> [String] {
            ContractText.lines(ContractText.outcome(contract, ContractText.exchange("GET /list?\(query) => 204")))
        }
        #expect(lines("ids=100&\(numbers)") == [])
        #expect(lines("\(numbers)&ids=100") == [])
        #expect(!lines("\(numbers)&ids=11").isEmpty)
    }

    @Test("In OpenAPI 3.2, a parameter can describe the whole query string")
    func querystring() throws {
        let contract = try ContractText.contract(
            """
            openapi: 3.2.0
            info: { title: x, version: '1' }
            paths:
              /a:
                get:
                  parameters:
                    - name: q
                      in: querystring
                      content:
                        application/x-www-form-urlencoded:
                          schema: { type: object, required: [n], properties: { n: { type: integer } } }
                  responses: { 204: { description: x } }
            """)
        func lines(_ query: String) -> [String] {
            ContractText.lines(ContractText.outcome(contract, ContractText.exchange("GET /a?\(query) => 204")))
        }
        #expect(lines("n=1&more=2") == [])
        #expect(lines("m=1") == ["error request-parameters [querystring q] missing property \"n\""])
        #expect(lines("n=x") == ["error request-parameters [querystring q $.n] expected integer, got \"x\" (string)"])
    }
}
