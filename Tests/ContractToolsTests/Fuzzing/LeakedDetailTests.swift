import RunModel
import Testing

@testable import ContractTools

@Suite("Details of the server in responses")
struct LeakedDetailTests {
    @Test(
        "A stack trace is recognized, plain and within a JSON string, and a key in errors only",
        arguments: [
            (500, "Traceback (most recent call last):\n  File \"a.py\", line 3, in b", LeakedDetail.python),
            (500, #"{"error":"Traceback (most recent call last):\n  File \"a.py\", line 3"}"#, .python),
            (400, "x\tat com.example.A(A.java:12)", .java), (400, #"{"trace":"x\tat A(A.java:12)"}"#, .java),
            (200, "thread 'main' panicked at src/main.rs:3", .rust), (500, "goroutine 1 [running]:\nmain.go:3", .go),
            (400, "-----BEGIN PRIVATE KEY-----", .privateKey), (200, "-----BEGIN PRIVATE KEY-----", nil),
            (500, "Traceback (most recent call last)", nil), (500, "panicked at the main thread", nil), (500, "", nil),
            (500, "thread thread 'a' panicked at ", .rust),
        ])
    func recognition(_ status: Int, _ body: String, _ expected: LeakedDetail?) {
        let response = Exchange.Response(status: status, body: Array(body.utf8))
        #expect(LeakedDetail.detail(in: response) == expected)
    }
}
