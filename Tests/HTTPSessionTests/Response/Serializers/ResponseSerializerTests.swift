import FoundationEssentials
import HTTPSession
import JSON
import Testing

/// Tests of the values that serializers decode from responses.
@Suite("Response serializers")
struct ResponseSerializerTests {
    struct Item: Codable, Sendable, Equatable {
        var price: Int
    }

    struct Order: Codable, Sendable, Equatable {
        var items: [Item]
    }

    static func body(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("A value is decoded by the session and again from the response")
    func decodable() async throws {
        let transport = CannedTransport(text: #"{"items":[{"price":3}]}"#)
        let session = Session(transport: transport)
        let order = try await session.get("http://example.test/").validate().decode(Order.self)
        #expect(order == Order(items: [Item(price: 3)]))
        let response = try await session.get("http://example.test/").response()
        #expect(try response.decode(Order.self) == order)
        #expect(try response.decode() == order)
        #expect(try response.json()["items"]?[0]?["price"] == 3)
        #expect(try await session.get("http://example.test/").json()["items"]?[0]?["price"] == 3)
        #expect(try await session.get("http://example.test/").data() == response.body)
        #expect(try await session.get("http://example.test/").string() == response.text)
    }

    /// A body and the error message.
    static let undecodable: [(String, String)] = [
        (#"{"items":[{"price":3},{"price":"x"}]}"#, "items[1].price: "),
        (#"{"items":[{"price":3},{}]}"#, "items[1].price: missing member"),
        (#"{"other":1}"#, "items: missing member"),
        (#"{"items":[null]}"#, "items[0]: "),
        ("{\"items\":\n", "it starts with {\"items\":\\n"),
        ("{\n\"items\" 1}", "line 2, column"),
        ("", "the body is empty"),
    ]

    @Test("A decoding error includes the location and the start of the body", arguments: undecodable.indices)
    func failure(index: Int) throws {
        let (text, words) = Self.undecodable[index]
        let response = try response(200, [:], Self.body(text))
        let error = #expect(throws: SessionError.self) { try response.decode(Order.self) }
        #expect(error?.phase == .decode)
        #expect(error?.reason == .undecodable)
        #expect(error?.response?.body == response.body)
        #expect(error?.underlying != nil)
        let message = try #require(error?.message)
        #expect(message.hasPrefix("the body cannot be decoded as Order: "))
        #expect(message.contains(words), "\(message)")
        #expect(!message.contains("\n"))
    }

    @Test("A decoding error abbreviates a long body")
    func excerpt() throws {
        let response = try response(200, [:], Self.body("[" + String(repeating: "1,", count: 5000) + "x]"))
        let error = #expect(throws: SessionError.self) { try response.decode([Int].self) }
        #expect((error?.message.utf8.count ?? 0) < 500)
        #expect(error?.message.hasSuffix("1,1,…") == true || error?.message.hasSuffix(",1…") == true)
    }

    struct Problem: Codable, Sendable, Equatable {
        var title: String
    }

    @Test("The body of a rejected response can still be decoded")
    func problem() async throws {
        let transport = CannedTransport(404, ["Content-Type": "application/problem+json"], text: #"{"title":"gone"}"#)
        let session = Session(transport: transport)
        let error = await ExchangeTests.failure {
            try await session.get("http://example.test/").validate().decode(Order.self)
        }
        #expect(error?.reason == .unacceptableResponse)
        #expect(try error?.response?.decode(Problem.self) == Problem(title: "gone"))
        #expect(try error?.response?.decode(Problem.self) == Problem(title: "gone"))
    }

    @Test("The decoding event precedes the completion event")
    func events() async throws {
        let monitor = RecordingMonitor()
        var configuration = SessionConfiguration()
        configuration.monitors = [monitor]
        let session = Session(configuration: configuration, transport: CannedTransport(text: "[1]"))
        let pending = session.get("http://example.test/")
        #expect(try await pending.decode([Int].self) == [1])
        #expect(monitor.names.suffix(3) == ["received", "decoded", "finished"])
        guard case .decoded(let type, let error) = monitor.all.dropLast().last else {
            Issue.record("expected a decoding event")
            return
        }
        #expect(type == "Array<Int>")
        #expect(error == nil)
        let failure = await ExchangeTests.failure { try await pending.validate().decode(Order.self) }
        #expect(failure?.reason == .undecodable)
        #expect(monitor.names.suffix(4) == ["received", "validated", "decoded", "finished"])
        guard case .decoded(_, .some) = monitor.all.dropLast().last,
            case .finished(.failure(let last)) = monitor.all.last
        else {
            Issue.record("expected events with the error")
            return
        }
        #expect(last.reason == .undecodable)
    }

    /// Status, method, and whether an empty body has a value.
    static let empties: [(Int, HTTPMethod, Bool)] = [
        (204, .get, true), (205, .post, true), (200, .head, true), (200, .get, false), (404, .get, false),
    ]

    @Test("An empty body has a value only if the response cannot have a body", arguments: empties.indices)
    func empty(index: Int) throws {
        let (status, method, isValue) = Self.empties[index]
        let response = try response(status, [:], [], method: method)
        if isValue {
            #expect(try response.decode(Empty.self) == Empty())
            #expect(try response.decode(Order?.self) == nil)
            #expect(try response.json() == .null)
            #expect(try response.serialize(with: .propertyList) == .null)
            let error = #expect(throws: SessionError.self) { try response.decode(Order.self) }
            #expect(error?.message.contains("Order has no empty value") == true)
        } else {
            #expect(throws: SessionError.self) { try response.decode(Empty.self) }
            #expect(throws: SessionError.self) { try response.decode(Order?.self) }
            #expect(throws: SessionError.self) { try response.json() }
            let lenient = DecodableResponseSerializer(Empty.self, emptyBodies: .allowed)
            #expect(try response.serialize(with: lenient) == Empty())
            let own = DecodableResponseSerializer(Empty.self, emptyBodies: .init(responseCodes: [status]))
            #expect(try response.serialize(with: own) == Empty())
            #expect(throws: SessionError.self) {
                try response.serialize(with: DataResponseSerializer(emptyBodies: .standard))
            }
            #expect(throws: SessionError.self) {
                try response.serialize(with: StringResponseSerializer(emptyBodies: .standard))
            }
        }
        #expect(try response.serialize(with: .data) == [])
        #expect(try response.string() == "")
    }

    @Test("Nulls are removed at every depth on request")
    func nulls() throws {
        let response = try response(200, [:], Self.body(#"{"a":null,"b":[1,null,{"c":null,"d":[]}],"e":{"f":null}}"#))
        #expect(try response.json(removingNulls: true).serialized() == #"{"b":[1,{"d":[]}],"e":{}}"#)
        #expect(try response.json().objectValue?.count == 3)
    }

    /// The bytes of JSON, and its content type.
    static let encodedJSON: [([UInt8], String)] = [
        ([0xEF, 0xBB, 0xBF] + body(#"{"a":"é"}"#), "application/json"),
        (body(#"{"a":"é"}"#), "application/json; charset=utf-8"),
        ([0xFF, 0xFE] + utf16(#"{"a":"é"}"#, bigEndian: false), "application/json"),
        (utf16(#"{"a":"é"}"#, bigEndian: true), "application/json"),
        (utf16(#"{"a":"é"}"#, bigEndian: false), "application/json; charset=utf-16le"),
        (Array(#"{"a":""#.utf8) + [0xE9] + Array(#""}"#.utf8), "application/json; charset=ISO-8859-1"),
    ]

    static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
            return bigEndian ? bytes : bytes.reversed()
        }
    }

    @Test("JSON is decoded in any supported encoding", arguments: encodedJSON.indices)
    func jsonEncodings(index: Int) throws {
        let (bytes, type) = Self.encodedJSON[index]
        let response = try response(200, ["Content-Type": type], bytes)
        #expect(try response.json() == ["a": "é"])
        #expect(try response.decode([String: String].self) == ["a": "é"])
    }

    @Test("Preprocessors transform the body before it is decoded")
    func preprocessors() async throws {
        let bytes = Self.body(")]}',\n[1]")
        let response = try response(200, [:], bytes)
        #expect(try response.decode([Int].self, preprocessors: [.xssiPrefix]) == [1])
        #expect(try response.serialize(with: JSONResponseSerializer(preprocessors: [.xssiPrefix])) == [1])
        #expect(throws: SessionError.self) { try response.decode([Int].self) }
        let reversed = BodyPreprocessor { $0.reversed() }
        #expect(
            try response.serialize(with: DataResponseSerializer(preprocessors: [.xssiPrefix, reversed]))
                == Self.body("]1["))
        let session = Session(transport: CannedTransport(200, [:], bytes))
        #expect(try await session.get("http://x/").decode([Int].self, preprocessors: [.xssiPrefix]) == [1])
        #expect(try await session.get("http://x/").serialize(with: CustomResponseSerializer { $0.status }) == 200)
    }

    @Test("The first serializer that succeeds is used, and if none does, the error lists all failures")
    func compound() throws {
        let compound = CompoundResponseSerializer<String>([
            JSONResponseSerializer().map { "json " + $0.serialized() },
            ImageResponseSerializer().map { "image \($0.format)" },
        ])
        #expect(try response(200, [:], Self.body("[1]")).serialize(with: compound) == "json [1]")
        let gif = Self.body("GIF89a") + [1, 0, 1, 0]
        #expect(try response(200, [:], gif).serialize(with: compound) == "image gif")
        let error = #expect(throws: SessionError.self) {
            try response(200, [:], Self.body("?")).serialize(with: compound)
        }
        #expect(error?.message.contains("1. ") == true)
        #expect(error?.message.contains("2. the body is not an image in a known format") == true)
        guard case .allFailed(let errors) = error?.underlying as? ResponseSerializationError else {
            Issue.record("expected a list of errors")
            return
        }
        #expect(errors.count == 2)
    }
}
