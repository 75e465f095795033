import JSON

/// Annotations of keys in the JSON Schema of suites: defaults, examples, and editor snippets.
struct SchemaNotes {
    /// The value that applies if the key is missing.
    var defaultValue: JSONValue?
    /// Example values.
    var examples: [JSONValue] = []
    /// The snippets that the YAML extension of editors inserts, by label.
    var snippets: [(label: String, body: JSONValue)] = []

    /// The notes by `mapping.key`.
    static let all: [String: SchemaNotes] = [
        "suite.extends": SchemaNotes(examples: ["base.yaml"]),
        "suite.name": SchemaNotes(examples: ["Bookshop"]),
        "suite.tags": SchemaNotes(examples: [["smoke", "books"], "smoke"]),
        "suite.baseURL": SchemaNotes(
            examples: ["http://127.0.0.1:8080", "${env(\"BASE_URL\", \"http://127.0.0.1:8080\")}"]),
        "suite.mode": SchemaNotes(defaultValue: "concurrent"),
        "suite.variables": SchemaNotes(examples: [["title": "Dune", "copies": 3]]),
        "suite.environments": SchemaNotes(
            examples: [["staging": ["baseURL": "https://staging.example.com", "variables": ["title": "Emma"]]]]),
        "suite.secrets": SchemaNotes(examples: [["password", "*_TOKEN"]]),
        "suite.dotenv": SchemaNotes(examples: [".env"]),
        "suite.namespaces": SchemaNotes(examples: [["soap": "http://schemas.xmlsoap.org/soap/envelope/"]]),
        "suite.schemas": SchemaNotes(examples: [["https://example.com/schemas/": "schemas"]]),
        "suite.tests": SchemaNotes(snippets: [
            (
                "test",
                [["name": "${1:name}", "request": "${2:GET} ${3:/path}", "expect": "${4:200}"]]
            ),
            (
                "test with steps",
                [
                    [
                        "name": "${1:name}",
                        "steps": [["name": "${2:first}", "request": "${3:GET /path}", "expect": "${4:200}"]],
                    ]
                ]
            ),
        ]),
        "serve.command": SchemaNotes(examples: [["python3", "app.py", "--port", "${port}"]]),
        "serve.mock": SchemaNotes(examples: ["bookshop.mock.yaml"]),
        "serve.ready": SchemaNotes(examples: ["GET /health"]),
        "serve.within": SchemaNotes(defaultValue: "30s"),
        "run.command": SchemaNotes(examples: [["psql", "-At", "-c", "select count(*) from books"]]),
        "run.shell": SchemaNotes(defaultValue: false),
        "run.timeout": SchemaNotes(defaultValue: "1m"),
        "test.name": SchemaNotes(examples: ["add a book"]),
        "test.tags": SchemaNotes(examples: [["smoke"], "smoke"]),
        "test.skip": SchemaNotes(examples: [true, "vouchers come with the spring release"]),
        "test.xfail": SchemaNotes(examples: ["umlauts are lost (#12)", ["reason": "slow disk", "strict": false]]),
        "xfail.strict": SchemaNotes(defaultValue: true),
        "test.needs": SchemaNotes(examples: ["add a book", ["login", "add a book"]]),
        "test.lock": SchemaNotes(examples: ["basket", ["basket", "stock"]]),
        "test.request": SchemaNotes(
            examples: [
                "GET /books/1", "GET /books/${bookID}", ["method": "POST", "url": "/books", "json": ["title": "Dune"]],
            ]),
        "test.expect": SchemaNotes(
            examples: [200, "2xx", ["status": 201, "json": ["$.id": ["type": "integer"]]]]),
        "test.assert": SchemaNotes(examples: [["body.total > 0", "size(body.items) == 3"], "body.state == \"open\""]),
        "test.capture": SchemaNotes(
            examples: [
                ["bookID": "$.id"], ["etag": ["header": "ETag"]], ["total": "${size(body.items)}"],
                ["id": ["header": "Location", "regex": "/([0-9]+)$"]],
            ]),
        "test.retry": SchemaNotes(
            examples: [2, ["times": 3, "delay": "200ms", "backoff": "exponential", "on": ["5xx", "connect"]]]),
        "step.name": SchemaNotes(examples: ["log in"]),
        "step.request": SchemaNotes(
            examples: ["GET /books/1", ["method": "POST", "url": "/books", "json": ["title": "Dune"]]]),
        "step.expect": SchemaNotes(examples: [200, "2xx", ["status": 201]]),
        "step.assert": SchemaNotes(examples: [["body.total > 0"]]),
        "step.capture": SchemaNotes(examples: [["bookID": "$.id"]]),
        "step.retry": SchemaNotes(examples: [2]),
        "step.skip": SchemaNotes(examples: [true, "vouchers come with the spring release"]),
        "step.xfail": SchemaNotes(examples: ["umlauts are lost (#12)"]),
        "step.while": SchemaNotes(examples: ["next != null", ["condition": "next != null", "times": 500]]),
        "while.times": SchemaNotes(defaultValue: 100),
        "step.continue": SchemaNotes(defaultValue: false),
        "request.method": SchemaNotes(defaultValue: "GET", examples: ["POST", "PUT", "PATCH", "DELETE"]),
        "request.url": SchemaNotes(examples: ["/books", "https://api.example.com/books"]),
        "request.query": SchemaNotes(examples: [["page": 2, "tags": ["novel", "classic"]]]),
        "request.queryStyle": SchemaNotes(defaultValue: "brackets"),
        "request.headers": SchemaNotes(examples: [["Accept": "application/json"]]),
        "request.json": SchemaNotes(examples: [["title": "Dune", "isbn": "${uuid()}"]]),
        "request.form": SchemaNotes(examples: [["user": "ada", "password": "${password}"]]),
        "request.multipart": SchemaNotes(examples: [["cover": ["file": "cover.png"], "title": "Dune"]]),
        "request.auth": SchemaNotes(
            examples: [
                ["basic": ["username": "ada", "password": "${env(\"PASSWORD\")}"]],
                ["bearer": "${env(\"TOKEN\")}"], "none",
            ]),
        "request.timeout": SchemaNotes(examples: ["10s", ["connect": "2s", "firstByte": "5s", "total": "30s"]]),
        "request.redirects": SchemaNotes(defaultValue: 10, examples: [false]),
        "request.maxBodySize": SchemaNotes(examples: ["5MB"]),
        "request.http": SchemaNotes(defaultValue: "auto"),
        "request.proxy": SchemaNotes(examples: ["http://127.0.0.1:3128", false]),
        "request.resolve": SchemaNotes(examples: [["api.example.com:443": "127.0.0.1:8443"]]),
        "expect.status": SchemaNotes(examples: [200, "2xx", "200-204", [200, 201], ["not": 500]]),
        "expect.headers": SchemaNotes(
            examples: [["Content-Type": ["contains": "application/json"]], ["X-Powered-By": ["exists": false]]]),
        "expect.json": SchemaNotes(
            examples: [["$.id": ["type": "integer"], "$.title": "Dune", "$.tags": ["length": ["gt": 0]]]]),
        "expect.body": SchemaNotes(examples: ["pong", ["contains": "Dune"]]),
        "expect.duration": SchemaNotes(examples: [["lt": "2s"]]),
        "expect.size": SchemaNotes(examples: [["lt": "64KB"]]),
        "expect.schema": SchemaNotes(examples: ["book.schema.json"]),
        "operators.type": SchemaNotes(examples: ["integer", ["string", "null"]]),
        "operators.matches": SchemaNotes(examples: ["^/books/[0-9]+$"]),
        "operators.oneOf": SchemaNotes(examples: [["draft", "published"]]),
        "operators.between": SchemaNotes(examples: [[1, 10]]),
        "operators.length": SchemaNotes(examples: [3, ["gt": 0]]),
        "operators.like": SchemaNotes(examples: [["title": "Dune", "id": ["$match": ["type": "integer"]]]]),
        "operators.regex": SchemaNotes(examples: ["/([0-9]+)$"]),
        "retry.backoff": SchemaNotes(defaultValue: "constant"),
        "retry.maxDelay": SchemaNotes(defaultValue: "1m"),
        "retry.honourRetryAfter": SchemaNotes(defaultValue: true),
    ]

    /// Adds the notes to a schema.
    func add(to schema: inout JSONObject) {
        if let defaultValue { schema["default"] = defaultValue }
        if !examples.isEmpty { schema["examples"] = .array(examples) }
        if !snippets.isEmpty {
            schema["defaultSnippets"] = .array(
                snippets.map { .object(["label": .string($0.label), "body": $0.body]) })
        }
    }
}
