import Basics
import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import HTTPSession

@Suite("HAR")
struct HARTests {
    private static func metrics() -> ExchangeMetrics {
        var metrics = ExchangeMetrics()
        metrics.queued = .milliseconds(1)
        metrics.dns = .milliseconds(2)
        metrics.connect = .milliseconds(3)
        metrics.tls = .milliseconds(4)
        metrics.send = .microseconds(500)
        metrics.firstByte = .milliseconds(6)
        metrics.receive = .milliseconds(7)
        metrics.total = .microseconds(23_500)
        metrics.bytesSent = 120
        metrics.bodyBytesReceived = 30
        return metrics
    }

    private static func response(
        _ url: String = "https://h/a?q=x+y&token=t#part", method: HTTPMethod = .get, sent: HTTPHeaders = [:],
        body: RequestBody = .empty, status: Int = 200, headers: HTTPHeaders = [:], content: [UInt8] = []
    ) throws -> Response {
        Response(
            head: ResponseHead(status: status, reason: "Reason", headers: headers), body: content,
            request: SentRequest(method: method, url: try HTTPURL(url), headers: sent, body: body), metrics: metrics(),
            remoteAddress: "[::1]:443")
    }

    @Test("An entry contains all fields that the specification requires, with secrets redacted")
    func entry() throws {
        let response = try Self.response(
            method: .post, sent: ["Cookie": "a=1; b=2", "Authorization": "Bearer t", "Content-Type": "text/plain"],
            body: .text("hello"), status: 302,
            headers: [
                "Location": "/next?token=t", "Set-Cookie": "sid=x; Path=/p; Max-Age=0; HttpOnly; Secure",
                "Content-Type": "application/json", "Content-Encoding": "gzip",
            ], content: Array(#"{"token":"t","n":1}"#.utf8))
        let entry = HAREntry(response, startedAt: 1_709_251_199.25)
        let json = entry.json
        #expect(json["startedDateTime"] == "2024-02-29T23:59:59.250Z")
        #expect(json["time"] == 23.5)
        #expect(
            json["timings"]
                == ["blocked": 1, "dns": 2, "connect": 7, "send": 0.5, "wait": 6, "receive": 7, "ssl": 4])
        #expect(json["serverIPAddress"] == "::1")
        #expect(json["cache"] == [:])
        let request = try #require(json["request"])
        #expect(request["method"] == "POST")
        #expect(request["url"] == "https://h/a?q=x+y&token=REDACTED")
        #expect(request["httpVersion"] == "HTTP/1.1")
        #expect(
            request["queryString"]
                == [["name": "q", "value": "x y"], ["name": "token", "value": "REDACTED"]])
        #expect(
            request["cookies"] == [["name": "a", "value": "REDACTED"], ["name": "b", "value": "REDACTED"]])
        #expect(request["headers"]?[1] == ["name": "Authorization", "value": "Bearer REDACTED"])
        #expect(request["postData"] == ["mimeType": "text/plain", "text": "hello"])
        #expect(request["headersSize"] == 115)
        #expect(request["bodySize"] == 5)
        let answer = try #require(json["response"])
        #expect(answer["status"] == 302)
        #expect(answer["statusText"] == "Reason")
        #expect(answer["redirectURL"] == "/next?token=REDACTED")
        #expect(answer["bodySize"] == 30)
        #expect(answer["cookies"]?[0]?["value"] == "REDACTED")
        #expect(answer["cookies"]?[0]?["path"] == "/p")
        #expect(answer["cookies"]?[0]?["httpOnly"] == true)
        #expect(answer["cookies"]?[0]?["secure"] == true)
        #expect(
            answer["content"] == [
                "size": 19, "compression": -11, "mimeType": "application/json", "text": #"{"token":"REDACTED","n":1}"#,
            ])
        let line = "HTTP/1.1 302 Reason\r\n".utf8.count
        let header = response.headers.fields.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        #expect(answer["headersSize"] == .number(JSONNumber(line + header)))
    }

    @Test("Unknown values are -1, and a binary body is encoded in Base64")
    func unknown() throws {
        var response = try Self.response("http://h/", headers: ["Content-Type": "image/png"], content: [0, 255])
        var metrics = ExchangeMetrics()
        metrics.reusedConnection = true
        response.metrics = metrics
        response.head.version = .http2
        let json = HAREntry(response).json
        for name in ["dns", "connect", "ssl"] { #expect(json["timings"]?[name] == -1) }
        for name in ["blocked", "send", "wait", "receive"] { #expect(json["timings"]?[name] == 0) }
        #expect(json["time"] == 0)
        #expect(json["request"]?["headersSize"] == -1)
        #expect(json["response"]?["headersSize"] == -1)
        #expect(json["response"]?["bodySize"] == 2)
        #expect(
            json["response"]?["content"] == ["size": 2, "mimeType": "image/png", "text": "AP8=", "encoding": "base64"])
    }

    @Test("Forms are written as parameters, and other request bodies as text, Base64, or a comment")
    func bodies() throws {
        let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]
        func data(_ headers: HTTPHeaders, _ body: RequestBody) throws -> JSONValue? {
            HAREntry(
                try Self.response(method: .post, sent: headers, body: body), options: HAROptions(maximumBodyBytes: 40)
            )
            .json["request"]?["postData"]
        }
        #expect(
            try data(form, .text("a=1+2&password=x")) == [
                "mimeType": "application/x-www-form-urlencoded; charset=utf-8",
                "params": [["name": "a", "value": "1 2"], ["name": "password", "value": "REDACTED"]],
            ])
        #expect(try data([:], .bytes([0]))?["text"] == "AA==")
        #expect(try data([:], .bytes([0]))?["comment"] == "the text is base64-encoded")
        #expect(try data([:], .file(path: "/f"))?["comment"] == "the contents of the file /f")
        #expect(
            try data([:], .text(String(repeating: "x", count: 41)))?["comment"] == "the body of 41 bytes was omitted")
    }

    @Test("Secrets in a compressed body are redacted in HAR files and curl commands")
    func compressed() throws {
        let coded = try ContentCoding.gzip.encode(Array(#"{"password":"x"}"#.utf8))
        let response = try Self.response(
            "http://h/", method: .post,
            sent: ["Content-Type": "application/json", "Content-Encoding": "gzip", "User-Agent": "x", "Accept": "*/*"],
            body: .bytes(coded))
        let data = HAREntry(response).json["request"]?["postData"]
        #expect(data?["text"] == #"{"password":"REDACTED"}"#)
        #expect(data?["comment"] == "the body was sent compressed")
        #expect(
            response.curlCommand().text
                == "curl http://h/ --data-raw '{\"password\":\"REDACTED\"}' -H 'Content-Type: application/json' "
                + "-H 'User-Agent: x'  # the body was sent compressed")
        #expect(response.curlCommand(redaction: nil).text.contains("-H 'Content-Encoding: gzip'"))
    }

    @Test("A recorder creates a separate entry for each redirect and each attempt")
    func recorder() async throws {
        let recorder = HARRecorder()
        let transport = ScriptedTransport()
        transport.answer(.get, "/a", with: .response(302, ["Location": "/b"]))
        transport.answer(
            .get, "/b", with: .response(503, [:], "busy"), .failure(.connectionReset), .response(200, [:], "done"))
        transport.answer(.get, "/c", with: .pieces(200, [:], [[1], [2]]))
        var configuration = SessionConfiguration(baseURL: "http://h/")
        configuration.monitors = [recorder]
        configuration.adapters = [APIKeyAuthentication(.header("X-Own-Key"), value: "hidden")]
        let session = Session(configuration: configuration, transport: transport)
        _ = try await session.get("a").retry(with: RetryPolicy(scale: .zero)).response()
        let entries = recorder.entries
        #expect(entries.map(\.request.url) == ["/a", "/b", "/a", "/b", "/a", "/b"].map { "http://h" + $0 })
        #expect(entries.map(\.response.status) == [302, 503, 302, 0, 302, 200])
        #expect(
            entries.map(\.comment) == [
                nil, nil, "attempt 2", "attempt 2; failed: connectionReset (receive)", "attempt 3", "attempt 3",
            ])
        #expect(entries[5].response.content.text == "done")
        #expect(entries[0].response.redirectURL == "/b")
        let text = String(decoding: recorder.log().serialized(), as: UTF8.self)
        #expect(text.contains("X-Own-Key") && !text.contains("hidden"))
        let streamed = try await session.get("c").stream()
        #expect(recorder.entries.last?.response.content.comment == "the body was streamed and is not recorded")
        _ = try await streamed.body.collect()
        _ = await ExchangeTests.failure { try await session.get("http://[").response() }
        #expect(recorder.entries.last?.request.url == "http://[")
        #expect(recorder.entries.last?.comment == "failed: invalidURL (request)")
    }

    @Test("A recorder keeps the newest entries within its limits")
    func bounds() async throws {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200, [:], String(repeating: "x", count: 1000)))
        func record(_ recorder: HARRecorder) async throws -> HARRecorder {
            var configuration = SessionConfiguration(baseURL: "http://h/")
            configuration.monitors = [recorder]
            let session = Session(configuration: configuration, transport: transport)
            for number in 1...200 { _ = try await session.get("\(number)").response() }
            return recorder
        }
        let byNumber = try await record(HARRecorder(maximumEntries: 3))
        #expect(byNumber.entries.map(\.request.url) == [198, 199, 200].map { "http://h/\($0)" })
        #expect(byNumber.droppedEntries == 197)
        #expect(byNumber.log().comment == "197 older entries were dropped")
        let bySize = try await record(HARRecorder(maximumBytes: 10_000))
        #expect((2...9).contains(bySize.entries.count))
        byNumber.removeAll()
        #expect(byNumber.entries.isEmpty && byNumber.droppedEntries == 0)
    }

    @Test("The entries of a response or an error include its redirects in order")
    func entries() throws {
        var response = try Self.response("http://h/b")
        response.history = [try Self.response("http://h/a", status: 302)]
        let entries = HAREntry.entries(of: response, startedAt: 0)
        #expect(entries.map(\.request.url) == ["http://h/a", "http://h/b"])
        #expect(entries.map(\.startedDateTime) == ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.023Z"])
        let error = SessionError(
            phase: .receive, reason: .connectionReset, message: "reset", method: .get, url: "http://h/b?token=t",
            history: response.history)
        let failed = HAREntry.entries(of: error, startedAt: 0)
        #expect(failed.map(\.response.status) == [302, 0])
        #expect(failed.last?.request.url == "http://h/b?token=REDACTED")
        #expect(HARLog(response).entries.count == 2)
    }

    @Test("A HAR file can be decoded, and both ways of writing it agree")
    func file() async throws {
        let response = try Self.response(headers: ["Content-Type": "text/plain"], content: Array("text".utf8))
        let log = HARLog(entries: [HAREntry(response, startedAt: 1)])
        let bytes = log.serialized(.pretty)
        #expect(try JSONDecoder().decode(HARLog.self, from: Data(bytes)) == log)
        let written = try JSONEncoder().encode(log)
        #expect(try JSONValue(parsing: Array(written)) == log.json)
        #expect(log.json["log"]?["version"] == "1.2")
        #expect(log.json["log"]?["creator"]?["name"] == "HTTPSession")
    }
}
