import JSON
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Queries and forms")
struct QueryWriterTests {
    private static let nested = try? JSONValue(parsing: #"{"a": {"b": 1}, "c": [2, 3]}"#)

    @Test(
        "spell nested values as the style says",
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

    @Test("encode every reserved character, and a space as each place asks")
    func characters() {
        var query = QueryWriter(style: .brackets, space: .percent)
        query.append("a b", "x&y=z/ü+~")
        #expect(query.text == "a%20b=x%26y%3Dz%2F%C3%BC%2B~")
        var form = QueryWriter(style: .brackets, space: .plus)
        form.append("a b", "c d")
        #expect(form.text == "a+b=c+d")
    }

    @Test("keep a number's digits, and leave null out")
    func scalars() throws {
        var encoder = QueryWriter(style: .brackets, space: .percent)
        encoder.append("version", try JSONValue(parsing: "1.10"))
        encoder.append("flag", .null)
        encoder.append("yes", true)
        #expect(encoder.text == "version=1.10&yes=true")
    }

    @Test(
        "are added before a URL's fragment and after its query",
        arguments: [
            ("/a", "/a?q=1"), ("/a?b=2", "/a?b=2&q=1"), ("/a?", "/a?q=1"), ("/a#f", "/a?q=1#f"),
            ("/a?b=2&#f", "/a?b=2&q=1#f"),
        ])
    func adding(url: String, result: String) {
        #expect(RequestBuilder.adding(query: "q=1", to: url) == result)
    }
}
