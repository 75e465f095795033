public import NIOCore
import NIOPosix
import Synchronization

/// HTTP/1.1 over TCP and TLS on SwiftNIO, with kept-alive connections per event loop.
///
/// A task that runs on one of the transport's event loops (see ``executors``) makes its exchanges there and crosses no
/// thread. Any other task is moved to one of the loops for the time of the exchange.
public final class NIOTransport: Transport {
    /// Settings of a transport.
    public struct Settings: Sendable {
        /// The largest number of connections to one origin on each event loop; more exchanges than that wait.
        public var connectionsPerOrigin: Int
        /// How long a connection is kept without an exchange.
        public var idleConnectionTimeout: Duration {
            didSet { idleNanoseconds = MonotonicClock.nanoseconds(idleConnectionTimeout) }
        }
        private(set) var idleNanoseconds: UInt64
        /// How long a connection has been idle before what may wait on it is looked for, in nanoseconds.
        var lookNanoseconds: UInt64 = 1_000_000
        /// How long an address of a host is waited for before the next is tried besides (RFC 8305 section 5).
        public var connectionAttemptDelay = Duration.milliseconds(250)
        /// How long an HTTP/2 server may take to answer the ping that follows a stream which did not end as it should.
        var probeLimits = HTTP2Probe.Limits()

        /// Creates settings; without arguments 256 connections, kept for 30 seconds.
        public init(connectionsPerOrigin: Int = 256, idleConnectionTimeout: Duration = .seconds(30)) {
            self.connectionsPerOrigin = max(1, connectionsPerOrigin)
            self.idleConnectionTimeout = idleConnectionTimeout
            idleNanoseconds = MonotonicClock.nanoseconds(idleConnectionTimeout)
        }
    }

    private final class Loop: Sendable {
        let executor: EventLoopTaskExecutor
        let pool: NIOLoopBoundBox<ConnectionPool>
        /// How many exchanges are here for tasks that run elsewhere.
        let visitors = Atomic<Int>(0)

        init(executor: EventLoopTaskExecutor, pool: NIOLoopBoundBox<ConnectionPool>) {
            self.executor = executor
            self.pool = pool
        }
    }

    /// The event loops with their pools; made when first needed, and fixed from then on, so reading takes no lock.
    private final class Engine: Sendable {
        let loops: [Loop]
        /// Whether there was an exchange.
        private let wasUsed = Atomic(false)
        private let isClosed = Atomic(false)

        init(group: any EventLoopGroup, settings: Settings) {
            let certificates = TLSContexts()
            let idleLives = IdleLives()
            loops = group.makeIterator().map { eventLoop in
                Loop(
                    executor: EventLoopTaskExecutor(eventLoop),
                    pool: NIOLoopBoundBox.makeBoxSendingValue(
                        ConnectionPool(
                            eventLoop: eventLoop, settings: settings, certificates: certificates, idleLives: idleLives),
                        eventLoop: eventLoop))
            }
        }

