import HTTPSession
import LoadSupport
import NIOCore
import NIOPosix

/// Sends the requests with HTTPSession: one session, one task for each request in flight.
@main
enum SessionLoad {
    static func main() async {
        let options = LoadOptions.fromCommandLine()
        let result = await run(options)
        result.conclude()
    }

    // `main` belongs to the main actor, but the work must not.
    @concurrent
    private static func run(_ options: LoadOptions) async -> LoadResult {
        let loops = options.loops ?? (options.plainTasks ? nil : 1)
        let transport = NIOTransport(group: loops.map { MultiThreadedEventLoopGroup(numberOfThreads: $0) })
        var configuration = SessionConfiguration()
        configuration.connection.version =
            switch options.version {
            case .http1: .http11
            case .http2, .http2PriorKnowledge: .http2
            }
        if let authorities = options.authorities { configuration.connection.tls.trust = .authorities([authorities]) }
        let session = Session(configuration: configuration, transport: transport)
        let executors: [EventLoopTaskExecutor?] = options.plainTasks ? [nil] : transport.executors
        let counter = LoadCounter(options.count)
        let result = await withTaskGroup(of: LoadResult.self) { group in
            for index in 0..<options.inFlight {
                group.addTask(executorPreference: executors[index % executors.count]) {
                    await send(options, session, counter)
                }
            }
            var result = LoadResult()
            for await part in group { result.add(part) }
            return result
        }
        await session.close()
        return result
    }

    private static func send(_ options: LoadOptions, _ session: Session, _ counter: LoadCounter) async -> LoadResult {
        var result = LoadResult()
        let version = options.version == .http1 ? HTTPVersion.http11 : .http2
        while counter.take() {
            do {
                let response = try await session.send(Request(.get, url: options.url))
                result.count(
                    status: response.status, bytes: response.body.count,
                    isExpectedVersion: response.version == version)
            } catch {
                result.fail("\(error)")
            }
        }
        return result
    }
}
