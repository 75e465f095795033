import AsyncHTTPClient
import LoadSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sends the requests with async-http-client: one client, one task for each request in flight.
@main
enum AHCLoad {
    static func main() async {
        let options = LoadOptions.fromCommandLine()
        let result = await run(options)
        result.conclude()
    }

    // `main` belongs to the main actor, but the work must not.
    @concurrent
    private static func run(_ options: LoadOptions) async -> LoadResult {
        var configuration = HTTPClient.Configuration()
        switch options.version {
        case .http1: configuration.httpVersion = .http1Only
        case .http2: configuration.httpVersion = .automatic
        case .http2PriorKnowledge:
            LoadOptions.unsupported("async-http-client speaks HTTP/2 only where TLS has negotiated it")
        }
        // The default is 8, and further requests would have to wait.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = options.inFlight
        if let authorities = options.authorities {
            var security = TLSConfiguration.makeClientConfiguration()
            security.trustRoots = .file(authorities)
            configuration.tlsConfiguration = security
        }
        let client = HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup(numberOfThreads: options.loops ?? 1),
            configuration: configuration)
        let counter = LoadCounter(options.count)
        let result = await withTaskGroup(of: LoadResult.self) { group in
            for _ in 0..<options.inFlight {
                group.addTask { await send(options, client, counter) }
            }
            var result = LoadResult()
            for await part in group { result.add(part) }
            return result
        }
        try? await client.shutdown()
        return result
    }

    private static func send(_ options: LoadOptions, _ client: HTTPClient, _ counter: LoadCounter) async -> LoadResult {
        var result = LoadResult()
        let version = options.version == .http1 ? HTTPVersion.http1_1 : .http2
        while counter.take() {
            do {
                let request = HTTPClientRequest(url: options.url)
                let response = try await client.execute(request, deadline: .now() + .seconds(60))
                let body = try await response.body.collect(upTo: 1 << 20)
                result.count(
                    status: Int(response.status.code), bytes: body.readableBytes,
                    isExpectedVersion: response.version == version)
            } catch {
                result.fail("\(error)")
            }
        }
        return result
    }
}
