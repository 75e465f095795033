import Basics
public import NIOCore
import NIOPosix
import Synchronization

/// A transport on SwiftNIO: HTTP/1.1 and HTTP/2 over TCP and TLS, with a connection pool per event loop.
///
/// A task that runs on one of the transport's event loops (see ``executors``) performs its exchanges there, without a
/// thread hop. Any other task is moved to one of the loops for the duration of an exchange.
public final class NIOTransport: Transport {
    /// The settings of a transport.
    public struct Settings: Sendable {
        /// The maximum number of connections to one origin on each event loop; further exchanges wait.
        public var connectionsPerOrigin: Int
        /// The time for which an idle connection is kept.
        public var idleConnectionTimeout: Duration {
            didSet { idleNanoseconds = MonotonicClock.nanoseconds(idleConnectionTimeout) }
        }
        private(set) var idleNanoseconds: UInt64
        /// The idle time, in nanoseconds, after which a connection is checked for unsolicited data before its reuse.
        var lookNanoseconds: UInt64 = 1_000_000
        /// Whether a request of any method is sent again if the server closes a kept connection before it responds.
        ///
        /// The server may then process it twice. By default, only idempotent requests are sent again (RFC 9110, section
        /// 9.2.2).
        public var repeatsAllMethods = false
        /// The delay before the next address of a host is tried in parallel (RFC 8305, section 5).
        public var connectionAttemptDelay = Duration.milliseconds(250)
        /// Whether an event loop may poll for the response to its only request, during which it does nothing else.
        package var pollsForResponse = true
        /// The time limits for the response to the ping that follows an abnormally ended HTTP/2 stream.
        var probeLimits = HTTP2Probe.Limits()

        /// Creates settings; by default, at most 256 connections, kept for 30 seconds.
        public init(connectionsPerOrigin: Int = 256, idleConnectionTimeout: Duration = .seconds(30)) {
            self.connectionsPerOrigin = max(1, connectionsPerOrigin)
            self.idleConnectionTimeout = idleConnectionTimeout
            idleNanoseconds = MonotonicClock.nanoseconds(idleConnectionTimeout)
        }
    }

    private final class Loop: Sendable {
        let executor: EventLoopTaskExecutor
        let pool: NIOLoopBoundBox<ConnectionPool>
        /// The number of exchanges on this loop for tasks that run elsewhere.
        let visitors = Atomic<Int>(0)

        init(executor: EventLoopTaskExecutor, pool: NIOLoopBoundBox<ConnectionPool>) {
            self.executor = executor
            self.pool = pool
        }
    }

    /// The event loops with their pools, created on first use; they never change afterward, so reading takes no lock.
    private final class Engine: Sendable {
        let loops: [Loop]
        /// Whether there has been an exchange.
        private let wasUsed = Atomic(false)
        private let isClosed = Atomic(false)

        init(group: any EventLoopGroup, settings: Settings) {
            let certificates = TLSContexts()
            let idleTimeouts = IdleTimeouts()
            loops = group.makeIterator().map { eventLoop in
                Loop(
                    executor: EventLoopTaskExecutor(eventLoop),
                    pool: NIOLoopBoundBox.makeBoxSendingValue(
                        ConnectionPool(
                            eventLoop: eventLoop, settings: settings, certificates: certificates,
                            idleTimeouts: idleTimeouts),
                        eventLoop: eventLoop))
            }
        }

        /// Records an exchange; without any, there is nothing to close.
        func noteUse() {
            if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .releasing) }
        }

        /// Fails all exchanges and closes all connections.
        func close() async {
            // The event loops may have been shut down; that does not matter if they were never used.
            guard wasUsed.load(ordering: .acquiring) else { return }
            isClosed.store(true, ordering: .releasing)
            for loop in loops {
                try? await loop.executor.eventLoop.flatSubmit { loop.pool.value.close() }.get()
            }
        }

        /// Closes connections as soon as they are idle; exchanges in flight and unread bodies continue.
        func abandon() {
            guard wasUsed.load(ordering: .acquiring), !isClosed.load(ordering: .acquiring) else { return }
            for loop in loops { loop.executor.eventLoop.execute { loop.pool.value.abandon() } }
        }

        /// Returns the event loop that the caller runs on, if it is one of these.
        func current() -> Loop? {
            guard let current = MultiThreadedEventLoopGroup.currentEventLoop else { return nil }
            return loops.first { $0.executor.eventLoop === current }
        }

        /// Returns the event loop with the fewest visitors.
        ///
        /// Sequential exchanges get the same loop, and can reuse its connections.
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
    /// The engine on the event loop group passed by the caller.
    private let given: Engine?
    /// The engine on the process-wide shared event loops, which start on first use.
    private let shared = AtomicLazyReference<Engine>()

    /// Creates a transport; connections are established on demand.
    /// - Parameters:
    ///   - group: The event loops to use; nil for the ones that SwiftNIO shares in the process.
    ///   - settings: The limits and timeouts of connections.
    public init(group: (any EventLoopGroup)? = nil, settings: Settings = .init()) {
        self.settings = settings
        given = group.map { Engine(group: $0, settings: settings) }
    }

    /// Closes the idle connections of a transport that was not closed explicitly.
    deinit { engine?.abandon() }

    /// The task executors of the event loops; tasks that perform exchanges should prefer one of them.
    public var executors: [EventLoopTaskExecutor] { loadEngine().loops.map(\.executor) }

    /// The engine, if it has been created.
    private var engine: Engine? { given ?? shared.load() }

    private func loadEngine() -> Engine {
        engine ?? shared.storeIfNil(Engine(group: MultiThreadedEventLoopGroup.singleton, settings: settings))
    }

    /// Sends a request and waits for the response, or for its head if the body is streamed.
    ///
    /// A streamed response body can outlive the calling task: it is read, and its time limits apply, until it ends or
    /// is released. A streamed request body is read in a child task of the caller. That task is cancelled when the
    /// response no longer needs the body, and the reader should then finish soon.
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

    /// Opens a connection as for a request and closes it without sending anything.
    public func connect(_ request: TransportRequest) async throws(SessionError) {
        var request = request
        request.connectsOnly = true
        request.body = .empty
        _ = try await send(request)
    }

    /// Performs an exchange; runs on the event loop as the task's preferred executor.
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

    /// Performs an exchange; the caller must run on the event loop.
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

    /// Fails all exchanges and closes all connections; the event loops keep running.
    public func close() async {
        await engine?.close()
    }
}

extension NIOTransport: UpgradingTransport {
    /// Requests a protocol upgrade on a dedicated connection (RFC 9110, section 7.8).
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
    /// Whether the body is streamed.
    fileprivate var isStream: Bool {
        if case .stream = self { true } else { false }
    }
}
