import JSON
import JSONPath
import Testing

struct JSONPathTests {
    static let shop: JSONValue = [
        "store": [
            "book": [
                ["title": "A", "price": 8.95, "tags": ["x", "y"]],
                ["title": "B", "price": 12.99],
                ["title": "C", "price": 8.99, "isbn": "0-553"],
            ],
            "bicycle": ["color": "red", "price": 399],
        ],
        "limit": 10,
    ]

    @Test("A constant pattern that is not an I-Regexp causes a warning with its location")
    func patternsThatMatchNothing() throws {
        #expect(try JSONPath("$[?match(@.a, '[0-9]+') && search(@.b, $.c)]").warnings.isEmpty)
        let warnings = try JSONPath("$[?match(@.a, '\\\\d+')]").warnings
        #expect(warnings.map(\.offset) == [14])
        #expect(warnings.map(\.length) == [6])
    }

    @Test(
        arguments: [
            ("$.store.book[*].title", ["A", "B", "C"]), ("$..price", [8.95, 12.99, 8.99, 399]),
            ("$.store.book[-1].title", ["C"]),
            ("$.store.book[0:2].title", ["A", "B"]), ("$.store.book[::-1].title", ["C", "B", "A"]),
            ("$..book[?@.isbn].title", ["C"]),
            ("$..book[?@.price < $.limit].title", ["A", "C"]), ("$.store.book[?count(@.*) == 3].title", ["A", "C"]),
            ("$.store.book[?length(@.tags) == 2].title", ["A"]),
            ("$.store.book[?match(@.title, '[AB]')].title", ["A", "B"]),
            ("$.store.book[?search(@.isbn, '5+')].title", ["C"]),
            ("$.store.book[?!@.tags && !(@.price > 10)].title", ["C"]),
            ("$.store.book[0, 0].title", ["A", "A"]), ("$['limit']", [10]), ("$.none", []), ("$.limit.x", []),
            ("$.store.book.title", []),
            ("$.store.book[?value(@..title) == 'B'].price", [12.99]),
            ("$..book[?count($..isbn) == 1].title", ["A", "B", "C"]),
            ("$.store.book[?@.price == 8.950].title", ["A"]),
        ] as [(String, [JSONValue])])
    func values(_ source: String, _ expected: [JSONValue]) throws {
        let path = try JSONPath(source)
        #expect(try path.values(in: JSONPathTests.shop) == expected)
        #expect(try path.nodes(in: JSONPathTests.shop).map(\.value) == expected)
        #expect(try path.firstValue(in: JSONPathTests.shop) == expected.first)
    }

    @Test func nodesHavePaths() throws {
        let nodes = try JSONPath("$..price").nodes(in: JSONPathTests.shop)
        #expect(
            nodes.map(\.path.shorthand) == [
                "$.store.book[0].price", "$.store.book[1].price", "$.store.book[2].price", "$.store.bicycle.price",
            ])
        #expect(nodes.first?.path.description == "$['store']['book'][0]['price']")
    }

    @Test(arguments: [
        ("$", true), ("$.a[0]['b']", true), ("$.a[-1]", true), ("$[*]", false), ("$..a", false), ("$[0,1]", false),
        ("$[0:1]", false),
        ("$[?@]", false), ("$ [ 'a' ]", true),
    ])
    func singularQueries(_ source: String, _ expected: Bool) throws {
        #expect(try JSONPath(source).isSingular == expected)
    }

    @Test(arguments: [
        ("$.store.shelf.id", "$.store", ".shelf"), ("$.store.book[7].title", "$.store.book", "[7]"),
        ("$.store.book[*].author.name", "$.store.book[0]", ".author"), ("$.x", "$", ".x"),
        ("$.limit.x", "$.limit", ".x"),
        ("$.store.book[?@.price > 1000]", "$.store.book", "[?@.price > 1000]"), ("$..nothing[0]", "$", "..nothing"),
    ])
    func nearestExisting(_ source: String, _ path: String, _ missing: String) throws {
        let nearest = try #require(try JSONPath(source).nearestExisting(in: JSONPathTests.shop))
        #expect(nearest.path == path)
        #expect(nearest.missing == missing)
        #expect(try JSONPath(path).values(in: JSONPathTests.shop) == [nearest.value])
    }

    @Test func nothingIsMissingFromAMatch() throws {
        #expect(try JSONPath("$").nearestExisting(in: 1) == nil)
        #expect(try JSONPath("$..price").nearestExisting(in: JSONPathTests.shop) == nil)
    }

    @Test func equalityIsBySource() throws {
        #expect(try JSONPath("$.a") == JSONPath("$.a"))
        #expect(try JSONPath("$.a") != JSONPath("$['a']"))
        #expect(try JSONPath("$.a").hashValue == JSONPath("$.a").hashValue)
        #expect(try JSONPath("$.a").description == "$.a")
    }

    @Test func deepDocumentsAreSearchedWhole() throws {
        let depth = 500
        let text = String(repeating: "{\"a\":[", count: depth / 2) + "1" + String(repeating: "]}", count: depth / 2)
        let document = try JSONValue(parsing: text)
        #expect(try JSONPath("$..a").values(in: document).count == depth / 2)
        #expect(try JSONPath("$..[?@ == 1]").nodes(in: document).first?.path.steps.count == depth)
        #expect(try JSONPath("$" + String(repeating: ".a[0]", count: depth / 2)).values(in: document) == [1])
    }
}
