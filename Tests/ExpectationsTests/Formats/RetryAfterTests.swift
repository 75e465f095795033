import Testing

@testable import Expectations

@Suite("Retry-After") struct RetryAfterTests {
    @Test(
        arguments: [
            ("0", 0), ("120", 120_000_000_000), ("99999999999999999999", .max), ("-1", nil), ("1.5", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 7_000_000_000), ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("soon", nil),
        ] as [(String, Int64?)])
    func waits(_ value: String, _ expected: Int64?) {
        #expect(RetryAfter.nanoseconds(value, now: 784_111_770) == expected)
    }
}
