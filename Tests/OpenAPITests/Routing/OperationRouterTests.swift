import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Routing of requests to operations")
struct OperationRouterTests {
    static let document = """
        openapi: 3.0.3
        info: { title: Books, version: '1' }
        servers:
          - url: https://{region}.example.com/v1
            variables: { region: { default: eu, enum: [eu, us] } }
          - url: /api
        paths:
          /: { get: { responses: {} } }
          /books: { get: { responses: {} }, post: { responses: {} } }
          /books/new: { get: { responses: {} } }
          /books/{id}: { get: { responses: {} }, delete: { responses: {} } }
          /books/{id}/cover: { get: { responses: {} } }
          /books/{book}/pages/{page}: { get: { responses: {} } }
          /files/{name}.{format}: { get: { responses: {} } }
          /files/{name}: { get: { responses: {} } }
          /a%20b: { get: { responses: {} } }
          /odata/Products({id}): { get: { responses: {} } }
          /own:
            servers: [{ url: 'https://files.example.com' }]
            get: { responses: {} }
        """

    private static func route(
        _ request: String, base: String? = nil, basePath: String? = nil, _ text: String = document
    ) throws -> String {
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let parts = request.split(separator: " ").map(String.init)
        let operations = description.operations
        switch OperationRouter(operations, basePath: basePath).route(method: parts[0], url: parts[1], baseURL: base) {
        case .operation(let index, let values):
            let list = values.map { "\($0.name)=\($0.text)" }.joined(separator: ",")
            return operations[index].title + (list.isEmpty ? "" : " \(list)")
        case .otherMethods(let path, let methods): return "\(path) has \(methods.joined(separator: ","))"
        case .unknown(let path, let nearest): return "no \(path)" + (nearest.map { ", near \($0)" } ?? "")
        }
    }

    @Test(
        "A request is routed to the operation with a matching server and path",
        arguments: [
            ("GET https://eu.example.com/v1/books", "GET /books"),
            ("GET https://EU.example.com:443/v1/books?x=/y", "GET /books"),
            ("GET https://us.example.com/v1", "GET /"),
            ("GET https://us.example.com/v1/", "GET /"),
            // Relative server URLs apply to any host.
            ("GET http://127.0.0.1:8080/api/books", "GET /books"),
            // A host without a server: with and without the servers' paths.
            ("GET http://127.0.0.1:8080/v1/books", "GET /books"),
            ("GET http://127.0.0.1:8080/books", "GET /books"),
            // Concrete paths precede templates, unless only the template has the method.
            ("GET http://x/books/new", "GET /books/new"),
            ("DELETE http://x/books/new", "DELETE /books/{id} id=new"),
            ("GET http://x/books/n%65w", "GET /books/new"),
            ("GET http://x/books/7", "GET /books/{id} id=7"),
            ("GET http://x/books/a%2Fb", "GET /books/{id} id=a%2Fb"),
            ("GET http://x/books/7/pages/3", "GET /books/{book}/pages/{page} book=7,page=3"),
            ("GET http://x/files/a.b.json", "GET /files/{name}.{format} name=a,format=b.json"),
            ("GET http://x/files/a", "GET /files/{name} name=a"),
            ("GET http://x/files/.json", "GET /files/{name} name=.json"),
            ("GET http://x/a%20b", "GET /a%20b"),
            ("GET http://x/odata/Products(5)", "GET /odata/Products({id}) id=5"),
            ("GET http://x/odata/Products%285%29", "GET /odata/Products({id}) id=5"),
            ("GET http://x/odata/Products(a%29b)", "GET /odata/Products({id}) id=a%29b"),
            ("GET http://x/odata/Products%28%2%29", "GET /odata/Products({id}) id=%2"),
            ("HEAD http://x/books", "GET /books"),
            ("GET https://files.example.com/own", "GET /own"),
            // The existing alternatives.
            ("PUT http://x/books", "/books has GET,POST"),
            ("GET http://x/books/", "no /books/, near /books"),
            ("GET http://x/bookz/7/cover", "no /bookz/7/cover, near /books/{id}/cover"),
            ("GET http://x/shops", "no /shops"),
            ("GET http://x", "GET /"),
        ])
    func routes(_ request: String, _ expected: String) throws {
        #expect(try Self.route(request) == expected)
    }

