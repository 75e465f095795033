import OpenAPI
import OpenAPITestSupport
import Testing

/// A mock of a description given as text.
struct MockFixture {
    let mock: ContractMock

    init(_ text: String) throws {
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        mock = ContractMock(try #require(description))
    }

    /// Returns the response to a request line with header fields.
    func answer(_ line: String, _ headers: [String] = [], body: String = "") -> ContractMock.Answer {
        let parts = line.split(separator: " ")
        let fields = headers.compactMap { header -> ContractMock.Field? in
            guard let colon = header.firstIndex(of: ":") else { return nil }
            return (String(header[..<colon]), String(header[header.index(after: colon)...].drop { $0 == " " }))
        }
        return mock.answer(
            method: String(parts[0]), target: String(parts[1]), headers: fields, body: Array(body.utf8))
    }
}

extension ContractMock.Answer {
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
