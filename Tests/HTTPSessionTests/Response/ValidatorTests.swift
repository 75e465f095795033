import HTTPSession
import Testing

@Suite("Validators")
struct ValidatorTests {
    /// A content type, media ranges, and whether a body with this type is accepted.
    static let table: [(type: String?, ranges: [String], isAccepted: Bool)] = [
        ("application/json", ["application/json"], true), ("application/json; charset=utf-8", ["*/json"], true),
        ("text/json", ["*/json"], true), ("text/xml", ["*/json"], false), ("text/xml", ["text/*"], true),
        ("text/xml", ["*/*"], true), ("", ["*/*"], true), ("json", ["text/html", "*/*"], true), (nil, ["*/*"], true),
        ("json", ["*/json"], false), ("", ["text/*"], false), (nil, ["text/*"], false), ("text/plain", [], false),
        ("text/plain", ["plain"], false), (nil, [], false),
    ]

    private static func session(_ type: String?, _ body: String = "x") -> Session {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200, type.map { ["Content-Type": $0] } ?? [:], body))
        return Session(configuration: .init(baseURL: "http://a.test/"), transport: transport)
    }

    @Test("A content type is accepted if it matches a media range", arguments: table.indices)
    func contentType(index: Int) async throws {
        let (type, ranges, isAccepted) = Self.table[index]
        let validator = Validator.contentType(ranges)
        let error = await ExchangeTests.failure {
            try await Self.session(type).get("x").validate(validator).response()
        }
        #expect((error == nil) == isAccepted, "\(error?.message ?? "accepted")")
        _ = try await Self.session(type, "").get("x").validate(validator).response()
    }

    @Test("Statuses are accepted by half-open ranges, closed ranges, and sets")
    func statuses() async throws {
        for validator in [Validator.status(200..<201), .status(200...299), .status([200, 404])] {
            _ = try await Self.session(nil).get("x").validate(validator).response()
        }
        let error = await ExchangeTests.failure {
            try await Self.session(nil).get("x").validate(.status(300...399)).response()
        }
        #expect(error?.message == "expected a status from 300 to 399, got 200")
    }

    @Test("Without an Accept field, malformed and empty content types are accepted")
    func everything() async throws {
        for type in ["", "json", "text/", nil] {
            _ = try await Self.session(type).get("x").validate().response()
        }
        let error = await ExchangeTests.failure {
            try await Self.session("").get("x", headers: ["Accept": "text/csv"]).validate().response()
        }
        #expect(error?.message == "expected the Content-Type text/csv, got an empty value")
    }
}