    @Test("The path after the base URL is also matched")
    func baseURL() throws {
        #expect(
            try Self.route("GET http://x/gateway/shop/books/7", base: "http://x/gateway/shop/")
                == "GET /books/{id} id=7")
        #expect(try Self.route("GET http://x/gateway/shop/books/7") == "no /gateway/shop/books/7")
        #expect(try Self.route("GET http://x/gateway/shop", base: "http://x/gateway/shop") == "GET /")
        #expect(try Self.route("GET http://x/gatewayshop", base: "http://x/gateway") == "no /gatewayshop")
    }

    @Test("A base path replaces the paths of the servers")
    func basePath() throws {
        #expect(try Self.route("GET http://x/shop/books", basePath: "shop/") == "GET /books")
        #expect(try Self.route("GET http://x/shop", basePath: "/shop") == "GET /")
        #expect(try Self.route("GET http://x/shopping/books", basePath: "/shop") == "no /shopping/books")
    }

    @Test("Server variables match any value, with text before and after them")
    func serverVariables() throws {
        let text = """
            openapi: 3.0.3
            info: { title: x, version: '1' }
            servers: [{ url: 'https://{host}/{tenant}-api/{version}/', variables: { host: { default: a }, tenant: { default: a }, version: { default: v1, enum: [v1, v1beta] } } }]
            paths: { /books: { get: { responses: {} } } }
            """
        #expect(try Self.route("GET https://x.y:8/a-b-api/v1beta/books", text) == "GET /books")
        #expect(try Self.route("GET https://x.y/-api/v1/books", text) == "no /-api/v1/books")
        #expect(try Self.route("GET https://x.y/a-api/v2/books", text) == "no /a-api/v2/books")
    }

    @Test(
        "Path and operation servers are honored, and ignored if no server has the request's host",
        arguments: [
            // As the servers specify.
            ("POST https://upload.example.com/api/2.0/files/content", "POST /files/content"),
            ("POST https://api.example.com/2.0/files/content", "POST /files/{id} id=content"),
            ("GET https://files.example.com/files/7/raw", "GET /files/{id}/raw id=7"),
            // A host without a server: the most concrete template with the method.
            ("POST http://127.0.0.1:8080/2.0/files/content", "POST /files/content"),
            ("POST http://127.0.0.1:8080/api/2.0/files/content", "POST /files/content"),
            ("POST http://127.0.0.1:8080/files/content", "POST /files/content"),
            ("POST http://127.0.0.1:8080/files/7", "POST /files/{id} id=7"),
            ("GET http://127.0.0.1:8080/files/content", "GET /files/{id} id=content"),
            ("GET http://127.0.0.1:8080/files/7/raw", "GET /files/{id}/raw id=7"),
            ("PUT http://127.0.0.1:8080/files/content", "/files/content has POST,OPTIONS"),
        ])
    func ownServers(_ request: String, _ expected: String) throws {
        let text = """
            openapi: 3.0.3
            info: { title: Files, version: '1' }
            servers: [{ url: 'https://api.example.com/2.0' }]
            paths:
              /files/{id}: { get: { responses: { 200: { description: ok } } }, post: { responses: { 200: { description: ok } } } }
              /files/content:
                post: { servers: [{ url: 'https://upload.example.com/api/2.0' }], responses: { 200: { description: ok } } }
                options: { responses: { 200: { description: ok } } }
              /files/{id}/raw:
                servers: [{ url: 'https://files.example.com' }]
                get: { responses: { 200: { description: ok } } }
            """
        #expect(try Self.route(request, base: "http://127.0.0.1:8080/2.0", basePath: nil, text) == expected)
        #expect(try Self.route(request, base: nil, basePath: nil, text) == expected)
        // Walking the flat tables yields the same coverage.
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let contract = Contract(description, name: "openapi.yaml")
        let parts = request.split(separator: " ").map(String.init)
        var exchange = ContractExchange(
            method: parts[0], url: parts[1], requestHeaders: [], requestBody: nil, status: 200, responseHeaders: [],
            responseBody: [])
        exchange.baseURL = "http://127.0.0.1:8080/2.0"
        let covered = ContractChecker(contract, baseURL: exchange.baseURL).check(ExchangeTraffic(exchange)).covered
        #expect(covered.sorted() == contract.check(exchange).covered.sorted())
    }

    private static func route(_ request: String, _ text: String) throws -> String {
        try route(request, base: nil, basePath: nil, text)
    }

    @Test("An operation is found without trying all of them")
    func manyOperations() throws {
        var text = "openapi: 3.0.3\ninfo: { title: x, version: '1' }\npaths:\n"
        for index in 0..<2_000 { text += "  /r\(index)/{a}/{b}: { get: { responses: {} } }\n" }
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let router = OperationRouter(description.operations)
        let clock = ContinuousClock()
        let time = clock.measure {
            for index in 0..<2_000 {
                guard case .operation(index, _) = router.route(method: "GET", url: "http://x/r\(index)/1/2") else {
                    Issue.record("/r\(index) was not found")
                    return
                }
            }
        }
        #expect(time < .seconds(2))
    }
}
