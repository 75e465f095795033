import FoundationEssentials
import HTTPSession
import Logging

/// The code in the tables of the migration articles: each expression there is somewhere here.
enum MigrationSnippets {
    typealias Book = GuideSnippets.Book

    static func requests(_ session: Session, jar: CookieJar) async throws {
        _ = SessionConfiguration(baseURL: "https://api.example.org/v1/")
        await session.close()
        let book = Book(id: 1, title: "Emma")
        let url = "books"
        _ = session.get(url)
        _ = session.get(url, query: ["q": "dune"])
        _ = session.post(url, json: book)
        _ = session.post(url, form: ["user": "ada"])
        _ = session.request(.get, url, parameters: book, encoder: .form(.alamofire))
        _ = session.request(.post, url, parameters: book, encoder: .json)
        _ = session.get(url).with { $0.timeouts = .total(.seconds(5)) }
        _ = session.get(url).with { $0.headers.set("Accept", "text/csv") }
        _ = session.get(url).with { $0.url += "?page=2" }
        _ = session.request(.post, url, parameters: book, encoder: .propertyList)
        _ = QueryEncoder(arrays: .noBrackets, bools: .literal)
        _ = QueryEncoder.afNetworking
        _ = QueryEncoder.alamofireSortingArrays
        _ = ParameterDestination.methodDependent(inQuery: [.get, .head])
        _ = session.post(url, multipart: MultipartFormData())
        _ = session.put(url, body: .file(path: "/srv/backup")).upload()
        _ = session.get(url).download(to: "/srv/file")
        _ = DownloadOptions(resumes: true)
        _ = session.get(url).bytes()
        _ = session.get(url).lines()
        _ = session.get(url).serverSentEvents()
        _ = try await session.webSocket("wss://example.org/")
        _ = Task { try await session.get(url).response() }
        _ = try session.get(url).curlCommand()
        var request = Request(.post, url)
        request.compression = .gzip
        request.bytesPerSecond = 1 << 20
        _ = SessionConfiguration(headers: ["Accept-Language": "de"])
        _ = session.configuration.cookies
        _ = SessionConfiguration(cookies: CookieJar())
        try await jar.save(to: "cookies.txt", format: .netscape)
    }

    static func responses(_ session: Session) async throws {
        let exchange = session.get("books")
        _ = exchange.validate()
        _ = exchange.validate(.status(200..<300))
        _ = exchange.validate(.contentType(["application/json"]))
        _ = exchange.validate(Validator { $0.body.isEmpty ? "nothing" : nil })
        _ = try await exchange.response()
        _ = try await exchange.data()
        _ = try await exchange.string()
        _ = try await exchange.json()
        _ = try await exchange.json(removingNulls: true)
        _ = try await exchange.decode(Book.self)
        _ = try await exchange.decode([Book].self, preprocessors: [.xssiPrefix])
        _ = try await exchange.decode(Empty.self)
        _ = try await exchange.serialize(with: .xml)
        _ = try await exchange.serialize(with: .propertyList)
        _ = try await exchange.serialize(with: .image)
        _ = CompoundResponseSerializer<String>([StringResponseSerializer()])
        _ = try await exchange.stream().body.collect(limit: 1 << 20)
        let response = try await exchange.response()
        _ = response.metrics
        _ = response.attempts
        _ = response.history
        _ = response.headers.values("Set-Cookie")
        _ = try response.json()
    }

    static func stages(_ session: Session, interceptor: DigestAuthentication) throws {
        var configuration = SessionConfiguration()
        let exchange = session.get("books")
        _ = exchange.adapt(with: .bearer("token"))
        _ = exchange.retry(with: .retryPolicy)
        _ = exchange.intercept(with: interceptor)
        configuration.intercept(with: interceptor)
        configuration.retriers = [RetryPolicy()]
        configuration.retriers = [ConnectionLostRetryPolicy()]
        configuration.retriers = [ReachabilityRetrier()]
        configuration.retriers = [RetryPolicy(jitter: .full, budget: .seconds(30))]
        configuration.monitors = [LoggingMonitor()]
        configuration.monitors = [CompositeMonitor(HARRecorder(), EventStream())]
        configuration.redirects = RedirectPolicy.none
        configuration.redirects = .ask { _ in .stop }
        configuration.cache = ResponseCache()
        configuration.cachePolicy = .cacheElseLoad
        configuration.coalescesRequests = true
        configuration.cookies = CookieJar()
        configuration.timeouts = .total(.seconds(5))
        configuration.connection.tls.trust = .authorities(["ca.pem"])
        configuration.connection.tls.trust = .pinned(certificates: ["server.pem"])
        configuration.connection.tls.trust = .system.pinning(keys: [])
        configuration.connection.tls.trust = .perHost([:], otherwise: .system)
        configuration.connection.tls.trust = .all(of: [.system, .pinned(keys: [])])
        configuration.connection.tls.trust = .insecure
        configuration.connection.tls.trust = .system.withoutHostNameCheck
        configuration.connection.tls.identity = ClientIdentity(certificate: "c.pem", key: "k.pem")
        configuration.connection.proxy = .proxy(try Proxy("http://proxy:3128"))
    }

    static func waiting(_ session: Session) async throws {
        try await session.waitUntilReachable("db", port: 5432)
        _ = Session(transport: ScriptedTransport())
        let exchange = session.get("books")
        _ = exchange.onUploadProgress { print($0.completed) }
        _ = exchange.adapt(with: .basic(username: "ada", password: "secret"))
    }
}
