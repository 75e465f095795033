import TestSupport
import Testing

@testable import HTTPSession

@Suite("Redirects")
struct RedirectTests {
    static let ok = ExchangeTests.ok

    static func redirect(_ status: Int, _ location: String, _ headers: String = "") -> FaultyServer.Step {
        .send("HTTP/1.1 \(status) X\r\nLocation: \(location)\r\n\(headers)Content-Length: 0\r\n\r\n")
    }

    @Test("Credentials in the Location URL are sent")
    func credentialsInLocation() async throws {
        let target = try #require(FaultyServer([.receive, .send(Self.ok)]))
        defer { target.shutDown() }
        let location = "http://bob:pw@127.0.0.1:\(target.port)/end"
        try await ExchangeTests.with(FaultyServer([.receive, Self.redirect(302, location)])) { server, session in
            _ = try await session.get(server.url, headers: ["Authorization": "Bearer x"]).response()
            #expect(target.requestTexts.first?.contains("Authorization: Basic Ym9iOnB3\r\n") == true)
            #expect(target.requestTexts.first?.contains("Bearer") == false)
        }
    }

    @Test(
        "All Cookie fields are kept with and without a cookie jar, including after redirects", arguments: [false, true])
    func cookieFields(hasJar: Bool) async throws {
        let server = FaultyServer([.receive, Self.redirect(302, "/end"), .receive, .send(Self.ok)])
        var configuration = SessionConfiguration()
        if hasJar { configuration.cookies = CookieJar() }
        try await ExchangeTests.with(server, configuration) { server, session in
            let headers: HTTPHeaders = ["Cookie": "a=1", "cookie": "b=2"]
            _ = try await session.get(server.url, headers: headers).response()
            let first = try #require(server.requestTexts.first)
            #expect(hasJar ? first.contains("Cookie: a=1; b=2\r\n") : first.contains("Cookie: a=1\r\ncookie: b=2\r\n"))
            #expect(server.requestTexts.last?.contains("Cookie: a=1; b=2\r\n") == true)
        }
    }

    @Test(
        "The method and the body after a redirect depend on the status",
        arguments: [
            (301, HTTPMethod.get, HTTPMethod.get, false), (301, .post, .get, false), (301, .put, .put, true),
            (302, .post, .get, false), (302, .delete, .delete, true), (303, .post, .get, false),
            (303, .put, .get, false),
            (303, .head, .head, false), (307, .post, .post, true), (307, .put, .put, true), (308, .post, .post, true),
        ])
    func methods(status: Int, before: HTTPMethod, after: HTTPMethod, keepsBody: Bool) async throws {
        let end = before == .head ? "HTTP/1.1 200 OK\r\n\r\n" : Self.ok
        let server = FaultyServer([.receive, Self.redirect(status, "/next?a=b"), .receive, .send(end)])
        try await ExchangeTests.with(server) { server, session in
            let hasBody = before != .get && before != .head
            let response = try await session.request(
                Request(
                    before, url: server.url + "first#part", headers: hasBody ? ["Content-Type": "text/plain"] : [:],
                    body: hasBody ? .text("hi") : .empty)
            ).response()
            let second = try #require(server.requestTexts.last)
            #expect(second.hasPrefix("\(after) /next?a=b HTTP/1.1\r\n"))
            #expect(second.hasSuffix("hi") == keepsBody)
            #expect(second.contains("Content-Type") == keepsBody)
            #expect(response.status == 200)
            #expect(response.history.map(\.status) == [status])
            #expect(response.history.first?.url.path == "/first")
            #expect(response.url.description == server.url + "next?a=b#part")
            #expect(!response.leftSecureTransport)
        }
    }

    @Test(
        "A response is returned as is if it is not a redirect, lacks Location, or the policy is never",
        arguments: [300, 304, 305, 201])
    func notFollowed(status: Int) async throws {
        let server = FaultyServer([
            .receive, Self.redirect(status, "/next"), .receive, .send("HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n"),
            .receive, Self.redirect(302, "/next"),
        ])
        try await ExchangeTests.with(server) { server, session in
            let value1 = try await session.get(server.url).response().status
            #expect(value1 == status)
            let value2 = try await session.get(server.url).response().status
            #expect(value2 == 302)
            var request = Request(.get, url: server.url)
            request.redirects = .never
            let value3 = try await session.send(request).status
            #expect(value3 == 302)
        }
    }

