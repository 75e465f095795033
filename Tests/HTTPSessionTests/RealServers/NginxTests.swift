import TestSupport
import Testing

@testable import HTTPSession

/// Tests of exchanges with nginx over HTTP/1.1, HTTP/2 over TLS, and HTTP/2 with prior knowledge.
@Suite("nginx", .enabled(if: NginxServer.isAvailable, "requires nginx and openssl"))
struct NginxTests {
    /// The protocol of the connection.
    enum Route: CaseIterable, Sendable {
        case plain
        case secureHTTP1
        case secureHTTP2
        case plainHTTP2

        var version: HTTPVersion { self == .plain || self == .secureHTTP1 ? .http11 : .http2 }
    }

    static let certificates = TestCertificates()

    static func serve(
        _ route: Route, _ configure: (inout SessionConfiguration) -> Void = { _ in },
        _ body: (Session, NginxServer) async throws -> Void
    ) async throws {
        let certificates = try #require(Self.certificates)
        let server = try #require(await NginxServer.start(certificates.valid))
        var configuration = SessionConfiguration(trust: .authorities([certificates.authority.certificate]))
        switch route {
        case .plain: configuration.baseURL = server.url
        case .secureHTTP1:
            configuration.baseURL = server.secureURL
            configuration.connection.version = .http11
        case .secureHTTP2: configuration.baseURL = server.secureURL
        case .plainHTTP2:
            configuration.baseURL = server.plainHTTP2URL
            configuration.connection.version = .http2
        }
        configure(&configuration)
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            try await body(session, server)
        }
    }

    @Test("Files, compressed files, ranges, statuses, and redirects are received", arguments: Route.allCases)
    func reading(_ route: Route) async throws {
        try await Self.serve(route) { session, _ in
            let hello = try await session.get("hello.txt").validate().response()
            #expect(hello.text == "hello from nginx\n")
            #expect(hello.version == route.version)
            #expect((hello.tls != nil) == (route == .secureHTTP1 || route == .secureHTTP2))

            let long = try await session.get("long.txt").response()
            #expect(long.headers["Content-Encoding"] == "gzip")
            #expect(long.body.count == 52_000)
            #expect(long.metrics.bodyBytesReceived < 5000)

            let part = try await session.get("hello.txt", headers: ["Range": "bytes=6-9"]).response()
            #expect(part.status == 206)
            #expect(part.text == "from")

            let unchanged = try await session.get(
                "hello.txt", headers: ["If-None-Match": hello.headers["ETag"] ?? ""]
            ).response()
            #expect(unchanged.status == 304)
            #expect(unchanged.body.isEmpty)

            let head = try await session.head("long.txt").response()
            #expect(head.status == 200)
            #expect(head.body.isEmpty)

            let empty = try await session.get("status/204").response()
            #expect(empty.status == 204)

            let moved = try await session.get("old").response()
            #expect(moved.text == "hello from nginx\n")
            #expect(moved.history.map(\.status) == [301])

            let missing = await ExchangeTests.failure { try await session.get("status/404").validate().response() }
            #expect(missing?.reason == .unacceptableResponse)
            #expect(missing?.response?.text == "nothing here")
        }
    }

    @Test(
        "Uploads succeed, including after a redirect that preserves the method and the body", arguments: Route.allCases)
    func uploading(_ route: Route) async throws {
        try await Self.serve(route) { session, _ in
            let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let created = try await session.put("upload/a/large.bin", body: .bytes(bytes)).response()
            #expect(created.status == 201)
            let back = try await session.get("upload/a/large.bin").data()
            #expect(back == bytes)
            let kept = try await session.put("keep", body: .text("kept")).response()
            #expect(kept.status == 201)
            #expect(kept.history.map(\.status) == [307])
            let text = try await session.get("upload/kept.txt").string()
            #expect(text == "kept")
        }
    }

    @Test(
        "Credentials in the URL are accepted, and a request without credentials is rejected", arguments: Route.allCases)
    func authentication(_ route: Route) async throws {
        try await Self.serve(route) { session, server in
            let refused = try await session.get("private/hello.txt").response()
            #expect(refused.status == 401)
            #expect(refused.headers["WWW-Authenticate"] == #"Basic realm="Restricted""#)
            let base = session.configuration.baseURL ?? ""
            let url = base.replacing("://", with: "://ada:lovelace@") + "/private/hello.txt"
            let accepted = try await session.get(url).response()
            #expect(accepted.status == 200)
        }
    }

    @Test("Hundreds of concurrent requests succeed", arguments: Route.allCases)
    func concurrency(_ route: Route) async throws {
        try await Self.serve(route) { session, _ in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<300 { group.addTask { try await session.get("book.json").validate().data().count } }
                for try await count in group { #expect(count == 31) }
            }
        }
    }
}
