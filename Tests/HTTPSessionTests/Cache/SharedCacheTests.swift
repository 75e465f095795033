import TestSupport
import Testing

@testable import HTTPSession

@Suite("Shared response cache")
struct SharedCacheTests {
    private let time = ResponseCacheTests.Time()

    /// Returns the texts of consecutive responses of a server that numbers the requests.
    private func texts(
        _ response: HTTPHeaders, _ requests: [HTTPHeaders], in kind: ResponseCache.Kind = .shared,
        credentials: [String] = [], pass: Double = 0
    ) async throws -> [String] {
        let transport = ScriptedTransport()
        let responses = (1...requests.count).map { ScriptedTransport.Answer.response(200, response, "\($0)") }
        for answer in responses { transport.answer(.get, "/a", with: answer) }
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.cache = ResponseCache(kind)
        configuration.clock = time.clock
        let session = Session(configuration: configuration, transport: transport)
        var texts: [String] = []
        for headers in requests {
            var request = Request(.get, url: "a", headers: headers)
            request.credentialFields = credentials
            let known = transport.requests.count
            _ = try await session.request(request).response()
            texts.append(transport.requests.count > known ? "sent" : "kept")
            time.pass(pass)
        }
        return texts
    }

    @Test(
        "Authenticated users never receive each other's responses", arguments: ["Authorization", "Cookie", "X-Key"])
    func users(_ field: String) async throws {
        for control in ["max-age=60", "public, max-age=60", "s-maxage=60", "must-revalidate, max-age=60"] {
            let texts = try await texts(
                ["Cache-Control": control], [[field: "ada"], [field: "bob"], [:]], credentials: ["X-Key"])
            #expect(texts == ["sent", "sent", "sent"], "\(control)")
        }
    }

    @Test("A response to an authorized request is reused for that user if its directives allow it")
    func authorized() async throws {
        let ada: HTTPHeaders = ["Authorization": "Bearer ada"]
        for control in ["public, max-age=60", "s-maxage=60", "must-revalidate, max-age=60"] {
            #expect(try await texts(["Cache-Control": control], [ada, ada]) == ["sent", "kept"], "\(control)")
        }
        #expect(try await texts(["Cache-Control": "max-age=60"], [ada, ada]) == ["sent", "sent"])
        #expect(try await texts(["Cache-Control": "max-age=60"], [ada, ada], in: .private) == ["sent", "kept"])
    }

    @Test("Private responses and responses that set cookies are stored only by a private cache")
    func privateResponses() async throws {
        let headers: [HTTPHeaders] = [
            ["Cache-Control": "private, max-age=60"], ["Cache-Control": "max-age=60, private=\"X-User\""],
            ["Cache-Control": "max-age=60", "Set-Cookie": "session=ada"],
        ]
        for response in headers {
            #expect(try await texts(response, [[:], [:]]) == ["sent", "sent"], "\(response)")
            #expect(try await texts(response, [[:], [:]], in: .private) == ["sent", "kept"], "\(response)")
        }
        let isPublic: HTTPHeaders = ["Cache-Control": "public, max-age=60", "Set-Cookie": "theme=dark"]
        #expect(try await texts(isPublic, [[:], [:]]) == ["sent", "kept"])
    }

    @Test("A shared cache stores responses separately for each cookie value")
    func cookies() async throws {
        let response: HTTPHeaders = ["Cache-Control": "max-age=60"]
        let requests: [HTTPHeaders] = [["Cookie": "id=ada"], ["Cookie": "id=bob"], ["Cookie": "id=ada"], [:]]
        #expect(try await texts(response, requests) == ["sent", "sent", "kept", "sent"])
        #expect(try await texts(response, requests, in: .private) == ["sent", "kept", "kept", "kept"])
    }

    @Test("s-maxage overrides max-age in a shared cache")
    func sharedLifetime() async throws {
        let response: HTTPHeaders = ["Cache-Control": "max-age=5, s-maxage=60"]
        #expect(try await texts(response, [[:], [:]], pass: 30) == ["sent", "kept"])
        #expect(try await texts(response, [[:], [:]], in: .private, pass: 30) == ["sent", "sent"])
        let short: HTTPHeaders = ["Cache-Control": "max-age=60, s-maxage=5"]
        #expect(try await texts(short, [[:], ["Cache-Control": "max-stale"]], pass: 30) == ["sent", "sent"])
    }

    @Test(
        "Requests with different Host fields or Unix domain sockets do not share responses",
        arguments: [ResponseCache.Kind.shared, .private])
    func otherServers(_ kind: ResponseCache.Kind) async throws {
        let response: HTTPHeaders = ["Cache-Control": "max-age=60"]
        #expect(
            try await texts(response, [["Host": "a"], ["Host": "b"], ["Host": "a"]], in: kind) == [
                "sent", "sent", "kept",
            ])
        let transport = ScriptedTransport()
        transport.answer(.get, "/a", with: .response(200, response, "x"))
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.cache = ResponseCache(kind)
        let session = Session(configuration: configuration, transport: transport)
        for socket in [nil, "/run/a", "/run/b", "/run/a"] {
            var options = ConnectionOptions()
            options.unixSocket = socket
            let connection = options
            _ = try await session.get("a").with { $0.connection = connection }.response()
        }
        #expect(transport.requests.count == 3)
    }

    @Test("An invalid lifetime is ignored, and an excessive lifetime is clamped")
    func lifetimes() async throws {
        #expect(try await texts(["Cache-Control": "max-age=+60"], [[:], [:]]) == ["sent", "sent"])
        let long: HTTPHeaders = ["Cache-Control": "max-age=99999999999999999999", "Age": "nan"]
        #expect(try await texts(long, [[:], [:]]) == ["sent", "kept"])
        let old: HTTPHeaders = ["Cache-Control": "max-age=60", "Age": "99999999999999999999"]
        #expect(try await texts(old, [[:], [:]]) == ["sent", "sent"])
    }
}
