import JSON
import Output
import RunModel
import Testing

@testable import RunRecord

@Suite("Exchanges in the record")
struct RecordedExchangeTests {
    private func written(_ headers: [HeaderField]) throws -> JSONValue? {
        var text = JSONText()
        text.beginObject()
        text.write(
            Exchange(request: Exchange.Request(method: "GET", url: "http://127.0.0.1/", headers: headers)),
            sizes: BodySizes.Pair())
        text.endObject()
        return try JSONValue(parsing: text.bytes)["exchange"]
    }

    @Test("A traced exchange has its trace ID, and no other exchange has one")
    func trace() throws {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736"
        let field = HeaderField(name: "traceparent", value: "00-\(id)-00f067aa0ba902b7-01")
        #expect(try written([field])?["traceId"]?.stringValue == id)
        #expect(try written([])?["traceId"] == nil)
    }
}
