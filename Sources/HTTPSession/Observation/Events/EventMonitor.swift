import Synchronization

/// Sees what happens to the requests of a session.
///
/// A monitor is called where things happen, in order for each request, and for several requests at a time: it must be
/// quick, and passes on what takes time.
public protocol EventMonitor: Sendable {
    /// Takes note of an event.
    func receive(_ event: SessionEvent, of request: RequestID)
}

/// Calls a function for each event.
public struct ClosureMonitor: EventMonitor {
    private let body: @Sendable (SessionEvent, RequestID) -> Void

    /// Creates a monitor of a function, which is called where things happen and must be quick.
    public init(_ body: @escaping @Sendable (_ event: SessionEvent, _ request: RequestID) -> Void) {
        self.body = body
    }

    /// Calls the function.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        body(event, request)
    }
}

/// Passes events on to several monitors, in order.
public struct CompositeMonitor: EventMonitor {
    /// The monitors.
    public let monitors: [any EventMonitor]

    /// Creates a monitor of others.
    public init(_ monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    /// Creates a monitor of others.
    public init(_ monitors: any EventMonitor...) {
        self.monitors = monitors
    }

    /// Passes the event on.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        for monitor in monitors { monitor.receive(event, of: request) }
    }
}

/// Gives the events of a session as a sequence, for one reader.
///
/// ```swift
/// let events = EventStream()
/// configuration.monitors.append(events)
/// for await entry in events { print(entry.request, entry.event.name) }
/// ```
///
/// A session never waits for the reader: beyond ``capacity`` events are dropped and counted. The events of one request
/// come in order, those of several mixed. The sequence ends with ``finish()``; closing a session does not end it.
public final class EventStream: EventMonitor, AsyncSequence {
    /// An event and its request's number.
    public typealias Element = RequestEvent
    /// Nothing is thrown.
    public typealias Failure = Never

    /// Which events are dropped when more wait than there is room for.
    public enum Overflow: Sendable, Hashable {
        /// Those that have waited longest.
        case dropsOldest
        /// Those that come.
        case dropsNewest
    }

    /// How many events may wait for the reader.
    public let capacity: Int

    private let stream: AsyncStream<RequestEvent>
    private let continuation: AsyncStream<RequestEvent>.Continuation
    private let dropped = Atomic<Int>(0)

    /// Creates a stream without events.
    /// - Parameters:
    ///   - capacity: How many events may wait for the reader, at least 1.
    ///   - overflow: Which events are dropped when there is no room.
    public init(capacity: Int = 4096, overflow: Overflow = .dropsOldest) {
        self.capacity = Swift.max(1, capacity)
        let policy: AsyncStream<RequestEvent>.Continuation.BufferingPolicy =
            overflow == .dropsOldest ? .bufferingNewest(self.capacity) : .bufferingOldest(self.capacity)
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: policy)
    }

    deinit {
        continuation.finish()
    }

    /// How many events were dropped because there was no room.
    public var droppedEvents: Int { dropped.load(ordering: .relaxed) }

    /// Hands an event to the reader.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        if case .dropped = continuation.yield(RequestEvent(request: request, event: event)) {
            dropped.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Ends the sequence after the events that wait; later ones are ignored.
    public func finish() {
        continuation.finish()
    }

    /// An iterator; all iterators of a stream share its one pass.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: stream.makeAsyncIterator())
    }

    /// Reads the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<RequestEvent>.Iterator

        /// The next event, or nil at the end and when the task is cancelled.
        public mutating func next() async -> RequestEvent? {
            await base.next()
        }

        /// The next event, or nil at the end and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> RequestEvent? {
            await base.next(isolation: actor)
        }
    }
}
