import RunModel
import Testing

@Suite("Exchanges")
struct ExchangeTests {
    @Test(
        "The trace ID is the second part of a valid traceparent field",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "4bf92f3577b34da6a3ce929d0e0e4736"),
            // A later version may have more parts.
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x", "4bf92f3577b34da6a3ce929d0e0e4736"),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", nil),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", nil),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736", nil), ("***", nil), ("", nil),
        ] as [(String, String?)])
    func traceID(_ field: String, _ id: String?) {
        var request = Exchange.Request(method: "GET", url: "http://127.0.0.1/")
        #expect(request.traceID == nil)
        request.headers = [HeaderField(name: "Traceparent", value: field)]
        #expect(request.traceID == id)
    }
}
