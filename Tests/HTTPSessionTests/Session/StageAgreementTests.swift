import Basics
import JSON
import Testing

@testable import HTTPSession

/// Compares requests that pass through the stages of a session with the same requests in a session without stages.
@Suite("Requests with and without stages")
struct StageAgreementTests {
    /// A stage that does nothing.
    private struct Bystander: EventMonitor, RequestAdapter, Retrier {
        func receive(_ event: SessionEvent, of request: RequestID) {}

        func adapt(_ request: Request, context: AttemptContext) async throws -> Request { request }

        func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision { .doNotRetry }
    }

    /// A request, the responses of the server, and the form in which the response is requested.
    private struct Scenario {
        enum Value: CaseIterable {
            case response, data, text, json
        }

        var request: Request
        var answers: [ScriptedTransport.Answer]
        var value: Value
        var keepsCookies: Bool
        var caches: Bool

        init(using random: inout SplitMix64) {
            func one<Element>(_ elements: [Element]) -> Element {
                elements[Int.random(in: elements.indices, using: &random)]
            }
            func isChosen(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

            let url = one([
                "http://a.example/one", "http://u:p@a.example/one?x=y#z", "/two", "three%20", "http://", "http://a b/",
            ])
            request = Request(one([.get, .get, .post, .head, .put, "B AD"]), url: url)
            let own: [HTTPHeaders] = [["X-Own": "1"], ["accept": "a/b", "Cookie": "c=d"], ["X": "a\nb"]]
            if isChosen(40) { request.headers = one(own) }
            if isChosen(40) { request.body = one([.text("hello"), .bytes([0, 1, 2]), .empty]) }
            if isChosen(20) { request.compression = .gzip }
            if isChosen(20) { request.decompress = false }
            if isChosen(20) { request.redirects = one([.never, .follow(maximum: 1)]) }
            if isChosen(10) { request.allowMalformed = true }
            value = one(Value.allCases)
            keepsCookies = isChosen(30)
            caches = isChosen(20)
            let codings: [HTTPHeaders] = [[:], ["Content-Encoding": "gzip"], ["Content-Encoding": "deflate, gzip"]]
            answers = (0..<4).map { number in
                var headers = one(codings)
                if isChosen(30) { headers.append(name: "Set-Cookie", value: "n\(number)=\(number); Path=/") }
                if isChosen(30) { headers.append(name: "Cache-Control", value: one(["max-age=60", "no-store"])) }
                headers.append(name: "Content-Type", value: one(["application/json", "text/plain; charset=latin1"]))
                let body = Array(one(["", "{}", "[1, 2", "caf\u{E9}"]).utf8)
                switch Int.random(in: 0..<10, using: &random) {
                case 0...2:
                    headers.append(name: "Location", value: one(["/next", "http://b.example/", "http://", "/one"]))
                    return .bytes(one([301, 303, 307, 308]), headers, body)
                case 3:
                    return .failure(one([.connectionReset, .connectionRefused]), phase: one([.connect, .receive]))
                default:
                    let coded = isChosen(80) ? (try? ContentEncoder.encode(body, headers)) ?? body : body
                    return .bytes(one([200, 201, 206, 304, 404, 500]), headers, coded)
                }
            }
        }

        /// Returns the response or the error as text, followed by the requests that were sent.
        func outcome(_ configuration: SessionConfiguration) async -> String {
            let transport = ScriptedTransport()
            transport.answer(where: { _ in true }, with: answers[0], answers[1], answers[2], answers[3])
            var configuration = configuration
            configuration.baseURL = "http://a.example/base/"
            configuration.cookies = keepsCookies ? CookieJar() : nil
            configuration.cache = caches ? ResponseCache() : nil
            let session = Session(configuration: configuration, transport: transport)
            var lines: [String] = []
            // The second request uses the cookies and the cached response of the first.
            for _ in 0..<2 {
                do throws(SessionError) {
                    let pending = session.request(request)
                    switch value {
                    case .response: lines.append(Self.text(try await pending.response()))
                    case .data: lines.append("\(try await pending.data() as [UInt8])")
                    case .text: lines.append(try await pending.string())
                    case .json: lines.append(try await pending.json().serialized())
                    }
                } catch {
                    lines.append(Self.text(error))
                }
            }
            for sent in transport.requests {
                lines.append("sent \(sent.method) \(sent.url) \(sent.headers.fields) \(Self.text(sent.body))")
            }
            await session.close()
            return lines.joined(separator: "\n")
        }

        private static func text(_ response: Response) -> String {
            let sent = response.request
            let history = response.history.map { text($0) }
            return "\(response.status) \(response.headers.fields) \(response.body) of \(sent.method) \(sent.url) "
                + "\(sent.headers.fields) \(text(sent.body)), cached: \(response.isFromCache), after \(history), "
                + "attempts: \(response.attempts.count)"
        }

        private static func text(_ error: SessionError) -> String {
            "\(error.phase) \(error.reason) \(error.message), attempt \(error.attempt) of \(error.method) \(error.url) "
                + "\(error.request.map { "\($0.headers.fields)" } ?? "-"), head \(error.head?.status ?? 0), "
                + "\(error.partialBody), response: \(error.response.map(text) ?? "-"), after \(error.history.map(text))"
        }

        private static func text(_ body: RequestBody) -> String {
            switch body {
            case .empty: "empty"
            case .bytes(let bytes): "\(bytes)"
            case .file(let path): path
            case .stream: "stream"
            }
        }
    }

    @Test("Stages without effect do not change the outcome of a request", arguments: 0..<8)
    func agreement(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        var successes = 0
        for _ in 0..<150 {
            let scenario = Scenario(using: &random)
            let plain = await scenario.outcome(SessionConfiguration())
            let bystander = Bystander()
            for configuration in [
                SessionConfiguration(monitors: [bystander]),
                SessionConfiguration(adapters: [bystander], retriers: [bystander]),
            ] {
                #expect(await scenario.outcome(configuration) == plain, "\(scenario.request)")
            }
            if plain.contains("sent") { successes += 1 }
        }
        #expect(successes > 50)
    }
}

extension ContentEncoder {
    /// Returns a body encoded with the content codings in a header.
    fileprivate static func encode(_ body: [UInt8], _ headers: HTTPHeaders) throws -> [UInt8] {
        try (ContentCoding.applied(in: headers) ?? []).reduce(body) { try $1.encode($0) }
    }
}
