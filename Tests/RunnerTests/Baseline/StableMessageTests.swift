import RunModel
import Testing

@testable import Runner

struct StableMessageTests {
    @Test(arguments: [
        ("expected \"Dune\" (string), got 42 (integer)", "expected \"Dune\" (string), got # (integer)"),
        ("expected 0.10, got -12.5", "expected #, got #"),
        ("got \"0f0f2f5c-6a0e-4a58-9f0e-3f1d8f2f5c6a\"", "got \"#\""),
        ("got \"2026-11-22T03:04:05.123Z\"", "got \"#Z\""), ("got \"2026-11-22\"", "got \"#\""),
        ("no connection to 127.0.0.1:34567", "no connection to #"),
        ("expected at most 2 s, got 2.31 s", "expected at most #, got #"), ("took 431 ms", "took #"),
        (
            "polled 12 times in 1m30s, but the condition did not hold",
            "polled # times in #, but the condition did not hold"
        ),
        ("got \"ord_1024\"", "got \"#\""), ("got \"v1\"", "got \"v#\""), ("token eyJhbGciOiJIUzI1NiJ9", "token #"),
        ("nothing of this sort", "nothing of this sort"), ("first line\nsecond 2", "first line"), ("", ""),
        ("a3m b", "a# b"), ("12 members", "# members"), ("é1", "é#"),
    ])
    func numbersDoNotCount(message: String, expected: String) {
        #expect(StableMessage.text(message, subject: "json $.id") == expected)
    }

    @Test func ofAStatusTheyDo() {
        #expect(StableMessage.text("expected 200, got 503", subject: "status") == "expected 200, got 503")
        #expect(StableMessage.text("locked as 200, got 503", subject: "lock status") == "locked as 200, got 503")
    }

    @Test(arguments: [
        (
            "contract undocumented-status",
            "GET /b: status: the status 503 is not documented; documented statuses: 200, 4XX"
        ),
        ("contract server-error", "GET /b: status: the server failed with 503"),
        ("contract missing-security", "GET /b: request: the operation requires a key, but the answer is 200"),
        ("contract undocumented-content-type", "GET /b: response body: the response 200 documents no body"),
    ])
    func ofTheStatusOfAContractTheyDo(subject: String, message: String) {
        #expect(StableMessage.text(message, subject: .init(subject)) == message)
        #expect(StableMessage.text(message, subject: "contract response-body") != message)
    }

    @Test func longMessagesAreCut() {
        let long = String(repeating: "é ", count: 5_000)
        #expect(StableMessage.text(long, subject: "body").utf8.count <= 402)
    }
}
