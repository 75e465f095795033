import FoundationEssentials
import HTTPSession
import JSON
import Testing

/// Tests of variables and structures as parameters.
@Suite("Variables as parameters")
struct ParameterConvertibleTests {
    enum Order: String, ParameterConvertible { case newest }

    struct Filter: Encodable {
        var page: Int
        var title: String
    }

    private static func sent(_ exchange: (Session) -> PendingExchange) async throws -> TransportRequest {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200))
        let session = Session(configuration: .init(baseURL: "http://a.test/"), transport: transport)
        _ = try await exchange(session).response()
        return try #require(transport.requests.first)
    }

    @Test("Variables of every supported type can be used as parameter values")
    func variables() throws {
        let (page, title, isNew, price, small) = (2, "Dune", true, 1.5, Float(0.1))
        let (missing, present): (String?, Int?) = (nil, 7)
        let large = UInt64.max
        let parameters: Parameters = [
            "page": page, "title": title, "isNew": isNew, "price": price, "small": small,
            "amount": Decimal(string: "19.99"),
            "missing": missing,
            "present": present, "large": large, "order": Order.newest, "part": title.prefix(2),
            "link": URL(string: "http://b.test/"), "tags": [title, "sf"], "ids": .set([2, 1]),
            "mixed": .array([page, title]), "inner": ["b": page, "a": 1], "ordered": ["b": 1, "a": "x"] as Parameters,
        ]
        #expect(
            try QueryEncoder.form.encode(parameters)
                == "page=2&title=Dune&isNew=true&price=1.5&small=0.1&amount=19.99&missing=&present=7&large=18446744073709551615"
                + "&order=newest&part=Du&link=http%3A%2F%2Fb.test%2F&tags=Dune&tags=sf&ids=1&ids=2&mixed=2&mixed=Dune"
                + "&inner%5Ba%5D=1&inner%5Bb%5D=2&ordered%5Bb%5D=1&ordered%5Ba%5D=x")
        #expect(ParameterValue(page) == .int(2))
        #expect(ParameterValue([title]) == .array(["Dune"]))
    }

    @Test("Variables are assigned by key")
    func assignments() {
        let (page, title): (Int, String?) = (2, nil)
        var parameters: Parameters = ["a": 1, "b": 2, "title": "Dune"]
        parameters["page"] = page
        parameters["tags"] = ["x", "y"]
        parameters["a"] = nil
        parameters["title"] = title
        #expect(parameters == ["b": 2, "page": 2, "tags": ["x", "y"]])
        #expect(parameters["page"] == 2)
        #expect(parameters["a"] == nil)
        #expect(ParameterValue(Decimal(7)) == .int(7))
        #expect(ParameterValue(Decimal(string: "1.00000000000000000001")) == .string("1.00000000000000000001"))
    }

    @Test("Queries and forms accept variables, structures, and dictionaries")
    func requests() async throws {
        let page = 2
        let filter = Filter(page: page, title: "Dune")
        #expect(try await Self.sent { $0.get("books", query: ["page": page]) }.url.query == "page=2")
        #expect(try await Self.sent { $0.get("books", query: filter) }.url.query == "page=2&title=Dune")
        #expect(try await Self.sent { $0.delete("books", query: ["b": "x", "a": page]) }.url.query == "a=2&b=x")
        let dictionary = ["page": page]
        #expect(try await Self.sent { $0.post("books", form: dictionary) }.body == .text("page=2"))
        #expect(try await Self.sent { $0.post("books", form: filter) }.body == .text("page=2&title=Dune"))
        #expect(try await Self.sent { $0.put("books").query(filter).form(["page": page]) }.body == .text("page=2"))
    }
    @Test("JSON bodies accept variables of several types")
    func json() async throws {
        let (page, title) = (2, "Dune")
        func text(_ exchange: (Session) -> PendingExchange) async throws -> String {
            guard case .bytes(let bytes) = try await Self.sent(exchange).body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try await text { $0.post("books", json: ["title": title]) } == #"{"title":"Dune"}"#)
        let both = try await text { $0.put("books", json: ["title": title, "page": page, "tags": ["a", title]]) }
        #expect(
            try JSONDecoder().decode(Parameters.self, from: Data(both.utf8)) == [
                "title": "Dune", "page": 2, "tags": ["a", "Dune"],
            ])
        #expect(try await text { $0.post("books", json: ["b": 1, "a": [.null, "x"]]) } == #"{"b":1,"a":[null,"x"]}"#)
    }
}
