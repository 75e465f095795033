import JSON
import Testing

@testable import CEL

@Suite("Maps with case-insensitive keys")
struct CaseInsensitiveMapTests {
    @Test(
        "Keys are found in any case by index, selection, and macros",
        arguments: [
            (#"headers["Content-Type"] == "text/plain""#), (#"headers["content-type"] == "text/plain""#),
            (#""CONTENT-TYPE" in headers"#), (#"!("x" in headers)"#), (#"size(headers) == 2"#),
            (#"headers.exists(name, name == "etag")"#), (#"headers.ETag == "7""#), (#"has(headers.Etag)"#),
        ])
    func reading(source: String) throws {
        let object = JSONObject([("content-type", "text/plain"), ("etag", "7")])
        let scope: CELVariables = ["headers": .map(CELMap(caseInsensitive: object))]
        guard case .bool(true) = try CELExpression(source).evaluate(scope) else {
            Issue.record("\(source) is not true")
            return
        }
    }
}