        /// Takes note of an exchange, without which there is nothing to close.
        func noteUse() {
            if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .releasing) }
        }

        /// Ends all exchanges and closes all connections.
        func close() async {
            // The event loops may be gone, which nobody needs to know who has not used them.
            guard wasUsed.load(ordering: .acquiring) else { return }
            isClosed.store(true, ordering: .releasing)
            for loop in loops {
                try? await loop.executor.eventLoop.flatSubmit { loop.pool.value.close() }.get()
            }
        }

        /// Closes connections as soon as they are idle; exchanges under way and bodies that are read go on.
        func abandon() {
            guard wasUsed.load(ordering: .acquiring), !isClosed.load(ordering: .acquiring) else { return }
            for loop in loops { loop.executor.eventLoop.execute { loop.pool.value.abandon() } }
        }

        /// The event loop that the caller runs on, if it is one of these.
        func current() -> Loop? {
            guard let current = MultiThreadedEventLoopGroup.currentEventLoop else { return nil }
            return loops.first { $0.executor.eventLoop === current }
        }

        /// The event loop with the fewest visitors; one exchange after the other finds the same, and its connections.
        func leastBusy() -> Loop? {
            var best: (loop: Loop, visitors: Int)?
            for loop in loops {
                let visitors = loop.visitors.load(ordering: .relaxed)
                if visitors == 0 { return loop }
                if visitors < best?.visitors ?? Int.max { best = (loop, visitors) }
            }
            return best?.loop
        }
    }

    private let settings: Settings
    /// The engine on a group that was given.
    private let given: Engine?
    /// The engine on the event loops that are shared in a process, which are started when they are needed.
    private let shared = AtomicLazyReference<Engine>()

    /// Creates a transport; connections are made when first needed.
    /// - Parameters:
    ///   - group: The event loops to work on; nil for those that SwiftNIO shares in a process.
    ///   - settings: Numbers and times of connections.
    public init(group: (any EventLoopGroup)? = nil, settings: Settings = .init()) {
        self.settings = settings
        given = group.map { Engine(group: $0, settings: settings) }
    }

    /// Closes idle connections of a transport that nobody has closed.
    deinit { engine?.abandon() }

    /// One executor for each event loop, to be preferred by tasks that make exchanges.
    public var executors: [EventLoopTaskExecutor] { loadEngine().loops.map(\.executor) }

    /// The engine, if it is there.
    private var engine: Engine? { given ?? shared.load() }

    private func loadEngine() -> Engine {
        engine ?? shared.storeIfNil(Engine(group: MultiThreadedEventLoopGroup.singleton, settings: settings))
    }

    /// Sends a request and waits for the response, or for its head where the body is streamed.
    ///
    /// A streamed body of the response is read, and its time limits run, until it ends or is let go of; the task that
    /// called may have ended before. A body that is made while it is sent is read in a child task of the caller's: a
    /// reader should end soon when its task is cancelled, which it is once the response no longer needs it.
    public nonisolated(nonsending) func send(
        _ request: TransportRequest
    ) async throws(SessionError) -> TransportResponse {
        if let engine, let loop = engine.current(), !request.body.isStream {
            engine.noteUse()
            return try await Self.exchange(request, nil, nil, on: loop).get()
        }
        return try await send(request, upgrade: nil)
    }

    @concurrent
    private func send(
        _ request: TransportRequest, upgrade: TransportExchange.Upgrade?
    ) async throws(SessionError) -> TransportResponse {
        let engine = loadEngine()
        engine.noteUse()
        if let loop = engine.current() {
            return try await Self.exchange(request, upgrade, on: loop, reader: loop.executor).get()
        }
        guard let loop = engine.leastBusy() else {
            throw SessionError(
                phase: .request, reason: .sessionClosed, message: "the event loop group has no event loop",
                method: request.method, url: request.url.description)
        }
        loop.visitors.wrappingAdd(1, ordering: .relaxed)
        defer { loop.visitors.wrappingSubtract(1, ordering: .relaxed) }
        let result = await withTaskExecutorPreference(loop.executor) {
            await Self.exchange(request, upgrade, on: loop, reader: globalConcurrentExecutor)
        }
        return try result.get()
    }

    /// Makes a connection as for a request and closes it; nothing is sent.
    public func connect(_ request: TransportRequest) async throws(SessionError) {
        var request = request
        request.connectsOnly = true
        request.body = .empty
        _ = try await send(request)
    }

    /// Makes an exchange; runs on the event loop, as the task's preferred executor.
    @concurrent
    private static func exchange(
        _ request: TransportRequest, _ upgrade: TransportExchange.Upgrade?, on loop: Loop,
        reader executor: any TaskExecutor
    ) async -> Result<TransportResponse, SessionError> {
        guard case .stream(let source) = request.body else { return await exchange(request, upgrade, nil, on: loop) }
        let feed = RequestBodyFeed(source, eventLoop: loop.executor.eventLoop)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: executor) { await feed.run() }
            let result = await exchange(request, upgrade, feed, on: loop)
            group.cancelAll()
            return result
        }
    }

    /// Makes an exchange; the caller runs on the event loop.
    private nonisolated(nonsending) static func exchange(
        _ request: TransportRequest, _ upgrade: TransportExchange.Upgrade?, _ feed: RequestBodyFeed?, on loop: Loop
    ) async -> Result<TransportResponse, SessionError> {
        let id = loop.pool.value.makeID()
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                loop.pool.value.start(
                    request, id: id, isCancelled: Task.isCancelled, feed: feed, upgrade: upgrade,
                    continuation: continuation)
            }
        } onCancel: {
            loop.executor.eventLoop.execute { loop.pool.value.cancel(id) }
        }
    }

    /// Ends all exchanges and closes all connections; the event loops keep running.
    public func close() async {
        await engine?.close()
    }
}

extension NIOTransport: UpgradingTransport {
    /// Asks a server to change the protocol on a connection of its own (RFC 9110 section 7.8).
    public func upgrade<Value: Sendable>(
        _ request: TransportRequest, configure: @escaping @Sendable (any Channel, ResponseHead) throws -> Value
    ) async throws(SessionError) -> UpgradeResult<Value> {
        var request = request
        if request.connection.version == .automatic { request.connection.version = .http11 }
        let made = Mutex<Value?>(nil)
        let response = try await send(request) { channel, head in
            let value = try configure(channel, head)
            made.withLock { $0 = value }
        }
        guard let value = made.withLock({ $0 }) else { return .refused(response) }
        return .upgraded(response, value)
    }
}

extension RequestBody {
    /// Whether the body is made while it is sent.
    fileprivate var isStream: Bool {
        if case .stream = self { true } else { false }
    }
}