    @Test("Credentials are not sent to another origin")
    func credentials() async throws {
        let other = try #require(FaultyServer([.receive, .send(Self.ok)]))
        defer { other.shutDown() }
        let server = FaultyServer([
            .receive, Self.redirect(302, "/same"), .receive, Self.redirect(302, other.url + "other"),
        ])
        try await ExchangeTests.with(server) { server, session in
            let secrets: HTTPHeaders = ["Authorization": "a", "Cookie": "b=c", "Proxy-Authorization": "d", "X": "e"]
            let response = try await session.get(server.url, headers: secrets).response()
            #expect(response.history.count == 2)
            let same = try #require(server.requestTexts.last)
            #expect(same.contains("Authorization: a\r\n") && same.contains("Cookie: b=c\r\n"))
            let last = try #require(other.requestTexts.first)
            #expect(!last.contains("Authorization") && !last.contains("Cookie"))
            #expect(last.contains("X: e\r\n"))
            #expect(last.contains("Host: 127.0.0.1:\(other.port)\r\n"))
        }
    }

    @Test("A redirect that sets a cookie may lead back to the same URL, and the cookie is sent")
    func cookies() async throws {
        let server = FaultyServer([
            .receive, Self.redirect(302, "/", "Set-Cookie: seen=1\r\n"), .receive, .send(Self.ok),
        ])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.get, url: server.url, headers: ["Cookie": "own=1"])
            let jar = CookieJar()
            request.cookies = .jar(jar)
            let value4 = try await session.send(request).status
            #expect(value4 == 200)
            #expect(server.requestTexts.last?.contains("Cookie: own=1; seen=1\r\n") == true)
            #expect(jar.cookie(named: "seen")?.value == "1")
        }
    }

    @Test("A selection of cookies also applies after a redirect")
    func selectedCookies() async throws {
        let server = FaultyServer([
            .receive, Self.redirect(302, "/to", "Set-Cookie: a=2\r\nSet-Cookie: c=3\r\n"), .receive, .send(Self.ok),
        ])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.get, url: server.url, headers: ["Cookie": "a=own"])
            let jar = CookieJar()
            jar.set(Cookie(name: "a", value: "1", domain: "127.0.0.1"))
            jar.set(Cookie(name: "b", value: "1", domain: "127.0.0.1"))
            request.cookies = .jar(jar, CookieSelection(withheld: ["b"], repeatsNames: true))
            let status = try await session.send(request).status
            #expect(status == 200)
            #expect(server.requestTexts.first?.contains("Cookie: a=1; a=own\r\n") == true)
            #expect(server.requestTexts.last?.contains("Cookie: a=2; c=3; a=own\r\n") == true)
        }
    }

    @Test("Redirect cycles, too many redirects, and invalid locations are errors that include the history")
    func errors() async throws {
        let server = FaultyServer(
            [.receive, Self.redirect(302, "/b"), .receive, Self.redirect(302, "/"), .waitForClose])
        try await ExchangeTests.with(server, transport: ConnectionTests.oneLoop()) { server, session in
            let cycle = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(cycle?.reason == .redirectCycle)
            #expect(cycle?.phase == .redirect)
            #expect(cycle?.history.map(\.url.path) == ["/"])
            #expect(cycle?.head?.status == 302)
        }
        let steps = (1...11).flatMap { [FaultyServer.Step.receive, Self.redirect(302, "/\($0)")] }
        try await ExchangeTests.with(FaultyServer(steps)) { server, session in
            let error = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(error?.reason == .tooManyRedirects(10))
            #expect(error?.history.count == 10)
            #expect(error?.message.hasPrefix("more than 10 redirects: the last leads from") == true)
        }
        try await ExchangeTests.with(FaultyServer(Array(steps.prefix(4)))) { server, session in
            var request = Request(.get, url: server.url)
            request.redirects = .follow(maximum: 1)
            let error = await ExchangeTests.failure { try await session.send(request) }
            #expect(error?.reason == .tooManyRedirects(1))
            #expect(error?.message.hasPrefix("more than 1 redirect: ") == true, "\(error?.message ?? "")")
        }
        try await ExchangeTests.with(FaultyServer([.receive, Self.redirect(302, "ftp://h/")])) { server, session in
            let error = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(error?.reason == .invalidRedirect)
            #expect(error?.message.contains("\"ftp\"") == true)
        }
    }

    @Test("The total timeout covers all redirects together")
    func timeout() async throws {
        let server = FaultyServer([.receive, Self.redirect(302, "/slow"), .receive, .waitForClose])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.get, url: server.url)
            request.timeouts = .total(.seconds(2))
            let error = await ExchangeTests.failure { try await session.send(request) }
            #expect(error?.reason == .timedOut(.total, .seconds(2)))
            #expect(error?.history.count == 1)
            #expect(error?.message.hasPrefix("timeout after 2 s (total) with 1 redirect, waiting for") == true)
        }
    }
}
