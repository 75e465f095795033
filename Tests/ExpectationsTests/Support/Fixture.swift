import CEL
import Diagnostics
import JSON
import JSONPath
import RunModel
import SuiteModel

@testable import Expectations

/// Values used by tests.
enum Fixture {
    static let file = SourceFile(name: "suite.yaml", text: String(repeating: "0123456789abcdefghij\n", count: 9))

    /// Returns a one-line range on a line of the fixture's file.
    static func range(_ line: Int = 1, _ columns: Range<Int> = 1..<5) -> SourceRange {
        SourceRange(
            file: file, start: SourcePosition(line: line, column: columns.lowerBound),
            end: SourcePosition(line: line, column: columns.upperBound))
    }

    static func matcher(_ operators: Matcher.Operator..., domain: Matcher.Domain = .value, line: Int = 1) -> Matcher {
        Matcher(operators.map { Matcher.Operation($0, range: range(line)) }, domain: domain, range: range(line))
    }

    static func expression(_ source: String, line: Int = 1) throws -> EmbeddedExpression {
        EmbeddedExpression(try CELExpression(source), range: range(line, 1..<(1 + source.unicodeScalars.count)))
    }

    static func template(_ source: String) throws -> Template { .expression(try expression(source)) }

    static func json(_ path: String, _ operators: Matcher.Operator..., line: Int = 1) throws -> ExpectationSet.JSON {
        ExpectationSet.JSON(
            path: .constant(try JSONPath(path)), pathRange: range(line),
            matcher: Matcher(operators.map { Matcher.Operation($0, range: range(line)) }, range: range(line)))
    }

    /// Returns an exchange with a response.
    static func exchange(
        status: Int = 200, headers: [(String, String)] = [], body: String = "", contentType: String? = nil,
        cookies: [(String, String)] = [], total: Int64 = 0
    ) -> Exchange {
        exchange(
            status: status, headers: headers, bytes: Array(body.utf8), contentType: contentType, cookies: cookies,
            total: total)
    }

    static func exchange(
        status: Int = 200, headers: [(String, String)] = [], bytes: [UInt8], contentType: String? = nil,
        cookies: [(String, String)] = [], total: Int64 = 0
    ) -> Exchange {
        var fields = headers.map { HeaderField(name: $0.0, value: $0.1) }
        if let contentType { fields.append(HeaderField(name: "Content-Type", value: contentType)) }
        return Exchange(
            request: Exchange.Request(method: "GET", url: "http://127.0.0.1/books?page=2"),
            response: Exchange.Response(status: status, reason: "OK", headers: fields, body: bytes),
            timings: Exchange.Timings(total: total),
            cookies: cookies.map { ReceivedCookie(name: $0.0, value: $0.1) })
    }

    static func jsonExchange(_ body: String, status: Int = 200) -> Exchange {
        exchange(status: status, body: body, contentType: "application/json")
    }

    static func check(
        _ set: ExpectationSet, _ exchange: Exchange, _ scope: CELVariables = [:], context: CELContext = CELContext()
    ) -> [Finding] {
        ExpectationChecker().check(set, exchange: exchange, scope: scope, context: context)
    }
}
