import Diagnostics
import RunModel
import Testing

@testable import Redaction

@Suite("Bodies with content codings")
struct EncodedBodyTests {
    /// Returns the body that a report receives.
    private static func reported(_ body: [UInt8], _ field: HeaderField, isDecoded: Bool = false) -> [UInt8]? {
        var redactor = SecretRedactor()
        redactor.register("brotli-secret")
        redactor.register("日本の秘密")
        var response = Exchange.Response(status: 200, headers: [field], body: body)
        response.isDecoded = isDecoded
        let range = SourceRange(file: SourceFile(name: "a.yaml", text: "a"), bytes: 0..<1)
        let exchange = Exchange(request: Exchange.Request(method: "GET", url: "http://h/"), response: response)
        let result = TestResult(
            test: TestReference(suite: 0, position: 0, name: "a", range: range), outcome: .failed,
            steps: [TestResult.Step(name: "a", outcome: .failed, exchange: exchange, range: range)])
        guard case .testFinished(let masked) = redactor.redacted(.testFinished(result)) else { return nil }
        return masked.steps.first?.exchange?.response?.body
    }

    @Test(
        "A body whose coding may be left is masked as a whole, and a decoded one only where a secret is",
        arguments: ["br", "zstd", "gzip, br", "compress"])
    func masked(_ coding: String) {
        let field = HeaderField(name: "Content-Encoding", value: coding)
        let body = [0x80] + Array("<brotli-secret>".utf8)
        #expect(Self.reported(body, field) == Array("***".utf8))
        #expect(Self.reported(body, field, isDecoded: true) == [0x80] + Array("<***>".utf8))
        #expect(Self.reported(Array("<brotli-secret>".utf8), field) == Array("<***>".utf8))
    }

    @Test("A body in a charset of the system is masked as a whole if its text contains a secret")
    func charset() {
        let field = HeaderField(name: "content-type", value: "text/plain; format=flowed; Charset=\"Shift_JIS\"")
        // "日本の秘密" and "日本の".
        let secret: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x82, 0xCC, 0x94, 0xE9, 0x96, 0xA7]
        #expect(Self.reported(secret, field) == Array("***".utf8))
        #expect(Self.reported(Array(secret.prefix(6)), field) == Array(secret.prefix(6)))
        #expect(
            Self.reported(Array(secret.prefix(6)) + Array("<brotli-secret>".utf8), field) == secret.prefix(6)
                + Array("<***>".utf8))
    }
}
