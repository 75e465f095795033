import FoundationEssentials
import HTTPSession
import JSON
import Testing

/// Tests of the requests that serializers create.
@Suite("Request serializers")
struct RequestSerializerTests {
    struct Book: Codable, Sendable, Equatable {
        var title = "A/B"
        var pages = 3
    }

    static func sent(
        base: String? = "http://example.test/v1", _ exchange: (Session) -> PendingExchange
    ) async throws -> TransportRequest {
        let transport = CannedTransport()
        let session = Session(configuration: .init(baseURL: base), transport: transport)
        _ = try await exchange(session).response()
        return try #require(transport.requests.first)
    }

    static func text(_ body: RequestBody) -> String? {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// Method, URL, sent URL, and body.
    static let destinations: [(HTTPMethod, String, String, String?)] = [
        (.get, "a", "http://example.test/v1/a?k=v", nil),
        (.head, "a", "http://example.test/v1/a?k=v", nil),
        (.delete, "a?x=y", "http://example.test/v1/a?x=y&k=v", nil),
        (.get, "a?", "http://example.test/v1/a?k=v", nil),
        (.get, "a?x&#f?", "http://example.test/v1/a?x&k=v#f?", nil),
        (.get, "a#f", "http://example.test/v1/a?k=v#f", nil),
        (.post, "a?x=y", "http://example.test/v1/a?x=y", "k=v"),
        (.put, "a", "http://example.test/v1/a", "k=v"),
        (.patch, "a", "http://example.test/v1/a", "k=v"),
        (.options, "a", "http://example.test/v1/a", "k=v"),
    ]

    @Test("Parameters are sent in the query or the body, depending on the method", arguments: destinations.indices)
    func destination(index: Int) async throws {
        let (method, url, target, body) = Self.destinations[index]
        let request = try await Self.sent { $0.request(method, url: url, parameters: ["k": "v"]) }
        #expect(request.url.description == target)
        #expect(Self.text(request.body) == body)
        #expect(request.headers["Content-Type"] == (body == nil ? nil : "application/x-www-form-urlencoded"))
    }

    @Test("The parameter destination and the content type can be specified")
    func chosen() async throws {
        let query = try await Self.sent {
            $0.request(
                .post, url: "a", parameters: ["k": ["v", "w"]], encoder: .form(.afNetworking, destination: .queryString)
            )
        }
        #expect(query.url.target == "/v1/a?k%5B%5D=v&k%5B%5D=w")
        #expect(query.body == .empty)
        let body = try await Self.sent {
            $0.request(
                .get, url: "a", headers: ["content-type": "type"], parameters: ["k": "v"],
                encoder: .form(.alamofire, destination: .httpBody))
        }
        #expect(body.url.target == "/v1/a")
        #expect(Self.text(body.body) == "k=v")
        #expect(body.headers.values("Content-Type") == ["type"])
        let own = try await Self.sent {
            $0.request(
                .search, url: "a", parameters: ["k": "v"],
                encoder: FormRequestSerializer(destination: .methodDependent(inQuery: [.search])))
        }
        #expect(own.url.target == "/v1/a?k=v")
        let alamofire = try await Self.sent {
            $0.request(.post, url: "a", parameters: Parameters(), encoder: FormRequestSerializer.alamofire)
        }
        #expect(alamofire.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(alamofire.body == .bytes([]))
    }

    @Test("Verb methods accept queries, forms, JSON, and Encodable values")
    func verbs() async throws {
        let get = try await Self.sent { $0.get("books", query: ["page": 2, "tags": ["b", "a"]]) }
        #expect(get.url.target == "/v1/books?page=2&tags%5B%5D=b&tags%5B%5D=a")
        let form = try await Self.sent { $0.post("books", form: ["a": "b c"]) }
        #expect(Self.text(form.body) == "a=b%20c")
        let post = try await Self.sent { $0.post("books", json: Book()) }
        let decoded = try JSONDecoder().decode(Book.self, from: Data(try #require(Self.text(post.body)).utf8))
        #expect(decoded == Book())
        #expect(Self.text(post.body)?.contains("A/B") == true)
        #expect(post.headers["Content-Type"] == "application/json")
        let value = try await Self.sent { $0.put("books", json: ["z": 1, "a": [.null, "x"]]) }
        #expect(Self.text(value.body) == #"{"z":1,"a":[null,"x"]}"#)
        let delete = try await Self.sent { $0.delete("books").json(["id": 7]) }
        #expect(Self.text(delete.body) == #"{"id":7}"#)
        let both = try await Self.sent { $0.patch("books", form: ["a": 1]).query(["b": 2]).query(["c": 3]) }
        #expect(both.url.target == "/v1/books?b=2&c=3")
        #expect(Self.text(both.body) == "a=1")
    }

    @Test("JSON can be sorted and pretty-printed, and GET parameters are sent in the query instead")
    func json() async throws {
        let sorted = try await Self.sent {
            $0.request(.post, url: "a", parameters: ["b": 1, "a": 2], encoder: JSONRequestSerializer(sortsKeys: true))
        }
        #expect(Self.text(sorted.body) == #"{"a":2,"b":1}"#)
        let pretty = try await Self.sent {
            $0.request(.post, url: "a", parameters: ["a": 2], encoder: JSONRequestSerializer(isPretty: true))
        }
        #expect(Self.text(pretty.body)?.contains("\n") == true)
        let get = try await Self.sent { $0.request(.get, url: "a", parameters: ["b": 1, "a": 2], encoder: .json) }
        #expect(get.url.target == "/v1/a?a=2&b=1")
        #expect(get.body == .empty)
        let onPurpose = try await Self.sent { $0.request(.get, url: "a", parameters: ["a": 2], encoder: .jsonBody) }
        #expect(Self.text(onPurpose.body) == #"{"a":2}"#)
    }

    @Test("Property lists are encoded as XML or binary and can be decoded again", arguments: [true, false])
    func propertyList(isXML: Bool) async throws {
        let parameters: Parameters = [
            "text": "x", "number": 7, "real": 1.5, "yes": true, "at": .date(Date(timeIntervalSinceReferenceDate: 5)),
            "bytes": .data([1, 2]), "list": .array([1, "a"]),
        ]
        let serializer = PropertyListRequestSerializer(format: isXML ? .xml : .binary)
        let request = try await Self.sent { $0.request(.post, url: "a", parameters: parameters, encoder: serializer) }
        #expect(request.headers["Content-Type"] == "application/x-plist")
        guard case .bytes(let bytes) = request.body else {
            Issue.record("expected a body in memory")
            return
        }
        #expect(bytes.starts(with: Array((isXML ? "<?xml" : "bplist00").utf8)))
        let value = try response(200, [:], bytes).serialize(with: .propertyList)
        #expect(value == .dictionary(parameters))
        struct Part: Decodable {
            var text: String
            var list: [ParameterValue]
        }
        #expect(try response(200, [:], bytes).decode(Part.self, decoder: PropertyListDecoder()).list == [1, "a"])
    }

    struct Unencodable: Encodable, Sendable {
        struct Failure: Error {}
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    @Test("Parameters that cannot be encoded fail the request before it is sent")
    func failure() async throws {
        let transport = CannedTransport()
        let monitor = RecordingMonitor()
        var configuration = SessionConfiguration()
        configuration.monitors = [monitor]
        let session = Session(configuration: configuration, transport: transport)
        let error = await ExchangeTests.failure {
            try await session.post("http://example.test/", json: Unencodable()).decode(Book.self)
        }
        #expect(error?.reason == .unencodable)
        #expect(error?.phase == .request)
        #expect(error?.underlying is Unencodable.Failure)
        #expect(transport.requests.isEmpty)
        #expect(monitor.names == ["created", "finished"])
        let second = await ExchangeTests.failure {
            try await session.get("http://example.test/").parameters("no names").response()
        }
        let message = "the top level of a query must have names: use a dictionary or a structure"
        #expect(second?.message == "the parameters cannot be encoded: \(message)")
    }

    @Test("A closure can serialize parameters, and parameters can be added to an existing request")
    func custom() throws {
        var request = Request(.post, url: "http://example.test/")
        let serializer = CustomRequestSerializer { parameters, request in
            request.headers["X-Value"] = "\(parameters)"
        }
        try request.add(7, with: serializer)
        #expect(request.headers["X-Value"] == "7")
        try request.add(["a": "b"])
        #expect(request.body == .text("a=b"))
    }
}

extension HTTPMethod {
    fileprivate static let search: HTTPMethod = "SEARCH"
}
