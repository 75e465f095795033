import JSON
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Queries and forms")
struct QueryWriterTests {
    private static let nested = try? JSONValue(parsing: #"{"a": {"b": 1}, "c": [2, 3]}"#)

    @Test(
        "Nested values are encoded according to the style",
        arguments: [
            (RequestSpec.QueryStyle.brackets, "q%5Ba%5D%5Bb%5D=1&q%5Bc%5D%5B%5D=2&q%5Bc%5D%5B%5D=3"),
            (.repeat, "q%5Ba%5D%5Bb%5D=1&q%5Bc%5D=2&q%5Bc%5D=3"),
            (.comma, "q%5Ba%5D%5Bb%5D=1&q%5Bc%5D=2%2C3"),
            (.indices, "q%5Ba%5D%5Bb%5D=1&q%5Bc%5D%5B0%5D=2&q%5Bc%5D%5B1%5D=3"),
        ])
    func styles(style: RequestSpec.QueryStyle, text: String) throws {
        var encoder = QueryWriter(style: style, space: .percent)
        encoder.append("q", try #require(Self.nested))
        #expect(encoder.text == text)
    }

    @Test("Reserved characters are percent-encoded, and spaces as the context requires")
    func characters() {
        var query = QueryWriter(style: .brackets, space: .percent)
        query.append("a b", "x&y=z/ü+~")
        #expect(query.text == "a%20b=x%26y%3Dz%2F%C3%BC%2B~")
        var form = QueryWriter(style: .brackets, space: .plus)
        form.append("a b", "c d")
        #expect(form.text == "a+b=c+d")
    }

    @Test("Numbers keep their digits, and null is omitted")
    func scalars() throws {
        var encoder = QueryWriter(style: .brackets, space: .percent)
        encoder.append("version", try JSONValue(parsing: "1.10"))
        encoder.append("flag", .null)
        encoder.append("yes", true)
        #expect(encoder.text == "version=1.10&yes=true")
    }

    @Test(
        "Parameters are added after a URL's query and before its fragment",
        arguments: [
            ("/a", "/a?q=1"), ("/a?b=2", "/a?b=2&q=1"), ("/a?", "/a?q=1"), ("/a#f", "/a?q=1#f"),
            ("/a?b=2&#f", "/a?b=2&q=1#f"),
        ])
    func adding(url: String, result: String) {
        #expect(RequestBuilder.adding(query: "q=1", to: url) == result)
    }
}
